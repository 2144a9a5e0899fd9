//! Starts `fastedit lsp` for Zed. Everything else is the server's.

use zed_extension_api::{self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree};

struct FastEdit;

impl zed::Extension for FastEdit {
    fn new() -> Self {
        FastEdit
    }

    fn language_server_command(&mut self, _id: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree
            .which("fastedit")
            .ok_or("fastedit is not on the PATH; run in fastedit's folder: pip install '.[lsp]'")?;
        Ok(Command { command, args: vec!["lsp".into()], env: worktree.shell_env() })
    }

    fn language_server_initialization_options(
        &mut self,
        id: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<zed::serde_json::Value>> {
        Ok(LspSettings::for_worktree(id.as_ref(), worktree)?.initialization_options)
    }
}

zed::register_extension!(FastEdit);
