"""Continuous integration: GitHub Actions workflows and GitLab pipelines."""

from __future__ import annotations

import re

import yaml

from distill.code.statement import Stated, choice, one_of
from distill.slots import CHOICE, slot

GITLAB_WORDS = {
    "stages",
    "variables",
    "default",
    "include",
    "workflow",
    "image",
    "services",
    "cache",
    "before_script",
    "after_script",
    "pages",
    "spec",
}


class _Loader(yaml.SafeLoader):
    """YAML with GitLab's ``!reference`` and other tags read as nothing."""


_Loader.add_multi_constructor("!", lambda _loader, _suffix, _node: None)


def github(path: str, text: str) -> list[Stated]:
    """State that GitHub Actions runs the checks, and the workflow's jobs."""
    data = yaml.safe_load(text)
    jobs = data.get("jobs", {}) if isinstance(data, dict) else {}
    if not isinstance(jobs, dict) or not jobs:
        return []
    where = "ci"
    stated = [Stated(slot(where, CHOICE), "GitHub Actions", f"Checks run in GitHub Actions ({path}).")]
    named = path.rpartition("/")[2].rpartition(".")[0]
    for job in jobs:
        entry = one_of("job", f"{named}/{job}", "", f"The workflow {named} has the job {job}", subject=where)
        stated.append(Stated(entry.slot, entry.value, f"The workflow {named} has the job {job} ({path})."))
    return stated


def gitlab(path: str, text: str) -> list[Stated]:
    """State that GitLab CI runs the checks, its jobs, and the image they run in."""
    data = _Loader(text).get_single_data()
    if not isinstance(data, dict):
        return []
    stated = [Stated(slot("ci", CHOICE), "GitLab CI", f"Checks run in GitLab CI ({path}).")]
    for name, job in data.items():
        runs = isinstance(job, dict) and {"script", "trigger", "extends"} & set(job)
        if runs and name not in GITLAB_WORDS and not str(name).startswith("."):
            stated.append(one_of("job", str(name), path, f"The pipeline has the job {name}", subject="ci"))
    image = data.get(
        "image", (data.get("default") or {}).get("image") if isinstance(data.get("default"), dict) else None
    )
    if isinstance(image, dict):
        image = image.get("name")
    return [*stated, choice("ci image", image, path)] if isinstance(image, str) else stated


def is_workflow(path: str) -> bool:
    """Say whether a path is a GitHub Actions workflow."""
    return bool(re.search(r"(?:^|/)\.github/workflows/[^/]+\.ya?ml$", path))
