#!/usr/bin/env python3
"""Exports small models of transformers' architectures, with random weights, as people export them today.

    python3 -m venv families && families/bin/pip install torch transformers onnxscript onnxruntime
    families/bin/python test/conformance/export_families.py --exporter dynamo --output families/models
    build/venv/bin/python test/conformance/exporter_models.py --kiln build/bin/kiln --folder families/models \\
        --work build/conformance --devices cpu

Writes NAME-EXPORTER.onnx and three cases beside it, with padding in the masks: what exporter_models.py judges. Batch and
sequence are symbolic. Prints a line per model; what torch cannot export is named and left out. Nothing is downloaded.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import inspect
import pathlib
import signal

import numpy as np
import torch
from transformers import CONFIG_MAPPING, AutoModel

FAMILIES = {
    "text": "albert bert big_bird bloom camembert canine convbert data2vec-text deberta deberta-v2 distilbert electra ernie "
    "esm eurobert flaubert ibert jina_embeddings_v3 layoutlm luke markuplm megatron-bert mobilebert modernbert mpnet "
    "nomic_bert nystromformer rembert roberta roformer splinter squeezebert tapas xlm xlm-roberta "
    "apertus arcee biogpt codegen cohere cohere2 ctrl diffllama ernie4_5 exaone4 falcon gemma gemma2 gemma3_text glm glm4 "
    "gpt2 gpt_bigcode gpt_neo gpt_neox gptj granite helium llama mamba mistral mpt nemotron olmo olmo2 olmo3 openai-gpt opt "
    "persimmon phi phi3 qwen2 qwen3 seed_oss smollm3 stablelm starcoder2 xglm",
    "image": "beit clip_vision_model convnext convnextv2 cvt data2vec-vision deit dinov2 dinov2_with_registers "
    "dinov3_convnext dpt efficientnet focalnet glpn hgnet_v2 ijepa levit mobilenet_v1 mobilenet_v2 mobilevit mobilevitv2 "
    "poolformer pvt pvt_v2 regnet resnet segformer siglip_vision_model swiftformer swinv2 textnet vit vit_msn vitdet yolos",
    "sound": "data2vec-audio hubert sew sew-d unispeech unispeech-sat wav2vec2 wav2vec2-conformer wavlm",
    "pair": "bart bigbird_pegasus blenderbot fsmt longt5 m2m_100 marian mbart mt5 pegasus pegasus_x plbart prophetnet t5 umt5",
}

# What a configuration has of these is made small, whatever its name for it is.
SMALL = {
    64: "hidden_size d_model n_embd embedding_size emb_dim dim word_embed_proj_dim image_size",
    96: "intermediate_size encoder_ffn_dim decoder_ffn_dim d_ff hidden_dim ffn_dim ffn_hidden_size n_inner "
    "max_position_embeddings n_positions n_ctx max_seq_len",
    2: "num_hidden_layers n_layer num_layers encoder_layers decoder_layers n_layers num_key_value_heads",
    4: "num_attention_heads n_head num_heads encoder_attention_heads decoder_attention_heads n_heads num_local_experts "
    "num_experts",
    16: "d_kv head_dim",
    8: "rotary_dim",
    200: "vocab_size",
}
IMAGE = 64
SECONDS = 240  # of an export


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--exporter", choices=("dynamo", "dynamo23", "legacy"), default="dynamo")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="the folder for the models")
    parser.add_argument("names", nargs="*", help="architectures; all that are known here by default")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGALRM, time_out)
    for kind, names in FAMILIES.items():
        for name in names.split():
            if not options.names or name in options.names:
                attempt(kind, name, options)


def time_out(*_):
    raise TimeoutError(f"no end after {SECONDS} s")


def attempt(kind, name, options):
    signal.alarm(SECONDS)
    try:
        export(kind, name, options.exporter, options.output / f"{name}-{options.exporter}.onnx")
        print(f"{name}: exported", flush=True)
    except Exception as error:  # torch's and transformers' are of any type
        print(f"{name}: not exported: {type(error).__name__}: {' '.join(str(error).split())[:160]}", flush=True)
    signal.alarm(0)


def small_config(name):
    config = CONFIG_MAPPING[name]()
    # Stages of a pyramid have sizes of their own.
    staged = any(hasattr(config, key) for key in ("hidden_sizes", "embed_dim", "embed_dims", "width_coefficient", "depths"))
    kept = {"hidden_size", "hidden_dim", "num_layers", "num_heads", "num_hidden_layers"} if staged else set()
    for size, keys in SMALL.items():
        for key in set(keys.split()) - kept:
            if isinstance(getattr(config, key, None), int):
                setattr(config, key, size)
    for key, value in {"use_cache": False, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}.items():
        if hasattr(config, key):
            setattr(config, key, value)
    if getattr(config, "layer_types", None):
        config.layer_types = config.layer_types[:2]
    return config


def cases_of(kind, config):
    """Three: the inputs of a forward, by name."""
    rng = np.random.default_rng(0)
    for number, (batch, length) in enumerate(((2, 9), (1, 17), (3, 30))):
        if kind == "image":
            channels = getattr(config, "num_channels", 3)
            yield {"pixel_values": rng.standard_normal((batch, channels, IMAGE, IMAGE)).astype(np.float32)}
        elif kind == "sound":
            yield {"input_values": rng.standard_normal((batch, 1600 + 400 * number)).astype(np.float32)}
        else:
            mask = np.ones((batch, length), np.int64)
            for row in range(1, batch):
                mask[row, length - 2 * row :] = 0
            case = {"input_ids": np.where(mask, rng.integers(3, 200, mask.shape), 1), "attention_mask": mask}
            if kind == "pair":
                case["decoder_input_ids"] = rng.integers(3, 200, (batch, 5 + number))
            yield case


class FirstOutput(torch.nn.Module):
    def __init__(self, model, names):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *arguments):
        result = self.model(**dict(zip(self.names, arguments)))
        return result if torch.is_tensor(result) else result[0]


def export(kind, name, exporter, path):
    torch.manual_seed(0)
    config = small_config(name)
    model = AutoModel.from_config(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() and not parameter.abs().max():  # biases and tables that start at zero hide mistakes
                parameter.normal_(0, 0.05)
    cases = list(cases_of(kind, config))
    names = [key for key in cases[0] if key in inspect.signature(model.forward).parameters]
    arguments = tuple(torch.from_numpy(cases[0][key]) for key in names)
    second = {"input_ids": "sequence", "attention_mask": "sequence", "decoder_input_ids": "decoder_sequence", "input_values": "samples"}
    dims = {key: {0: "batch"} | ({1: second[key]} if key in second else {}) for key in names}
    with torch.no_grad():
        convert(FirstOutput(model, names), arguments, names, dims, exporter, path)
    arrays = {f"case{number}.{key}": case[key] for number, case in enumerate(cases) for key in names}
    np.savez(path.with_suffix(".npz"), **arrays)


def convert(model, arguments, names, dims, exporter, path):
    if exporter == "legacy":
        axes = dims | {"output": {0: "batch"}}
        torch.onnx.export(model, arguments, path, input_names=names, output_names=["output"], dynamic_axes=axes, dynamo=False,
                          opset_version=17)
        return
    named = {}
    shapes = tuple({axis: named.setdefault(dim, torch.export.Dim(dim, min=1)) for axis, dim in dims[key].items()} for key in names)
    free = tuple({axis: torch.export.Dim.DYNAMIC for axis in dims[key]} for key in names)
    opset = 23 if exporter == "dynamo23" else 18
    for attempted in (shapes, free):  # where the model needs more of a dim than its name says
        try:
            program = torch.onnx.export(model, arguments, input_names=names, output_names=["output"], dynamic_shapes=(attempted,),
                                        dynamo=True, opset_version=opset, verbose=False)
            return program.save(path)
        except Exception:
            if attempted is free:
                raise


if __name__ == "__main__":
    main()
