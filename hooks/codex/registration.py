"""Codex: ``hooks.json``, whose reader rejects the whole file for one unknown key; timeouts in seconds."""

from hooks.registration import Mount, Registration, Skills, WindowsForm

REGISTRATION = Registration(
    agent="codex",
    title="Codex",
    folder=".codex",
    folder_variable="CODEX_HOME",
    user_file="hooks.json",
    project_file=".codex/hooks.json",
    toml_file="config.toml",
    timeouts={
        "SessionStart": 5,
        "UserPromptSubmit": 5,
        "PostToolUse": 5,
        "SubagentStop": 5,
        "Stop": 5,
        "Interrupt": 3,
        "SessionEnd": 3,
    },
    windows=WindowsForm.OVERRIDE,
    keys=frozenset({"description", "hooks"}),
    note="Codex skips a hook in silence until you trust it: start codex, type /hooks, and press t.",
    mount=Mount("config.toml", ".codex/config.toml", ("mcp_servers",)),
    skills=Skills(".codex/skills"),
)
