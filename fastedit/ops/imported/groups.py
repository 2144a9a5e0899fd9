"""Go's imports, as gofmt groups them."""

from __future__ import annotations

from tree_sitter import Node

from fastedit.ops.base import Outcome
from fastedit.ops.imported.wanted import Wanted, already, among, inserted, top_level, uses, without_line
from fastedit.ops.source import Source
from fastedit.source.hunks import Hunk

_MODULE = r"[\w.~/-]+"


def add(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member="", alias=r"[^\W\d]\w*|\.")
    found = source.syntax.find("(import_spec) @found")
    for node in found:
        if _path(source, node) == wanted.module and _alias(source, node) == wanted.alias:
            return already(source, node)
    spec = f'{wanted.alias} "{wanted.module}"' if wanted.alias else f'"{wanted.module}"'
    declarations = top_level(source, "import_declaration")
    if not declarations:
        package = top_level(source, "package_clause")
        if not package:
            raise wanted.refused("the file has no package clause to put imports behind")
        return inserted(source, source.syntax.rows(package[0])[1], f"import {spec}", above=True, below=True)
    grouped = next((n for n in declarations if n.named_children[0].type == "import_spec_list"), None)
    if grouped is None:
        return _grouped(source, declarations, spec)
    specs = _specs(grouped.named_children[0])
    start, stop = source.syntax.rows(grouped)
    if stop - start < 2:
        raise wanted.refused(f"the imports share line {start + 1}; give each a line first")
    if not specs:
        return inserted(source, start + 1, f"\t{spec}")
    group = _group(specs, wanted.module, source)
    return among(source, group, [_path(source, node) for node in group], wanted.module, f"\t{spec}")


def remove(source: Source, wanted: Wanted) -> Outcome:
    wanted.check(_MODULE, member="", alias="")
    found = [n for n in source.syntax.find("(import_spec) @found") if _path(source, n) == wanted.module]
    whole = spec = wanted.only(found)
    parent = spec.parent
    if parent is not None and (parent.type == "import_declaration" or len(_specs(parent)) == 1):
        whole = parent if parent.type == "import_declaration" else parent.parent or parent
    name = _alias(source, spec) or wanted.module.rsplit("/", 1)[-1]
    return without_line(source, whole, uses(source, name, spec))


def _specs(holder: Node) -> list[Node]:
    return [node for node in holder.named_children if node.type == "import_spec"]


def _group(specs: list[Node], module: str, source: Source) -> list[Node]:
    """The specs that stand together and have most in common with a module: the standard library, or others."""
    groups: list[list[Node]] = []
    for node in specs:
        if groups and node.start_point.row == groups[-1][-1].end_point.row + 1:
            groups[-1].append(node)
        else:
            groups.append([node])
    others = "." in module.split("/")[0]
    alike = [g for g in groups if any(("." in _path(source, n).split("/")[0]) == others for n in g)]
    return (alike or groups)[-1 if others else 0]


def _grouped(source: Source, declarations: list[Node], spec: str) -> Outcome:
    """The imports that stand alone and the new one, in one declaration."""
    start, stop = source.syntax.rows(declarations[0])[0], source.syntax.rows(declarations[-1])[1]
    if (
        len(declarations) != 1
        or stop - start != 1
        or source.lines[start].strip() != source.text(declarations[0])
    ):
        return inserted(source, stop, f"import {spec}")
    specs = [source.text(declarations[0].named_children[0]), spec]
    specs.sort(key=lambda text: text.split('"')[1])
    return Outcome((Hunk(start, stop, ("import (", *(f"\t{text}" for text in specs), ")")),))


def _path(source: Source, spec: Node) -> str:
    path = spec.child_by_field_name("path")
    return "" if path is None else source.text(path).strip('"`')


def _alias(source: Source, spec: Node) -> str | None:
    name = spec.child_by_field_name("name")
    return None if name is None else source.text(name)
