"""Packages that are wrong in one place, by seed: bits flipped, ends cut, blocks swapped or zeroed, bytes behind the end."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import packages


def flip(random, data, begin, end):
    return packages.flip(data, random.randrange(begin, end), random.randrange(8))


def swap(random, data, begin, end):
    """Two blocks of 64 bytes change places."""
    size = min(64, (end - begin) // 2)
    a, b = (random.randrange(begin, end - size + 1) for _ in range(2))
    changed = bytearray(data)
    changed[a : a + size], changed[b : b + size] = data[b : b + size], data[a : a + size]
    return bytes(changed)


def zero(random, data, begin, end):
    size = random.randrange(1, min(4096, end - begin) + 1)
    at = random.randrange(begin, end - size + 1)
    return data[:at] + bytes(size) + data[at + size :]


def random_bytes(random, data, begin, end):
    size = min(8, end - begin)
    at = random.randrange(begin, end - size + 1)
    return data[:at] + random.randbytes(size) + data[at + size :]


def cut(random, data, begin, end):
    return data[: random.randrange(begin, end)]


def tail(random, data, begin, end):
    return data + random.randbytes(random.randrange(1, 5000))


def damaged(random, data, count):
    """(name, bytes): hashes no longer match."""
    kinds = [flip, cut, swap, zero, tail]
    return [(f"{i:03}-{kinds[i % 5].__name__}", kinds[i % 5](random, data, 0, len(data))) for i in range(count)]


def sealed(random, data, count):
    """(name, bytes): hashes are right again. The code is left alone: what runs it trusts it as it does a shared library."""
    parts = [(s.kind, s.offset, s.offset + s.size) for s in packages.sections(data) if s.size and s.kind in ("provenance", "plan", "weights")]
    parts += [part for part in parts if part[0] == "plan"] * 5  # the plan has most of the checked properties
    found = []
    for i in range(count):
        kind, begin, end = parts[random.randrange(len(parts))]
        change = (flip, swap, zero, random_bytes)[i % 4]
        found.append((f"{i:03}-{change.__name__}-{kind}", packages.seal(change(random, data, begin, end))))
    table = packages.HEADER.size + len(packages.sections(data)) * packages.SECTION.size
    for i in range(count // 10):
        found.append((f"{i:03}-flip-table", reseal_header(flip(random, data, 8, table), table)))
    return found


def reseal_header(data, table):
    """With the header's own hash right, and a table that is not."""
    import hashlib

    blank = data[: packages.HEADER.size - 24] + bytes(24) + data[packages.HEADER.size : table]
    digest = hashlib.sha256(blank).digest()[:24]
    return data[: packages.HEADER.size - 24] + digest + data[packages.HEADER.size :]
