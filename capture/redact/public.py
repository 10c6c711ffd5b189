"""Blocks of base64 that are no secret, for all that they look it."""

from capture.redact.programs import Program

_PUBLIC = Program(
    "public.block",
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}(?:CERTIFICATE"
    r"(?: REQUEST)?|PUBLIC KEY(?: BLOCK)?|SIGNATURE|MESSAGE|CRL|PARAMETERS)"
    r"-----[^-]{0,20000}+",
)
_SSH = Program("public.ssh", r"(?:ssh-|ecdsa-)[a-z0-9@.-]{2,40} AAAA[A-Za-z0-9+/]{40,4000}+")


def public_keys(text: str) -> list[tuple[int, int]]:
    """Where public keys of SSH stand, each in one run: any short token may be in them by chance."""
    return [match.span() for match in _SSH().finditer(text)] if " AAAA" in text else []


def public_blocks(text: str) -> list[tuple[int, int]]:
    """Where blocks of certificates, public keys and signatures stand: long, but no secret."""
    if "-----BEGIN " not in text:
        return []
    return [match.span() for match in _PUBLIC().finditer(text)]
