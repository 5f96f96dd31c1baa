#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The server of README.md in Python: states of coroutines, recorded when the
work has ended.

    export PYTHONPATH=../python    # where pmon_regions.py is
    ./server.py data robot.sock &
    until [ -S robot.sock ]; do sleep 0.1; done
    ./server.py --ask robot.sock 'analyze a.py' 'run a.py' quit
"""

import argparse
import asyncio
import os
import socket
import sys

import pmon_regions
from pmon_regions import region

FILES = {"quoted": "robot_activity_data", "seed": "robot_context_data"}


class Server:
    def __init__(self, folder, style):
        self.folder = folder
        self.style = style  # of this run
        self.analyzed = set()
        self.ended = asyncio.Event()

    def track(self):
        return pmon_regions.switch_on(self.folder, FILES[self.style],
                                      self.style)

    async def analyze(self, name):
        if name in self.analyzed:
            return await self.get_cached(name)
        return await self.analyze_anew(name)

    @region("GETTING_CACHED_ANALYSIS")
    async def get_cached(self, name):
        await asyncio.sleep(0.001)
        return "cached " + name

    @region("ANALYZING_PROTOCOL")
    async def analyze_anew(self, name):
        await asyncio.sleep(0.02)
        self.analyzed.add(name)
        return "analyzed " + name

    @region("RUNNING_PROTOCOL")
    async def run(self, name):
        if name not in self.analyzed:
            raise LookupError("analyze %s first" % name)
        await asyncio.sleep(0.05)
        return "ran " + name

    async def tracking(self, value):
        if value not in ("on", "off"):
            raise ValueError("tracking on or off")
        if value == "off":
            pmon_regions.close()
        elif not self.track():
            raise OSError("%s: %s" % (self.folder, os.strerror(
                pmon_regions.stats()["error"])))
        return "tracking " + value

    async def set_style(self, value):
        if value not in FILES:
            raise ValueError("style quoted or seed")
        with open(os.path.join(self.folder, "style"), "w") as file:
            file.write(value + "\n")
        return "style %s: needs a restart" % value

    async def status(self, value):
        stats = pmon_regions.stats()
        return "tracking %s, style %s, %d recorded, %d lost" % (
            "on" if stats["on"] else "off", self.style, stats["rows"],
            stats["lost"])

    async def answer(self, line):
        word, _, value = line.partition(" ")
        method = {"analyze": self.analyze, "run": self.run,
                  "tracking": self.tracking, "style": self.set_style,
                  "status": self.status}.get(word)
        if method is None or (word in ("analyze", "run") and not value):
            return "error: analyze, run, tracking, style, status, quit"
        try:
            return await method(value)
        except (LookupError, ValueError, OSError) as error:
            return "error: %s" % error

    async def serve(self, reader, writer):
        try:
            async for line in reader:
                line = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
                if line == "quit":
                    self.ended.set()
                    break
                reply = await self.answer(line) + "\n"
                writer.write(reply.encode("utf-8", "surrogateescape"))
                await writer.drain()
        except ConnectionError:
            pass  # the client has left before its answer
        finally:
            writer.close()


def stored_style(folder):
    try:
        with open(os.path.join(folder, "style")) as file:
            return file.read().strip()
    except OSError:
        return "quoted"


def ask(path, lines):
    """Sends each line to the server and prints the answers."""
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError as error:
            sys.exit("%s: %s" % (path, error.strerror))
        with client.makefile("rw", errors="surrogateescape") as file:
            for line in lines:
                file.write(line + "\n")
                file.flush()
                print(file.readline(), end="")


async def main():
    parser = argparse.ArgumentParser(prog="server")
    parser.add_argument("--style", choices=sorted(FILES))
    parser.add_argument("--off", action="store_true")
    parser.add_argument("--env", action="store_true")
    parser.add_argument("dir")
    parser.add_argument("socket")
    options = parser.parse_args()
    os.makedirs(options.dir, exist_ok=True)
    server = Server(options.dir, options.style or stored_style(options.dir))
    if options.off:
        pmon_regions.close()
    elif options.env:
        pmon_regions.decide()
    else:
        server.track()
    listening = await asyncio.start_unix_server(server.serve, options.socket)
    print("listening", flush=True)
    await server.ended.wait()
    listening.close()
    os.unlink(options.socket)


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "--ask":
        ask(sys.argv[2], sys.argv[3:])
    else:
        asyncio.run(main())
