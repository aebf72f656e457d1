#!/usr/bin/env python3
"""Checks that folders do not include each other in a circle, at any depth.

Among the folders in one folder, and the files directly in it, "who includes whom" must have no cycle through a folder. A
header and its source are one file here, and the headers of lib in include/kiln are a part of the folder that implements
them. Cycles of today stand in KNOWN, with the reason; an entry that no longer applies is an error.
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import pathlib

import cxx
import include_directions
import tree

FOLDERS = ("dialects", "include", "lib", "runtime", "tools")
PUBLIC = "(public headers)"
# Folder -> the members of each of its cycles.
KNOWN = {}


def place(path):
    """The parts of a path, where headers in include/kiln stand beside what implements them."""
    parts = path.parts
    if parts[:2] == ("include", "kiln"):
        return ("lib", parts[2], PUBLIC, *parts[3:])
    return parts


def included(path):
    """The files of this project that a file includes."""
    for _, name in include_directions.INCLUDE.findall(tree.read(path)):
        for base in (path.parent, pathlib.Path(), pathlib.Path("include"), pathlib.Path("runtime/include")):
            if (tree.ROOT / base / name).is_file():
                yield (tree.ROOT / base / name).resolve().relative_to(tree.ROOT)
                break


def graphs():
    """Folder -> member -> member that it includes -> an example."""
    edges = collections.defaultdict(lambda: collections.defaultdict(dict))
    for path in tree.files(*cxx.SUFFIXES, ".def"):
        if path.parts[0] not in FOLDERS or "tests" in path.parts:
            continue
        for other in included(path):
            if other.parts[0] not in FOLDERS:
                continue
            one, two = place(path), place(other)
            depth = next((i for i, (a, b) in enumerate(zip(one, two)) if a != b), None)
            if depth is None:
                continue
            members = [parts[depth] if len(parts) > depth + 1 else f"{other_path.stem}.*"
                       for parts, other_path in ((one, path), (two, other))]
            if members[0] != members[1]:
                edges["/".join(one[:depth])][members[0]].setdefault(members[1], f"{path} includes {other}")
    return edges


def cycles(graph):
    """The strongly connected components of more than one member, by reachability (graphs are small)."""
    reach = {member: set(graph[member]) for member in list(graph)}
    changed = True
    while changed:
        changed = False
        for member, targets in reach.items():
            further = set().union(targets, *(reach.get(target, ()) for target in targets))
            changed |= len(further) > len(targets)
            reach[member] = further
    groups = {tuple(sorted(other for other in reach if other in reach[member] and member in reach[other]))
              for member in reach if member in reach[member]}
    return sorted(group for group in groups if not all(member.endswith(".*") for member in group))


def all_cycles():
    """Folder -> its cycles, each a tuple of members."""
    return {folder: found for folder, graph in sorted(graphs().items()) if (found := cycles(graph))}


def main():
    edges, found, problems = graphs(), all_cycles(), []
    for folder, groups in found.items():
        for group in groups:
            if group in [tuple(sorted(known)) for known in KNOWN.get(folder, [])]:
                continue
            problems.append(f"{folder or 'the root'}: a cycle of {', '.join(group)}")
            problems += [f"  {why}" for member in group for other, why in sorted(edges[folder][member].items())
                         if other in group]
    for folder, groups in KNOWN.items():
        problems += [f"{folder}: KNOWN has a cycle that is none (any more): {', '.join(group)}" for group in groups
                     if tuple(sorted(group)) not in found.get(folder, [])]
    tree.finish(problems, f"cycles between folders of {len(edges)} folders")


if __name__ == "__main__":
    main()
