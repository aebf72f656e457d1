"""Editors highlight ONNX text as ONNX's parser reads it: the TextMate grammar on all .onnxtxt files of the tree, word by word."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import pathlib
import re

import onnx
import onnx.parser
import pytest
from babi.highlight import Grammars, highlight_line

ROOT = pathlib.Path(__file__).resolve().parents[2]
EDITORS = ROOT / "tools" / "editors"
MODELS = sorted([*(ROOT / "test").rglob("*.onnxtxt"), *(ROOT / "examples").rglob("*.onnxtxt")])
GRAMMARS = Grammars(str(EDITORS / "vscode" / "syntaxes"))


def scopes(text):
    """(word, scope) of what the grammar finds, without the scope of the file."""
    compiler = GRAMMARS.compiler_for_scope("onnxtxt.tmLanguage")  # babi calls a grammar by its file
    state, found = compiler.root_state, []
    for number, line in enumerate(text.splitlines(keepends=True)):
        state, regions = highlight_line(compiler, state, line, number == 0)
        found += [(line[region.start : region.end].strip(), " ".join(region.scope[1:])) for region in regions]
    return [(word, scope) for word, scope in found if word]


def words(found, scope):
    return {word for word, of in found if of.startswith(scope)}


def parsed(text):
    try:
        return onnx.parser.parse_model(text)
    except onnx.parser.ParseError:
        return None  # some models are there for the message that they get


def nodes(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                yield from nodes(attribute.g)


def all_nodes(model):
    yield from nodes(model.graph)
    for function in model.functions:
        yield from function.node


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_model(path):
    """Each word has a scope; ops, attributes and graphs are those that the parser reads."""
    text = path.read_text()
    found = scopes(text)
    assert [word for word, scope in found if not scope] == []
    if (model := parsed(text)) is None:
        return
    every = list(all_nodes(model))
    assert words(found, "entity.name.function.op") == {node.op_type for node in every}
    named = {a.name for node in every for a in node.attribute if a.type != onnx.AttributeProto.GRAPH}
    assert words(found, "entity.other.attribute-name") == named
    assert model.graph.name in words(found, "entity.name.type.graph")


def test_models_are_there():
    assert sum(parsed(path.read_text()) is not None for path in MODELS) > 300


def keywords(table):
    """The words of one of the parser's tables, which its header has."""
    header = (pathlib.Path(onnx.__file__).parent / "defs" / "parser.h").read_text()
    return re.findall(r'map_\["(\w+)"\]', header.split(f"class {table}")[1].split("\n};")[0])


# How each kind of keyword is written, and its scope.
PLACES = {
    "PrimitiveTypeNameMap": ("{}[2] x", "storage.type"),
    "AttributeTypeNameMap": ("y = Op <a : {} = b> ()", "storage.type"),
    "KeyWordMap": ("<{}: 8>", "keyword.other"),
}
CONTAINERS = {"seq", "map", "optional", "sparse_tensor", "opaque"}


@pytest.mark.parametrize("table", PLACES)
def test_keywords_of_the_parser(table):
    place, scope = PLACES[table]
    found = keywords(table)
    assert len(found) >= 14
    for word in found:
        line, expected = ("{}(float) x", "storage.type") if table == "KeyWordMap" and word in CONTAINERS else (place, scope)
        assert word in words(scopes(line.format(word) + "\n"), expected), word


def test_keywords_of_vim():
    """The same ones as the parser's."""
    syntax = (EDITORS / "vim" / "syntax" / "onnxtxt.vim").read_text()
    types = {word for line in re.findall(r"^syn keyword onnxtxtType (.*)$", syntax, re.MULTILINE) for word in line.split()}
    assert types == set(keywords("PrimitiveTypeNameMap"))
    names = set(re.search(r"onnxtxtKey .*\\\(([\w\\|]+)\\\)", syntax)[1].split("\\|"))
    assert names == set(keywords("KeyWordMap")) - CONTAINERS
    containers, singular = (set(match.split("\\|")) for match in re.findall(r"onnxtxtType \S*\\\(([\w\\|]+)\\\)", syntax)[::-1])
    assert containers == CONTAINERS
    assert singular | {f"{word}s" for word in singular} == set(keywords("AttributeTypeNameMap"))


TRICKY = """\
<ir_version: 10, opset_import: ["" : 23, "my.ops" : 1], metadata_props: ["a \\"b\\"": "#c"]> # not a string: "
g (float[n, "m+1", ?] x = {-1.5e-3, inf, -nan, 2}, seq(float16[]) s) => (y) <map(int64, string) v>
{
  [first] a, "b c" = my.ops.Op:over <k: ints = [], f = @ref, t = float[1] {1}, z = "x"> (x, , y)
  y = If (a) <then_branch = then () => (u) { u = Relu(x) }, else_branch = no () => (u) { u = Neg(x) }>
}
"""


def test_spellings_that_no_model_has():
    found = scopes(TRICKY)
    assert [word for word, scope in found if not scope] == []
    assert words(found, "entity.name.function.op") == {"Op", "If", "Relu", "Neg"}
    assert words(found, "entity.name.namespace") == {"my.ops."}
    assert words(found, "entity.name.function.overload") == {"over"}
    assert words(found, "entity.name.label") == {"first"}
    assert words(found, "entity.name.type.graph") == {"g", "then", "no"}
    assert {"k", "f", "t", "z"} == words(found, "entity.other.attribute-name")
    assert words(found, "variable.parameter") == {"@ref"}
    assert {"-1.5e-3", "inf", "-nan", "10", "23"} <= words(found, "constant.numeric")
    assert words(found, "comment") == {'# not a string: "'}
    assert words(found, "string.quoted.double.onnxtxt constant.character.escape") == {'\\"'}
    assert {"float", "seq", "float16", "map", "int64", "string", "ints"} == words(found, "storage.type")
