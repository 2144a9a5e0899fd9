"""PHP: what a language gets from its one file."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastedit import Document, EditRequest, Engine, Status
from fastedit.errors import OperationRefused
from fastedit.source.definitions import definitions
from fastedit.source.imports import imports
from fastedit.source.syntax import Syntax
from tests.ops.carried import carried, op, rename

STORE = """\
<?php

declare(strict_types=1);

namespace Shop;

use Shop\\Items\\Item;
use Shop\\Items\\{Box, Bag as Sack};

/** Keeps things. */
#[Keep(1)]
final class Store extends Base implements Closeable
{
    private const LIMIT = 3;
    private static int $opened = 0;

    public function __construct(private string $root) {}

    public function load(string $path, int $tries = 3): int
    {
        $found = $this->root . $path;
        if (!$this->exists($found)) {
            return 0;
        }
        $each = array_map(fn ($line) => $line . $found, $this->lines);
        foreach ($each as $line) {
            echo "$found: {$line->found}", '$found';
        }
        return strlen($found); // $found
    }

    abstract public function close(): void;
}

interface Closeable { function close(): void; }

function total(array $items): int
{
    return count($items);
}
?>
<p><?= total([]) ?></p>
"""


def edited(*operations: dict[str, object], text: str = STORE) -> str:
    return carried(text, *operations, language="php")


def merged(update: str, text: str = STORE):
    return Engine("/nowhere").apply(EditRequest(Document.from_text(text, Path("Store.php")), update=update))


def test_definitions_and_imports_are_found():
    syntax = Syntax(tuple(STORE.splitlines()), "php")
    assert not syntax.root.has_error
    assert [(item.kind, item.dotted, item.start + 1, item.stop) for item in definitions(syntax)] == [
        ("class", "Store", 10, 33),
        ("method", "Store.__construct", 17, 17),
        ("method", "Store.load", 19, 30),
        ("method", "Store.close", 32, 32),
        ("interface", "Closeable", 35, 35),
        ("method", "Closeable.close", 35, 35),
        ("function", "total", 37, 40),
    ]
    assert [sorted(item.names) for item in imports(syntax)] == [["Item"], ["Box", "Sack"]]


def test_a_sketch_is_merged_by_its_definitions():
    result = merged(
        "final class Store extends Base implements Closeable\n{\n    // ... existing code ...\n\n"
        "    public function load(string $path, int $tries = 3): int\n    {\n        assert($tries > 0);\n"
        "        // ... existing code ...\n    }\n\n    // ... existing code ...\n}\n"
    )
    head = "    public function load(string $path, int $tries = 3): int\n    {\n"
    assert result.text == STORE.replace(head, f"{head}        assert($tries > 0);\n")
    assert result.status is Status.OK


@pytest.mark.parametrize("functions", [10, 200])
def test_a_sketch_that_does_not_parse_is_held_back_in_a_long_file_too(functions):
    text = "<?php\n\n" + "\n".join(f"function f{n}()\n{{\n    g({n});\n}}\n" for n in range(functions))
    result = merged("function f0()\n{\n    g(0;\n}\n", text=text)
    assert result.status is Status.SUSPECT
    assert any("syntax error" in said for said in result.reasons)


def test_an_import_that_is_lost_while_it_is_used_is_noticed():
    text = "<?php\n\nuse A\\B;\nuse A\\C;\n\n$b = new B();\n"
    result = merged("<?php\n\nuse A\\C;\n\n$b = new B();\n", text=text)
    assert any("the import B vanishes, but result line 5 still uses it" in said for said in result.reasons)


def test_a_variable_of_a_function_is_renamed_in_functions_within_it_and_in_strings_that_show_it():
    expected = (
        STORE.replace("$found", "$file").replace("'$file'", "'$found'").replace("// $file", "// $found")
    )
    assert edited(rename("load.$found", "$file")) == expected


@pytest.mark.parametrize(
    ("text", "target", "why"),
    [
        (STORE, "load.$path", "may be named by calls in other files"),
        (STORE, "__construct.$root", "how line 17 binds `\\$root` is not followed|is known to define it"),
        (STORE, "$opened", "may be overloaded, or a member, in what other files have"),
        ("<?php\nfunction f() {\n    $a = 1;\n    return compact('a');\n}\n", "$a", "may be named by a text"),
        ("<?php\nfunction f() {\n    $a = 1;\n    return $$b;\n}\n", "$a", "may be named by a text"),
        ("<?php\nfunction f() {\n    global $a;\n    $a = 1;\n}\n", "$a", "in what other files have"),
    ],
)
def test_what_other_files_or_texts_may_name_is_not_renamed(text, target, why):
    with pytest.raises(OperationRefused, match=why):
        edited(rename(target, "$other"), text=text)


@pytest.mark.parametrize(
    ("text", "fields", "why"),
    [
        (STORE, {"module": "Other", "member": "Box"}, "`Box` is another's on line 8"),
        ("<p></p>\n<?php if ($a): ?>\n<b></b>\n<?php endif; ?>\n", {"module": "A"}, "no place for imports"),
    ],
)
def test_an_import_that_would_clash_or_be_no_code_is_refused(text, fields, why):
    with pytest.raises(OperationRefused, match=why):
        edited({"op": "add-import", **fields}, text=text)


@pytest.mark.parametrize(
    ("operation", "old", "new"),
    [
        (op("set-value Store.LIMIT 5"), "LIMIT = 3", "LIMIT = 5"),
        (op("set-value 'Store.$opened' 1"), "$opened = 0", "$opened = 1"),
        (op("remove-modifier Store final"), "final class", "class"),
        (op("add-modifier Store.load final"), "public function l", "final public function l"),
        (op("negate 'if (!$this->exists($found)) {' load"), "!$this->e", "$this->e"),
        (op("remove-decorator Store Keep"), "#[Keep(1)]\n", ""),
        (op("add-base Store Countable implements"), "Closeable\n{", "Closeable, Countable\n{"),
        (op("remove-base Store Base"), " extends Base", ""),
        (op("add-import 'Shop\\Items' Jar Pot"), "Item;\n", "Item;\nuse Shop\\Items\\Jar as Pot;\n"),
        (op("remove-import 'Shop\\Items' Item"), "use Shop\\Items\\Item;\n", ""),
        (op("insert total 'check();' first"), "    return count", "    check();\n    return count"),
    ],
)
def test_an_operation_changes_what_it_names_and_nothing_else(operation, old, new):
    assert STORE.count(old) == 1
    assert edited(operation) == STORE.replace(old, new)


def test_a_variable_without_its_mark_is_told_with_it():
    text = "<?php\nfunction f() {\n    $k = 1;\n    return $k;\n}\n"
    for target, new, way_out in (("f.k", "$z", r"similar: \$k"), ("f.$k", "z", r"write `\$z`")):
        with pytest.raises(OperationRefused, match=way_out):
            carried(text, {"op": "rename", "target": target, "new": new}, language="php")
