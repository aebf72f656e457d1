"""Compile time is polynomial: what takes exponential time in a graph's size does not end."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import graph_families
import pytest


@pytest.mark.parametrize("family", graph_families.FAMILIES, ids=lambda family: family.__name__)
def test_is_quick(family, tmp_path):
    # 2 s on an idle machine with two cores; ten times that if tests run concurrently.
    size, _ = graph_families.FAMILIES[family]
    assert graph_families.compile_seconds(family, size, tmp_path, timeout=60) < 20
