"""The table of docs/benchmarks/encoders.md, from the JSON beside it."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

MIB = 1 << 20


def table(result):
    machine = result["machine"]
    peers = " and ".join(f"{name} {version}" for name, version in result["peers"].items())
    lines = [
        "# Encoders beside other runtimes",
        "",
        f"Measured on {machine['cpu']} ({', '.join(machine['isa'])}; {machine['cores']} cores) against {peers} with",
        "",
        f"    {result['command']}",
        "",
        "Medians of runs that take turns in one process. README.md says what each column means.",
        "",
        *_runs(result["models"], list(result["peers"])),
        "",
        *_compiles(result["models"]),
    ]
    return "\n".join(lines) + "\n"


def _runs(models, peers):
    titles = " | ".join(f"{name} ms" for name in peers)
    yield f"| model | batch | sequence | threads | kiln ms | {titles} | speedup | difference |"
    yield "| --- |" + " ---: |" * (6 + len(peers))
    for model in models:
        for case in model["cases"]:
            times = " | ".join(f"{case['peers_ms'][name]:.2f}" for name in peers)
            yield (
                f"| {model['model']} | {case['batch']} | {case['sequence']} | {case['threads']} | {case['kiln_ms']:.2f} "
                f"| {times} | {case['speedup']:.2f} "
                f"| {case['largest_relative_difference']:.1e} |"
            )


def _compiles(models):
    yield "| model | compile s | peak anonymous MiB | package MiB | load ms |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for model in models:
        yield (
            f"| {model['model']} | {model['compile_seconds']:.2f} "
            f"| {model['compile_peak_anonymous_bytes'] / MIB:.0f} "
            f"| {model['package_bytes'] / MIB:.1f} | {model['load_ms']:.1f} |"
        )
