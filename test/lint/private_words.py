#!/usr/bin/env python3
"""Checks that the private words of words.txt become fewer: a new one is refused, and the field's word proposed.

word_counts.txt has how often each stands in each folder today. A count may only shrink, and when it has, the file must
say so: `private_words.py --update` writes it anew. It refuses a word that became more frequent in the whole tree; what
moved with its file from one folder to another is only written down.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import functools
import re
import sys

import cxx
import tree

WORDS = "test/lint/words.txt"
COUNTS = "test/lint/word_counts.txt"
# A table of these very words.
SKIPPED = "docs/hacking/structure.md"
SUFFIXES = (".h", ".hpp", ".cpp", ".c", ".td", ".def", ".fbs", ".py", ".md")
CODE = cxx.SUFFIXES + (".td",)
DESCRIPTION = re.compile(r"\b(?:summary|description)\s*=\s*\[\{.*?\}\]", re.DOTALL)
HEADER = """# How often each word of words.txt stands in each folder. Counts may only shrink; `private_words.py --update` writes
# this file: folder, word, count.
"""
ENTRY = re.compile(r"^(\S+) ([a-z ]+) (\d+)$", re.MULTILINE)


class Rule:
    """One line of words.txt."""

    def __init__(self, line):
        words, folders, kind, self.instead = (field.strip() for field in line.split("|"))
        self.words = [word.strip() for word in words.split(",")]
        self.folders = tuple(folders.split())
        self.names_only = kind == "names"

    def applies(self, folder, path):
        """Headers of lib in include/kiln belong to the folder of lib that they declare."""
        place = folder.replace("include/kiln", "lib", 1) + "/"
        return str(path) in self.folders or any(place.startswith(wanted + "/") for wanted in self.folders)


def rules():
    lines = (line.split("#")[0] for line in tree.read(WORDS).splitlines())
    return [Rule(line) for line in lines if line.strip()]


@functools.lru_cache(None)
def pattern(word):
    """A word, or several in a row, as a whole or as parts of a camelCase or snake_case identifier.

    "at least" and "at most" are plain English, in identifiers too, and share/doc is a folder.
    """
    first, *rest = word.split()
    text = rf"(?:(?<![A-Za-z]){first}|(?<![A-Z]){first.capitalize()}|(?<![A-Za-z]){first.upper()}(?![a-z]))"
    for part in rest:
        text += rf"(?:[\s_]+{part}|[\s_]*{part.capitalize()})"
    return re.compile(r"(?<!\bat )(?<![aA]t)(?<!at_)" + text + r"(?![a-z]|/(?:doc|kiln)\b)")


@functools.lru_cache(1)
def names_of(text, suffix):
    """A file's text with blanks for comments and literals, which leaves the names."""
    return cxx.code(DESCRIPTION.sub("", text)) if suffix in CODE else ""


def found():
    """(folder, word) -> the places, and word -> its rule."""
    places, by_word = collections.defaultdict(list), {}
    wanted = rules()
    for path in tree.files(*SUFFIXES):
        folder = str(path.parent)
        here = [rule for rule in wanted if rule.applies(folder, path)]
        if not here or path.parts[0] == "test" or str(path) == SKIPPED:
            continue
        text = tree.read(path)
        lower = text.lower()
        for rule in here:
            for word in rule.words:
                by_word[word] = rule
                # Most words are in no part of a file; to find a string costs a hundredth of the pattern's search.
                if word.split()[0] not in lower:
                    continue
                for match in pattern(word).finditer(names_of(text, path.suffix) if rule.names_only else text):
                    places[folder, word].append(f"{path}:{text.count(chr(10), 0, match.start()) + 1}")
    return places, by_word


def recorded():
    """The committed counts; of two lines for one place (a merge) the smaller one counts."""
    counts = {}
    text = tree.read(COUNTS) if (tree.ROOT / COUNTS).is_file() else ""
    for folder, word, count in ENTRY.findall(text):
        counts[folder, word] = min(int(count), counts.get((folder, word), int(count)))
    return counts


def compare(places, by_word, before):
    for (folder, word), lines in sorted(places.items()):
        allowed = before.get((folder, word), 0)
        if len(lines) > allowed:
            yield (f"{folder}: {len(lines)} times '{word}'; at most {allowed}; the field says: "
                   f"{by_word[word].instead} ({', '.join(lines[:8])}{' ...' if len(lines) > 8 else ''})")
    for (folder, word), count in sorted(before.items()):
        now = len(places.get((folder, word), []))
        if now < count:
            yield f"{COUNTS}: {folder} has '{word}' {now} times now, not {count}: run private_words.py --update"


def totals(counts):
    sums = collections.Counter()
    for (_, word), count in counts.items():
        sums[word] += count
    return sums


def update(places, before):
    now = {key: len(lines) for key, lines in places.items()}
    old, new = totals(before), totals(now)
    grown = [f"'{word}': {count} times, at most {old[word]}" for word, count in sorted(new.items())
             if before and count > old[word]]
    if not grown:
        lines = (f"{folder} {word} {count}\n" for (folder, word), count in sorted(now.items()))
        (tree.ROOT / COUNTS).write_text(HEADER + "".join(lines))
    tree.finish(grown, f"{sum(new.values())} private words {'not ' if grown else ''}written to {COUNTS}")


def main():
    places, by_word = found()
    if "--update" in sys.argv[1:]:
        return update(places, recorded())
    problems = list(compare(places, by_word, recorded()))
    count = sum(len(lines) for lines in places.values())
    tree.finish(problems, f"{count} private words, {len(rules())} rules")


if __name__ == "__main__":
    main()
