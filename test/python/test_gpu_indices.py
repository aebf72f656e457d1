"""Indices out of range in memory of a GPU, a simulated one here: found by the model, told when the run is waited for."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import kiln
import numpy as np
import onnx
import pytest
from test_gpu import Driver, GpuTensor

ROWS = 10
TEXT = """<ir_version: 8, opset_import: ["" : 17]>
g (int64[n] ids, int64[n] shift) => (float[n,4] y, float[n,4] z) <float[10,4] table = {%s}> {
  [take] y = Gather <axis = 0> (table, ids)
  x = Add (ids, shift)
  [shifted] z = Gather <axis = 0> (table, x)
}""" % ", ".join(map(str, range(40)))


@pytest.fixture(scope="module")
def driver():
    return Driver()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    out = tmp_path_factory.mktemp("indices")
    onnx.save(onnx.parser.parse_model(TEXT), out / "m.onnx")
    kiln.compile(out / "m.onnx", out / "m.kiln", target="native,sm_80", dims={"n": (1, 8)})
    return out


def on_gpu(driver, *lists):
    return [GpuTensor(driver, (len(values),), np.array(values, dtype=np.int64)) for values in lists]


def on_host(*lists):
    return [np.array(values, dtype=np.int64) for values in lists]


def run(session, ids, shift, outputs=None):
    names = {"ids": ids, "shift": shift}
    return session.run(names, outputs) if outputs else session.run(names)


@pytest.mark.parametrize("graph", [True, False])
def test_where_the_inputs_are(folder, driver, graph):
    session = kiln.Session(folder / "m.kiln", device="sim", graph=graph)
    good, zero, shift = [1, -ROWS, ROWS - 1], [0, 0, 0], [0, 0, 1]
    expected = run(kiln.Session(folder / "m.kiln"), *on_host(good, zero))
    for place in (lambda *lists: on_gpu(driver, *lists), on_host):
        assert np.array_equal(run(session, *place(good, zero))["z"], expected["z"])
        for value in (ROWS, -ROWS - 1):
            with pytest.raises(kiln.Error, match=rf'KILN-E0614: input "ids", element \[1\]: .*take.* expected -10..9, found {value};'):
                run(session, *place([1, value, 1], zero))
        with pytest.raises(kiln.Error, match=r"KILN-E0614: node 'shifted'.*, index \[2\] .* expected -10..9, found 10;"):
            run(session, *place(good, shift))
        assert np.array_equal(run(session, *place(good, zero))["y"], expected["y"])


def test_a_run_that_is_not_waited_for(folder, driver):
    session = kiln.Session(folder / "m.kiln", device="sim")
    session.stream = driver.stream()
    zero, y, z = on_gpu(driver, [0, 0])[0], GpuTensor(driver, (2, 4)), GpuTensor(driver, (2, 4))
    good, bad = on_gpu(driver, [1, 2], [3, 70])
    for ids in (good, bad, good, good):
        run(session, ids, zero, {"y": y, "z": z})
    with pytest.raises(kiln.Error, match=r'KILN-E0614: input "ids", element \[1\]: .* found 70;'):
        session.synchronize()
    session.synchronize()
    run(session, good, zero, {"y": y, "z": z})
    session.synchronize()


def test_dims_of_the_run_that_failed(folder, driver):
    """The message is about its own dims, whatever came afterwards."""
    session = kiln.Session(folder / "m.kiln", device="sim")
    session.stream = driver.stream()
    for ids in ([1, 2, 3, 4, 5, -70], [1]):
        place, zero = on_gpu(driver, ids, [0] * len(ids))
        shape = (len(ids), 4)
        run(session, place, zero, {"y": GpuTensor(driver, shape), "z": GpuTensor(driver, shape)})
    with pytest.raises(kiln.Error, match=r"element \[5\]: .* found -70;"):
        session.synchronize()


def test_more_runs_than_results_are_kept(folder, driver):
    session = kiln.Session(folder / "m.kiln", device="sim")
    session.stream = driver.stream()
    good, bad, zero = on_gpu(driver, [1], [10], [0])
    outputs = {"y": GpuTensor(driver, (1, 4)), "z": GpuTensor(driver, (1, 4))}
    failures = []
    for number in range(200):
        try:
            run(session, bad if number == 3 else good, zero, outputs)
        except kiln.Error as error:
            failures.append((number, str(error)))
    session.synchronize()
    assert len(failures) == 1 and "found 10;" in failures[0][1], failures


def test_clamped(folder, driver):
    out = folder / "clamped.kiln"
    kiln.compile(folder / "m.onnx", out, target="native,sm_80", dims={"n": (1, 8)}, options=["--clamp-indices"])
    session = kiln.Session(out, device="sim")
    assert run(session, *on_gpu(driver, [70], [0]))["y"][0, 0] == 36
