"""The tables of docs/benchmarks/build.md, from the JSON beside it."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

TARGETS = 20
CASES = 30


def table(result):
    machine = result["machine"]
    before = result.get("before", {})
    lines = [
        "# Building, testing, compiling",
        "",
        f"Measured on {machine['cpu']} ({', '.join(machine['isa'])}; {machine['cores']} cores) with",
        "",
        f"    {result['command']}",
        "",
    ]
    if before:
        lines += [f"\"Before\" was measured on {before['machine']['cpu']} ({before['machine']['cores']} cores).", ""]
    lines += ["README.md says what each column means."]
    for part, title, rows in (("build", "Cold build", build), ("edits", "Behind an edit", edits),
                              ("dev", "Behind an edit, with the dev preset", dev_edits), ("tests", "Tests", tests),
                              ("compile", "Compiling models", compiling)):
        if part in result:
            lines += ["", f"## {title}", "", conditions(result[part], before.get(part)), "", *rows(result[part], before.get(part))]
    return "\n".join(lines) + "\n"


def conditions(now, before):
    """A sentence on what was measured and how busy the machine was."""
    commits = f"Commit {now['commit']}" + (f", before: {before['commit']}" if before else "")
    return f"{commits}. The machine's load average was {now['load_average_before']:.1f} when it began: where it is not near 0, wall times are upper bounds."


def number(value, places=0):
    return "" if value is None else f"{value:.{places}f}"


def grid(titles, rows, words=1):
    """A table whose first columns are words and whose others are numbers."""
    return [f"| {' | '.join(titles)} |", "|" + " --- |" * words + " ---: |" * (len(titles) - words),
            *(f"| {' | '.join(row)} |" for row in rows)]


def columns(names, before):
    """Each name, behind what it was before where that is known."""
    return [title for name in names for title in ([f"{name} before", name] if before else [name])]


def pair(now, then, places=0, before=True):
    return [number(then, places), number(now, places)] if before else [number(now, places)]


def get(entry, *keys):
    """A number deep in an entry; None where the path ends."""
    for key in keys:
        entry = entry.get(key) if isinstance(entry, dict) else None
    return entry


def build(now, before):
    """The phases, and the targets that took longest."""
    rows = [[name, *pair(phase["steps"], get(before, "phases", name, "steps"), before=before),
             *pair(phase["cpu_seconds"], get(before, "phases", name, "cpu_seconds"), before=before),
             *pair(phase["seconds"], get(before, "phases", name, "seconds"), before=before)] for name, phase in now["phases"].items()]
    yield from grid(["phase", *columns(["steps", "CPU s", "wall s"], before)], rows)
    old = (before or {}).get("targets", {})
    names = sorted({**now["targets"], **old}, key=lambda name: -max(get(now, "targets", name, "seconds") or 0, get(old, name, "seconds") or 0))
    rows = [[name, *pair(get(now, "targets", name, "steps"), get(old, name, "steps"), before=before),
             *pair(get(now, "targets", name, "seconds"), get(old, name, "seconds"), before=before)] for name in names[:TARGETS]]
    yield ""
    yield from grid(["target", *columns(["steps", "s"], before)], rows)


def edits(now, before):
    rows = []
    for header, edit in now["headers"].items():
        then = get(before, "headers", header)
        rows.append([f"`{header}`", *pair(edit["included_by"], get(then, "included_by"), before=before),
                     *pair(edit["objects"], get(then, "objects"), before=before),
                     *pair(edit["object_seconds"], get(then, "object_seconds"), before=before),
                     *pair(get(edit, "seconds"), get(then, "seconds"), before=before)])
    yield f"Objects that `{now['target']}` needs anew."
    yield ""
    yield from grid(["edited", *columns(["included by", "objects", "object s", "wall s"], before)], rows)


def dev_edits(now, before):
    rows = []
    for name, edit in now["edits"].items():
        then = get(before, "edits", name)
        rows.append([name, f"`{edit['file']}`", *pair(edit["objects"], get(then, "objects"), before=before),
                     *pair(edit["cpu_seconds"], get(then, "cpu_seconds"), before=before), *pair(edit["seconds"], get(then, "seconds"), before=before)])
    yield f"From the edit to a new `{now['target']}`, one object per file, without the compiler's cache."
    yield ""
    yield from grid(["edit", "file", *columns(["objects", "CPU s", "wall s"], before)], rows, words=2)


def tests(now, before):
    rows = [[tier, *pair(len(entry["tests"]), len(get(before, "tiers", tier, "tests") or []) or None, before=before),
             *pair(entry["failed"], get(before, "tiers", tier, "failed"), before=before),
             *pair(entry["seconds"], get(before, "tiers", tier, "seconds"), before=before)] for tier, entry in now["tiers"].items()]
    yield from grid(["tier", *columns(["tests", "failed", "wall s"], before)], rows)
    seconds = {name: value for entry in now["tiers"].values() for name, value in entry["tests"].items()}
    old = {name: value for entry in (before or {}).get("tiers", {}).values() for name, value in entry["tests"].items()}
    longest = sorted({**old, **seconds}, key=lambda name: -max(seconds.get(name, 0), old.get(name, 0)))[:TARGETS]
    yield ""
    yield from grid(["test of ctest", *columns(["s"], before)], [[name, *pair(seconds.get(name), old.get(name), before=before)] for name in longest])
    yield ""
    escaped = [[name.replace("|", "\\|"), number(value, 1)] for value, name in now["slowest"][:CASES]]
    yield from grid([f"the {CASES} slowest cases", "s"], escaped)


def compiling(now, before):
    rows = []
    for name, entry in now["models"].items():
        then = get(before, "models", name)
        old_bytes = get(then, "package_bytes")
        rows.append([name, *pair(entry["cpu_seconds"], get(then, "cpu_seconds"), 1, before), *pair(entry["seconds"], get(then, "seconds"), 1, before),
                     *pair(entry["package_bytes"] / 2**20, old_bytes and old_bytes / 2**20, 1, before)])
    yield from grid(["model", *columns(["CPU s", "wall s", "package MiB"], before)], rows)
