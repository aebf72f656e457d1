"""The bad-input list, packages: truncated, bits flipped in each section, future versions, other CPUs."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json

import packages
import pytest
import tool


@pytest.fixture(scope="module")
def good(small_package):
    return small_package[1].read_bytes()


def refuse(tmp_path, data, *command):
    path = tmp_path / "bad.kiln"
    path.write_bytes(data)
    return tool.call(*(command or ("run",)), path, status=None)


def test_the_package_itself_is_fine(tmp_path, good):
    assert refuse(tmp_path, good).status == 0
    assert packages.seal(good) == good


@pytest.mark.parametrize("part", [0, 1, 20, 63, 64, 100, 0.3, 0.6, 0.9, -1])
def test_truncated(tmp_path, good, part):
    size = int(part * len(good)) if isinstance(part, float) else part
    outcome = refuse(tmp_path, good[:size])
    assert outcome.code in ("KILN-E0500", "KILN-E0502"), outcome.stderr
    tool.assert_error(outcome, outcome.code, "bad.kiln")


def test_too_long(tmp_path, good):
    tool.assert_error(refuse(tmp_path, good + b"\0"), "KILN-E0502", "bad.kiln")


def test_no_package(tmp_path):
    tool.assert_error(refuse(tmp_path, b"\x89PNG\r\n\x1a\n" + b"\0" * 4096), "KILN-E0500", "bad.kiln")


@pytest.mark.parametrize("kind", ["provenance", "plan", "host image", "unwind table", "weights"])
@pytest.mark.parametrize("place", [0.0, 0.5, 1.0])
def test_flipped_bit_in_a_section(tmp_path, good, kind, place):
    section = packages.section(good, kind)
    data = packages.flip(good, section.offset + int(place * (section.size - 1)))
    for command in (("run",), ("bench", "--duration", "0.1"), ("verify",), ("inspect", "--check")):
        outcome = refuse(tmp_path, data, *command)
        tool.assert_error(outcome, "KILN-E0503", "bad.kiln")


@pytest.mark.parametrize("place", range(0, 64 + 4 * 64, 5))
def test_flipped_bit_in_header_or_table(tmp_path, good, place):
    outcome = refuse(tmp_path, packages.flip(good, place))
    assert outcome.status == 3, (place, outcome.stderr)
    assert outcome.code in {f"KILN-E050{i}" for i in range(5)}, (place, outcome.stderr)


def test_plan_bits_with_right_hashes_never_crash(tmp_path, good):
    """Hashes guard against accidents; the checks behind them against everything else."""
    plan = packages.section(good, "plan")
    for place in range(plan.offset, plan.offset + plan.size, max(1, plan.size // 150)):
        data = packages.seal(packages.flip(good, place, place % 8))
        outcome = refuse(tmp_path, data, "inspect")
        assert outcome.status in (0, 3), (place, outcome.stderr)


def test_unwind_table_bits_with_right_hashes_never_matter(tmp_path, good):
    """A run reads no table: one that is wrong is left out, or shows profilers another caller."""
    table = packages.section(good, "unwind table")
    for place in range(table.offset, table.offset + table.size, 3):
        outcome = refuse(tmp_path, packages.seal(packages.flip(good, place, place % 8)))
        assert outcome.status == 0, (place, outcome.stderr)


@pytest.mark.parametrize("version", [0, 1, 2, 3, 4, 5, 7, 1000, 0xFFFFFFFF])
def test_other_version(tmp_path, good, version):
    tool.assert_error(refuse(tmp_path, packages.with_version(good, version)), "KILN-E0501", str(version))


def test_other_cpu(tmp_path, good, small_package):
    description = json.loads(tool.call("inspect", small_package[1], "--json").stdout)
    features = [f for target in description["targets"] for f in target["features"]]
    feature = max(features, key=len)
    data = packages.with_other_feature(good, feature)
    tool.assert_error(refuse(tmp_path, data), "KILN-E0510", "z" * len(feature))
    # Inspecting a package needs no particular CPU.
    assert "z" * len(feature) in refuse(tmp_path, data, "inspect").stdout
