"""Gemini CLI: ``settings.json``, which may hold comments; timeouts in milliseconds."""

from hooks.registration import Mount, Registration, Skills, WindowsForm

REGISTRATION = Registration(
    agent="gemini",
    title="Gemini CLI",
    folder=".gemini",
    user_file="settings.json",
    project_file=".gemini/settings.json",
    timeouts={
        "SessionStart": 5000,
        "BeforeAgent": 5000,
        "AfterTool": 5000,
        "AfterAgent": 5000,
        "SessionEnd": 5000,
    },
    windows=WindowsForm.POWERSHELL,
    comments=True,
    extra={"name": "limbeck"},
    mount=Mount("settings.json", ".gemini/settings.json"),
    skills=Skills(".gemini/skills"),
)
