"""Taking packages apart and putting them together again, wrong in one place.

The layout is that of runtime/package/format.h: a 64-byte header, 64 bytes per section, the sections.
"""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import dataclasses
import hashlib
import struct

import xxhash

HEADER = struct.Struct("<8sIIQIIQ24s")
SECTION = struct.Struct("<IIQQQ32s")
KINDS = {1: "provenance", 2: "plan", 3: "host image", 4: "weights", 1 << 31 | 7: "unwind table"}


@dataclasses.dataclass
class Section:
    kind: str
    entry: int  # index of its table entry
    offset: int
    size: int


def sections(data):
    count = HEADER.unpack_from(data)[4]
    found = []
    for i in range(count):
        entry = HEADER.size + i * SECTION.size
        kind, _, offset, size, _, _ = SECTION.unpack_from(data, entry)
        found.append(Section(KINDS.get(kind, str(kind)), entry, offset, size))
    return found


def section(data, kind):
    return next(s for s in sections(data) if s.kind == kind)


def flip(data, place, bit=0):
    changed = bytearray(data)
    changed[place] ^= 1 << bit
    return bytes(changed)


def chunk_hash(data):
    """The hash of a section: runtime/base/chunk_hash.h."""
    chunk = 256 << 10
    digests = (xxhash.xxh3_128_digest(data[i : i + chunk]) for i in range(0, len(data), chunk))
    return hashlib.sha256(b"".join(digests)).digest()


def seal(data):
    """Makes every hash right again, so that only what was changed is wrong."""
    data = bytearray(data)
    for s in sections(data):
        digest = chunk_hash(data[s.offset : s.offset + s.size])
        data[s.entry + 32 : s.entry + 64] = digest
    table_end = HEADER.size + len(sections(data)) * SECTION.size
    blank = data[: HEADER.size - 24] + bytes(24) + data[HEADER.size : table_end]
    data[HEADER.size - 24 : HEADER.size] = hashlib.sha256(blank).digest()[:24]
    return bytes(data)


def cut(data, count):
    """Without the last bytes of the last section, which says so."""
    last = sections(data)[-1]
    short = bytearray(data[:-count])
    struct.pack_into("<Q", short, last.entry + 16, last.size - count)
    struct.pack_into("<Q", short, 16, len(short))
    return seal(short)


def with_version(data, version):
    return seal(data[:8] + struct.pack("<I", version) + data[12:])


def with_other_feature(data, feature):
    """The plan asks for a CPU feature that no CPU has, of the same length."""
    plan = section(data, "plan")
    body = data[plan.offset : plan.offset + plan.size]
    old = struct.pack("<I", len(feature)) + feature.encode()
    assert old in body
    new = struct.pack("<I", len(feature)) + b"z" * len(feature)
    return seal(data[: plan.offset] + body.replace(old, new) + data[plan.offset + plan.size :])
