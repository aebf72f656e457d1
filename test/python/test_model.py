"""kiln.Model: what a package says before there is a session, and in which forms arrays and packages are taken."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import hashlib
import mmap
import weakref

import kiln
import models
import numpy as np
import onnx
import pytest

X = np.random.default_rng(3).standard_normal((2, 3, 8)).astype(np.float32)
INDICES = """take (int64[n] ids, bool[n] keep) => (float[n] y)
<float[4] table = {1, 2, 3, 4}, float zero = {0}>
{ t = Gather(table, ids) y = Where(keep, t, zero) }"""


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    """A package with labels, of a model that says who made it."""
    folder = tmp_path_factory.mktemp("labelled")
    model = onnx.load(models.write(folder / "m.onnx", models.MLP))
    model.producer_name, model.producer_version, model.model_version = "an exporter", "2.1", 7
    onnx.helper.set_model_props(model, {"license": "Apache-2.0", "author": "M\u00fcller"})
    onnx.save(model, folder / "m.onnx")
    options = ["--label", "vocabulary=2f1c", "--label", "empty=", "--label", "note=a=b"]
    kiln.compile(folder / "m.onnx", folder / "m.kiln", target="native", dims={"batch": (1, 4), "seq": (1, 16)}, options=options)
    return folder / "m.kiln"


def test_model_describes_itself(labelled):
    model = kiln.Model(labelled)
    assert model.labels == {"vocabulary": "2f1c", "empty": "", "note": "a=b"}
    assert model.description == {"producer": "an exporter 2.1", "version": "7", "metadata": {"license": "Apache-2.0", "author": "M\u00fcller"}}
    assert model.dims == {"batch": (1, 4), "seq": (1, 16)} and model.entries == ["main"] and model.ranks == 1
    assert [t.name for t in model.inputs] == ["x"] and model.outputs[0].shape == ("batch", "seq", 8) and model.states == []
    assert len(model.targets) == 1 and model.file_bytes == labelled.stat().st_size and str(labelled) == model.path
    assert "x float32[batch, seq, 8] -> y" in repr(model)
    assert weakref.ref(model)() is model


def test_package_without_labels(package):
    assert kiln.Model(package).labels == {} and kiln.Model(package).description["metadata"] == {}


def test_shapes_and_bytes_before_a_session(package):
    model = kiln.Model(package)
    assert model.output_shapes({"x": (2, 3, 8)}) == {"y": (2, 3, 8)}
    for shapes, code in (({"x": (9, 3, 8)}, "KILN-E0604"), ({"z": (1,)}, "KILN-E0600"), ({}, "KILN-E0601"), ({"x": (1, 2)}, "KILN-E0603")):
        with pytest.raises(kiln.Error, match=code):
            model.output_shapes(shapes)
    with pytest.raises(TypeError, match="shapes: expected names and shapes"):
        model.output_shapes({"x": 3})
    for dims in ({"batch": (1, 4), "seq": (1, 16)}, {"batch": 2, "seq": (1, 5)}):
        for threads in (1, 2):
            session = kiln.Session(package, dims=dims, threads=threads)
            capacity = {arena.kind: arena.capacity for arena in session.memory}
            workspace = -(-capacity["workspace"] // 4096) * 4096  # full pages for each thread
            assert model.bytes(dims, session.threads) == capacity["activations"] + workspace * session.threads


def test_all_missing_dims_are_named(package):
    with pytest.raises(kiln.Error) as caught:
        kiln.Model(package).bytes({})
    error = caught.value
    assert error.code == "KILN-E0608" and error.where == 'dims "batch", "seq"' and error.expected == "batch=1..4, seq=1..16"
    for dims in ({"batch": 9, "seq": 1}, {"batch": 1, "seq": (5, 2)}, {"batch": 1, "seq": 1, "rows": 1}):
        with pytest.raises(kiln.Error, match="KILN-E0608"):
            kiln.Model(package).bytes(dims)


def test_packages_in_other_forms(package):
    expected = kiln.Session(package).run({"x": X})["y"]
    with open(package, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for form in (file, mapped, package.read_bytes()):
            assert np.array_equal(kiln.Session(form).run({"x": X})["y"], expected)
        assert kiln.Model(mapped).labels == {}
    with open(package, "rb") as file:
        assert kiln.Model(file, verify_weights=True, expect=hashlib.sha256(package.read_bytes()).hexdigest()).dims
    with open(package, errors="replace") as file, pytest.raises(TypeError, match="open for bytes"):
        kiln.Model(file)


class Foreign:
    """An array of another library, in host memory."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def misaligned(array):
    memory = np.zeros(array.nbytes + 1, np.uint8)
    view = memory[1:].view(array.dtype).reshape(array.shape)
    view[...] = array
    assert not view.flags.aligned
    return view


def test_arrays_of_other_libraries_and_layouts(package, tmp_path):
    session = kiln.Session(package)
    expected = session.run({"x": X})["y"]
    for form in (X.astype(">f4"), misaligned(X), misaligned(X.astype(">f4")), Foreign(X), X.astype(np.float16).astype(np.float32)[::1]):
        result = session.run({"x": form})["y"]
        assert np.allclose(result, expected, atol=1e-2)
    assert np.array_equal(session.run({"x": X.astype(">f4")})["y"], expected)
    assert np.array_equal(session.run({"x": misaligned(X)})["y"], expected)
    models.write(tmp_path / "m.onnx", INDICES)
    kiln.compile(tmp_path / "m.onnx", tmp_path / "m.kiln", target="native", dims={"n": (1, 8)})
    take = kiln.Session(tmp_path / "m.kiln")
    keep = np.array([True, False, True])
    for dtype in (np.int32, np.uint8, np.int64, ">i4"):
        ids = np.array([3, 1, 0], dtype)
        for form in [ids] if dtype == ">i4" else [ids, Foreign(ids)]:
            assert take.run({"ids": form, "keep": keep})["y"].tolist() == [4, 0, 1]
    assert take.run({"ids": Foreign(np.array([True, False])), "keep": keep[:2]})["y"].tolist() == [2, 0]
    with pytest.raises(kiln.Error, match="KILN-E0602"):
        take.run({"ids": Foreign(np.zeros(3, np.float32)), "keep": keep})


def test_outputs_in_slices_of_larger_arrays(package):
    session = kiln.Session(package)
    expected = session.run({"x": X})["y"]
    large = np.full((4, 5, 9), 7, np.float32)
    slice = large[1:3, 2:5, :8]
    assert session.run({"x": X}, {"y": slice})["y"] is slice
    assert np.array_equal(slice, expected)
    slice[...] = 7
    assert (large == 7).all()  # nothing outside the slice was written
    with pytest.raises(kiln.Error, match="KILN-E0605"):
        session.run({"x": X}, {"y": large[:2, :4, :8]})


TWO = f"""two (float[n,64] x) => (float[n,64] y, float[n,64] z)
<{models._matrix("shared", 64, 64, 1)}, {models._matrix("own", 64, 64, 2)}>
{{ y = MatMul(x, shared) z = MatMul(y, own) }}"""


def test_outputs_that_a_package_has(tmp_path):
    """What only others need is left out, weights too."""
    model = models.write(tmp_path / "m.onnx", TWO)
    x = {"x": np.random.default_rng(4).standard_normal((3, 64)).astype(np.float32)}
    sizes = {}
    for names in (["y", "z"], ["z", "y"], ["y"], ["z"]):
        package = tmp_path / f"{'-'.join(names)}.kiln"
        kiln.compile(model, package, dims={"n": (1, 8)}, options=["--outputs", ",".join(names)])
        sizes[package.stem] = package.stat().st_size
        assert sorted(kiln.Session(package).run(x)) == sorted(names)
    kiln.compile(model, tmp_path / "all.kiln", dims={"n": (1, 8)})
    both = kiln.Session(tmp_path / "all.kiln").run(x)
    for name in ("y", "z"):
        assert np.allclose(kiln.Session(tmp_path / f"{name}.kiln").run(x)[name], both[name], atol=1e-4)
    assert sizes["y"] < sizes["y-z"] - 64 * 64 * 2


@pytest.mark.parametrize("names, what", [(["u"], "the model has no such output"), (["y,y"], "has an entry twice"), (["y", "z,y"], "has an entry twice")])
def test_outputs_that_there_are_not(tmp_path, names, what):
    model = models.write(tmp_path / "m.onnx", TWO)
    with pytest.raises(kiln.Error) as caught:
        kiln.compile(model, tmp_path / "m.kiln", options=[word for name in names for word in ("--outputs", name)])
    error = caught.value
    assert error.code == "KILN-E0001" and what in error.what and error.expected and error.found and error.fix


@pytest.mark.parametrize("label, what", [("vocabulary", "is no label"), ("=1", "is no label"), ("a=1", "is given twice")])
def test_labels_that_are_none(tmp_path, label, what):
    model = models.write(tmp_path / "m.onnx", TWO)
    with pytest.raises(kiln.Error, match="KILN-E0001") as caught:
        kiln.compile(model, tmp_path / "m.kiln", options=["--label", "a=1", "--label", label])
    assert what in str(caught.value)


def test_label_of_a_megabyte(tmp_path):
    """As large as the system lets an argument be; more is in several labels."""
    model = models.write(tmp_path / "m.onnx", TWO)
    part = "x" * 100_000
    options = [word for i in range(11) for word in ("--label", f"part{i}={part}")]
    kiln.compile(model, tmp_path / "m.kiln", dims={"n": (1, 8)}, options=options)
    labels = kiln.Model(tmp_path / "m.kiln").labels
    assert sum(map(len, labels.values())) == 1_100_000 and labels["part3"] == part
