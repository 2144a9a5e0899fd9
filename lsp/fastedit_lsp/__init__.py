"""The language server: edits of open buffers, streamed hunk by hunk, over stdio, TCP or a web socket.

Knows editors and the Language Server Protocol; what an edit is belongs to `fastedit`.
"""

from fastedit_lsp.server import FasteditServer
from fastedit_lsp.settings import ClientSettings

__all__ = ["ClientSettings", "FasteditServer"]
