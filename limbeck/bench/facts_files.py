"""Makers of project files: each writes one file of a kind and the facts it proves, by hand, beside each
other.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random

Truth = set[tuple[str, str, str]]
Maker = Callable[[Random], tuple[str, str, Truth]]

PY = ("httpx", "attrs", "structlog", "tenacity", "boto3", "numpy", "rich", "arrow")
JS = ("lodash", "zod", "axios", "dayjs", "uuid", "nanoid", "date-fns", "ky")
RS = ("serde", "tokio", "anyhow", "thiserror", "tracing", "rand", "bytes", "time")
GEMS = ("puma", "nokogiri", "devise", "pundit", "faraday", "oj")
PHP = ("monolog/monolog", "guzzlehttp/guzzle", "nesbot/carbon", "ramsey/uuid")


def _depends(names: list[str], *, development: bool = False) -> Truth:
    return {("project", "development dependency" if development else "dependency", name) for name in names}


def _pyproject(random: Random) -> tuple[str, str, Truth]:
    names, python = sorted(random.sample(PY, 3)), f">=3.{random.randint(9, 13)}"
    listed = ", ".join(f'"{name}>=1"' for name in names)
    text = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n\n[project]\nname = "x"\n'
    text += f'requires-python = "{python}"\nlicense = "MIT"\ndependencies = [{listed}, "fastapi"]\n'
    text += '[dependency-groups]\ndev = ["pytest>=8"]\n[tool.ruff]\nline-length = 100\n'
    truth = _depends([*names, "fastapi"]) | _depends(["pytest"], development=True)
    truth |= {
        ("python", "version", python),
        ("build backend", "choice", "hatchling"),
        ("project", "license", "MIT"),
    }
    truth |= {
        ("web framework", "choice", "fastapi"),
        ("test framework", "choice", "pytest"),
        ("linter", "choice", "ruff"),
    }
    return "pyproject.toml", text, truth


def _poetry(random: Random) -> tuple[str, str, Truth]:
    names, python = sorted(random.sample(PY, 2)), f"^3.{random.randint(9, 13)}"
    rows = "\n".join(f'{name} = "^1.0"' for name in names)
    text = f'[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\npython = "{python}"\n{rows}\n'
    text += '[tool.poetry.group.dev.dependencies]\nmypy = "*"\n'
    truth = _depends(names) | _depends(["mypy"], development=True) | {("python", "version", python)}
    return (
        "pyproject.toml",
        text,
        truth | {("package manager", "choice", "poetry"), ("type checker", "choice", "mypy")},
    )


def _requirements(random: Random) -> tuple[str, str, Truth]:
    names = sorted(random.sample(PY, 3))
    text = (
        "# what we need\n-r base.txt\n"
        + "\n".join(f"{name}==1.2.3  # pinned" for name in names)
        + "\nFlask>=3\n"
    )
    return "requirements.txt", text, _depends([*names, "Flask"]) | {("web framework", "choice", "flask")}


def _uv_lock(random: Random) -> tuple[str, str, Truth]:
    name, number = random.choice(PY), f"1.{random.randint(0, 40)}.0"
    text = 'version = 1\n[[package]]\nname = "x"\nversion = "0"\nsource = { editable = "." }\n'
    text += f'dependencies = [{{ name = "{name}" }}]\n[[package]]\nname = "{name}"\nversion = "{number}"\n'
    text += 'source = { registry = "r" }\n[[package]]\nname = "deeper"\nversion = "9"\nsource = { registry = "r" }\n'
    return "uv.lock", text, {("package manager", "choice", "uv"), (name, "locked version", number)}


def _poetry_lock(random: Random) -> tuple[str, str, Truth]:
    text = f'[[package]]\nname = "{random.choice(PY)}"\nversion = "1.{random.randint(0, 99)}"\n'
    return "poetry.lock", text, {("package manager", "choice", "poetry")}


def _package_json(random: Random) -> tuple[str, str, Truth]:
    names, node = sorted(random.sample(JS, 3)), f">={random.choice((18, 20, 22, 24))}"
    data = {
        "name": "x",
        "license": "Apache-2.0",
        "packageManager": "pnpm@9.1.0",
        "engines": {"node": node},
        "scripts": {"build": "vite build", "check": "tsc"},
        "dependencies": {**dict.fromkeys(names, "^1"), "react": "^19"},
        "devDependencies": {"vite": "^6", "vitest": "^3"},
    }
    truth = _depends([*names, "react"]) | _depends(["vite", "vitest"], development=True)
    truth |= {
        ("project", "script", "build"),
        ("project", "script", "check"),
        ("project", "license", "Apache-2.0"),
    }
    truth |= {("node", "version", node), ("package manager", "choice", "pnpm"), ("bundler", "choice", "vite")}
    truth |= {("frontend framework", "choice", "react"), ("test framework", "choice", "vitest")}
    return "package.json", json.dumps(data, indent=2), truth


def _package_lock(random: Random) -> tuple[str, str, Truth]:
    name, number = random.choice(JS), f"4.{random.randint(0, 60)}.1"
    data = {
        "lockfileVersion": 3,
        "packages": {
            "": {"dependencies": {name: "^4"}},
            f"node_modules/{name}": {"version": number},
            "node_modules/deeper": {"version": "1.0.0"},
        },
    }
    return (
        "package-lock.json",
        json.dumps(data),
        {("package manager", "choice", "npm"), (name, "locked version", number)},
    )


def _pnpm_lock(random: Random) -> tuple[str, str, Truth]:
    name, number = random.choice(JS), f"3.{random.randint(0, 60)}.2"
    text = (
        f"lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      {name}:\n        specifier: ^3\n"
    )
    text += f"        version: {number}(peer@1.0.0)\n"
    return "pnpm-lock.yaml", text, {("package manager", "choice", "pnpm"), (name, "locked version", number)}


def _yarn_lock(random: Random) -> tuple[str, str, Truth]:
    text = f'# yarn lockfile v1\n\n{random.choice(JS)}@^1:\n  version "1.{random.randint(0, 99)}"\n'
    return "yarn.lock", text, {("package manager", "choice", "yarn")}


def _cargo(random: Random) -> tuple[str, str, Truth]:
    names, edition, rust = (
        sorted(random.sample(RS, 3)),
        random.choice(("2018", "2021", "2024")),
        f"1.{random.randint(70, 90)}",
    )
    rows = "\n".join(f'{name} = "1"' for name in names)
    text = f'[package]\nname = "x"\nedition = "{edition}"\nrust-version = "{rust}"\nlicense = "MIT"\n'
    text += f"[dependencies]\n{rows}\n"
    text += 'axum = { version = "0.8" }\n[dev-dependencies]\nproptest = "1"\n[workspace]\nmembers = ["crates/core"]\n'
    truth = _depends([*names, "axum"]) | _depends(["proptest"], development=True)
    truth |= {("rust edition", "choice", edition), ("rust", "version", rust), ("project", "license", "MIT")}
    return (
        "Cargo.toml",
        text,
        truth | {("project", "component", "crates/core"), ("web framework", "choice", "axum")},
    )


def _cargo_lock(random: Random) -> tuple[str, str, Truth]:
    name, number = random.choice(RS), f"1.0.{random.randint(0, 99)}"
    text = f'version = 4\n[[package]]\nname = "x"\nversion = "0.1.0"\ndependencies = ["{name}"]\n'
    text += f'[[package]]\nname = "{name}"\nversion = "{number}"\nsource = "registry"\n'
    return "Cargo.lock", text, {("package manager", "choice", "cargo"), (name, "locked version", number)}


def _go_mod(random: Random) -> tuple[str, str, Truth]:
    go, zap = f"1.{random.randint(20, 25)}", f"v1.{random.randint(1, 30)}.0"
    text = f"module example.com/shop\n\ngo {go}\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0\n"
    text += f"\tgo.uber.org/zap {zap}\n"
    text += "\tgolang.org/x/sys v0.1.0 // indirect\n)\n\nrequire github.com/google/uuid/v2 v2.0.0\n"
    modules = ["github.com/gin-gonic/gin", "go.uber.org/zap", "github.com/google/uuid/v2"]
    truth = _depends(modules) | {("module path", "choice", "example.com/shop"), ("go", "version", go)}
    return "go.mod", text, truth | {("web framework", "choice", "gin")}


def _pom(random: Random) -> tuple[str, str, Truth]:
    java = random.choice(("11", "17", "21", "25"))
    text = f"""<?xml version="1.0"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"><properties><java.version>{java}</java.version></properties>
<dependencies><dependency><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-web</artifactId>
</dependency><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>
<scope>test</scope></dependency></dependencies></project>"""
    truth = _depends(["org.springframework.boot:spring-boot-starter-web"])
    truth |= _depends(["org.junit.jupiter:junit-jupiter"], development=True)
    truth |= {
        ("build", "choice", "maven"),
        ("java", "version", java),
        ("web framework", "choice", "spring boot"),
    }
    return "pom.xml", text, truth | {("test framework", "choice", "junit")}


def _gradle(random: Random) -> tuple[str, str, Truth]:
    java = random.choice(("11", "17", "21", "25"))
    text = f"""plugins {{ id("org.springframework.boot") version "3.4.0" }}
// implementation("old:gone:1.0")
kotlin {{ jvmToolchain({java}) }}
dependencies {{
    implementation("com.squareup.okhttp3:okhttp:4.12.0")
    testImplementation("org.junit.jupiter:junit-jupiter:5.11.0")
}}
"""
    truth = _depends(["com.squareup.okhttp3:okhttp"]) | _depends(
        ["org.junit.jupiter:junit-jupiter"], development=True
    )
    truth |= {
        ("build", "choice", "gradle"),
        ("java", "version", java),
        ("web framework", "choice", "spring boot"),
    }
    return "build.gradle.kts", text, truth | {("test framework", "choice", "junit")}


def _gemfile(random: Random) -> tuple[str, str, Truth]:
    names, ruby = sorted(random.sample(GEMS, 2)), f"3.{random.randint(1, 4)}.0"
    rows = "\n".join(f'gem "{name}", "~> 1.0"' for name in names)
    text = f'source "https://gems.example"\nruby "{ruby}"\n# gem "gone"\n{rows}\ngem "rails"\n'
    text += 'group :development, :test do\n  gem "rspec"\nend\ngem "bullet", group: :development\n'
    truth = _depends([*names, "rails"]) | _depends(["rspec", "bullet"], development=True)
    truth |= {
        ("ruby", "version", ruby),
        ("web framework", "choice", "rails"),
        ("test framework", "choice", "rspec"),
    }
    return "Gemfile", text, truth | {("package manager", "choice", "bundler")}


def _composer(random: Random) -> tuple[str, str, Truth]:
    names, php = sorted(random.sample(PHP, 2)), f">=8.{random.randint(1, 4)}"
    data = {
        "require": {"php": php, "ext-json": "*", "laravel/framework": "^11", **dict.fromkeys(names, "^1")},
        "require-dev": {"phpunit/phpunit": "^11"},
        "license": "MIT",
    }
    truth = _depends([*names, "laravel/framework"]) | _depends(["phpunit/phpunit"], development=True)
    truth |= {
        ("php", "version", php),
        ("project", "license", "MIT"),
        ("package manager", "choice", "composer"),
    }
    truth |= {("web framework", "choice", "laravel"), ("test framework", "choice", "phpunit")}
    return "composer.json", json.dumps(data), truth


def _dockerfile(random: Random) -> tuple[str, str, Truth]:
    tag, port = random.choice(("3.11-slim", "3.12-slim", "3.13-slim")), str(random.randint(3000, 9000))
    text = f"# two stages\nARG TAG={tag}\nFROM node:22 AS assets\nEXPOSE 1\nRUN npm ci && \\\n    npm run build\n"
    text += f"FROM python:${{TAG}}\nCOPY --from=assets /x /x\nEXPOSE {port}/tcp\n"
    return (
        "Dockerfile",
        text,
        {("base image", "choice", f"python:{tag}"), ("project", "exposed port", f"{port}/tcp")},
    )


def _compose(random: Random) -> tuple[str, str, Truth]:
    number = str(random.randint(13, 18))
    text = f"services:\n  web:\n    build: .\n  db:\n    image: postgres:{number}-alpine\n"
    text += "  cache:\n    image: redis:7\n"
    truth = {("project", "service", name) for name in ("web", "db", "cache")}
    truth |= {("database", "choice", f"postgres {number}"), ("cache", "choice", "redis 7")}
    # a service named db is the database: one subject for both
    return (
        "compose.yaml",
        text,
        truth | {("database", "image", f"postgres:{number}-alpine"), ("cache", "image", "redis:7")},
    )


def _github(random: Random) -> tuple[str, str, Truth]:
    jobs = random.sample(("test", "lint", "build", "docs", "release"), 2)
    text = "name: checks\non: [push]\njobs:\n" + "".join(
        f"  {job}:\n    runs-on: ubuntu-latest\n    steps: []\n" for job in jobs
    )
    truth = {("ci", "job", f"checks/{job}") for job in jobs} | {("ci", "choice", "GitHub Actions")}
    return ".github/workflows/checks.yml", text, truth


def _gitlab(random: Random) -> tuple[str, str, Truth]:
    image, job = (
        random.choice(("python:3.12", "node:22", "rust:1.80")),
        random.choice(("unit", "e2e", "pack")),
    )
    text = f"image: {image}\nstages: [test]\n.shared:\n  script: [true]\n{job}:\n  stage: test\n  script:\n"
    text += "    - !reference [.shared, script]\n"
    truth = {("ci", "choice", "GitLab CI"), ("ci", "job", job), ("ci image", "choice", image)}
    return ".gitlab-ci.yml", text, truth


def _tool_versions(random: Random) -> tuple[str, str, Truth]:
    node, go = f"{random.randint(18, 24)}.1.0", f"1.{random.randint(20, 25)}.3"
    text = f"nodejs {node}\ngolang {go} # pinned\n"
    return ".tool-versions", text, {("node", "version", node), ("go", "version", go)}


def _python_version(random: Random) -> tuple[str, str, Truth]:
    wanted = f"3.{random.randint(9, 14)}"
    return ".python-version", f"{wanted}\n", {("python", "version", wanted)}


def _terraform(random: Random) -> tuple[str, str, Truth]:
    provider, bucket = random.choice(("aws", "google", "azurerm")), random.choice(("s3", "gcs", "http"))
    text = f"""# infrastructure
terraform {{
  required_version = ">= 1.{random.randint(5, 9)}"
  required_providers {{
    {provider} = {{ source = "hashicorp/{provider}", version = "~> 5.0" }}
  }}
  backend "{bucket}" {{ key = "state" }}
}}
provider "random" {{}}
resource "x_y" "z" {{ count = 2 }}
"""
    number = text.partition(">= ")[2].partition('"')[0]
    truth = {("terraform", "provider", provider), ("terraform", "provider", "random")}
    truth |= {("terraform", "version", f">= {number}"), ("terraform backend", "choice", bucket)}
    return "infra/main.tf", text, truth


def _makefile(random: Random) -> tuple[str, str, Truth]:
    targets = sorted(random.sample(("test", "lint", "build", "deploy", "clean", "docs"), 3))
    text = "SHELL := /bin/sh\nX = 1\n.PHONY: " + " ".join(targets) + "\n%.o: %.c\n\tcc $<\n"
    text += "".join(f"{name}: \n\t@echo a: b\n" for name in targets)
    return "Makefile", text, {("make", "target", name) for name in targets}


def _licence(random: Random) -> tuple[str, str, Truth]:
    name, words = random.choice(
        (
            ("MIT", "Permission is hereby granted, free of charge, to any person ... without restriction"),
            ("Apache-2.0", "Apache License\n Version 2.0, January 2004"),
            ("GPL-3.0", "GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007"),
            ("MPL-2.0", "Mozilla Public License Version 2.0"),
        )
    )
    return "LICENSE", f"{words}\n", {("project", "license", name)}


MAKERS: dict[str, Maker] = {
    maker.__name__.lstrip("_"): maker
    for maker in (
        _pyproject,
        _poetry,
        _requirements,
        _uv_lock,
        _poetry_lock,
        _package_json,
        _package_lock,
        _pnpm_lock,
        _yarn_lock,
        _cargo,
        _cargo_lock,
        _go_mod,
        _pom,
        _gradle,
        _gemfile,
        _composer,
        _dockerfile,
        _compose,
        _github,
        _gitlab,
        _tool_versions,
        _python_version,
        _terraform,
        _makefile,
        _licence,
    )
}
