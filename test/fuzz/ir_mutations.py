"""Inputs of lit's tests with their commands, and random changes of both, for lit_inputs.py."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]

NUMBERS = ("0", "1", "-1", "2", "3", "7", "64", "2147483647", "2147483648", "-2147483648", "4294967296", "1099511627776",
           "9223372036854775807", "-9223372036854775808", "9223372036854775808")
ELEMENTS = ("index", "none", "i1", "i2", "i7", "i24", "i64", "ui8", "si8", "i128", "i65536", "f16", "bf16", "f32", "f64", "f80",
            "f128", "tf32", "f8E5M2", "f4E2M1FN", "complex<f32>", "vector<2xf32>", "!llvm.ptr", "!tile.buffer<f32>", "memref<4xf32>")
TYPES = ("tensor<f32>", "tensor<*xf32>", "tensor<?xf32>", "tensor<0xf32>", "tensor<4294967296x4294967296xf32>", "tensor<1x1x1x1x1xi64>",
         "memref<4xf32>", "memref<?x?xf32>", "vector<4xf32>", "tuple<>", "!tile.view<4x4xf32, [4, 1]>", "!tile.frag<4x4xf32>", *ELEMENTS)
VALUES = ("unit", "true", "\"\"", "\"banana\"", "[]", "{}", "[0, 1]", "@main", "@nothing", "-1", "1.0", "0x7FF8000000000000 : f64",
          "array<i64>", "array<i64: 0, -1>", "f32", "dense<1> : tensor<1xi64>", "#graph.shape<[] -> []>",
          "#graph.shape<[n] -> [n]>", "affine_map<(d0) -> (d0)>", "{native = \"fast\"}")

NUMBER = re.compile(r"(?<![\w.%@#\"])-?\d+(?![\w.]*[:\"])")
EXTENT = re.compile(r"(?<=[<x])(?:\d+|\?)(?=x)")
ELEMENT = re.compile(r"(?<=[<x ])(?:[us]?i\d+|b?f\d+|index|f[864]E\d+M\d+\w*)\b")
SHAPED = re.compile(r"\b(?:tensor|memref|vector|!tile\.\w+)<[^<>]*(?:<[^<>]*>[^<>]*)*>")
NAME = re.compile(r"%[\w#]+")
SYMBOL = re.compile(r"@\w+")
OP = re.compile(r"\b(?:graph|tile|plan|arith|scf|affine|math|vector)\.[a-z_]+\b")
ATTRIBUTE = re.compile(r"[\w.]+ = (?:\"[^\"]*\"|\[[^\[\]]*\]|[^,{}\[\]\"]+)")
WORD = re.compile(r"\b[a-z_]{2,}\b")

PASS = re.compile(r'\bPass<\s*"([\w-]+)"')
OPTION = re.compile(r'\b(?:List)?Option<\s*"\w+",\s*"([\w-]+)"')
RUNS = re.compile(r"kiln-test-(?:evaluate|run-|verify-each)")
COMMAND = re.compile(r"\bkiln-opt\b([^|;&]*)")


def passes_of_kiln():
    """{pass: names of its options}, from the definitions of passes and the phases."""
    found, phases = {}, ("import", "graph", "kernels", "code", "plan")
    for path in sorted(ROOT.glob("include/kiln/**/*asses.td")):
        for text in re.split(r"\n(?=def )", path.read_text()):
            if name := PASS.search(text):
                found[name.group(1)] = OPTION.findall(text)
    names = re.findall(r'visitor\("([\w-]+)"', (ROOT / "lib/Transforms/Graph/PhaseOptions.cpp").read_text())
    found.update({f"kiln-{phase}-pipeline": names for phase in phases})
    return found


def run_lines(text):
    """The lines behind RUN: with those that go on joined."""
    lines = re.findall(r"^\s*// RUN: ?(.*)", text, re.MULTILINE)
    return "\n".join(lines).replace("\\\n", " ").splitlines()


def commands(text):
    """Arguments of the calls of kiln-opt on the test itself."""
    for line in run_lines(text):
        for call in COMMAND.findall(line):
            call = re.sub(r"\d?>+\s*\S+", " ", call.replace("2>&1", " "))
            try:
                words = shlex.split(call)
            except ValueError:  # cut inside of a quotation
                continue
            dropped = {"%s", "--verify-diagnostics", "-verify-diagnostics", "--split-input-file", "-split-input-file", "-"}
            words = [word for word in words if word not in dropped]
            if "%s" in call and not any("%" in word or RUNS.search(word) for word in words):
                yield [word for i, word in enumerate(words) if word != "-o" and words[max(i - 1, 0)] != "-o"]


def parts(text):
    """The inputs of a test, without comments."""
    for part in re.split(r"^// -----.*$", text, flags=re.MULTILINE):
        lines = [line for line in part.splitlines() if line.strip() and not line.lstrip().startswith("//")]
        if lines:
            yield "\n".join(lines) + "\n"


class Corpus:
    """The lit tests of the tree: (name, commands, inputs) of each."""

    def __init__(self, filter=""):
        self.passes = passes_of_kiln()
        self.tests, self.tails = [], []
        for path in sorted(ROOT.glob("test/**/*.mlir")):
            text, name = path.read_text(), str(path.relative_to(ROOT))
            calls, inputs = list(commands(text)), list(parts(text))
            if calls and inputs and filter in name:
                self.tests.append((name, calls, inputs))
                self.tails += [call for call in calls if call]

    def wrong_option(self, rng):
        """A pass with one of its options at an odd value."""
        name = rng.choice(sorted(self.passes))
        options = self.passes[name] or ["nothing"]
        value = rng.choice((*NUMBERS, "banana", "", "sm_99", "sm_90a,sm_80", "native", "x=1", "true", "[=f32", "0..0", "n=4..1"))
        return f"--{name}={rng.choice(options)}={value}"

    def command(self, calls, rng):
        """One of a test's commands; now and then with odd numbers, with another pass or another test's command."""
        words = list(rng.choice(calls))
        kind = rng.randrange(20)
        if kind < 2 and words:
            place = rng.randrange(len(words))
            words[place] = replace_one(NUMBER, words[place], rng, lambda _: rng.choice(NUMBERS))
        elif kind == 2:
            words.append(self.wrong_option(rng))
        elif kind == 3:
            words.append("--" + rng.choice(sorted(self.passes)))
        elif kind == 4:
            words += rng.choice(self.tails)
        elif kind == 5:
            words = list(rng.choice(self.tails))
        return words


def replace_one(pattern, text, rng, replacement):
    """One match of the pattern, by chance, replaced by replacement(match)."""
    matches = list(pattern.finditer(text))
    if not matches:
        return text
    match = rng.choice(matches)
    return text[: match.start()] + replacement(match.group()) + text[match.end() :]


def from_text(pattern, text, rng):
    """Replaces one match by another match of the same text."""
    found = pattern.findall(text)
    return replace_one(pattern, text, rng, lambda _: rng.choice(found))


def near(number, rng):
    value = int(number)
    return str(rng.choice((value + 1, value - 1, value * 2, -value, value // 2)))


def change_lines(text, rng):
    """Deletes, repeats or exchanges lines."""
    lines = text.splitlines(keepends=True)
    place, kind = rng.randrange(len(lines)), rng.randrange(3)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(rng.randrange(len(lines) + 1), lines[place])
    else:
        other = rng.randrange(len(lines))
        lines[place], lines[other] = lines[other], lines[place]
    return "".join(lines)


MUTATIONS = (
    lambda text, rng: replace_one(NUMBER, text, rng, lambda _: rng.choice(NUMBERS)),
    lambda text, rng: replace_one(NUMBER, text, rng, lambda number: near(number, rng)),
    lambda text, rng: replace_one(EXTENT, text, rng, lambda _: rng.choice((*NUMBERS, "?"))),
    lambda text, rng: replace_one(ELEMENT, text, rng, lambda _: rng.choice(ELEMENTS)),
    lambda text, rng: change_all(ELEMENT, text, rng, ELEMENTS),
    lambda text, rng: change_all(EXTENT, text, rng, (*NUMBERS, "?")),
    lambda text, rng: replace_one(SHAPED, text, rng, lambda _: rng.choice(TYPES)),
    lambda text, rng: from_text(SHAPED, text, rng),
    lambda text, rng: change_all(SHAPED, text, rng, TYPES),
    lambda text, rng: from_text(NAME, text, rng),
    lambda text, rng: from_text(SYMBOL, text, rng),
    lambda text, rng: from_text(OP, text, rng),
    lambda text, rng: from_text(WORD, text, rng),
    lambda text, rng: replace_one(ATTRIBUTE, text, rng, lambda _: ""),
    lambda text, rng: replace_one(ATTRIBUTE, text, rng, lambda old: f"{old.split(' = ')[0]} = {rng.choice(VALUES)}"),
    change_lines,
    change_lines,
)


def change_all(pattern, text, rng, choices):
    """Replaces all matches that are equal to one of them: operands and results stay of one type."""
    found = pattern.findall(text)
    if not found:
        return text
    old, new = rng.choice(found), rng.choice(choices)
    return pattern.sub(lambda match: new if match.group() == old else match.group(), text)


def mutate(text, rng):
    """One to three changes of an input."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice(MUTATIONS)(text, rng) or text
    return text
