#!/usr/bin/env python3
"""Checks that README's table of what compiles is what test/conformance/exporter_models.md says; --write makes it so.

A model of that table is FAMILY-EXPORTER. A family is listed where one of its exports at least is right at the first try on the
host and on the simulated GPUs, with the exporters for which it is.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import sys

import tree

RESULTS, README = "test/conformance/exporter_models.md", "README.md"
BEGIN, END = "<!-- made by test/lint/families.py --write -->\n", "<!-- end -->\n"
# Families by task, by the names that the exports have.
TASKS = {
    "encoder (text)": "bert bert-deep bert-f16 bert-ortopt bert-relpos clip-text convbert deberta deberta-v2 eurobert fnet mobilebert modernbert roberta "
                      "t5-enc xlmr",
    "decoder (text)": "bloom gemma2 gpt-neo gpt2-nomask gpt2-past llama llama-f16 llama-fp32 llama-int4 llama-past mamba-fixed mistral-past mixtral-b mpt "
                      "nanogpt-argmax nanogpt-einsum opt phi3-past phi4mini-past qwen3-fp32 qwen3-past",
    "encoder and decoder (text)": "bart torch-decoder torch-transformer2",
    "vision": "beit clip-vision convnext dinov2 segformer siglip-vision swin-stage timm-hiera vit",
    "audio": "wav2vec2 whisper-dec whisper-enc",
}
# Parts of models, which are no family.
PARTS = "torch-mha-weights gridsample16 kv_syms reshape_m1_past reshape_m1_square reshape_m1_sum state_slice_scatter sum_syms_add"
DEVICES = ("cpu", "sim:a100", "sim:h200")


def rows(text):
    """{column: cell} of every row of the results."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return [dict(zip(lines[0], cells)) for cells in lines[2:]]


def is_right(row):
    accepted = row["first try"] in ("yes", "stateless", "narrowed")
    # genai's exports keep their cache as state, which test_exported_decoders.py runs.
    return accepted and (row["exporter"] == "genai" or all(row[device] == "right" for device in DEVICES))


def rights(text):
    """{family: the exporters for which it is right}."""
    found = {}
    for row in rows(text):
        exporters = found.setdefault(row["model"], [])
        if is_right(row):
            exporters.append(row["exporter"])
    return found


def table(found):
    lines = ["| task | exports that compile without flags and give ONNX Runtime's results |", "| --- | --- |"]
    for task, names in TASKS.items():
        texts = [f"`{name}` ({', '.join(exporters)})" for name in names.split() if (exporters := found.get(name))]
        lines.append(f"| {task} | {', '.join(texts)} |")
    return "\n".join(lines) + "\n"


def problems(readme, results):
    found = rights(results)
    known = {name for names in TASKS.values() for name in names.split()} | set(PARTS.split())
    for name in found:
        if name not in known:
            yield f"{RESULTS}: {name} has no task in test/lint/families.py"
    if BEGIN not in readme or END not in readme:
        yield f"{README}: the table of families is not there"
    elif readme.split(BEGIN)[1].split(END)[0] != table(found):
        yield f"{README}: the table of families is not that of {RESULTS}; run test/lint/families.py --write"


def main():
    readme, results = tree.read(README), tree.read(RESULTS)
    if "--write" in sys.argv:
        before, _, rest = readme.partition(BEGIN)
        readme = before + BEGIN + table(rights(results)) + END + rest.partition(END)[2]
        (tree.ROOT / README).write_text(readme)
    tree.finish(list(problems(readme, results)), f"{len(rights(results))} families")


if __name__ == "__main__":
    main()
