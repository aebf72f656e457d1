"""Same input, same bytes: packages, thread counts, concurrent sessions."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import concurrent.futures

import models
import numpy as np
import onnx
import pytest
import tool

import kiln


@pytest.fixture(scope="module")
def two_packages(bert_toy, tmp_path_factory):
    folder = tmp_path_factory.mktemp("twice")
    for name in ("a", "b"):
        tool.call("compile", bert_toy, "-o", folder / f"{name}.kiln")
    return folder / "a.kiln", folder / "b.kiln"


@pytest.fixture(scope="module")
def values(bert_toy):
    model = onnx.load(bert_toy)
    names = [d.dim_param for d in model.graph.input[0].type.tensor_type.shape.dim]
    return models.inputs(model, dict(zip(names, (3, 61))))


def same(left, right):
    return left.keys() == right.keys() and all(np.array_equal(left[k], right[k]) for k in left)


def test_two_compiles_give_the_same_bytes(two_packages):
    assert two_packages[0].read_bytes() == two_packages[1].read_bytes()


def test_threads_of_the_compiler_do_not_matter(two_packages, bert_toy, tmp_path):
    tool.call("compile", bert_toy, "-o", tmp_path / "one.kiln", "--threads", 1)
    assert (tmp_path / "one.kiln").read_bytes() == two_packages[0].read_bytes()


def test_threads_do_not_change_bits(two_packages, values):
    results = [kiln.Session(two_packages[0], threads=threads).run(values) for threads in (1, 2, 8)]
    assert same(results[0], results[1]) and same(results[0], results[2])


def test_eight_sessions_at_once(two_packages, values):
    session = kiln.Session(two_packages[0], threads=1)
    expected = session.run(values)
    sessions = [session.clone() for _ in range(8)]

    def work(one):
        return all(same(one.run(values), expected) for _ in range(10))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, sessions))
