"""Runs of many threads and tasks: a pool of sessions, and runs that are awaited."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import asyncio
import collections
import concurrent.futures
import functools
import os
import threading
import time
import weakref

from ._runtime import CancelToken
from .errors import Error


async def run_async(session, inputs, outputs=None, *, timeout=None, executor=None):
    """Session.run on a thread of the executor (None: asyncio's own). If the task is cancelled the run ends, within 150 ms, and
    then the cancellation goes on: the session is free again."""
    token = CancelToken()
    call = functools.partial(session.run, inputs, outputs, timeout=timeout, token=token)
    future = asyncio.get_running_loop().run_in_executor(executor, call)
    return await _awaited(future, token)


async def _awaited(future, token):
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        token.cancel()
        await asyncio.wait([future])
        if not future.cancelled():
            future.exception()  # retrieved, so that asyncio does not report it
        raise


class Pool:
    """Sessions of one loaded model, for any number of threads and tasks. Each run has a session to itself; runs that find
    none wait, and the one that came first goes on first.

    n: how many run at once. waiting: how many may wait; one more is KILN-E0623 at once. None: any number.
    """

    def __init__(self, session, n=2, *, waiting=None):
        if n < 1 or (waiting is not None and waiting < 0):
            found = f"n={n}" if n < 1 else f"waiting={waiting}"
            raise Error("KILN-E0001", "kiln.Pool", "a number is too small", "n from 1 on, waiting from 0 on", found, "give a larger one", 2)
        self._first, self._n, self._limit = session, n, waiting
        self._closed = False
        self._lock = threading.Lock()
        self._free = collections.deque([session, *(session.clone() for _ in range(n - 1))])
        self._queue = collections.deque()
        self._executor = None
        _pools.add(self)

    def run(self, inputs, outputs=None, *, timeout=None, token=None):
        """Session.run on the next free session. timeout: seconds for waiting and running together."""
        end = None if timeout is None else time.monotonic() + timeout
        session = self._take(end, timeout)
        try:
            return session.run(inputs, outputs, timeout=_rest(end), token=token)
        finally:
            self._give(session)

    async def run_async(self, inputs, outputs=None, *, timeout=None):
        """As run. If the task is cancelled it leaves the queue, or ends its run."""
        end = None if timeout is None else time.monotonic() + timeout
        waiter = self._enter()
        try:
            session = await asyncio.wait_for(asyncio.wrap_future(waiter), timeout)
        except BaseException as error:
            self._leave(waiter)
            if isinstance(error, (asyncio.TimeoutError, concurrent.futures.TimeoutError)):
                raise _late(timeout) from None
            raise
        try:
            return await run_async(session, inputs, outputs, timeout=_rest(end), executor=self._threads())
        finally:
            self._give(session)

    def close(self):
        """Lets runs under way end, and refuses those that wait and all later ones (KILN-E0001)."""
        with self._lock:
            self._closed = True
            refused, self._queue = self._queue, collections.deque()
        for waiter in refused:
            if waiter.set_running_or_notify_cancel():
                waiter.set_exception(_closed())
        if self._executor:
            self._executor.shutdown(wait=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<kiln.Pool of {self._n}: {len(self._free)} free, {len(self._queue)} waiting>"

    @property
    def free(self):
        """How many sessions run nothing now."""
        return len(self._free)

    @property
    def waiting(self):
        """How many runs wait now."""
        return len(self._queue)

    def _enter(self):
        """A future of a session: with one if one is free, else at the end of the queue."""
        waiter = concurrent.futures.Future()
        with self._lock:
            if self._closed:
                raise _closed()
            if self._free and not self._queue:
                waiter.set_result(self._free.popleft())
            elif self._limit is not None and len(self._queue) >= self._limit:
                raise Error("KILN-E0623", "kiln.Pool", "too many runs wait for a session", f"at most {self._limit}", "one more",
                            "send the request elsewhere or later, or make the pool larger", 4)
            else:
                self._queue.append(waiter)
        return waiter

    def _take(self, end, timeout):
        with self._lock:  # the usual case needs no future
            if self._free and not self._queue and not self._closed:
                return self._free.popleft()
        waiter = self._enter()
        try:
            return waiter.result(_rest(end))
        except BaseException as error:
            self._leave(waiter)
            if isinstance(error, concurrent.futures.TimeoutError):
                raise _late(timeout) from None
            raise

    def _leave(self, waiter):
        """Gives up waiting; a session that came at the last moment goes to the next."""
        if not waiter.cancel() and waiter.done() and waiter.exception() is None:
            self._give(waiter.result())
        with self._lock:
            if waiter in self._queue:
                self._queue.remove(waiter)

    def _give(self, session):
        with self._lock:
            while self._queue:
                waiter = self._queue.popleft()
                if waiter.set_running_or_notify_cancel():
                    waiter.set_result(session)
                    return
            self._free.append(session)

    def _threads(self):
        with self._lock:
            if self._executor is None:
                self._executor = concurrent.futures.ThreadPoolExecutor(self._n, "kiln-pool")
            return self._executor

    def _begin_again(self):
        """In a child of a fork, which has none of the threads: sessions that were in use stay so."""
        self._lock = threading.Lock()
        self._executor = None
        self._queue = collections.deque()
        while len(self._free) < self._n:
            self._free.append(self._first.clone())


def _rest(end):
    return None if end is None else end - time.monotonic()


def _late(timeout):
    return Error("KILN-E0714", "kiln.Pool", "the deadline of the run has passed", "a free session before that", f"none within {timeout} s",
                 "give the run more time, or make the pool larger", 4)


def _closed():
    return Error("KILN-E0001", "kiln.Pool", "the pool is closed", "an open pool", "a run after close()", "make another one", 2)


_pools = weakref.WeakSet()
os.register_at_fork(after_in_child=lambda: [pool._begin_again() for pool in list(_pools)])
