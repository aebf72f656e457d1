"""kiln.generate: text in Python, of bytes and by a tokenizer; and what ends a text early."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import json
import resource
import signal
import subprocess
import sys
import time

import decoders
import kiln
import numpy as np
import pytest
import tokenizers
import tool

PROMPT = "/// Returns true if the "


@pytest.fixture(scope="module")
def tinylm(tmp_path_factory):
    return decoders.compile_tinylm(tmp_path_factory.mktemp("tinylm"))


@pytest.fixture(scope="module")
def expected(tinylm):
    return json.loads(tool.call("generate", tinylm, "--prompt", PROMPT, "--max-new", 60, "--json").stdout)["text"]


def test_text_of_bytes(tinylm, expected):
    pieces = list(kiln.generate(tinylm, PROMPT, options=["--max-new", 60]))
    assert "".join(pieces) == expected


def test_text_ends_at_a_stop(tinylm, expected):
    stop = expected[20:24]
    found = "".join(kiln.generate(tinylm, PROMPT, stop=stop, options=["--max-new", 60]))
    assert found == expected[: expected.index(stop) + 4]


def test_a_text_that_nobody_reads_ends_the_program(tinylm):
    pieces = kiln.generate(tinylm, PROMPT, options=["--max-new", 1000000, "--capacity", 1024])
    assert next(pieces)
    pieces.close()


@pytest.fixture(scope="module")
def ids_package(tmp_path_factory):
    packages = decoders.Packages(tmp_path_factory.mktemp("ids"))
    return packages.package("llama", "native")


@pytest.fixture(scope="module")
def letters(tmp_path_factory):
    """A tokenizer of 90 tokens, as many as the small llama has."""
    vocabulary = {chr(33 + token): token for token in range(90)}
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="!"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Split("", "isolated")
    made.decoder = tokenizers.decoders.Fuse()
    path = tmp_path_factory.mktemp("letters") / "tokenizer.json"
    made.save(str(path))
    return path


def test_ids_become_text(ids_package, letters):
    ids = tool.call("generate", ids_package, "--prompt-ids", "1,2,3", "--max-new", 20).stdout.strip().split(",")
    text = "".join(chr(33 + int(token)) for token in ids)
    for tokenizer in (letters, tokenizers.Tokenizer.from_file(str(letters))):
        assert "".join(kiln.generate(ids_package, '"#$', tokenizer=tokenizer, options=["--max-new", 20])) == text
    cut = text.index(text[5:7]) + 2
    assert "".join(kiln.generate(ids_package, '"#$', tokenizer=letters, stop=[text[5:7]], options=["--max-new", 20])) == text[:cut]
    command = [sys.executable, "-m", "kiln", "generate", ids_package, "--tokenizer", letters, "--prompt", '"#$', "--max-new", "20"]
    assert subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout == text + "\n"


def test_stop_tokens(ids_package):
    whole = tool.call("generate", ids_package, "--prompt-ids", "1,2,3", "--max-new", 20).stdout.strip().split(",")
    found = json.loads(tool.call("generate", ids_package, "--prompt-ids", "1,2,3", "--max-new", 20, "--stop", whole[4], "--json").stdout)
    assert found["stopped_by"] == whole[4] and found["tokens"] == [int(word) for word in whole[: whole.index(whole[4]) + 1]]
    for wrong in ("90", "-1", "x", ""):
        outcome = tool.call("generate", ids_package, "--prompt-ids", "1", "--stop", wrong, status=2)
        assert outcome.code == "KILN-E0001" and "a token id below 90 tokens" in outcome.message


def test_errors_of_text(tinylm, ids_package, tmp_path):
    with pytest.raises(kiln.Error, match="is no tokenizer") as error:
        kiln.generate(ids_package, "a", tokenizer=tmp_path / "missing.json")
    assert error.value.code == "KILN-E0002"
    with pytest.raises(kiln.Error, match="the prompt is empty") as error:
        list(kiln.generate(tinylm, ""))
    assert error.value.code == "KILN-E0001"


def test_logits_that_are_no_numbers(tmp_path):
    config = decoders.FAMILIES["llama"]
    values = decoders.weights.seeded(config, 3, np.dtype(np.float32))
    table = np.concatenate(list(values["model.embed_tokens.weight"].blocks()))
    table[5] = np.nan
    values["model.embed_tokens.weight"] = table
    decoders.save.save(*decoders.past.build(config, values), tmp_path / "m.onnx", False)
    tool.call("compile", tmp_path / "m.onnx", "-o", tmp_path / "m.kiln", "-q")
    for options in ([], ["--temperature", 1]):
        outcome = tool.call("generate", tmp_path / "m.kiln", "--prompt-ids", "1,5", *options, status=None)
        assert outcome.status != 0 and outcome.code == "KILN-E0617" and "NaN for token 0" in outcome.message


def test_an_interrupt_keeps_what_there_is(tinylm):
    """Ctrl-C ends the text behind a token; the report still comes, and the status is that of a shell."""
    command = [tool.binary(), "generate", tinylm, "--prompt", PROMPT, "--max-new", "1000000", "--capacity", "1024"]
    process = subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    begun = process.stdout.read(3)
    process.send_signal(signal.SIGINT)
    rest, report = process.communicate(timeout=60)
    if process.returncode == 0:  # the capacity was used up before the signal
        pytest.skip("the text ended before the interrupt")
    assert process.returncode == 130 and begun and rest.endswith("\n") and "; interrupted" in report


class Interrupt(Exception):
    pass


def test_a_decoder_that_was_interrupted_goes_on(tinylm):
    """An exception in the middle of a prompt leaves whole runs behind; cut back, the row is what it was."""
    tokens = np.random.default_rng(0).integers(32, 127, 900)
    expected = kiln.Decoder(tinylm, capacity=1024)
    last = expected.prefill([tokens])

    def interrupt(*_):
        raise Interrupt

    signal.signal(signal.SIGALRM, interrupt)
    decoder = kiln.Decoder(tinylm, capacity=1024)
    held = set()
    for delay in itertools.islice(itertools.cycle((0.0005, 0.002, 0.005)), 12):
        try:
            signal.setitimer(signal.ITIMER_REAL, delay)
            for token in tokens[decoder.lengths[0] :]:
                decoder.prefill([[token]])
            time.sleep(1)
        except Interrupt:
            held.add(int(decoder.lengths[0]))
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert len(held) > 1
    rest = tokens[decoder.lengths[0] :]
    if len(rest):
        assert decoder.prefill([rest]).tobytes() == last.tobytes()


def test_a_disk_that_is_full(tinylm, tmp_path):
    """Nothing is left of a state that could not be written, and what there was stays."""
    decoder = kiln.Decoder(tinylm, capacity=512)
    decoder.prefill([[65, 66, 67]])
    decoder.save(tmp_path / "s")
    good = (tmp_path / "s").read_bytes()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10000, limits[1]))
    try:
        with pytest.raises(kiln.Error, match="the state cannot be written") as error:
            decoder.save(tmp_path / "s")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert error.value.code in ("KILN-E0701", "KILN-E0003")
    assert (tmp_path / "s").read_bytes() == good and [path.name for path in tmp_path.iterdir()] == ["s"]
    with pytest.raises(kiln.Error) as error:
        decoder.save("/dev/full/none")
    assert error.value.code == "KILN-E0003"
