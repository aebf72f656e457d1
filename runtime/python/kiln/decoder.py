"""Decoders: models whose cache is state."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import errno
import hashlib
import json
import os
import struct

import numpy as np

from . import _runtime
from .errors import Error

_MAGIC = b"KILNSTATE1\n"


class Decoder:
    """A decoder with a cache of its own for each of its rows.

        decoder = kiln.Decoder("m.kiln", device="cpu", threads=2, rows=1, capacity=256)
        logits = decoder.prefill([[1, 2, 3]])         # float32 [rows, vocabulary], of each last position
        logits = decoder.decode([[logits[0].argmax()]])   # float32 [rows, k, vocabulary]

    A row holds as many tokens as ``lengths`` says, ``capacity`` at most. Nothing is allocated on the device after the
    decoder has been made. One call at a time; use one decoder per thread.
    """

    def __init__(self, path, *, device="cpu", threads=0, rows=1, capacity=None, ranks=0, **options):
        """capacity: tokens a row has room for; None: 256, or what the package allows. ranks: must be as many as the package
        is for; 0: as it says. options: as for Session, or for Group where there are several ranks."""
        ranges = _runtime.symbols_of(os.fspath(path))
        if "capacity" not in ranges:
            raise _error("kiln.Decoder", f"{os.fspath(path)} is no decoder with state", "a package with state", "none",
                         "compile the model without --no-state")
        if capacity is None:
            capacity = min(256, ranges["capacity"][1])
        dims = {"capacity": (capacity, capacity)}
        if "rows" in ranges:
            dims["rows"] = (rows, rows)
        self._session = _open(path, ranks, device=device, threads=threads, dims=dims, **options)
        self._is_process = bool(options.get("processes"))
        self._decode = self._session.entry("decode")
        # A model that takes a fixed number of tokens at a time has no separate prefill.
        first = "prefill" if "prefill" in self._session.entries else "decode"
        self._prefill = self._session.entry(first)
        self._capacity = capacity
        self._states = {state.name: i for i, state in enumerate(self._session.states)}
        self._rows = self._session.state_bytes(self._states["lengths"]) // 8
        if self._rows != rows:
            raise _error("kiln.Decoder", "the package has another number of rows", str(self._rows), str(rows),
                         "compile it for other rows")
        self._find_tensors()
        self._limits = {entry: self._tokens(entry) for entry in (self._prefill, self._decode)}
        self._last = None

    def _find_tensors(self):
        inputs = [tensor for tensor in self._decode.inputs if tensor.name != "counts"]
        outputs = self._decode.outputs
        if len(inputs) != 1 or inputs[0].dtype not in ("int64", "int32") or len(inputs[0].dims) != 2:
            raise _error("kiln.Decoder", "the model takes something else than token ids", "one int64 or int32 [rows, sequence]",
                         ", ".join(map(repr, inputs)), "use kiln.Session")
        self._ids, self._id_type = inputs[0].name, inputs[0].dtype
        logits = [tensor for tensor in outputs if len(tensor.dims) == 3]
        self._logits = next((t.name for t in logits if t.name == "logits"), logits[0].name if logits else None)
        if self._logits is None:
            raise _error("kiln.Decoder", "the model gives no logits", "an output [rows, sequence, vocabulary]",
                         ", ".join(map(repr, outputs)), "use kiln.Session")

    @property
    def rows(self):
        """Sequences that it holds side by side."""
        return self._rows

    @property
    def capacity(self):
        """Tokens that each row has room for."""
        return self._capacity

    @property
    def session(self):
        """The session that runs it, a Group of several ranks."""
        return self._session

    @property
    def lengths(self):
        """Tokens that each row holds, int64 [rows]."""
        return np.array(self._held(), np.int64)

    def _held(self):
        return struct.unpack(f"<{self._rows}q", self._session.read_state(self._states["lengths"]))

    def prefill(self, ids):
        """Appends tokens to rows: int64 [rows, n], or a list of rows of different lengths, of which an empty one leaves
        its row alone. Returns float32 [rows, vocabulary], the logits of each row's last position."""
        prompts = self._prompts(ids)
        self._check_room("prefill", self._held(), [len(prompt) for prompt in prompts])
        step = self._limits[self._prefill]
        for first in range(0, max(map(len, prompts)), step):
            parts = [prompt[first : first + step] for prompt in prompts]
            counts = np.array([len(part) for part in parts], np.int64)
            block = np.zeros((self._rows, counts.max()), np.int64)
            for row, part in enumerate(parts):
                block[row, : len(part)] = part
            logits = self._run(self._prefill, block, counts)
            if self._last is None:
                self._last = np.zeros((self._rows, logits.shape[2]), np.float32)
            for row in np.flatnonzero(counts):
                # The model returns logits of the last position only, or of all positions.
                self._last[row] = logits[row, min(counts[row], logits.shape[1]) - 1]
        return np.array(self._last)

    def decode(self, ids):
        """Appends tokens to rows: int64 [rows, k], k from 1 to 16, or a list of rows of different lengths, of which an empty
        one leaves its row alone. Returns float32 [rows, k, vocabulary], k being the longest of them; what it has behind the
        tokens of a row means nothing."""
        # The weights have just been read, so these arrays are not in the cache, and each numpy call takes microseconds.
        block, counts = self._block(ids)
        held = self._held()
        for row, (length, count) in enumerate(zip(held, counts)):
            if count and not length:
                raise _error("kiln.Decoder.decode", f"row {row} holds no tokens", "a prefill before it", "length 0",
                             "call prefill with a prompt first")
        self._check_room("decode", held, counts)
        step = self._limits[self._decode]
        parts = []
        for first in range(0, block.shape[1], step):
            part = block[:, first : first + step]
            own = [min(max(count - first, 0), part.shape[1]) for count in counts]
            parts.append(self._run(self._decode, part, np.array(own, np.int64)))
        logits = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)
        if self._rows > 1:  # the next prefill of a single row returns new logits
            self._remember(logits, counts)
        return logits

    def _remember(self, logits, counts):
        if self._last is None:
            self._last = np.zeros((self._rows, logits.shape[2]), np.float32)
        for row, count in enumerate(counts):
            if count:
                self._last[row] = logits[row, count - 1]

    def _block(self, ids):
        """The ids [rows, k], 0 in rows without any, and a list of how many each row has."""
        if isinstance(ids, np.ndarray) and ids.ndim == 2 and len(ids) == self._rows and 1 <= ids.shape[1] <= 16:
            return np.asarray(ids, np.int64), [ids.shape[1]] * self._rows
        given = [np.asarray(row, np.int64) for row in ids]
        longest = max((row.size for row in given), default=0)
        if len(given) != self._rows or any(row.ndim != 1 for row in given) or not 1 <= longest <= 16:
            alike = len({row.shape for row in given}) == 1
            found = [len(given), *given[0].shape] if alike else [row.size for row in given]
            raise _error("kiln.Decoder.decode", "the ids have another shape", f"[{self._rows}, k] with k from 1 to 16",
                         str(found), "give 1 to 16 tokens to one row at least; prefill takes longer ones")
        block = np.zeros((self._rows, longest), np.int64)
        for row, tokens in enumerate(given):
            block[row, : len(tokens)] = tokens
        return block, [len(row) for row in given]

    def reset(self, row=None):
        """Forgets a row, or all of them."""
        if row is not None:
            return self.trim(row, 0)
        self._session.write_state(self._states["lengths"], 0, bytes(8 * self._rows))
        self._last = None

    def trim(self, row, length):
        """Keeps the first tokens of a row."""
        row = self._row("trim", row)
        held = self._held()[row]
        if not 0 <= length <= held:
            raise _error("kiln.Decoder.trim", f"row {row} cannot have this length", f"0 to {held}", str(length),
                         "give a length that it has had")
        self._session.write_state(self._states["lengths"], 8 * row, struct.pack("<q", length))

    def fork(self, source, target):
        """Makes a row hold what another one does."""
        source, target = self._row("fork", source), self._row("fork", target)
        self._session.copy_row(source, target)
        if self._last is not None:
            self._last[target] = self._last[source]

    def save(self, path):
        """Writes all rows to a file, which `load` of the same package reads. Not where ranks are processes."""
        if self._is_process:
            raise _error("kiln.Decoder.save", "a process has the state of its own rank alone", "ranks that are threads",
                         "processes=True", "save from a decoder without processes=True; load reads its file in processes, too")
        several = self._session.ranks > 1
        sizes = {"sizes": [self._sizes(rank) for rank in range(self._session.ranks)]} if several else {}
        head = json.dumps(self._describe() | sizes).encode()
        blobs = [self._session.read_state(index, rank=rank)
                 for rank in range(self._session.ranks) for index in range(len(self._states))]
        size = struct.pack("<Q", len(head))
        digest = hashlib.sha256(b"".join([size, head, *blobs])).digest()
        temporary = f"{os.fspath(path)}.{os.getpid()}.part"
        try:
            with open(temporary, "wb") as file:
                file.write(_MAGIC + size + digest + head)
                for blob in blobs:
                    file.write(blob)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError as problem:
            code = "KILN-E0701" if problem.errno == errno.ENOSPC else "KILN-E0003"
            raise Error(code, os.fspath(path), "the state cannot be written", "", str(problem),
                        "free some space, or save elsewhere", 4) from problem
        finally:
            if os.path.exists(temporary):
                os.unlink(temporary)

    def load(self, path):
        """Reads what `save` wrote. Nothing is changed if the file does not fit."""
        name = os.fspath(path)
        with open(path, "rb") as file:
            data = file.read()
        if data.startswith(_MAGIC[:9]) and not data.startswith(_MAGIC):
            raise _broken(name, "it was saved by another version", _MAGIC[:-1].decode(), data[:10].decode(errors="replace"))
        begin = len(_MAGIC) + 8 + 32
        size = struct.unpack_from("<Q", data, len(_MAGIC))[0] if len(data) >= begin else 0
        if data[: len(_MAGIC)] != _MAGIC or len(data) < begin + size:
            raise _broken(name, "it is no saved state, or not all of one")
        head, rest = data[begin : begin + size], data[begin + size :]
        if hashlib.sha256(struct.pack("<Q", size) + head + rest).digest() != data[len(_MAGIC) + 8 : begin]:
            raise _broken(name, "its bytes are damaged")
        found, wanted = json.loads(head), self._describe()
        for key, value in wanted.items():
            if found.get(key) != value:
                raise _broken(name, f"it was saved with another {key}", str(value), str(found.get(key)))
        ranks, local = self._session.ranks, self._local_ranks()
        sizes = found["sizes"] if ranks > 1 else [self._sizes(0)]
        for rank in local:
            if sizes[rank] != self._sizes(rank):
                raise _broken(name, f"it was saved with another state of rank {rank}", str(self._sizes(rank)), str(sizes[rank]))
        self.reset()
        offset = 0
        for rank in range(ranks):
            for index, size in enumerate(sizes[rank]):
                if rank in local and size:
                    self._session.write_state(index, 0, rest[offset : offset + size], rank)
                offset += size
        self._last = None

    def _local_ranks(self):
        return [self._session.rank] if self._is_process else list(range(self._session.ranks))

    def _sizes(self, rank):
        """Bytes of each state of a rank: of a pipeline, none of those of other stages."""
        return [self._session.state_bytes(index, rank) for index in range(len(self._states))]

    def _describe(self):
        model = json.loads(self._session.provenance)
        states = [[state.name, self._session.state_bytes(i)] for i, state in enumerate(self._session.states)]
        types = [state.dtype for state in self._session.states]
        # Files of one rank keep the format from before there were several ranks.
        several = self._session.ranks > 1
        return {"model": hashlib.sha256(json.dumps(model, sort_keys=True).encode()).hexdigest(), "rows": self._rows,
                "capacity": self._capacity, "types": types, "states": [name for name, _ in states] if several else states,
                } | ({"ranks": self._session.ranks} if several else {})

    def _row(self, call, row):
        if not 0 <= row < self._rows:
            raise _error(f"kiln.Decoder.{call}", "there is no such row", f"0 to {self._rows - 1}", str(row),
                         "make the decoder with more rows")
        return int(row)

    def _prompts(self, ids):
        prompts = [np.asarray(row, np.int64).reshape(-1) for row in ids]
        if len(prompts) != self._rows:
            raise _error("kiln.Decoder.prefill", "the ids have another number of rows", str(self._rows),
                         str(len(prompts)), "give one row of ids for each row; an empty one leaves it alone")
        if not any(map(len, prompts)):
            raise _error("kiln.Decoder.prefill", "all prompts are empty", "at least one token", "none",
                         "give a token that begins a text")
        return prompts

    def _check_room(self, call, held, counts):
        for row, (length, count) in enumerate(zip(held, counts)):
            if length + count > self._capacity:
                raise _error(f"kiln.Decoder.{call}", f"row {row} has no room for its new tokens",
                             f"at most {self._capacity - length} (it holds {length} of {self._capacity})", str(count),
                             "trim or reset the row, or make the decoder with a larger capacity")

    def _tokens(self, entry):
        """New tokens that a run of it takes at most."""
        return next(tensor for tensor in entry.inputs if tensor.name == self._ids).dims[1].max

    def _run(self, entry, ids, counts):
        outputs = entry.run({self._ids: ids.astype(self._id_type, copy=False), "counts": counts})
        return np.asarray(outputs[self._logits], np.float32)


def _open(path, ranks, **options):
    if max(ranks, _runtime.rank_count_of(os.fspath(path))) > 1:
        return _runtime.Group(path, ranks=ranks, **options)
    if options.pop("processes", False):
        raise _error("kiln.Decoder", "the package is for one rank, which no other process can join", "a package for several ranks",
                     "processes=True", "leave processes out, or compile the model with --ranks")
    options.pop("timeout_ms", None)  # timeout of ranks that wait for each other
    return _runtime.Session(path, **options)


def _error(where, what, expected, found, fix):
    return Error("KILN-E0617", where, what, expected, found, fix, 2)


def _broken(name, what, expected="", found=""):
    return Error("KILN-E0618", name, what, expected, found,
                 "load it with the package, rows and capacity that it was saved with", 3)
