"""Decoders whose pasts stay inputs (--no-state), among ranks: attention is split by heads as it is with state, each rank reads its
heads of the past, and presents are whole."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import decoders
import pytest
import tool

# Llama has four heads and two key heads, Phi 3 four heads and merged matmuls, GPT-2 three heads.
MESHES = [("llama", "tp=2"), ("llama", "tp=4"), ("llama", "sp=2"), ("llama", "pp=2,tp=2"), ("phi3", "tp=4"), ("gpt2", "tp=3")]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    packages = decoders.Packages(tmp_path_factory.mktemp("pasts"))
    return {family: packages.model(family) for family in dict(MESHES)}


def compiled(model, folder, mesh, target):
    package = folder / "m.kiln"
    report = tool.call("compile", model, "-o", package, "--no-state", "--shard", mesh, "--target", target).stdout
    assert "attention by heads" in report, report
    return package


@pytest.mark.parametrize("device, target", [("cpu", "native"), ("sim:a100", "sm_80")])
@pytest.mark.parametrize("family, mesh", MESHES)
def test_pasts_by_heads(models, family, mesh, device, target, driver, tmp_path):
    package = compiled(models[family], tmp_path, mesh, target)
    outcome = tool.call("verify", package, "--model", models[family], "--device", device, "--only-these-dims", env=driver)
    assert outcome.stdout.endswith("PASSED\n"), outcome.stdout
