"""What goes over the wire: events, results and workspace edits as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from lsprotocol import types

from fastedit.engine.events import Event, HunkReady, Located, Progressed
from fastedit.source.hunks import Hunk, apply_hunks, splice
from fastedit_lsp.buffers import Buffer

ANNOTATION = "fastedit"


def hunk_json(hunk: Hunk) -> dict[str, Any]:
    return {"start": hunk.start, "stop": hunk.stop, "lines": list(hunk.lines)}


def hunks_json(hunks: Iterable[Hunk]) -> list[dict[str, Any]]:
    return [hunk_json(hunk) for hunk in hunks]


def base_json(buffer: Buffer) -> dict[str, Any]:
    """Which text the hunks count in. The hash is of its UTF-8 bytes."""
    return {"version": buffer.version, "sha256": buffer.document.sha256}


def event_json(event: Event, base: Buffer) -> dict[str, Any] | None:
    """An event as a partial result; None for the last one, which is the result."""
    match event:
        case Located(regions, reasons):
            places = zip(regions, reasons, strict=True)
            return {
                "kind": "located",
                "base": base_json(base),
                "regions": [{**asdict(region), "reason": reason} for region, reason in places],
            }
        case HunkReady(hunk):
            return {"kind": "hunk", "hunk": hunk_json(hunk)}
        case Progressed(progress):
            return {
                "kind": "progress",
                "fraction": progress.fraction,
                "outputTokens": progress.output_tokens,
                "passes": progress.passes,
                "tokensPerSecond": progress.tokens_per_second,
            }
        case _:
            return None


def supported(capabilities: types.ClientCapabilities) -> types.WorkspaceEditClientCapabilities | None:
    """What the client knows of workspace edits."""
    return capabilities.workspace.workspace_edit if capabilities.workspace else None


def confirms(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client knows annotations, and so asks the person before it applies what needs confirmation."""
    edits = supported(capabilities)
    return edits is not None and edits.change_annotation_support is not None


def workspace_edit(
    buffer: Buffer,
    hunks: Sequence[Hunk],
    label: str,
    capabilities: types.ClientCapabilities,
    *,
    drops_final_newline: bool = False,
) -> types.WorkspaceEdit:
    """The hunks as one edit of this very version of the buffer, annotated where the client knows annotations."""
    edits = [_without_final_newline(buffer, hunks)] if drops_final_newline else [*text_edits(buffer, hunks)]
    known = supported(capabilities)
    if known is None or not known.document_changes:
        return types.WorkspaceEdit(changes={buffer.uri: edits})
    annotation = ANNOTATION if confirms(capabilities) else None
    noted = types.ChangeAnnotation(f"FastEdit: {label}")
    return types.WorkspaceEdit(
        document_changes=[text_change(buffer.uri, buffer.version, edits, annotation)],
        change_annotations={ANNOTATION: noted} if annotation else None,
    )


def text_change(
    uri: str, version: int | None, edits: Sequence[types.TextEdit], annotation: str | None
) -> types.TextDocumentEdit:
    document = types.OptionalVersionedTextDocumentIdentifier(uri, version)
    if annotation is None:
        return types.TextDocumentEdit(document, list(edits))
    noted = [types.AnnotatedTextEdit(annotation, edit.range, edit.new_text) for edit in edits]
    return types.TextDocumentEdit(document, list(noted))


def _without_final_newline(buffer: Buffer, hunks: Sequence[Hunk]) -> types.TextEdit:
    """All from the first change on, for the last line may be one that no hunk replaces."""
    new = apply_hunks(buffer.document, hunks, drops_final_newline=True)
    at = min([len(new), *(one.begin for one in splice(buffer.document, hunks))])
    end = buffer.index.position(len(buffer.text))
    return types.TextEdit(types.Range(buffer.index.position(at), end), new[at:])


def text_edits(buffer: Buffer, hunks: Sequence[Hunk]) -> Iterator[types.TextEdit]:
    """Whole lines replaced; what stands between two lines kept as they are is one edit."""
    for one in splice(buffer.document, hunks):
        yield types.TextEdit(buffer.index.lines(one.start, one.stop), one.text)
