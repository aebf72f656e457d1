"""Products whose blocks run in clusters of two and get the right operand by multicast (sm_90a): who gets them, what they
compute at odd sizes under several schedules, and that the right operand is read once per pair of blocks."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import re

import pytest
import test_ptx
import tool
from test_result_stores import launches, verify
from test_warpgroups import F16, Product, texts_of

MULTICAST = "complete_tx::bytes.multicast::cluster"
PRODUCTS = {
    "two_pairs": Product(512, 128, 256, epilogue=True),
    "odd_number_of_tiles": Product(300, 72, 328, epilogue=True),
    "one_tile": Product(100, 64, 104, dtype=F16),
    "one_warpgroup": Product(50, 64, 96),
    "columns": Product(200, 88, 136, weights=False),
    "transposed": Product(190, 72, 104, weights=False, transposed=True),
    "rows_at_run_time": Product("m", 64, 200, epilogue=True),
    "batches": Product(70, 64, 96, weights=False, batch=3),
    "odd_columns": Product(177, 136, 50, dtype=F16),
    "more_tasks_than_blocks": Product(140 * 128, 16, 72),
}


def compile_in_pairs(product, folder):
    """With the first of the compiler's configs that has an even number of panels, in clusters of two."""
    model, package, configs = product.write(folder / "m.onnx"), folder / "m.kiln", folder / "configs.txt"
    options = ["--target", "native,sm_90a", *product.dims("1..400", "1..4")]
    tool.call("compile", model, "-o", package, *options)
    [kernel] = [k for k in json.loads(tool.call("explain", package, "--json").stdout) if "warpgroup" in json.dumps(k)]
    config = next(c["config"] for c in kernel["candidates"] if "warpgroup_gemm" in c["config"] and not
                  int(re.search(r"panels = (\d+)", c["config"])[1]) % 2 and "split" not in c["config"])
    text = re.sub(r", cluster = \d+", "", config.split("<")[1].removesuffix(">"))
    configs.write_text(f"{kernel['key']} sm_90a warpgroup_gemm {text}, cluster = 2\n")
    tool.call("compile", model, "-o", package, "--configs", configs, *options)
    return package


@pytest.mark.parametrize("name", PRODUCTS)
def test_pairs_of_blocks(name, driver, tmp_path):
    product = PRODUCTS[name]
    package = compile_in_pairs(product, tmp_path)
    text = texts_of(package, tmp_path)
    assert MULTICAST in text and ".reqnctapercluster 2" in text
    for path in test_ptx.ptx_of(package, tmp_path / "ptx"):
        test_ptx.assemble(path, "sm_90a")
    verify(package, driver, *product.dims(261, None))


def test_what_a_pair_reads(driver, tmp_path):
    """The left operand once per tile, the right one once per pair; the compiler's choice where a grid is several waves."""
    product = Product(128 * 140, 64, 256)
    package = tmp_path / "m.kiln"
    tool.call("compile", product.write(tmp_path / "m.onnx"), "-o", package, "--target", "native,sm_90a")
    assert MULTICAST in texts_of(package, tmp_path)
    [launch] = launches(package, driver, tmp_path)
    assert launch["cluster"] == [2, 1, 1] and launch["grid"] == [132, 1, 1]
    explained = tool.call("explain", package, "--json").stdout
    panels = int(re.search(r"warpgroup_gemm_config<.*?panels = (\d+)", explained)[1])
    left, right, result = (2 * a * b for a, b in ((product.m, product.k), (product.k, product.n), (product.m, product.n)))
    assert launch["tma"]["global_bytes"] == left * product.n // (panels * 16) + right * product.m // 256 + result
    assert launch["shared"]["bank_conflicts"] == 0


def test_who_gets_pairs(tmp_path):
    """A single wave, an odd number of tiles that would be another wave, and rows of run time do not."""
    for number, product in enumerate([Product(1024, 64, 256), Product("m", 64, 256)]):
        package = tmp_path / f"{number}.kiln"
        tool.call("compile", product.write(tmp_path / f"{number}.onnx"), "-o", package, "--target", "native,sm_90a",
                  *product.dims("1..20000", None))
        assert MULTICAST not in texts_of(package, tmp_path / str(number))


def test_what_a_cluster_cannot_be(tmp_path):
    product = Product(512, 128, 256)
    model, configs = product.write(tmp_path / "m.onnx"), tmp_path / "configs.txt"
    package = compile_in_pairs(product, tmp_path)
    line = configs.read_text()
    for wrong in (line.replace("cluster = 2", "cluster = 3"), line.replace("cluster = 2", "cluster = 0"),
                  line.replace("cluster = 2", "split = 2, cluster = 2")):
        configs.write_text(wrong)
        outcome = tool.call("compile", model, "-o", package, "--configs", configs, "--target", "native,sm_90a",
                            status=2)
        tool.assert_error(outcome, "KILN-E0410", "cluster", "an even number of panels", status=2)
