"""How users say of single weights which rank has them: a file of annotations, and the multi-device fields of ONNX (IR 11)."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import math
import re

import kiln
import onnx
import pytest
import tool
from test_ranks import BATCH, SEQUENCE, inputs_of

import decoders  # isort: skip  (names the folder of the models)
import annotate
from bert import config, encoder, save, weights

DEEP = config.Config(hidden=128, layers=4, heads=4, intermediate=512, vocabulary=100, positions=64)
DIMS = ("--dims", f"batch=1..{BATCH},sequence=1..{SEQUENCE}")
QUERY = "/encoder/layer.0/attention/self/query/MatMul"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("bert") / "bert.onnx"
    save.save(*encoder.build(DEEP, weights.seeded(DEEP, 5), config.Outputs()), path)
    return path


def compiled(model, path, *options):
    tool.call("compile", model, "-o", path, "-q", *DIMS, *options)
    return path


def outputs_of(package):
    """Of all ranks, and all dims."""
    group = kiln.Group(package)
    found = [group.run_all_ranks(inputs_of(*dims)) for dims in [(1, 1), (BATCH, SEQUENCE), (3, 7)]]
    return [own["last_hidden_state"].tobytes() for ranks in found for own in ranks]


def annotated(model, path, devices, stages):
    proto = onnx.load(model)
    annotate.annotate(proto, devices, stages)
    onnx.save(proto, path)
    return path


def ranks_of(package):
    return json.loads(tool.call("inspect", package, "--ranks", "--json").stdout)["ranks"]


@pytest.mark.parametrize("devices, stages, mesh", [(2, 1, "tp=2"), (2, 2, "pp=2"), (4, 2, "pp=2,tp=2")])
def test_onnx_annotations_are_followed(model, tmp_path, devices, stages, mesh):
    """The script annotates what Kiln would choose by itself, so the packages compute alike."""
    followed = compiled(annotated(model, tmp_path / "a.onnx", devices, stages), tmp_path / "a.kiln", "--shard", "onnx")
    chosen = compiled(model, tmp_path / "m.kiln", "--shard", mesh)
    assert outputs_of(followed) == outputs_of(chosen)
    assert [rank["weights_bytes"] for rank in ranks_of(followed)] == [rank["weights_bytes"] for rank in ranks_of(chosen)]


def fail(*arguments):
    """What a command prints that must not succeed."""
    done = tool.call(*arguments, status=None)
    assert done.status in (2, 3)
    return done.stderr


def annotations(tmp_path, *rules, mesh=None):
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps({**({"mesh": mesh} if mesh else {}), "weights": list(rules)}))
    return path


def test_stages_of_a_file(model, tmp_path):
    """One layer on the first stage, three on the second."""
    rules = [{"nodes": "/encoder/layer.[1-3]/*", "stage": 1}, {"names": "*", "stage": 0}]
    package = compiled(model, tmp_path / "m.kiln", "--shard", annotations(tmp_path, *rules))
    first, second = (rank["weights_bytes"] for rank in ranks_of(package))
    layer = 12 * DEEP.hidden**2 * 4  # weight matrices
    assert layer < first < 1.5 * layer and 3 * layer < second < 3.3 * layer
    one = kiln.Session(compiled(model, tmp_path / "one.kiln"))
    expected = one.run(inputs_of(3, 7))["last_hidden_state"].tobytes()
    assert all(own["last_hidden_state"].tobytes() == expected for own in kiln.Group(package).run_all_ranks(inputs_of(3, 7)))


def test_a_layer_stays_whole(model, tmp_path):
    rules = [{"nodes": "/encoder/layer.2/*", "axis": "whole"}, {"names": "*layer.1.intermediate.dense", "axis": 1}]
    part = compiled(model, tmp_path / "part.kiln", "--ranks", 2, "--shard", annotations(tmp_path, *rules))
    divided = compiled(model, tmp_path / "all.kiln", "--shard", "tp=2")
    layer = 12 * DEEP.hidden**2 * 4
    more = ranks_of(part)[0]["replicated_bytes"] - ranks_of(divided)[0]["replicated_bytes"]
    assert layer <= more < 1.05 * layer
    assert "layer.2" in tool.call("compile", model, "-o", tmp_path / "v.kiln", *DIMS, "--ranks", 2, "--shard",
                                  annotations(tmp_path, *rules)).stdout  # fmt: skip


@pytest.mark.parametrize("mesh, tied, halves", [("tp=2", True, 2), ("tp=2,cp=2", True, 4), ("pp=2,sp=2", False, 2)])
def test_a_table_by_rows(tmp_path, driver, mesh, tied, halves):
    """Ranks have some rows each, of a head that is the same weight too; outputs have the bits of a table that is whole."""
    name = next(name for name, config in decoders.FAMILIES.items() if config.tied == tied and config.vocabulary % 2 == 0)
    packages = decoders.Packages(tmp_path)
    dims = ["--dims", "rows=1..5,capacity=1..64,sequence=1..32"]
    rows = {"nodes": "*/embed_tokens/*", "axis": 0}
    divided, whole = tmp_path / "divided.kiln", tmp_path / "whole.kiln"
    targets = ["--target", "native,sm_80"]
    tool.call("compile", packages.model(name), "-o", divided, "--shard", annotations(tmp_path, rows, mesh=mesh), *dims, *targets)
    tool.call("compile", packages.model(name), "-o", whole, "--ranks", math.prod(map(int, re.findall("\\d", mesh))), "--shard", mesh, *dims)
    table = decoders.FAMILIES[name].vocabulary * decoders.FAMILIES[name].hidden * 4
    more, less = (sum(rank["weights_bytes"] for rank in ranks_of(package)) for package in (whole, divided))
    assert more - less == pytest.approx(halves * table / 2, rel=0.1)
    options = ["--prompt-ids", "1,5,0,9,31", "--max-new", 12]
    expected = tool.call("generate", whole, *options, "-q").stdout
    for device in ("cpu", "sim:a100"):
        assert tool.call("generate", divided, *options, "-q", "--device", device, env=driver).stdout == expected
    outside = tool.call("generate", divided, "--prompt-ids", f"1,{decoders.FAMILIES[name].vocabulary}", status=None)
    assert outside.code == "KILN-E0614" and "element [0,1]" in outside.message


WRONG = {
    "no weight": ([{"names": "decoder.*", "axis": 0}], "tp=2", "a rule names no weight.*found decoder"),
    "no axis": ([{"nodes": QUERY, "axis": 2}], "tp=2", "weight '.*query' has no such axis; expected less than 2, found 2"),
    "no tp": ([{"nodes": QUERY, "axis": 1}], "pp=2", "is divided among tensor-parallel ranks; expected a mesh with tp of 2 or more, found pp alone"),
    "no stage": ([{"names": "*", "stage": 2}], "pp=2", "is on a stage that the mesh does not have; expected less than 2, found 2"),
    "rows": ([{"nodes": QUERY, "axis": 0}], "tp=2", "KILN-E0209: weight '.*query': the weight cannot be divided along axis 0 as its annotation says"),
    "backwards": (
        [{"nodes": "/encoder/layer.0/*", "stage": 1}, {"names": "*", "stage": 0}],
        "pp=2",
        "KILN-E0209: weight '.*': its stage is an earlier one than that of a weight that is read before it",
    ),
    "empty stage": ([{"names": "*", "stage": 0}], "pp=2", "KILN-E0209: .*found no step of stage 1"),
    "no mesh": ([{"nodes": QUERY, "axis": 1}], None, "the annotations are of no mesh"),
    "two kinds": ([{"nodes": "*", "names": "*", "axis": 1}], "tp=2", 'expected "names" or "nodes", found both'),
    "nothing said": ([{"nodes": "*"}], "tp=2", "a rule says nothing"),
    "key": ([{"nodes": "*", "axes": 1}], "tp=2", "a key means nothing; expected names, nodes, axis, stage, found axes"),
    "number": ([{"nodes": "*", "axis": -1}], "tp=2", "the axis of a rule is out of range; expected 0 to .*, found -1"),
    "glob": ([{"nodes": "[", "axis": 1}], "tp=2", "the names of a rule are no glob"),
    "mesh": ([{"nodes": QUERY, "axis": 1}], "tp=two", "KILN-E0001"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_files(model, tmp_path, case):
    rules, mesh, expected = WRONG[case]
    path = annotations(tmp_path, *rules, mesh=mesh)
    error = fail("compile", model, "-o", tmp_path / "m.kiln", "-q", *DIMS, "--shard", path)
    assert re.search(expected, error), error
    assert not (tmp_path / "m.kiln").exists()


@pytest.mark.parametrize("text, expected", [("{", "the file is no JSON"), ("[]", "the file is no object"), ("{}", '"weights" is no list')])
def test_files_that_are_none(model, tmp_path, text, expected):
    (tmp_path / "a.json").write_text(text)
    error = fail("compile", model, "-o", tmp_path / "m.kiln", "--ranks", 2, "--shard", tmp_path / "a.json")
    assert expected in error
    error = fail("compile", model, "-o", tmp_path / "m.kiln", "--ranks", 2, "--shard", tmp_path / "absent.json")
    assert "KILN-E0002" in error


def node_named(proto, name):
    return next(node for node in proto.graph.node if node.name == name)


def change(proto, case):
    """Makes the annotations of a model for two devices wrong."""
    own = node_named(proto, QUERY).device_configurations[0]
    spec = own.sharding_spec[0]
    if case == "configuration":
        own.configuration_id = "others"
    elif case == "tensor":
        spec.tensor_name = "position_ids"
    elif case == "shape":
        spec.sharded_dim[0].simple_sharding[0].dim_value = 64
    elif case == "axis":
        spec.sharded_dim[0].axis = 2
    elif case == "contradiction":
        other = node_named(proto, QUERY.replace("query", "key"))
        other.input[1] = spec.tensor_name
        other.device_configurations[0].sharding_spec[0].CopyFrom(spec)
        other.device_configurations[0].sharding_spec[0].sharded_dim[0].axis = 0
    elif case == "shards":
        spec.sharded_dim[0].simple_sharding[0].num_shards = 4
    elif case == "two axes":
        spec.sharded_dim.add(axis=0).simple_sharding.add(num_shards=2)
    elif case == "joined":
        spec.sharded_dim[0].simple_sharding.add(num_shards=2)
    elif case == "order":
        spec.device[:] = [1, 0]
    elif case == "groups":
        spec.index_to_device_group_map.add(key=0, value=[0, 1])
    elif case == "batch":
        added = own.sharding_spec.add(tensor_name=node_named(proto, QUERY).output[0], device=[0, 1])
        added.sharded_dim.add(axis=0).simple_sharding.add(num_shards=2)
    elif case == "stage":
        own.pipeline_stage = 2
    elif case == "devices":
        proto.configuration[0].num_devices = 0
    elif case == "several":
        proto.configuration.add(name="more", num_devices=2)
    elif case == "none":
        del proto.configuration[:]
        for node in proto.graph.node:
            del node.device_configurations[:]


REFUSED = {
    "configuration": "KILN-E0106: node '/encoder/layer.0/attention/self/query/MatMul' .*: its annotation is of a configuration that the model lacks",
    "tensor": "KILN-E0106: .*its annotation is of a tensor that it does not have; expected an input or output of the node, found 'position_ids'",
    "shape": "KILN-E0106: .*its annotation contradicts the shape of '.*query'; expected 128, found 64",
    "axis": "KILN-E0106: .*'.*query' has no such axis; expected -2 to 1, found 2",
    "contradiction": "KILN-E0106: .*its annotation of '.*query' contradicts another node's; expected axis 1, found axis 0",
    "shards": "KILN-E0122: .*the number of shards of '.*query'; expected 1, or the 2 devices of a stage, found 4",
    "two axes": "KILN-E0122: .*a sharding of '.*query' along two axes; expected one axis, found 1 and 0",
    "joined": "KILN-E0122: .*a sharding of '.*query' of joined dims",
    "order": "KILN-E0122: .*the devices of '.*query'; expected all devices of the stage, in their order: 0, 1, found 1, 0",
    "groups": "KILN-E0122: .*shards of '.*query' that several devices have alike",
    "batch": r"KILN-E0122: .*a sharding of the activation '.*'; .*found axis 0.* \(data or sequence parallel\)",
    "stage": "KILN-E0106: .*its pipeline stage has no device; expected 0 to 1, found 2",
    "devices": "KILN-E0106: .*the configuration 'devices' has no devices",
    "several": "KILN-E0001: --shard onnx: the model has several configurations of devices; expected --shard onnx:NAME, found devices, more",
    "none": "KILN-E0001: --shard onnx: the model has no such configuration of devices; .*found no configuration",
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_annotations_that_are_refused(model, tmp_path, case):
    proto = onnx.load(annotated(model, tmp_path / "a.onnx", 2, 1))
    change(proto, case)
    onnx.save(proto, tmp_path / "a.onnx")
    error = fail("compile", tmp_path / "a.onnx", "-o", tmp_path / "m.kiln", "-q", "--shard", "onnx")
    assert re.search(REFUSED[case], error), error


def test_a_configuration_by_name(model, tmp_path):
    proto = onnx.load(annotated(model, tmp_path / "a.onnx", 2, 1))
    change(proto, "several")
    onnx.save(proto, tmp_path / "a.onnx")
    package = compiled(tmp_path / "a.onnx", tmp_path / "m.kiln", "--shard", "onnx:devices")
    assert len(ranks_of(package)) == 2
    error = fail("compile", tmp_path / "a.onnx", "-o", tmp_path / "n.kiln", "-q", "--shard", "onnx:absent")
    assert "found devices, more" in error
