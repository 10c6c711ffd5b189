"""What a value looks like: a name, a number with its unit, a version, a path, a date, a piece of code."""

from __future__ import annotations

import re

from distill.values import kind_of_value, tidy

_UNIT = (
    r"%|ms|fps|hz|px|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|characters?|chars|"
    r"columns?|lines?|rows?|items?|times|retries|attempts|workers?|threads?|connections?|replicas?|rps|"
    r"(?:requests?|calls?|req) ?(?:/|per |an? )\w+"
)
QUANTITY = rf"~?\d[\d_.,]*(?:(?: |-)?(?:{_UNIT}))?"
DURATION = r"\d+ ?(?:s|min|h|d|(?:second|minute|hour|day|week|month|year)s?)"
NUMBER = r"v?\d+(?:\.\d+)*(?:\.x)?(?: ?LTS)?"
PATH = (
    r"(?:[\w.~@-]*/[\w./{}:*@<>-]*\w[\w./{}*>-]*|[\w-]+\.(?:py|ts|tsx|js|jsx|go|rs|java|kt|rb|php|toml|ya?ml|"
    r"json|md|sql|sh|tf|cfg|ini|css|vue))"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
DATE = (
    rf"(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}(?: \d{{4}})?|{_MONTH} \d{{1,2}}(?:st|nd|rd|"
    rf"th)?(?:,? \d{{4}})?|"
    rf"\d{{4}}-\d\d-\d\d|(?:next )?{_WEEKDAY}|(?:the )?(?:end|middle|start|beginning) of {_MONTH}|(?:mid|early|"
    rf"late)[- ]{_MONTH}|"
    rf"Q[1-4](?: \d{{4}})?)"
)
_IS_QUANTITY, _IS_NUMBER = re.compile(QUANTITY, re.IGNORECASE), re.compile(NUMBER, re.IGNORECASE)
_IS_PATH, _IS_DATE = re.compile(PATH, re.IGNORECASE), re.compile(DATE, re.IGNORECASE)
_IDENTIFIER = re.compile(
    r"(?:[A-Za-z]+[a-z0-9][A-Z]\w*|\w+_\w+|[A-Z][a-z0-9]+(?:[A-Z]\w*)+|\w+(?:(?:\.|::)\w+)+|[A-Za-z_]\w*)(?:\(\))?"
)
_REGION = re.compile(r"[a-z]{2,12}(?:-[a-z]+){0,2}-[a-z]*\d[a-z]?")
_PRODUCT = re.compile(r"[A-Z]\w*\.js")
_MARKED = re.compile(r"[A-Z0-9_./@#:-]")
# Names that begin with a capital because a sentence does, or that name no product.
_PLAIN = {
    "I",
    "We",
    "The",
    "A",
    "An",
    "It",
    "This",
    "That",
    "OK",
    "PR",
    "PRs",
    "API",
    "URL",
    "ID",
    "IDs",
}


def is_quantity(value: str) -> bool:
    """Say whether ``value`` is a number, with or without its unit."""
    return bool(_IS_QUANTITY.fullmatch(tidy(value)))


def is_version(value: str) -> bool:
    """Say whether ``value`` is the number of a version."""
    return bool(_IS_NUMBER.fullmatch(tidy(value)))


def is_path(value: str) -> bool:
    """Say whether ``value`` is the path of a file, a folder or an endpoint."""
    return (
        bool(_IS_PATH.fullmatch(tidy(value)))
        and not _PRODUCT.fullmatch(tidy(value))
        and kind_of_value(value) is None
    )


def is_date(value: str) -> bool:
    """Say whether ``value`` is a day or another point of the calendar."""
    return bool(_IS_DATE.fullmatch(tidy(value)))


def is_region(value: str) -> bool:
    """Say whether ``value`` is written like a region of a cloud: "eu-west-1", "europe-west3"."""
    return bool(_REGION.fullmatch(tidy(value)))


def is_identifier(value: str) -> bool:
    """Say whether ``value`` is written like a name in code: CamelCase, snake_case, dotted, or with brackets."""
    bare = tidy(value)
    return bool(_IDENTIFIER.fullmatch(bare)) and (
        (bare != bare.lower().capitalize() and not bare.islower()) or "_" in bare
    )


def is_proper(value: str) -> bool:
    """Say whether ``value`` names one thing: a known technology, or words that are written like a name."""
    if kind_of_value(value) is not None:
        return True
    words = tidy(value).split()
    return any(_MARKED.search(word) for word in words if word not in _PLAIN)


def shape(value: str) -> str:
    """Return which of quantity, date, path or name ``value`` is."""
    for name, fits in (("quantity", is_quantity), ("date", is_date), ("path", is_path)):
        if fits(value):
            return name
    return "name"
