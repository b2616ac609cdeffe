"""A way to a server that loses the first connection, after the request has come, and keeps all others.

Usage: flaky.py PORT; prints its own port. Ends with the process that started it.
"""

import asyncio
import os
import sys

lost = False
parent = os.getppid()


async def copy(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    global lost
    if not lost:
        lost = True
        await reader.read(65536)
        writer.transport.abort()
        return
    from_server, to_server = await asyncio.open_connection("127.0.0.1", int(sys.argv[1]))
    await asyncio.gather(copy(reader, to_server), copy(from_server, writer))


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    while os.getppid() == parent:
        await asyncio.sleep(1)


asyncio.run(main())
