"""A service with deadlines, replacement and metrics: one task per request, and a pool of sessions. README.md has the protocol."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import asyncio
import collections
import os
import sys
import time

import kiln
import numpy as np

SESSIONS, WAITING = 2, 64
UNKNOWN = ("KILN-E0001: request: unknown; expected embed ID MILLISECONDS TOKEN... or metrics, found another line; "
           "fix: see README.md")


def identity(path):
    """Another file, another value; None without one."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


class Service:
    def __init__(self, path):
        self.path, self.file = path, identity(path)
        self.results, self.seconds, self.longest = collections.Counter(), 0.0, 0.0
        self.loads, self.failed_loads = 0, 0
        self.load()

    def load(self):
        session = kiln.Session(self.path, threads=1)
        session.check_weights()
        self.inputs = [tensor.name for tensor in session.inputs]
        self.output = session.outputs[-1].name
        self.pool = kiln.Pool(session, SESSIONS, waiting=WAITING)  # runs in progress keep the old one alive
        self.loads += 1

    def refresh(self):
        """Takes the package that has been renamed over the old one, if it can be loaded."""
        now = identity(self.path)
        if now == self.file:
            return
        self.file = now
        try:
            self.load()
        except kiln.Error:
            self.failed_loads += 1

    async def embed(self, name, limit, tokens):
        """Runs in the time that is left; a line to answer with."""
        tokens, output = np.array([tokens], np.int64), self.output
        inputs = {of: np.ones_like(tokens) if "mask" in of else np.zeros_like(tokens) if "type" in of else tokens for of in self.inputs}
        values = (await self.pool.run_async(inputs, [output], timeout=limit))[output]
        return " ".join(["ok", name, *(f"{value:.6f}" for value in values.reshape(-1)[:4])])

    async def answer(self, line):
        begin, code, words = time.monotonic(), 0, line.split()
        try:
            name, limit, tokens = words[1], int(words[2]) / 1000, [int(word) for word in words[3:]]
            text = await self.embed(name, limit, tokens) if words[0] == "embed" else None
        except kiln.Error as error:
            code, text = int(error.code.removeprefix("KILN-E")), f"error {name} {error}"
        except (IndexError, ValueError):
            text = None
        if text is None:
            code, text = 1, f"error - {UNKNOWN}"
        self.results[code] += 1
        seconds = time.monotonic() - begin
        self.seconds, self.longest = self.seconds + seconds, max(self.longest, seconds)
        print(text, flush=True)

    def metrics(self):
        for code, count in sorted(self.results.items()):
            print(f'kiln_requests_total{{code="{code}"}} {count}')
        print(f"kiln_request_seconds_sum {self.seconds:.6f}\nkiln_request_seconds_max {self.longest:.6f}")
        print(f"kiln_request_seconds_count {self.results.total()}\nkiln_requests_waiting {self.pool.waiting}")
        print(f"kiln_loads_total {self.loads}\nkiln_failed_loads_total {self.failed_loads}\nend", flush=True)


async def serve(service):
    tasks, loop = set(), asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        service.refresh()
        if line.strip() == "metrics":
            service.metrics()
            continue
        task = asyncio.create_task(service.answer(line))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    if tasks:
        await asyncio.wait(tasks)


def main():
    if len(sys.argv) != 2:
        sys.exit("error: usage: service.py M.kiln")
    try:
        asyncio.run(serve(Service(sys.argv[1])))
    except kiln.Error as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
