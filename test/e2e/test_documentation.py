"""README, guides and docs/hacking/opt.md, word for word: their fenced examples run, in order, on the model of quickstart.

A block after a line `<!-- not run: WHY -->` is left out. Indented blocks are output and fragments."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import tool

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md")), ROOT / "docs/hacking/opt.md"]
BLOCK = re.compile(r"^(<!-- not run: [^\n]+ -->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MINILM = pathlib.Path(os.environ["KILN_BUILD"]) / "models" / "minilm.onnx"


def blocks(*languages):
    """(page, number, text) of the examples in these languages."""
    found = []
    for page in PAGES:
        for number, (skipped, language, text) in enumerate(BLOCK.findall(page.read_text())):
            if language in languages and not skipped:
                found.append(pytest.param(text, id=f"{page.stem}-{number}"))
    return found


@pytest.fixture(scope="module")
def model():
    if not MINILM.exists():
        pytest.skip(f"{MINILM} is absent (tools/quickstart makes it)")
    return MINILM.resolve()


@pytest.fixture(scope="module")
def package(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("minilm") / "model.kiln"
    tool.call("compile", model, "-o", path)
    return path


@pytest.fixture
def folder(model, package, tmp_path):
    """What the examples find around them."""
    (tmp_path / "model.onnx").symlink_to(model)
    (tmp_path / "build").symlink_to(os.environ["KILN_BUILD"])
    (tmp_path / "model.kiln").write_bytes(package.read_bytes())
    for name, value in {"ids": 101, "mask": 1, "types": 0}.items():
        np.save(tmp_path / f"{name}.npy", np.full((1, 4), value, np.int64))
    return tmp_path


def run(command, folder, status=0, **environment):
    # lit lies beside the interpreter.
    path = f"{os.environ['KILN_BIN']}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
    names = os.environ | {"PATH": path, "HOME": str(folder), "EDITOR": "true"} | environment
    done = subprocess.run([str(c) for c in command], cwd=folder, env=names, capture_output=True, text=True)
    assert done.returncode == status, f"{done.stdout}{done.stderr}"
    return done


@pytest.mark.parametrize("text", blocks("sh"))
def test_shell(text, folder):
    run(["bash", "-euc", text], folder)


PYTHON = {page.stem: [t for s, language, t in BLOCK.findall(page.read_text()) if language == "python" and not s] for page in PAGES}


@pytest.mark.parametrize("page", [page for page, texts in PYTHON.items() if texts])
def test_python(page, folder):
    """The blocks of a page follow each other."""
    (folder / "example.py").write_text("\n".join(PYTHON[page]))
    run([sys.executable, "-W", "error", "example.py"], folder)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The runtime as a program outside of the tree sees it."""
    prefix = tmp_path_factory.mktemp("installed")
    command = ["cmake", "--install", os.environ["KILN_BUILD"], "--component", "runtime", "--prefix", str(prefix)]
    subprocess.run(command, check=True, capture_output=True)
    return prefix


def build(text, language, folder, installed):
    """Compiled with every warning an error."""
    compiler = {"c": ["cc", "-std=c11"], "cpp": ["c++", "-std=c++17"]}[language]
    source = folder / f"example.{language}"
    source.write_text(text)
    library = next(installed.rglob("libkiln_runtime.so")).parent
    options = ["-Wall", "-Wextra", "-Werror", "-O1", f"-I{installed}/include", f"-L{library}", f"-Wl,-rpath,{library}"]
    run([*compiler, *options, source, "-lkiln_runtime", "-o", folder / "example"], folder)
    return folder / "example"


def check_program(program, folder):
    """It runs, and says what is wrong where there is no package, without touching what was never made."""
    assert run([program], folder).stdout.strip()
    (folder / "model.kiln").unlink()
    done = run([program], folder, status=3, MALLOC_PERTURB_="165")
    assert done.stderr.startswith("error: KILN-E0002: model.kiln")


@pytest.mark.parametrize("text", blocks("c"))
def test_c(text, folder, installed):
    check_program(build(text, "c", folder, installed), folder)


@pytest.mark.parametrize("text", blocks("cpp"))
def test_cpp(text, folder, installed):
    check_program(build(text, "cpp", folder, installed), folder)


def test_examples_are_fenced():
    """No program hides in an indented block, where nothing runs it."""
    for page in PAGES:
        text = BLOCK.sub("", page.read_text())
        hidden = re.findall(r"^ {4,}(?:#include|int main|import |from \w+ import|kiln\.compile\().*$", text, re.MULTILINE)
        assert not hidden, f"{page}: {hidden}"
    assert blocks("c") and blocks("cpp") and blocks("sh")


def test_commands_on_the_ir_are_fenced():
    """In docs/hacking/opt.md no command of Kiln hides in an indented block."""
    text = BLOCK.sub("", (ROOT / "docs/hacking/opt.md").read_text())
    assert re.findall(r"^ {4,}kiln\S* .*$", text, re.MULTILINE) == []
