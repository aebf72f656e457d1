"""Runs that end early, outputs by choice, and pools: what a service needs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import asyncio
import math
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import kiln
import models
import numpy as np
import pytest

# A run with these rows takes seconds; only the first rows of the results are compared.
ROWS = 40000
PATIENCE = 0.15  # max seconds from the request to the end of the run


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slow")
    models.write(folder / "m.onnx", models.SLOW)
    kiln.compile(folder / "m.onnx", folder / "m.kiln", target="native", dims={"rows": (1, ROWS)})
    return folder / "m.kiln"


@pytest.fixture(scope="module")
def long_input():
    return {"x": np.random.default_rng(1).standard_normal((ROWS, 256)).astype(np.float32)}


@pytest.fixture(scope="module")
def short(slow):
    """An input and what a new session makes of it."""
    inputs = {"x": np.random.default_rng(2).standard_normal((3, 256)).astype(np.float32)}
    return inputs, kiln.Session(slow).run(inputs)["y"]


def assert_as_new(session, short):
    assert np.array_equal(session.run(short[0])["y"], short[1])


def ends(session, inputs, code, **options):
    """The seconds of a run that ends with an error."""
    begin = time.monotonic()
    with pytest.raises(kiln.Error) as caught:
        session.run(inputs, **options)
    assert caught.value.code == code and caught.value.found
    return time.monotonic() - begin


@pytest.mark.parametrize("threads", [1, 2])
def test_deadline(slow, long_input, short, threads):
    session = kiln.Session(slow, threads=threads)
    assert_as_new(session, short)
    assert 0.2 <= ends(session, long_input, "KILN-E0714", timeout=0.2) < 0.2 + PATIENCE
    assert_as_new(session, short)


def test_deadlines_that_are_odd(slow, short):
    session = kiln.Session(slow)
    for timeout in (0, -1, -math.inf):
        ends(session, short[0], "KILN-E0714", timeout=timeout)
    with pytest.raises(ValueError, match="timeout: expected seconds, found nan"):
        session.run(short[0], timeout=math.nan)
    for timeout in (None, 60, math.inf, 1e300):
        assert np.array_equal(session.run(short[0], timeout=timeout)["y"], short[1])


def test_cancel(slow, long_input, short):
    session = kiln.Session(slow)
    session.cancel()  # no run: no effect
    assert_as_new(session, short)
    timer = threading.Timer(0.3, session.cancel)
    timer.start()
    assert 0.3 <= ends(session, long_input, "KILN-E0713") < 0.3 + PATIENCE
    assert_as_new(session, short)


def test_token_ends_runs_that_begin_later(slow, short):
    session, token = kiln.Session(slow), kiln.CancelToken()
    assert not token.cancelled
    assert np.array_equal(session.run(short[0], token=token)["y"], short[1])
    token.cancel()
    token.cancel()
    ends(session, short[0], "KILN-E0713", token=token)
    assert token.cancelled
    assert_as_new(session, short)


INTERRUPTED = """
import sys, time, numpy, kiln
session = kiln.Session(sys.argv[1])
inputs = {"x": numpy.ones((40000, 256), numpy.float32)}
print("running", flush=True)
begin = time.monotonic()
try:
    session.run(inputs)
except KeyboardInterrupt:
    print("interrupted", time.monotonic(), flush=True)
session.run({"x": inputs["x"][:2]})
print("good", flush=True)
"""


def test_keyboard_interrupt(slow):
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED, slow], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "running\n"
    time.sleep(0.3)
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    words = child.stdout.readline().split()
    assert words[0] == "interrupted" and float(words[1]) - sent < PATIENCE, words
    assert child.stdout.readline() == "good\n" and child.wait() == 0


def test_asyncio_cancellation(slow, long_input, short):
    session = kiln.Session(slow)

    async def main():
        begin = time.monotonic()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(session.run_async(long_input), 0.3)
        seconds = time.monotonic() - begin
        # The session is free immediately.
        return seconds, await session.run_async(short[0], ["y"])

    seconds, outputs = asyncio.run(main())
    assert 0.3 <= seconds < 0.3 + PATIENCE
    assert np.array_equal(outputs["y"], short[1])


def test_outputs_by_name(slow, short):
    session = kiln.Session(slow)
    both = session.run(short[0])
    assert list(both) == ["y", "half"]
    assert list(session.run(short[0], ["half", "y"])) == ["half", "y"]
    for name in both:
        alone = session.run(short[0], [name])
        assert list(alone) == [name] and np.array_equal(alone[name], both[name])
        place = np.zeros_like(both[name])
        assert session.run(short[0], {name: place})[name] is place and np.array_equal(place, both[name])
    assert session.run(short[0], ()) == {}
    for names, code in ((["z"], "KILN-E0600"), (["y", "y"], "KILN-E0607")):
        with pytest.raises(kiln.Error, match=code):
            session.run(short[0], names)


def test_part_of_the_outputs_takes_part_of_the_time(slow, long_input):
    """Half of the layers make the output `half`."""
    session = kiln.Session(slow, threads=1)
    inputs = {"x": long_input["x"][:4000]}

    def seconds(names):
        begin = time.monotonic()
        session.run(inputs, names)
        return time.monotonic() - begin

    session.run(inputs)
    assert min(seconds(["half"]) for _ in range(3)) < 0.75 * min(seconds(["y", "half"]) for _ in range(3))


@pytest.mark.parametrize("arguments", [(None, {"x": 1}), (["y"], {"x": 1})])
def test_arguments_in_the_order_of_onnxruntime(slow, arguments):
    with pytest.raises(TypeError, match=r"run\(names, feeds\) is run\(feeds, names\) here"):
        kiln.Session(slow).run(*arguments)
    with pytest.raises(TypeError, match="outputs: expected a list of names, or a dict"):
        kiln.Session(slow).run({"x": np.zeros((1, 256), np.float32)}, "y")


def test_weak_references(slow):
    session = kiln.Session(slow)
    weak = weakref.ref(session)
    assert weak() is session
    del session
    assert weak() is None


def test_pool_of_threads(slow, short):
    with kiln.Pool(kiln.Session(slow, threads=1), 2) as pool:
        wrong = []

        def work():
            for _ in range(20):
                if not np.array_equal(pool.run(short[0], ["y"])["y"], short[1]):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong and pool.free == 2 and pool.waiting == 0


def test_pool_is_fair(slow, long_input, short):
    """Runs go on in the order in which they came."""
    pool, order = kiln.Pool(kiln.Session(slow), 1), []
    first = threading.Thread(target=lambda: ends(pool, long_input, "KILN-E0714", timeout=0.5))
    first.start()
    wait_for(lambda: pool.free == 0)

    def work(number):
        pool.run(short[0])
        order.append(number)

    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=work, args=(number,)))
        threads[-1].start()
        wait_for(lambda: pool.waiting == number + 1)
    for thread in [first, *threads]:
        thread.join()
    assert order == [0, 1, 2, 3, 4]


def wait_for(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_pool_is_bounded_and_has_deadlines(slow, long_input, short):
    pool = kiln.Pool(kiln.Session(slow), 1, waiting=1)
    token = kiln.CancelToken()
    busy = threading.Thread(target=lambda: ends(pool, long_input, "KILN-E0713", token=token))
    busy.start()
    wait_for(lambda: pool.free == 0)
    waiting = threading.Thread(target=lambda: ends(pool, short[0], "KILN-E0714", timeout=0.3))
    waiting.start()
    wait_for(lambda: pool.waiting == 1)
    assert ends(pool, short[0], "KILN-E0623") < 0.1
    waiting.join()
    token.cancel()
    busy.join()
    assert_as_new(pool, short)


def test_pool_closed_with_runs_in_it(slow, long_input, short):
    pool = kiln.Pool(kiln.Session(slow), 1)
    busy = threading.Thread(target=lambda: ends(pool, long_input, "KILN-E0714", timeout=0.4))
    waiting = threading.Thread(target=lambda: ends(pool, short[0], "KILN-E0001"))
    busy.start()
    wait_for(lambda: pool.free == 0)
    waiting.start()
    wait_for(lambda: pool.waiting == 1)
    pool.close()
    waiting.join()
    ends(pool, short[0], "KILN-E0001")
    busy.join()
    for numbers in ({"n": 0}, {"n": 1, "waiting": -1}):
        with pytest.raises(kiln.Error, match="KILN-E0001"):
            kiln.Pool(kiln.Session(slow), **numbers)


def test_pool_of_tasks(slow, long_input, short):
    pool = kiln.Pool(kiln.Session(slow, threads=1), 2)

    async def main():
        results = await asyncio.gather(*(pool.run_async(short[0]) for _ in range(20)))
        assert all(np.array_equal(outputs["y"], short[1]) for outputs in results)
        # Two running tasks are cancelled, one leaves the queue.
        tasks = [asyncio.create_task(pool.run_async(long_input)) for _ in range(3)]
        await asyncio.sleep(0.2)
        begin = time.monotonic()
        for task in tasks:
            task.cancel()
        assert all(isinstance(end, asyncio.CancelledError) for end in await asyncio.gather(*tasks, return_exceptions=True))
        with pytest.raises(kiln.Error, match="KILN-E0714"):
            await pool.run_async(long_input, timeout=0.1)
        return time.monotonic() - begin

    assert asyncio.run(main()) < 0.1 + 2 * PATIENCE
    assert pool.free == 2 and pool.waiting == 0
    pool.close()


def test_pool_in_a_child_of_a_fork(slow, long_input, short):
    """A session that was in use is replaced there."""
    pool = kiln.Pool(kiln.Session(slow, threads=1), 2)
    token = kiln.CancelToken()
    busy = threading.Thread(target=lambda: ends(pool, long_input, "KILN-E0713", token=token))
    busy.start()
    wait_for(lambda: pool.free == 1)
    child = os.fork()
    if child == 0:
        good = pool.free == 2 and all(np.array_equal(pool.run(short[0])["y"], short[1]) for _ in range(4))
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    token.cancel()
    busy.join()
    assert_as_new(pool, short)
