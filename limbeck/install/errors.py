"""Why an installation was refused; nothing has been written when one of these is raised."""

from __future__ import annotations

from schema.errors import LimbeckError


class SettingsUnreadable(LimbeckError):
    """{path} cannot be read: {why}. Nothing was changed."""


class SettingsInvalid(LimbeckError):
    """{path} is not valid {format}: {why}. Correct it there, then run this again; nothing was changed."""


class SettingsShape(LimbeckError):
    """In {path}, {where} is {found} where {wanted} belongs. Correct it there, then run this again; nothing
    was changed."""


class SettingsNotWritable(LimbeckError):
    """{path} cannot be written: {why}. Nothing was changed."""


class SettingsMoving(LimbeckError):
    """{path} was changed by another program while it was being edited. Run this again; nothing was
    changed."""

    permanent = False


class InstallationBusy(LimbeckError):
    """Another limbeck installs from {path} and did not finish within {seconds} seconds. Run this again; nothing was
    changed."""

    permanent = False


class UnknownAgent(LimbeckError):
    """There is no agent named {name}. The known ones are {known}."""


class InterpreterUnusable(LimbeckError):
    """The hooks need a real Python 3.11 or newer by its full path, and {path} is {why}. Run limbeck with
    such an interpreter (outside pyenv or asdf shims), then install again."""


class NotARepository(LimbeckError):
    """{path} is not inside a git work tree: {why}. Name one with --project."""


class HooksDisabled(LimbeckError):
    """git's hooks are switched off in {path}: core.hooksPath is {value}. Unset it, or point it at a
    folder."""


class HookInTheWay(LimbeckError):
    """{chained} already exists, so the hook {hook} cannot be kept beside ours. Move one of them away, then
    run this again."""


class HookEdited(LimbeckError):
    """{path} was written by limbeck and changed by hand since. Take limbeck's lines out of it by hand, or
    delete it and run this again."""


class SettingsLeadOut(LimbeckError):
    """A symbolic link leads {path} out of the project, to {target}: what is installed there would hold wherever else
    that is used. Install it for the user (without --project), or with --project where the file really is."""


class GitHasNoUserHooks(LimbeckError):
    """git has no hooks for a user, only for a repository. Run this with --project in each repository, or
    set the global core.hooksPath first."""

    usage = True


class PluginFolderTaken(LimbeckError):
    """{path} holds files that limbeck did not write. Choose an empty or new folder for the plugin."""


class AgentPlaceMissing(LimbeckError):
    """{path} is not a folder. Name an existing project with --project."""
