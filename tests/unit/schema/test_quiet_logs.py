"""A log says where and of which kind an error is, never its words: they may repeat what was stored."""

from __future__ import annotations

import logging
import secrets
import subprocess
import sys
from io import StringIO

import pytest

from capture.errors import SpoolRefused
from limbeck.services.duty import Duty
from schema.errors import Refused
from schema.failures import told
from schema.logs import Quiet
from tests.words import plain_word


@pytest.fixture
def secret() -> str:
    """Words that no rule of redaction knows."""
    return plain_word()


@pytest.fixture
def logged():
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Quiet("%(levelname)s %(message)s"))
    log = logging.getLogger("test.quiet")
    log.propagate, log.handlers = False, [handler]
    log.setLevel(logging.DEBUG)
    return log, stream


def fail(words: str) -> None:
    raise ValueError(words)


def test_an_error_that_is_logged_with_its_trace_keeps_its_words(logged, secret):
    log, stream = logged
    try:
        fail(secret)
    except ValueError:
        log.exception("it failed")
    text = stream.getvalue()
    assert secret not in text
    assert "ERROR it failed" in text
    assert "ValueError" in text
    assert "in fail" in text


@pytest.mark.parametrize("message", ["it failed: %s", "%r"])
def test_an_error_among_the_words_of_a_line_is_its_kind_alone(logged, secret, message):
    log, stream = logged
    log.warning(message, ValueError(secret))
    assert secret not in stream.getvalue()
    assert "ValueError" in stream.getvalue()


def test_what_raised_our_own_error_stays_unsaid_too(logged, secret):
    log, stream = logged
    try:
        try:
            fail(secret)
        except ValueError as error:
            raise Refused(why="a test") from error
    except Refused:
        log.exception("it failed")
    assert secret not in stream.getvalue()
    assert "Refused" in stream.getvalue()


def test_a_secret_of_a_known_form_is_taken_out_of_every_line(logged):
    log, stream = logged
    token = "ghp_" + secrets.token_hex(18)
    log.info("a line with %s in it", token)
    assert token not in stream.getvalue()
    assert "a line with" in stream.getvalue()


def test_what_may_be_said_of_an_error(secret):
    assert told(Refused(why="a test")) == "That was refused: a test."
    assert told(SpoolRefused(path="a", why="b")).startswith("The spool a refused the event: b.")
    assert told(FileNotFoundError(2, "No such file or directory", "/a/b")) == (
        "FileNotFoundError: No such file or directory: '/a/b'"
    )
    assert told(ValueError(secret)) == "ValueError"
    assert told(OSError(secret)) == "OSError"


def test_a_duty_that_fails_says_no_words_of_the_error(secret, caplog):
    duty = Duty("a duty", 1.0, lambda: fail(secret), lambda: 0.0)
    duty.do_when_due()
    assert secret not in caplog.text
    assert secret not in str(duty.error)
    assert "a duty: ValueError" in caplog.text


@pytest.mark.parametrize(
    "raising", ["fail()", "import threading; t = threading.Thread(target=fail); t.start(); t.join()"]
)
def test_what_nobody_caught_says_no_words_of_the_error(secret, raising):
    program = f"""
import logging, sys
from schema.logs import quietly
quietly("info")
def fail(): raise ValueError(sys.argv[1])
{raising}
"""
    done = subprocess.run(
        [sys.executable, "-c", program, secret], capture_output=True, text=True, check=False
    )
    assert secret not in done.stderr
    assert "ValueError" in done.stderr
    assert "in fail" in done.stderr
