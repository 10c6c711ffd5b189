"""Files that state facts about a project: what it is made with, how it is built and run."""

from __future__ import annotations

from fnmatch import fnmatchcase

PATTERNS = (
    "pyproject.toml", "setup.py", "setup.cfg", "requirements*.txt", "requirements*.in", "Pipfile", "environment.yml",
    ".python-version", "package.json", "deno.json", "tsconfig.json", ".nvmrc", ".node-version", "pnpm-workspace.yaml",
    "go.mod", "Cargo.toml", "rust-toolchain.toml", "pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle*",
    "Gemfile", ".ruby-version", "composer.json", "mix.exs", "pubspec.yaml", "Package.swift", "*.csproj", "*.fsproj",
    "global.json", "build.sbt", "project.clj", "CMakeLists.txt", "Makefile", "justfile", "Taskfile.y*ml",
    "Dockerfile", "Dockerfile.*", "Containerfile", "*.dockerfile",
    "compose.y*ml", "docker-compose*.y*ml", ".tool-versions", "mise.toml",
    ".mise.toml", "rust-toolchain", ".go-version", ".java-version", ".terraform-version", "GNUmakefile", "*.tf",
    "LICENSE*", "LICENCE*", "COPYING*", "uv.lock", "poetry.lock", "package-lock.json", "npm-shrinkwrap.json",
    "pnpm-lock.yaml", "yarn.lock", "bun.lock", "Cargo.lock", ".gitlab-ci.yaml",
    ".pre-commit-config.yaml", "Procfile", "alembic.ini", "CLAUDE.md", "AGENTS.md",
)  # fmt: skip
FOLDERS = (".github/workflows/*.y*ml", ".gitlab-ci.yml", ".circleci/config.yml")
FOREIGN = ("node_modules", "vendor", "third_party", ".venv", "site-packages")


def manifest(path: str) -> bool:
    """Whether the file at ``path`` states facts about the project."""
    *folders, name = path.split("/")
    if any(folder in FOREIGN for folder in folders):
        return False
    return any(fnmatchcase(name, one) for one in PATTERNS) or any(fnmatchcase(path, one) for one in FOLDERS)
