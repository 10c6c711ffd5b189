"""Blocks of base64 that are no secret, for all that they look it."""

from capture.redact.programs import Program

_PUBLIC = Program(
    "public.block",
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE"
    r"(?: REQUEST)?|PUBLIC KEY(?: BLOCK)?|SIGNATURE|MESSAGE|CRL|PARAMETERS)"
    r"-----[^-]{0,20000}+",
)


def public_blocks(text: str) -> list[tuple[int, int]]:
    """Where blocks of certificates, public keys and signatures stand: long, but no secret."""
    if "-----BEGIN " not in text:
        return []
    return [match.span() for match in _PUBLIC().finditer(text)]
