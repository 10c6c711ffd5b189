"""The part of ``socket`` that a hook uses: the C type itself, without the wrapper's 9 ms."""

from _socket import AF_INET, AF_INET6, AF_UNIX, SOCK_STREAM, socket

__all__ = ["AF_INET", "AF_INET6", "AF_UNIX", "SOCK_STREAM", "socket"]
