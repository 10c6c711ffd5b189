"""What is written to a client goes out at once."""

import asyncio
import socket

import pytest

from limbeck.server.run import bound


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_no_answer_waits_for_an_acknowledgement(host: str) -> None:
    """Every connection that is accepted has Nagle's algorithm off: uvicorn writes an answer's head and body apart."""

    async def accepted() -> int:
        delays: asyncio.Queue[int] = asyncio.Queue()

        def taken(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            connection = writer.get_extra_info("socket")
            delays.put_nowait(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with bound(host, 0) as listener:
            async with await asyncio.start_server(taken, sock=listener):
                _, writer = await asyncio.open_connection(host, listener.getsockname()[1])
                nodelay = await delays.get()
                writer.close()
                await writer.wait_closed()
        return nodelay

    assert asyncio.run(accepted()) == 1
