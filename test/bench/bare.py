#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs both commands of README.md in a bare Debian 12 and writes their wall times by phase to docs/benchmarks/bare.md.

  sudo python3 test/bench/bare.py --folder FOLDER [--gib 8]

FOLDER becomes a chroot (debootstrap, variant minbase) with a clone of this checkout's HEAD. There is no compiler, no ccache and no
cache of Python packages in it; the list of Debian's mirrors and the certificates of this machine are copied. With --gib, a memory cgroup
limits both commands. --logs A,B writes the table from the logs of an earlier run.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = ("tools/quickstart", "tools/test")
APT = ("etc/apt/sources.list", "etc/apt/sources.list.d/debian.sources")
CHECKOUT = "kiln"
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
MOUNTS = (("proc", "-t", "proc", "proc"), ("sys", "-t", "sysfs", "sys"), ("dev", "--bind", "/dev"), ("dev/pts", "--bind", "/dev/pts"),
          ("dev/shm", "-t", "tmpfs", "shm"))


def run(*command, **options):
    subprocess.run(command, check=True, **options)


def make_root(folder):
    """A chroot of a bare Debian 12 with this checkout."""
    run("debootstrap", "--variant=minbase", "--include=ca-certificates,git,curl,gnupg", "bookworm", folder, cwd="/")
    for name in (*APT, "etc/resolv.conf", "etc/hosts", CERTIFICATES[1:]):
        if (source := pathlib.Path("/") / name).exists():
            (folder / name).write_bytes(source.read_bytes())
    run("git", "clone", "-q", ROOT, folder / CHECKOUT)
    run("git", "-C", folder / CHECKOUT, "remote", "remove", "origin")


def limit_memory(gib):
    """A cgroup (version 1 or 2) of so many GiB, to which this process moves."""
    for group, limit, members in ((pathlib.Path("/sys/fs/cgroup/memory/kiln-bare"), "memory.limit_in_bytes", "tasks"),
                                  (pathlib.Path("/sys/fs/cgroup/kiln-bare"), "memory.max", "cgroup.procs")):
        if (group.parent / members).exists():
            group.mkdir(exist_ok=True)
            (group / limit).write_text(str(gib << 30))
            (group / members).write_text(str(os.getpid()))
            return
    sys.exit("bare.py: no memory cgroup can be made here; leave --gib out")


def run_in(folder, command, log):
    environment = {"HOME": "/home", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
    environment.update({name: CERTIFICATES for name in ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")})
    script = f"cd /{CHECKOUT} && time {command}"
    with log.open("w") as out:
        status = subprocess.run(["chroot", folder, "bash", "-c", script], env=environment, stdout=out, stderr=subprocess.STDOUT).returncode
    if status:
        sys.exit(f"bare.py: {command} failed with {status}; its output is in {log}")


def seconds(text):
    minutes, rest = re.fullmatch(r"(\d+)m([\d.]+)s", text).groups()
    return 60 * int(minutes) + float(rest)


def phases(log):
    """(phase, seconds) from the lines "==> [  29s] Python environment", and the seconds of `time`."""
    text = log.read_text(errors="replace")
    starts = [(int(at), title) for at, title in re.findall(r"^==> \[ *(\d+)s\] (.*)$", text, re.MULTILINE)]
    times = {name: seconds(value) for name, value in re.findall(r"^(real|user|sys)\t(\S+)$", text, re.MULTILINE)}
    ends = [at for at, _ in starts[1:]] + [round(times["real"])]
    return [(title.split(":")[0] if title.startswith("done") else title, end - at) for (at, title), end in zip(starts, ends)], times


def table(logs, commit, gib):
    lines = ["# From a bare Debian 12", "", "Both commands of README.md in a chroot of a bare Debian 12 (debootstrap, minbase), without ccache and without any cache of",
             f"packages, {os.cpu_count()} cores{f', {gib} GiB of memory' if gib else ''}, commit {commit}. Written by", "",
             "    sudo python3 test/bench/bare.py --folder FOLDER --gib 8", ""]
    total = 0
    for command, log in zip(COMMANDS, logs):
        own, times = phases(log)
        total += times["real"]
        lines += [f"## {command}", "", f"{times['real'] / 60:.1f} minutes, {times['user'] + times['sys']:.0f} CPU s", "", "| phase | wall s |",
                  "| --- | ---: |"] + [f"| {title} | {length} |" for title, length in own if length > 0] + [""]
    return "\n".join(lines + [f"Both: {total / 60:.1f} minutes.", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, help="the chroot, which must not exist")
    parser.add_argument("--gib", type=int, default=0, help="memory of both commands; 0: no limit")
    parser.add_argument("--logs", help="two logs of an earlier run, with a comma between them")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "docs/benchmarks/bare.md")
    options = parser.parse_args()
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()
    if options.logs:
        logs = [pathlib.Path(name) for name in options.logs.split(",")]
    elif options.folder and not options.folder.exists():
        make_root(options.folder)
        logs = [options.folder / f"home/{command.split('/')[1]}.log" for command in COMMANDS]
        if options.gib:
            limit_memory(options.gib)
        mounted = []
        try:
            for point, *how in MOUNTS:
                run("mount", *how, options.folder / point)
                mounted.append(options.folder / point)
            for command, log in zip(COMMANDS, logs):
                run_in(options.folder, command, log)
        finally:
            for point in reversed(mounted):
                run("umount", point)
    else:
        parser.error("give --folder a path that does not exist, or --logs")
    options.output.write_text(table(logs, commit, options.gib))


if __name__ == "__main__":
    main()
