#!/usr/bin/env python3
"""Small decoders as exporters write them, with pasts and presents, for test_exported_decoders.py.

  python -m venv v && v/bin/pip install torch transformers==4.51.3 onnx onnxscript onnxruntime optimum-onnx
  v/bin/python test/e2e/exports/export.py WORK                     into test/e2e/exports/decoders.tar.xz
  v/bin/pip install 'transformers>=5' && v/bin/python test/e2e/exports/export.py WORK       into decoders5.tar.xz

Nothing is downloaded: the weights are random, and multiples of 1/32, so that the archive is small. The names of the models are
FAMILY-SPELLING; SPELLINGS says who writes each.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import io
import pathlib
import sys
import tarfile
import warnings

import numpy as np
import onnx
import torch
import transformers
from onnxruntime import quantization
from onnxruntime.transformers import optimizer
from transformers.cache_utils import DynamicCache

IS_5 = int(transformers.__version__.split(".")[0]) >= 5
ARCHIVE = pathlib.Path(__file__).with_name("decoders5.tar.xz" if IS_5 else "decoders.tar.xz")
VOCABULARY, HIDDEN, HEADS, LAYERS, POSITIONS = 96, 32, 4, 2, 128
FAMILIES = {
    "gpt2": lambda: transformers.GPT2Config(n_positions=POSITIONS, n_embd=HIDDEN, n_layer=LAYERS, n_head=HEADS),
    "bloom": lambda: transformers.BloomConfig(hidden_size=HIDDEN, n_layer=LAYERS, n_head=HEADS),
    "opt": lambda: transformers.OPTConfig(hidden_size=HIDDEN, num_hidden_layers=LAYERS, ffn_dim=64, num_attention_heads=HEADS,
                                          max_position_embeddings=POSITIONS, word_embed_proj_dim=HIDDEN),
    "mpt": lambda: transformers.MptConfig(d_model=HIDDEN, n_layers=LAYERS, n_heads=HEADS, max_seq_len=POSITIONS),
    "starcoder": lambda: transformers.GPTBigCodeConfig(n_positions=POSITIONS, n_embd=HIDDEN, n_layer=LAYERS, n_head=HEADS),
    "llama": lambda: transformers.LlamaConfig(hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
                                              num_key_value_heads=2, intermediate_size=64, max_position_embeddings=POSITIONS),
    "xglm": lambda: transformers.XGLMConfig(d_model=HIDDEN, ffn_dim=64, num_layers=LAYERS, attention_heads=HEADS,
                                            max_position_embeddings=POSITIONS),
    # Other RoPE frequencies for sequences of more than 32 tokens.
    "phi3": lambda: transformers.Phi3Config(hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
                                            num_key_value_heads=2, intermediate_size=64, max_position_embeddings=POSITIONS,
                                            original_max_position_embeddings=32,
                                            rope_scaling={"type": "longrope", "short_factor": [1.0] * 4, "long_factor": [2.0] * 4}),
    # Latent attention, whose keys are written as slices of a tensor.
    "deepseek": lambda: transformers.DeepseekV3Config(hidden_size=HIDDEN, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
                                                      num_key_value_heads=HEADS, intermediate_size=64,
                                                      max_position_embeddings=POSITIONS, q_lora_rank=24, kv_lora_rank=16,
                                                      qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=8, n_routed_experts=4,
                                                      first_k_dense_replace=LAYERS, n_group=1, topk_group=1, num_experts_per_tok=2),
}  # fmt: skip
# These take the cache as tuples; the others as a DynamicCache.
TUPLES = ("gpt2", "mpt")
SPELLINGS = {
    "legacy": "torch.onnx.export(dynamo=False) with an attention_mask",
    "nomask": "torch.onnx.export(dynamo=False) without one: masks have a column more than past and new rows",
    "dynamo": "torch.onnx.export(dynamo=True)",
    "dynamo5": "the same, of transformers 5",
    "optimum": "optimum's one file for prompts and steps",
    "merged": "optimum's older two graphs behind use_cache_branch, the second traced for one token",
    "ort": "legacy, and onnxruntime.transformers.optimizer",
    "qdq": "legacy, and onnxruntime.quantization.quantize_static",
    "dynq": "legacy, and onnxruntime.quantization.quantize_dynamic",
}
MODELS = ("gpt2-dynamo5", "opt-dynamo5", "llama-dynamo5", "xglm-dynamo5", "phi3-dynamo5", "deepseek-dynamo5") if IS_5 else (
    "gpt2-legacy", "gpt2-nomask", "gpt2-dynamo", "gpt2-optimum", "gpt2-merged", "gpt2-ort", "gpt2-qdq", "gpt2-dynq",
    "bloom-legacy", "bloom-nomask", "bloom-dynamo", "bloom-merged", "opt-legacy", "opt-nomask", "opt-dynamo", "opt-merged",
    "mpt-legacy", "mpt-merged", "starcoder-optimum", "llama-nomask", "llama-merged", "llama-qdq",
)  # fmt: skip
CACHES = [f"{layer}.{part}" for layer in range(LAYERS) for part in ("key", "value")]
PASTS = [f"past_key_values.{name}" for name in CACHES]
OUTPUTS = ["logits"] + [f"present.{name}" for name in CACHES]


def build(family):
    config = FAMILIES[family]()
    config.vocab_size, config.use_cache, config.tie_word_embeddings = VOCABULARY, True, False
    config.bos_token_id = config.eos_token_id = config.pad_token_id = 1
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for weight in model.parameters():
            # Large enough that the logits of different tokens differ.
            weight.copy_(torch.round(weight * (3 if weight.ndim == 2 else 1) * 32) / 32)
    return model


class WithPast(torch.nn.Module):
    """ids, a mask if there is one, and pasts; logits and presents."""

    def __init__(self, model, takes_mask, takes_tuples):
        super().__init__()
        self.model, self.takes_mask, self.takes_tuples = model, takes_mask, takes_tuples

    def forward(self, ids, *rest):
        mask, pasts = (rest[0], rest[1:]) if self.takes_mask else (None, rest)
        pasts = tuple(zip(pasts[::2], pasts[1::2]))
        cache = pasts if self.takes_tuples else DynamicCache(pasts) if IS_5 else DynamicCache.from_legacy_cache(pasts)
        result = self.model(input_ids=ids, attention_mask=mask, past_key_values=cache, use_cache=True)
        return flat(result)


class WithoutPast(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, ids, mask):
        return flat(self.model(input_ids=ids, attention_mask=mask, use_cache=True))


def flat(result):
    presents = result.past_key_values
    if IS_5:
        presents = [(layer.keys, layer.values) for layer in presents.layers]
    elif hasattr(presents, "to_legacy_cache"):
        presents = presents.to_legacy_cache()
    return (result.logits, *[tensor for layer in presents for tensor in layer])


def export_with_past(family, path, takes_mask=True, new=3, dynamo=False):
    model = build(family)
    ids, mask = torch.randint(2, VOCABULARY, (2, new)), torch.ones(2, new + 5, dtype=torch.int64)
    with torch.no_grad():
        pasts = flat(model(input_ids=torch.randint(2, VOCABULARY, (2, 5)), use_cache=True))[1:]
    arguments = (ids, *([mask] if takes_mask else []), *pasts)
    names = ["input_ids", *(["attention_mask"] if takes_mask else []), *PASTS]
    module = WithPast(model, takes_mask, family in TUPLES and not IS_5).eval()
    if dynamo:
        dynamic = [{axis: torch.export.Dim.DYNAMIC for axis in ((0, 2) if "past" in name else (0, 1))} for name in names]
        torch.onnx.export(module, arguments, path, input_names=names, output_names=OUTPUTS, opset_version=18, dynamo=True,
                          dynamic_shapes=(dynamic[0], tuple(dynamic[1:])), external_data=False, verbose=False)  # fmt: skip
        return
    total = "total_sequence_length" if new > 1 else "past_sequence_length + 1"
    axes = {name: {0: "batch_size", 2: "past_sequence_length"} for name in PASTS}
    axes |= {name: {0: "batch_size", 2: total} for name in OUTPUTS[1:]}
    for name, length in (("input_ids", "sequence_length"), ("logits", "sequence_length"), ("attention_mask", total)):
        axes[name] = {0: "batch_size"} | ({1: length} if new > 1 or length == total else {})
    export_legacy(module, arguments, path, names, axes)


def export_legacy(module, arguments, path, names, axes):
    axes = {name: value for name, value in axes.items() if name in names or name in OUTPUTS}
    torch.onnx.export(module, arguments, path, input_names=names, output_names=OUTPUTS, opset_version=14, dynamo=False,
                      dynamic_axes=axes)  # fmt: skip


def export_merged(family, path):
    """The second graph for one token, as optimum traced it, with the names that it gave dims."""
    from optimum.onnx import merge_decoders

    first, second = path.with_name("first.onnx"), path.with_name("second.onnx")
    names = {0: "batch_size", 1: "sequence_length"}
    axes = {name: names for name in ("input_ids", "attention_mask", "logits")}
    axes |= {name: {0: "batch_size", 2: "sequence_length"} for name in OUTPUTS[1:]}
    arguments = (torch.randint(2, VOCABULARY, (2, 5)), torch.ones(2, 5, dtype=torch.int64))
    export_legacy(WithoutPast(build(family)).eval(), arguments, first, ["input_ids", "attention_mask"], axes)
    export_with_past(family, second, new=1)
    merge_decoders(first, second, save_path=path, strict=False)
    model = onnx.load(path)
    for entry in model.graph.input:
        if entry.name == "attention_mask":
            entry.type.tensor_type.shape.dim[1].dim_param = "attention_mask_sequence_length"
    onnx.save(model, path)


def export_optimum(family, path):
    from optimum.exporters.onnx import onnx_export_from_model

    folder = path.with_suffix("")
    onnx_export_from_model(build(family), output=folder, task="text-generation-with-past", do_validation=False, opset=17,
                           use_subprocess=False)  # fmt: skip
    (folder / "model.onnx").rename(path)


class Samples(quantization.CalibrationDataReader):
    def __init__(self, path):
        random = np.random.default_rng(0)
        entries = onnx.load(path).graph.input
        self.samples = iter([{entry.name: sample(entry, random) for entry in entries} for _ in range(4)])

    def get_next(self):
        return next(self.samples, None)


def sample(entry, random, new=6, old=5):
    if entry.name == "input_ids":
        return random.integers(2, VOCABULARY, (1, new))
    if entry.name == "attention_mask":
        return np.ones((1, new + old), np.int64)
    heads = entry.type.tensor_type.shape.dim[1].dim_value
    return random.standard_normal((1, heads, old, HIDDEN // HEADS), np.float32)


def export(name, path):
    family, spelling = name.split("-")
    plain = path.with_name("plain.onnx")
    if spelling == "merged":
        return export_merged(family, path)
    if spelling == "optimum":
        return export_optimum(family, path)
    if spelling in ("legacy", "nomask", "dynamo", "dynamo5"):
        return export_with_past(family, path, takes_mask=spelling != "nomask", dynamo="dynamo" in spelling)
    export_with_past(family, plain)
    if spelling == "ort":
        optimized = optimizer.optimize_model(str(plain), model_type=family, num_heads=HEADS, hidden_size=HIDDEN, opt_level=0)
        optimized.save_model_to_file(str(path))
    elif spelling == "qdq":
        quantization.quantize_static(plain, path, Samples(plain))
    else:
        quantization.quantize_dynamic(plain, path)
    return None


def without_notes(path):
    """The bytes of the model, without what only a reader of its exporter needs."""
    model = onnx.load(path)
    del model.metadata_props[:], model.graph.value_info[:]
    for node in model.graph.node:
        node.doc_string = ""
        del node.metadata_props[:]
    return model.SerializeToString()


def main(work):
    warnings.filterwarnings("ignore")
    work.mkdir(parents=True, exist_ok=True)
    with tarfile.open(ARCHIVE, "w:xz", preset=9) as archive:
        for name in MODELS:
            path = work / f"{name}.onnx"
            export(name, path)
            data = without_notes(path)
            entry = tarfile.TarInfo(f"{name}.onnx")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
            print(name, len(data), flush=True)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
