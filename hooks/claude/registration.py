"""Claude Code: ``settings.json``; timeouts in seconds. A project's file is the local one, never committed."""

from hooks.registration import Mount, Registration, Skills, WindowsForm

REGISTRATION = Registration(
    agent="claude",
    title="Claude Code",
    folder=".claude",
    folder_variable="CLAUDE_CONFIG_DIR",
    user_file="settings.json",
    project_file=".claude/settings.local.json",
    also_read=(".claude/settings.json",),
    timeouts={
        "SessionStart": 5,
        "UserPromptSubmit": 5,
        "PostToolUse": 5,
        "PostToolUseFailure": 5,
        "SubagentStop": 5,
        "PostCompact": 5,
        "Stop": 5,
        "SessionEnd": 5,
    },
    windows=WindowsForm.ARGUMENTS,
    mount=Mount(".claude.json", beside=True),
    skills=Skills(".claude/skills", commands="commands"),
)
