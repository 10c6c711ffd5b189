"""Cursor: ``hooks.json`` version 1, handlers straight under the event; timeouts in seconds."""

from hooks.registration import Mount, Registration, Shape, Skills, WindowsForm

REGISTRATION = Registration(
    agent="cursor",
    title="Cursor",
    folder=".cursor",
    user_file="hooks.json",
    project_file=".cursor/hooks.json",
    timeouts={
        "sessionStart": 5,
        "beforeSubmitPrompt": 5,
        "postToolUse": 5,
        "postToolUseFailure": 5,
        "afterAgentResponse": 5,
        "stop": 5,
        "sessionEnd": 5,
    },
    windows=WindowsForm.POWERSHELL,
    shape=Shape.FLAT,
    root={"version": 1},
    mount=Mount("mcp.json", ".cursor/mcp.json"),
    skills=Skills(".cursor/skills"),
)
