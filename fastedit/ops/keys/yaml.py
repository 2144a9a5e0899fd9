"""The keys of YAML: blocks by their indentation, flow collections by their brackets."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

import yaml
from tree_sitter import Node

from fastedit.ops.keys.entry import KeyEntry, Kind
from fastedit.ops.keys.notation import MOST_LEVELS, Hunks, Literal, New, Notation
from fastedit.ops.source import ByteEdit
from fastedit.source.hunks import Hunk

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float", "str", "timestamp")
)
_KINDS: dict[str, Kind] = {
    "block_mapping": "map",
    "flow_mapping": "map",
    "block_sequence": "list",
    "flow_sequence": "list",
}
_ASIDE = ("anchor", "tag", "comment", "directive")
_QUOTES = {"double_quote_scalar": '"', "single_quote_scalar": "'"}
_BLOCKS = ("block_mapping_pair", "block_sequence_item")


class Yaml(Notation):
    """An alias is the same object as its anchor, so that changes of one are seen in both; a merge key is a key. Several
    documents are a list of them.
    """

    def read(self) -> KeyEntry:
        if self.source.syntax.has_error:
            raise self.refused("the file has YAML that is not understood; edit it as text")
        documents = self.source.syntax.find("(document) @found")
        several = len(documents) > 1
        root = KeyEntry((), 0, "list" if several else "empty")
        for index, document in enumerate(documents):
            whole = KeyEntry((str(index),), document.start_point.row, "empty")
            self._fill(root.add(whole) if several else root, document)
        return root

    @staticmethod
    def data(text: str) -> Any:
        try:
            depth = 0
            for event in yaml.parse(text, _LOADER):
                depth += isinstance(event, yaml.CollectionStartEvent)
                depth -= isinstance(event, yaml.CollectionEndEvent)
                if depth > MOST_LEVELS:  # before composing, which would crash at some depth
                    raise ValueError(f"it has more than {MOST_LEVELS} levels")
            loader, found = _LOADER(text), []
            while loader.check_node():
                found.append(_plain(loader, loader.get_node(), {}))
            return found if len(found) > 1 else found[0] if found else {}
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)  # not all errors have one
            said = str(error) if mark is None else f"{error.problem} on line {mark.line + 1}"
            raise ValueError(said) from None

    def value(self, literal: str) -> Any:
        return self.data(literal) if literal.strip() else None

    def notes(self, entry: KeyEntry) -> tuple[str, ...]:
        used = {self.source.text(node)[1:]: node for node in self.source.syntax.find("(alias) @found")}
        for at in entry.above():
            for anchor in self._properties(at, "anchor"):
                alias = used.get(self.source.text(anchor)[1:])
                if alias is not None:
                    line = self.source.number(alias.start_point.row)
                    return (f"`{self.source.text(anchor)}` is used on line {line}, so it changes there too",)
        return ()

    def replaced(self, entry: KeyEntry, new: New) -> Hunks:
        self._check_within(entry)
        block, old, value = entry.whole.type in _BLOCKS, entry.value, new.value
        if not isinstance(old, Node):
            if block and isinstance(value, dict | list) and value:
                return self._below(entry, value)
            at = self._after_mark(entry)
            return self.source.hunks([ByteEdit(at, at, " " + self._flow(value, flow=not block))])
        start, stop, deeper = old.start_byte, _end(old), " " * old.start_point.column
        if old.type not in ("block_mapping", "block_sequence"):
            indent = " " * entry.whole.start_point.column
            # A comment after the old value would come to stand in the text of a block.
            alone = block and not self.source.beside(old)[1]
            lines = isinstance(value, str) and alone and self._text("", value, indent)
            flow = self._flow(value, _QUOTES.get(old.type, ""), not block)
            text = "\n".join(lines).lstrip(" ") if lines else flow
        elif isinstance(value, dict | list) and value:
            # A sequence may stand right below its key, a mapping may not.
            flat = isinstance(value, dict) and old.start_point.column == entry.whole.start_point.column
            text = "\n".join(self._block(value, deeper + self._step({}) * flat))[len(deeper) :]
        else:
            start, text = self._after_mark(entry), " " + self._flow(value)
        return self.over(start, stop, text)

    def spelled(self, key: str, entry: KeyEntry, old: Node) -> str:
        return self._key(key, entry.parent, _QUOTES.get(old.type, ""))

    def put(self, parent: KeyEntry, key: str | None, index: int, new: New) -> Hunks:
        holder = parent.value
        if not isinstance(holder, Node):
            return self._below(parent, [new.value] if key is None else {key: new.value})
        if holder.type.startswith("flow"):
            head = "" if key is None else f"{self._key(key, parent)}: "
            return self.bracketed_put(holder, index, head + self._flow(new.value, flow=True))
        indent, before = " " * holder.start_point.column, parent.children[max(index - 1, 0)]
        row = self._last_row(before) + 1
        if index == 0 and not self.source.beside(before.whole)[0]:
            row = self.comments_above(before.row)
        head = indent + ("-" if key is None else f"{self._key(key, parent)}:")
        return (Hunk(row, row, tuple(self._item(head, new.value, indent))),)

    def removed(self, entry: KeyEntry) -> Hunks:
        self._check_within(entry)
        parent, node = entry.parent, entry.whole
        assert parent is not None
        if isinstance(parent.value, Node) and parent.value.type.startswith("flow"):
            return self.source.hunks(self.bracketed_removed(parent.value, entry))
        index = parent.children.index(entry)
        if len(parent.children) == 1 and parent.node is not None:
            return self.over(self._after_mark(parent), _end(node), " {}" if parent.kind == "map" else " []")
        if self.source.beside(node)[0]:  # after a dash, where the next one takes its place
            if index + 1 == len(parent.children):
                raise self.refused(f"`{entry.dotted}` shares its line with another; edit it as text")
            return self.over(node.start_byte, parent.children[index + 1].whole.start_byte, "")
        return (self.lines_removed(entry.row, self._last_row(entry) + 1),)

    def _check_within(self, entry: KeyEntry) -> None:
        """Raises OperationRefused for a whole document."""
        if entry.node is None:
            raise self.refused(f"`{entry.dotted}` is a whole document; edit it as text")

    def _fill(self, entry: KeyEntry, node: Node) -> None:
        """Reads the value of an entry from the node that has it, with its anchor and tag."""
        content = [child for child in node.named_children if not child.type.endswith(_ASIDE)]
        if not content:
            return
        value = content[0]
        if value.type in ("block_node", "flow_node"):
            self._fill(entry, value)
            return
        entry.value, entry.kind = value, _KINDS.get(value.type, "value")
        for child in value.named_children if entry.kind != "value" else ():
            if entry.kind == "list" and child.type != "comment":
                path = (*entry.path, str(len(entry.children)))
                self._fill(entry.add(KeyEntry(path, child.start_point.row, "empty", child)), child)
            elif child.type in ("block_mapping_pair", "flow_pair"):
                self._pair(entry, child)

    def _pair(self, entry: KeyEntry, pair: Node) -> None:
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        name = None if key is None else key.named_children[-1]
        if name is None or (name.type != "plain_scalar" and name.type not in _QUOTES):
            return  # a key that no path can name
        text = self.source.text(name)
        path = (*entry.path, yaml.safe_load(text) if name.type in _QUOTES else text)
        made = entry.add(KeyEntry(path, pair.start_point.row, "empty", pair, names=[name]))
        if value is not None:
            self._fill(made, value)

    def _below(self, entry: KeyEntry, value: Any) -> Hunks:
        """With the value of an entry that has none, in the lines below it."""
        if entry.node is None:
            if entry.path:
                self._check_within(entry)
            row = len(self.source.lines)
            return (Hunk(row, row, tuple(self._block(value, ""))),)
        node = entry.whole
        if node.type not in _BLOCKS:
            raise self.refused(f"`{entry.dotted}` has no value between its brackets; edit it as text")
        step = "  " if node.type == "block_sequence_item" else self._step(value)
        lines = self._block(value, " " * node.start_point.column + step)
        return (Hunk(entry.row + 1, entry.row + 1, tuple(lines)),)

    def _block(self, value: dict[str, Any] | list[Any], indent: str) -> list[str]:
        """The lines of a mapping or sequence that is not empty."""
        if isinstance(value, dict):
            items = [(f"{indent}{self._key(key)}:", item) for key, item in value.items()]
        else:
            items = [(f"{indent}-", item) for item in value]
        return [line for head, item in items for line in self._item(head, item, indent)]

    def _item(self, head: str, value: Any, indent: str) -> list[str]:
        """The lines of a key or dash at an indentation, with its value."""
        if isinstance(value, dict | list) and value:
            if not head.endswith("-"):
                return [head, *self._block(value, indent + self._step(value))]
            first, *rest = self._block(value, f"{indent}  ")
            return [head + first[len(head) :], *rest]
        return self._text(head, value, indent) or [f"{head} {self._flow(value)}"]

    def _text(self, head: str, value: Any, indent: str) -> list[str]:
        """The lines of a value that is a text of several plain lines, none for another."""
        body = value.removesuffix("\n") if isinstance(value, str) and not isinstance(value, Literal) else ""
        if "\n" not in body.strip("\n") or body[0] in " \n" or body[-1] == "\n":
            return []
        lines = body.split("\n")
        if not all(map(str.isprintable, lines)):
            return []
        inner = indent + self._step({})
        return [f"{head} |{'' if value != body else '-'}", *(inner + line if line else "" for line in lines)]

    def _flow(self, value: Any, quote: str = "", flow: bool = False) -> str:
        if isinstance(value, Literal):
            return value
        if isinstance(value, list):
            return f"[{', '.join(self._flow(item, flow=True) for item in value)}]"
        if isinstance(value, dict):
            pairs = (f"{self._key(key)}: {self._flow(item, flow=True)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        if not isinstance(value, str):
            return json.dumps(value)
        says = self._says(f"[{value}]", [value]) if flow else self._says(f"key: {value}", {"key": value})
        return self._scalar(value, says and not _spells_number(value), quote)

    def _key(self, key: str, parent: KeyEntry | None = None, quote: str = "") -> str:
        """A key is a string, and a number only among such."""
        among = parent is not None and any(_spells_number(child.key) for child in parent.children)
        plain = among if _spells_number(key) else self._says(f"[{key}]", [key])
        return self._scalar(key, plain and self._says(f"{key}: 0", {key: 0}), quote)

    def _scalar(self, text: str, plain: bool, quote: str) -> str:
        """A text as it is where that says it, else in quotes, as with the `quote` that it had."""
        return text if plain and not quote else _quoted(text, quote or self._quote)

    def _says(self, text: str, value: Any) -> bool:
        try:
            # PyYAML's own scanner refuses what libyaml takes, such as `?` within brackets.
            yaml.compose(text, yaml.SafeLoader)
            return text.isprintable() and bool(self.data(text) == value)
        except (ValueError, yaml.YAMLError):
            return False

    @cached_property
    def _quote(self) -> str:
        """The quotes that the file has more of."""
        single, double = (
            len(self.source.syntax.find(f"({kind}) @found")) for kind in sorted(_QUOTES, reverse=True)
        )
        return "'" if single > double else '"'

    def _step(self, value: Any) -> str:
        """What a mapping or sequence below a key is indented by in this file."""
        return self._steps.get("block_sequence" if isinstance(value, list) else "block_mapping", "  ")

    @cached_property
    def _steps(self) -> dict[str, str]:
        steps: dict[str, str] = {}
        kinds = "[(block_mapping) (block_sequence)]"
        for inner in self.source.syntax.find(f"(block_mapping_pair value: (block_node {kinds} @found))"):
            pair = inner.parent.parent if inner.parent is not None else None
            assert pair is not None
            steps.setdefault(inner.type, " " * (inner.start_point.column - pair.start_point.column))
        return steps

    def _properties(self, entry: KeyEntry, *kinds: str) -> list[Node]:
        """The anchor or tag of an entry's value."""
        if entry.node is None:
            return []
        holder = entry.node.child_by_field_name("value") or entry.node
        inner = [child for child in holder.named_children if child.type in ("block_node", "flow_node")]
        return [child for node in (holder, *inner) for child in node.named_children if child.type in kinds]

    def _after_mark(self, entry: KeyEntry) -> int:
        """The byte after the colon or dash of an entry, and after the anchor or tag of its value."""
        marks = [child for child in entry.whole.children if child.type in (":", "-")]
        return max(node.end_byte for node in (*marks, *self._properties(entry, "anchor", "tag")))

    def _last_row(self, entry: KeyEntry) -> int:
        return self.source.row(_end(entry.whole))


def _end(node: Node) -> int:
    """The byte after a node, without the comments that the grammar counts to it."""
    while node.type != "block_scalar" and (
        inner := [child for child in node.children if child.type != "comment"]
    ):
        node = inner[-1]
    return node.end_byte


def _quoted(text: str, quote: str) -> str:
    if quote == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(text, ensure_ascii=False)


def _spells_number(text: str) -> bool:
    """Whether YAML 1.2 may read a number where the parser, which has 1.1, reads a string."""
    for read in (float, lambda digits: int(digits, 0)):
        try:
            read(text)
        except ValueError:
            continue
        return True
    return False


def _plain(loader: Any, node: yaml.Node, made: dict[int, Any]) -> Any:
    """What a node says, with the text of keys as keys."""
    if id(node) in made:
        return made[id(node)]
    if isinstance(node, yaml.ScalarNode):
        return loader.construct_object(node) if node.tag in _PLAIN_TAGS else (node.tag, node.value)
    if isinstance(node, yaml.SequenceNode):
        made[id(node)] = items = list[Any]()
        items += (_plain(loader, item, made) for item in node.value)
        return items
    made[id(node)] = pairs = dict[str, Any]()
    for key, value in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else repr(key)
        pairs[name] = _plain(loader, value, made)
    return pairs
