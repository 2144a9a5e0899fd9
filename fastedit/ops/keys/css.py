"""The rules of CSS as keys, with their properties in them: html.line-height, '/.btn > a/color'."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import tinycss2
from tree_sitter import Node

from fastedit.ops.keys.entry import TWIN, KeyEntry, NodeSpan, pointer_to
from fastedit.ops.keys.notation import Hunks, New, Notation, at
from fastedit.ops.source import ByteEdit
from fastedit.source.hunks import Hunk

_BLOCKS = ("block", "keyframe_block_list")
_RULES = ("rule_set", "at_rule", "keyframe_block")  # what may have properties


class Css(Notation):
    """A rule or property that stands again, as fallbacks do, has a key of its own."""

    top = False

    def read(self) -> KeyEntry:
        root = KeyEntry((), 0, "map")
        self._fill(root, self.source.syntax.root, self.values)
        if self.values and not root.children:
            raise self.refused("the file has CSS that is not understood; edit it as text")
        return root

    @staticmethod
    def data(text: str) -> Any:
        return _said(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True))

    def value(self, literal: str) -> Any:
        declaration = tinycss2.parse_one_declaration(f"value: {literal}")
        if declaration.type == "error" or not literal.strip():
            raise ValueError("it is not a value of a property")
        return _written(declaration)

    def normal(self, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return _numbered((key.rstrip(TWIN), self.normal(value)) for key, value in data.items())

    def replaced(self, entry: KeyEntry, new: New) -> Hunks:
        old = entry.value
        if old is None or entry.kind != "value":
            raise self.refused(f"`{entry.dotted}` is a rule; set its properties one by one")
        if "!important" in at(self.values, entry.path) and "!important" not in new.data:
            raise self.refused(f"`{entry.dotted}` is !important; give the value with it, or delete it first")
        return self.over(old.start_byte, old.end_byte, new.value)

    def put(self, parent: KeyEntry, key: str | None, index: int, new: New) -> Hunks:
        rule, source = parent.node, self.source
        if rule is None or not _has_properties(parent):
            first = next((each.path for each in parent.children if _has_properties(each)), None)
            such = f", such as {pointer_to((*first, str(key)))}" if first is not None else ""
            raise self.refused(f"`{parent.dotted}` has rules and no properties; name one of them too{such}")
        block, old = _block(rule), [child for child in parent.children if child.kind == "value"]
        assert block is not None
        if not old:
            start, stop = block.start_byte + 1, block.end_byte - 1
            if block.start_point.row == block.end_point.row:
                return self.over(start, stop, f" {key}: {new.value}; ")
            row = block.start_point.row + 1
            line = f"{source.indent(rule.start_point.row)}{source.unit}{key}: {new.value};"
            return (Hunk(row, row, (line,)),)
        last, name, value = old[-1].whole, old[-1].names[0], old[-1].value
        assert value is not None
        colon = source.data[name.end_byte : value.start_byte].decode()
        text = f"{key}{':' if colon == ':' else ': '}{new.value};"
        ended = last.children[-1].type == ";"
        edits = [] if ended else [ByteEdit(last.end_byte, last.end_byte, ";")]
        if not self.source.alone(last):
            end = last.end_byte
            return source.hunks([ByteEdit(end, end, ";" * (not ended) + f" {text}")])
        row = last.end_point.row + 1
        line = source.indent(last.start_point.row) + text
        return (*source.hunks(edits), Hunk(row, row, (line,)))

    def removed(self, entry: KeyEntry) -> Hunks:
        node = entry.whole
        if self.source.alone(node):
            return (self.lines_removed(node.start_point.row, node.end_point.row + 1),)
        after = node.next_sibling
        same = after is not None and after.start_point.row == node.end_point.row
        stop = after.start_byte if after is not None and same else node.end_byte
        return self.source.hunks([ByteEdit(node.start_byte, stop, "")])

    def _fill(self, entry: KeyEntry, block: Node, said: dict[str, Any]) -> None:
        """Reads the rules and declarations of a block, unless the parser sees others there."""
        found = [(self._key(node), node) for node in block.named_children if node.type != "comment"]
        if [*_numbered(found)] != [*said]:
            return
        for key, (_, node) in zip(said, found, strict=True):
            inner = _block(node)
            made = KeyEntry(
                (*entry.path, key), node.start_point.row, "map", node, None, node.named_children[:1]
            )
            entry.add(made)
            if node.type == "declaration":
                colon = next(index for index, part in enumerate(node.children) if part.type == ":")
                value = [part for part in node.children[colon + 1 :] if part.type not in (";", "comment")]
                made.kind, made.value = "value", NodeSpan(value[0].start_byte, value[-1].end_byte)
            elif inner is not None:
                self._fill(made, inner, said[key])

    def _key(self, node: Node) -> str:
        """The name of a declaration, or what stands before the block of a rule."""
        if node.type == "declaration":
            return self.source.text(node.named_children[0])
        inner = _block(node)
        stop = node.end_byte if inner is None else inner.start_byte
        text = self.source.data[node.start_byte : stop].decode().rstrip("; ")
        return _header(tinycss2.parse_component_value_list(text))


def _block(node: Node) -> Node | None:
    return next((child for child in node.children if child.type in _BLOCKS), None)


def _said(nodes: Sequence[Any]) -> dict[str, Any]:
    """What the parser says of rules and declarations."""
    found: list[tuple[str, Any]] = []
    for node in nodes:
        if node.type == "declaration":
            found.append((node.name, _written(node)))
        elif node.type == "error":
            found.append(("", node.kind))
        else:
            at = [tinycss2.ast.AtKeywordToken(0, 0, node.at_keyword)] if node.type == "at-rule" else []
            inner = tinycss2.parse_blocks_contents(
                node.content or (), skip_comments=True, skip_whitespace=True
            )
            found.append((_header([*at, *node.prelude]), _said(inner)))
    return _numbered(found)


def _numbered(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    made, times = dict[str, Any](), Counter[str]()
    for key, value in pairs:
        made[key + TWIN * times[key]] = value
        times[key] += 1
    return made


def _written(declaration: Any) -> str:
    text: str = tinycss2.serialize(declaration.value).strip()
    return f"{text} !important" if declaration.important else text


def _header(tokens: Sequence[Any]) -> str:
    """A selector or an at-rule's start, without comments and with single spaces."""
    text = tinycss2.serialize([token for token in tokens if token.type != "comment"])
    return " ".join(re.sub(r"\s*([>+~])\s*", r" \1 ", re.sub(r"\s*,\s*", ", ", text)).split())


def _has_properties(rule: KeyEntry) -> bool:
    return rule.node is not None and rule.node.type in _RULES
