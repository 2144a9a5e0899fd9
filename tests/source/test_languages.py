import ast
import subprocess
import sys
from pathlib import Path

import pytest

from fastedit.source.languages import TEXT, languages, named, names, notation_of
from fastedit.source.syntax import Syntax, grammar

ROOT = Path(__file__).parents[2]
ROOMS = (ROOT / "fastedit", ROOT / "lsp" / "fastedit_lsp")


def test_no_module_outside_their_folder_spells_a_languages_name_or_suffix():
    suffixes = {suffix for each in languages() if each.is_code for suffix in each.suffixes}
    spelled = {*names(), *suffixes} - {TEXT}
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.value!r}"
        for room in ROOMS
        for path in sorted(room.rglob("*.py"))
        if path.parent.name != "languages"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in spelled
    ]
    assert found == []


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.name)
def test_a_language_has_a_file_of_its_name(language):
    assert (ROOT / "fastedit" / "source" / "languages" / f"{language.name}.py").is_file()


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.name)
def test_a_suffix_leads_to_the_language_that_has_it(language):
    for suffix in language.suffixes:
        sharing = {each.name for each in languages() if suffix in each.suffixes}
        assert notation_of(Path(f"a{suffix}"), "") in sharing


@pytest.mark.parametrize(
    "language", [each for each in languages() if each.is_code], ids=lambda language: language.name
)
def test_what_a_language_says_of_nodes_its_grammar_has(language):
    known = grammar(language.name)
    said = {*language.definitions, *language.import_kinds, *language.needs_body, *language.annotations}
    assert [kind for kind in sorted(said) if not known.id_for_node_kind(kind, True)] == []


@pytest.mark.parametrize(
    "language", [each for each in languages() if each.declaration], ids=lambda language: language.name
)
def test_the_declaration_that_names_are_tried_in_parses(language):
    assert not Syntax(
        language.declaration.format(language.name_of_variable).split("\n"), language.name
    ).root.has_error


def test_a_name_that_nothing_knows_has_what_plain_text_has():
    assert named("klingon") is named(TEXT)
    assert not named("markdown").is_code


def test_to_know_the_languages_loads_no_grammar():
    code = (
        "import sys\n"
        "from fastedit.source.languages import languages\n"
        "assert languages()\n"
        "print([name for name in sys.modules if name.startswith('tree_sitter')])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
