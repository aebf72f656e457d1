"""The frequencies of rotary embeddings, as transformers computes them for longer contexts than a model was first trained on."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy as np

SCALINGS = ("", "linear", "ntk", "yarn", "llama3")


def frequencies(config, long=False):
    """[rotated / 2] in double precision; long: those of LongRoPE for sequences beyond `original_positions`."""
    exponents = np.arange(0, config.rotated, 2) / config.rotated
    plain = config.theta**-exponents
    if config.long_factors:
        return plain / np.array(config.long_factors if long else config.short_factors)
    if config.scaling == "linear":  # positional interpolation
        return plain / config.scaling_factor
    if config.scaling == "ntk":  # another base, so that the slowest pair turns as with positional interpolation
        return (config.theta * config.scaling_factor ** (config.rotated / (config.rotated - 2))) ** -exponents
    if config.scaling == "yarn":
        return _yarn(config, plain)
    return _llama3(config, plain) if config.scaling == "llama3" else plain


def factor(config):
    """What sine and cosine are multiplied by."""
    if config.long_factors:
        return math.sqrt(1 + math.log(config.positions / config.original_positions) / math.log(config.original_positions))
    return 1 + 0.1 * math.log(config.scaling_factor) if config.scaling == "yarn" else 1.0


def _yarn(config, plain, fast=32, slow=1):
    """Pairs that turn `fast` times and more in the original context keep their frequency, those below `slow` are interpolated
    (Peng et al., YaRN, 2023)."""

    def pair(turns):
        return config.rotated * math.log(config.original_positions / (turns * 2 * math.pi)) / (2 * math.log(config.theta))

    low, high = max(math.floor(pair(fast)), 0), min(math.ceil(pair(slow)), config.rotated - 1)
    interpolated = np.clip((np.arange(config.rotated // 2) - low) / max(high - low, 0.001), 0, 1)
    return plain / config.scaling_factor * interpolated + plain * (1 - interpolated)


def _llama3(config, plain, slow=1, fast=4):
    """The same by wavelengths, and in between by how often a pair turns (Llama 3.1)."""
    turns = config.original_positions * plain / (2 * math.pi)
    kept = np.clip((turns - slow) / (fast - slow), 0, 1)
    return (1 - kept) * plain / config.scaling_factor + kept * plain
