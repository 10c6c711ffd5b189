"""Scripted sessions for these tests: the bench's own."""

from limbeck.bench.facts_script import START, evidence, scripts

__all__ = ["START", "evidence", "scripts"]
