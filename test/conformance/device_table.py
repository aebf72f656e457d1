"""The table of run_on_devices.py."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import re
import textwrap

WIDTH = 120


def totals(results):
    counts = collections.Counter((both["host"].verdict, both["sim"].verdict) for both in results.values())
    parts = [f"{count} {host}" if host == sim else f"{count} {host} on the host and {sim} on the GPU"
             for (host, sim), count in sorted(counts.items())]
    return f"{len(results)} cases: " + ", ".join(parts)


def _totals_table(results):
    counts = collections.Counter((both["host"].verdict, both["sim"].verdict) for both in results.values())
    yield "| host | GPU | cases |"
    yield "| --- | --- | --- |"
    for (host, sim), count in sorted(counts.items()):
        yield f"| {host} | {sim} | {count} |"


def _cell(text):
    return re.sub(r"\s+", " ", text).replace("|", "\\|")[:300]


def _different(results):
    """Cases that ran somewhere and did not pass everywhere."""
    rows = [(name, both["host"], both["sim"]) for name, both in results.items()
            if {both["host"].verdict, both["sim"].verdict} not in ({"pass"}, {"refused"})]
    if not rows:
        yield "None."
        return
    yield "| case | host | GPU |"
    yield "| --- | --- | --- |"
    for name, host, sim in rows:
        yield f"| {name} | {host.verdict}: {_cell(host.reason)} | {sim.verdict}: {_cell(sim.reason)} |"


def _refused(results):
    groups = collections.defaultdict(list)
    for name, both in results.items():
        if both["host"].verdict == both["sim"].verdict == "refused":
            reasons = dict.fromkeys((both["host"].reason, both["sim"].reason))
            groups[" and on the GPU ".join(reasons)].append(name)
    for reason, names in sorted(groups.items()):
        yield from textwrap.wrap(f"- **{reason}** ({len(names)}): {', '.join(names)}", WIDTH, subsequent_indent="  ",
                                 break_long_words=False, break_on_hyphens=False)


def text(results, options):
    lines = [
        f"# ONNX's node tests on the host and on {options.device}",
        "",
        f"Written by `test/conformance/run_on_devices.py --table`; each case is one package for `native,{options.target}`.",
        "`pass`: the outputs are those of the case, within the tolerances of the conformance tests, and the simulated GPU",
        "found nothing to report. `refused`: the compiler says with a code what it does not support (unsupported.txt says",
        "why). `differs`: unsupported.txt names the case. `wrong`: anything else, a crash or a hang among them.",
        "",
        *_totals_table(results),
        "",
        "## Not passed everywhere",
        "",
        *_different(results),
        "",
        "## Refused for both",
        "",
        *_refused(results),
    ]
    return "\n".join(lines) + "\n"
