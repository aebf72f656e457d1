"""Trials of abuse, by family: hostile packages, failing allocations, forks, signals, limits. trials.py has what is right."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pytest
import trials


@pytest.mark.parametrize("family", trials.FAMILIES, ids=lambda family: family.name.split(":")[0].replace(" ", "-"))
def test_family(family, setup, results, request):
    wants_all = request.config.getoption("--all-cases") or request.config.getoption("--table")
    found = family.trials(setup, family.counts[bool(wants_all)])
    results[family.name] = family.summary(found)
    assert found and not family.wrong(found)
