"""What each language spells how, as far as edits need to know it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_NOT_CONTROL = r"(?!(?:if|for|while|switch|catch|return|else|function|with|do|new|await)\b)"
_PARAMS = r"\((?P<params>[^()]*)\)"
_PYTHON = re.compile(
    rf"(?P<indent>\s*)(?:async\s+)?def\s+(?P<name>\w+){_PARAMS}(?P<tail>\s*(?:->\s*[^:]+)?:)\s*$"
)
_SCRIPT = re.compile(
    r"(?P<indent>\s*)(?:export\s+)?(?:default\s+)?(?:(?:public|private|protected|static|async|override|readonly)\s+)*"
    rf"(?:function\s*\*?\s*)?{_NOT_CONTROL}(?P<name>[A-Za-z_$][\w$]*){_PARAMS}(?P<tail>(?:\s*:\s*[^{{;=()]+)?\s*\{{)\s*$"
)
_GO = re.compile(rf"(?P<indent>)func\s+(?:\([^()]*\)\s*)?(?P<name>\w+){_PARAMS}(?P<tail>[^{{]*\{{)\s*$")
_RUST = re.compile(
    r"(?P<indent>\s*)(?:pub(?:\([^)]*\))?\s+)?(?:(?:const|async|unsafe)\s+)*fn\s+(?P<name>\w+)(?:<[^>]*>)?"
    rf"{_PARAMS}(?P<tail>[^{{;]*\{{)\s*$"
)
_JAVA = re.compile(
    r"(?P<indent>\s+)(?:(?:public|private|protected|static|final|synchronized)\s+)+[\w<>\[\], .?]*?\b"
    rf"{_NOT_CONTROL}(?P<name>\w+){_PARAMS}(?P<tail>[^{{;]*\{{)\s*$"
)
_C = re.compile(
    r"(?P<indent>\s*)(?!(?:else|return|typedef|case)\b)(?:[A-Za-z_][\w:<>]*[\s*&]+)+"
    rf"{_NOT_CONTROL}(?P<name>[A-Za-z_]\w*){_PARAMS}(?P<tail>\s*(?:const|noexcept|override)?\s*\{{?)\s*$"
)


@dataclass(frozen=True, slots=True)
class Speech:
    """`comment` is what stands before and behind a comment's text, `end` what closes a statement.

    `function` matches the one line of a signature; `header` is what stands around an if's condition. `declare` makes
    a variable, `parameter` a parameter; `logs`, `nothing` and `types` are what code of the language says.
    """

    comment: tuple[str, str] | None
    end: str = ""
    function: re.Pattern[str] | None = None
    braces: bool = False
    header: tuple[str, str] = ("", "")
    declare: str | None = None
    parameter: str = "{n}"
    logs: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    values: tuple[str, ...] = ("0", "1", "10", "-1", '""', '"utf-8"', "100", "true", "false")
    absent: tuple[str, ...] = ()
    operators: tuple[str, str, str] = ("!", "&&", "||")


_JS_VALUES = ("null", "0", "1", "true", "false", '""', "[]", "{}", "10", '"utf-8"', "undefined")
_JAVASCRIPT = Speech(
    comment=("// ", ""),
    end=";",
    function=_SCRIPT,
    braces=True,
    header=("(", ")"),
    declare="const {n} = {v};",
    logs=('console.log("{m}");', 'logger.info("{m}");', 'console.warn("{m}");', 'debug("{m}");'),
    types=("string", "number", "boolean", "string[]", "Buffer", "unknown", "Date"),
    values=_JS_VALUES,
    absent=("!{n}", "{n} === null", "{n} === undefined", "{n}.length === 0", "{n} < 0"),
)
_TYPESCRIPT = Speech(
    comment=("// ", ""),
    end=";",
    function=_SCRIPT,
    braces=True,
    header=("(", ")"),
    declare="const {n} = {v};",
    parameter="{n}: {t}",
    logs=_JAVASCRIPT.logs,
    types=("string", "number", "boolean", "string[]", "unknown", "Date", "Record<string, string>"),
    values=_JS_VALUES,
    absent=_JAVASCRIPT.absent,
)
_C_SPEECH = Speech(
    comment=("// ", ""),
    end=";",
    function=_C,
    braces=True,
    header=("(", ")"),
    parameter="{t} {n}",
    logs=('printf("{m}");', 'fprintf(stderr, "{m}");', 'log_debug("{m}");'),
    types=("int", "size_t", "const char *", "bool", "double", "uint32_t", "void *"),
    values=("0", "1", "-1", "NULL", "10", "64", '""'),
    absent=("!{n}", "{n} == NULL", "{n} < 0", "{n} == 0"),
)
SPEECH: Final[Mapping[str, Speech]] = {
    "python": Speech(
        comment=("# ", ""),
        function=_PYTHON,
        declare="{n} = {v}",
        logs=(
            'logger.info("{m}")',
            'logger.debug("{m}")',
            'logging.info("{m}")',
            'log.debug("{m}")',
            'print("{m}")',
            'logger.warning("{m}")',
        ),
        types=(
            "int",
            "str",
            "float",
            "bool",
            "bytes",
            "list[int]",
            "list[str]",
            "dict[str, Any]",
            "Path",
            "str | None",
        ),
        values=("None", "0", "1", "True", "False", '""', "()", "10", "0.5", "-1", '"utf-8"', "{}"),
        absent=("{n} is None", "not {n}", "{n} < 0", "len({n}) == 0", "{n} == 0"),
        operators=("not ", "and", "or"),
    ),
    "javascript": _JAVASCRIPT,
    "typescript": _TYPESCRIPT,
    "tsx": _TYPESCRIPT,
    "go": Speech(
        comment=("// ", ""),
        function=_GO,
        braces=True,
        declare="{n} := {v}",
        parameter="{n} {t}",
        logs=('fmt.Println("{m}")', 'log.Print("{m}")', 'log.Printf("{m}")'),
        types=("int", "string", "bool", "[]byte", "error", "context.Context", "time.Duration", "*Config"),
        values=("nil", "0", "1", "true", "false", '""', "10"),
        absent=("{n} == nil", '{n} == ""', "len({n}) == 0", "{n} < 0"),
    ),
    "rust": Speech(
        comment=("// ", ""),
        end=";",
        function=_RUST,
        braces=True,
        declare="let {n} = {v};",
        parameter="{n}: {t}",
        logs=('println!("{m}");', 'info!("{m}");', 'log::debug!("{m}");', 'eprintln!("{m}");'),
        types=("usize", "u32", "&str", "String", "bool", "Vec<u8>", "Option<String>", "&[u8]"),
        values=("None", "0", "1", "true", "false", '""', "10", "Vec::new()"),
        absent=("{n}.is_empty()", "{n}.is_none()", "{n} == 0", "!{n}"),
    ),
    "java": Speech(
        comment=("// ", ""),
        end=";",
        function=_JAVA,
        braces=True,
        header=("(", ")"),
        declare="var {n} = {v};",
        parameter="{t} {n}",
        logs=('System.out.println("{m}");', 'log.info("{m}");', 'logger.debug("{m}");'),
        types=("int", "String", "boolean", "long", "List<String>", "byte[]", "Object"),
        values=("null", "0", "1", "true", "false", '""', "10L"),
        absent=("{n} == null", "{n}.isEmpty()", "{n} < 0", "!{n}"),
    ),
    "c": _C_SPEECH,
    "cpp": Speech(
        comment=("// ", ""),
        end=";",
        function=_C,
        braces=True,
        header=("(", ")"),
        declare="auto {n} = {v};",
        parameter="{t} {n}",
        logs=('std::cout << "{m}";', 'LOG(INFO) << "{m}";', 'spdlog::info("{m}");'),
        types=("int", "std::string", "size_t", "bool", "const std::string &", "double"),
        values=("0", "1", "nullptr", "true", "false", '""', "64"),
        absent=("!{n}", "{n} == nullptr", "{n}.empty()", "{n} < 0"),
    ),
    "sql": Speech(comment=("-- ", ""), end=";"),
    "shell": Speech(comment=("# ", "")),
    "yaml": Speech(comment=("# ", ""), values=("true", "false", "0", "1", "10", "latest", "null", '"1.0"')),
    "toml": Speech(comment=("# ", ""), values=("true", "false", "0", "1", "10", '"latest"', '"1.0"', "[]")),
    "json": Speech(comment=None, values=("true", "false", "0", "1", "10", '"latest"', "null", '"1.0.0"')),
    "css": Speech(
        comment=("/* ", " */"),
        end=";",
        values=("0", "none", "auto", "1px", "#fff", "100%", "inherit", "bold"),
    ),
    "html": Speech(comment=("<!-- ", " -->")),
    "markdown": Speech(comment=("<!-- ", " -->")),
}
ANY = tuple(SPEECH)
FUNCTIONS = tuple(name for name, speech in SPEECH.items() if speech.function)
SCRIPTS = ("javascript", "typescript", "tsx")
