"""Which language a file is written in, by its name; and how many lines of each a tree holds."""

from __future__ import annotations

from collections.abc import Iterable

NAMES = {
    "c": "C", "h": "C", "cc": "C++", "cpp": "C++", "cxx": "C++", "hh": "C++", "hpp": "C++", "cs": "C#",
    "clj": "Clojure", "css": "CSS", "dart": "Dart", "ex": "Elixir", "exs": "Elixir", "erl": "Erlang", "fs": "F#",
    "go": "Go", "hs": "Haskell", "html": "HTML", "java": "Java", "js": "JavaScript", "cjs": "JavaScript",
    "mjs": "JavaScript", "jsx": "JavaScript", "jl": "Julia", "kt": "Kotlin", "kts": "Kotlin", "lua": "Lua",
    "m": "Objective-C", "ml": "OCaml", "php": "PHP", "pl": "Perl", "ps1": "PowerShell", "py": "Python",
    "pyi": "Python", "r": "R", "rb": "Ruby", "rs": "Rust", "scala": "Scala", "scss": "SCSS", "sh": "Shell",
    "bash": "Shell", "sql": "SQL", "svelte": "Svelte", "swift": "Swift", "tf": "Terraform",
    "ts": "TypeScript", "tsx": "TypeScript", "mts": "TypeScript", "cts": "TypeScript", "vue": "Vue", "zig": "Zig",
}  # fmt: skip
FOREIGN = ("node_modules", "vendor", "third_party", "dist", "build", ".venv", "venv")


def language(path: str) -> str | None:
    """Return the language of a path, None for data, prose and what others wrote."""
    *folders, name = path.split("/")
    if any(folder in FOREIGN for folder in folders) or ".min." in name:
        return None
    return NAMES.get(name.rpartition(".")[2].lower()) if "." in name else None


def tally(changes: Iterable[tuple[str, int]], start: dict[str, int] | None = None) -> dict[str, int]:
    """Add (path, lines) to ``start`` by language; languages without a line left are dropped."""
    lines = dict(start or {})
    for path, count in changes:
        if (name := language(path)) is not None:
            lines[name] = lines.get(name, 0) + count
    return {name: count for name, count in sorted(lines.items()) if count > 0}
