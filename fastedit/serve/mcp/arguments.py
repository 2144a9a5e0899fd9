"""The arguments of a tool as its client sent them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata
from mcp_types import ToolAnnotations


class McpArguments(FuncMetadata):
    """Leaves a string as it is wherever a tool takes one: `null` and `[]` are text that a file may hold.

    The package decodes strings that are JSON for all arguments that may be something else too, as some clients send
    lists and objects that way. Of arguments that take no string that stays.
    """

    def pre_parse_json(self, data: dict[str, Any]) -> dict[str, Any]:
        fields = self.arg_model.model_json_schema(by_alias=True)["properties"]
        texts = {
            name: value
            for name, value in data.items()
            if isinstance(value, str) and name in fields and _takes_text(fields[name])
        }
        return super().pre_parse_json(data) | texts


def tool_of(function: Callable[..., Any], annotations: ToolAnnotations) -> Tool:
    """The tool that a function is."""
    tool = Tool.from_function(function, annotations=annotations)
    return tool.model_copy(update={"fn_metadata": McpArguments(**dict(tool.fn_metadata))})


def _takes_text(schema: Mapping[str, Any]) -> bool:
    return any(kind.get("type") == "string" for kind in (schema, *schema.get("anyOf", ())))
