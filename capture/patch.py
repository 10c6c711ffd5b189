"""The files a patch touches, from its headers alone."""

from __future__ import annotations

HEADERS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")
BEGIN = "*** Begin Patch"
MOST_FILES = 100
LONGEST = 1024


def patched_files(patch: str) -> list[str]:
    """Return the paths named in the headers of an apply_patch text, in order, each once, at most ``MOST_FILES``."""
    found: list[str] = []
    at = patch.find(BEGIN)
    while at >= 0 and len(found) < MOST_FILES:
        at = patch.find("\n*** ", at)
        if at < 0:
            break
        end = patch.find("\n", at + 1)
        line = patch[at + 1 : min(end if end > 0 else len(patch), at + LONGEST)]
        for header in HEADERS:
            path = line[len(header) :].strip()
            if line.startswith(header) and path and path not in found:
                found.append(path)
        at += 1
    return found
