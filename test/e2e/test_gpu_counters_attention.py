"""What attention costs on the simulated GPU: keys and values are read once per tile of queries, and not at all where no
query of the tile sees them; tensor instructions, whole sectors, no bank conflict in the main loop."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import gpu_counters
import pytest
from attention_models import Attention
from gpu_counters import BYTES, ceil

CASES = [
    Attention(128, 128, 32),
    Attention(128, 128, 64, causal=True),
    Attention(128, 128, 128, mask=(1, 1, 128, 128)),
    Attention(128, 128, 64, mask=(1, 1, 1, 128)),
    Attention(64, 192, 256),
    Attention(128, 128, 256, mask=(1, 1, 128, 128)),
    Attention(256, 256, 64, heads=4, shared=2, causal=True),
    Attention(70, 131, 80),
    Attention(33, 175, 96, mask=(1, 2, 33, 175)),
    Attention(130, 130, 32, causal=True),
    Attention(48, 200, 64, columns=32, batch=2),
]
TARGETS = ["sm_80", "sm_90a"]


def padded(extent, least):
    return max(least, 1 << (extent - 1).bit_length())


def keys_of_tiles(case, rows, tile):
    """Tiles of keys that each tile of queries walks over."""
    for first in range(0, case.queries, rows):
        last = min(first + rows, case.queries)
        yield ceil(min(case.keys, last + case.keys - case.queries) if case.causal else case.keys, tile)


@pytest.mark.parametrize("kind", ["FLOAT", "FLOAT16", "BFLOAT16"])
@pytest.mark.parametrize("number", range(len(CASES)))
def test_attention(driver, tmp_path, number, kind):
    case = Attention(**{**vars(CASES[number]), "kind": kind})
    target = TARGETS[(number + len(kind)) % 2]
    [launch] = gpu_counters.measure(case.write(tmp_path / "m.onnx"), tmp_path, driver, target)
    # Warpgroups of a Hopper multiply 16-bit elements.
    on_warpgroups = target == "sm_90a" and kind != "FLOAT"
    assert launch.kind == ("warpgroup_attention" if on_warpgroups else "block_attention")
    rows, tile = launch.config["rows"], launch.config["keys"]
    columns, all_heads, element = case.columns or case.depth, case.batch * case.heads, BYTES[kind]
    tiles = [*keys_of_tiles(case, rows, tile)]
    queries_and_results = all_heads * case.queries * (case.depth + columns) * element
    walked = all_heads * sum(min(count * tile, case.keys) for count in tiles) * (case.depth + columns) * element
    key_bytes = all_heads // case.shared * case.keys * (case.depth + columns) * element
    mask = mask_touched = 0
    if case.mask:
        # A mask with one row is read once per block.
        same = case.mask[2] == 1
        lines = len(tiles) if same else case.queries
        mask = all_heads * lines * case.keys * element
        mask_touched = case.mask[1] * case.mask[2] * case.keys * element
        padding_rows = len(tiles) * rows - case.queries
        if not same:
            mask += all_heads * padding_rows * case.keys * element  # rows past the end: the last one's mask
    assert launch.bytes == queries_and_results + walked + mask
    touched = queries_and_results + key_bytes + mask_touched
    assert touched <= launch.distinct < touched + 32 * 32
    # A mask whose rows are not aligned is stored element by element.
    if not case.mask or case.mask[3] * element % 16 == 0:
        assert launch.conflicts_in_main_loops() == {}
    if kind != "FLOAT":
        # Both products of every tile, padded to powers of two.
        one = 2 * rows * tile * (padded(case.depth, 16) + padded(columns, 16))
        assert launch.tensor_flops == all_heads * sum(tiles) * one
    if case.keys * element % 32 == 0:
        assert launch.efficiency >= 0.95
    assert launch.counters["local"]["bytes"] == 0


@pytest.mark.parametrize("kind", ["FLOAT", "BFLOAT16"])
def test_lengths_end_the_loop(driver, tmp_path, kind):
    """The keys past a sequence's length are not read: inputs are made up, and lengths of 0 or 1 among them."""
    long, short = (Attention(64, keys, 64, batch=2, kind=kind, lengths=True) for keys in (512, 64))
    costs = [gpu_counters.measure(case.write(tmp_path / "m.onnx"), tmp_path, driver, "sm_80")[0].bytes
             for case in (long, short)]
    assert costs[0] < 2 * costs[1]


@pytest.mark.parametrize("kind", ["FLOAT", "BFLOAT16"])
def test_whole_tiles_compare_no_positions(driver, tmp_path, kind):
    """Of causal attention, what it costs beyond plain attention over the same tiles does not grow with the tiles that
    all queries see."""

    def instructions(causal, keys):
        case = Attention(32, 32, 64, heads=1, kind=kind, causal=causal, past=keys - 32)
        launches = gpu_counters.measure(case.write(tmp_path / "m.onnx"), tmp_path, driver, "sm_80")
        [launch] = [launch for launch in launches if launch.counters["kernel"].startswith("attention")]
        return launch.counters["warp_instructions"]

    few, many = (instructions(True, keys) - instructions(False, keys) for keys in (256, 1024))
    plain = instructions(False, 1024)
    assert few > 0 and many - few < plain / 100
