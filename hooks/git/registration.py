"""git: the hooks we install and the script each becomes.

The script runs the hook that was there first and keeps its code. A reader of the script finds our mark in
its second line, with a hash of all that follows.
"""

from __future__ import annotations

HOOKS = ("post-commit", "post-rewrite", "post-merge")
CHAINED = ".pre-limbeck"
MARK = "# limbeck git hook 1 sha256:"

_HEAD = """\
# Runs the hook that was here before, then notes the event. Taken out by: limbeck uninstall git
chained="${0%/*}/@HOOK@@CHAINED@"
code=0
# pre-commit, when it runs us, must not be started again by us
if [ -n "${PRE_COMMIT_RUNNING_LEGACY-}" ] && grep -q pre-commit "$chained" 2>/dev/null; then chained=; fi
"""
_PLAIN = """\
if [ @TEST@ "$chained" ]; then @RUN@"$chained" "$@" || code=$?; fi
@COMMAND@ @HOOK@ "$@" </dev/null >/dev/null 2>&1 || :
exit "$code"
"""
_WITH_STDIN = """\
input=$(cat; printf x)
input=${input%x}
if [ @TEST@ "$chained" ]; then printf %s "$input" | @RUN@"$chained" "$@" || code=$?; fi
printf %s "$input" | @COMMAND@ @HOOK@ "$@" >/dev/null 2>&1 || :
exit "$code"
"""


def body(hook: str, command: str, *, sourced: bool) -> str:
    """Return the script of ``hook`` below its mark; ``command`` is shell text.

    ``sourced`` is for a tool that runs hook files with ``sh -e`` whether or not they are executable (husky).
    """
    text = _HEAD + (_WITH_STDIN if hook == "post-rewrite" else _PLAIN)
    values = {
        "@HOOK@": hook,
        "@CHAINED@": CHAINED,
        "@TEST@": "-f" if sourced else "-x",
        "@RUN@": "sh -e " if sourced else "",
        "@COMMAND@": command,
    }
    for name, value in values.items():
        text = text.replace(name, value)
    return text
