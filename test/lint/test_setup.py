"""The shell functions of tools/setup, with stand-ins for the programs that would change the machine."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        # A checkout of its own: the functions write below build/.
        shutil.copytree(ROOT / "tools/setup", self.root / "tools/setup")
        shutil.copy(ROOT / "tools/test", self.root / "tools/test")
        (self.root / "bin").mkdir()

    def program(self, name, text):
        path = self.root / "bin" / name
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def run_script(self, *command, **variables):
        environment = os.environ | {"PATH": f"{self.root}/bin:{os.environ['PATH']}"} | variables
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    def shell(self, text, **variables):
        sources = "; ".join(f"source {self.root}/tools/setup/{part}.sh" for part in ("common", "packages", "build", "tiers"))
        return self.run_script("bash", "-c", f"set -euo pipefail; {sources}; {text}", **variables)

    def test_without_root_prints_the_apt_line_and_stops(self):
        self.program("id", "echo 1000")
        self.program("dpkg-query", 'case "$*" in *lld-22) exit 1;; *) printf installed;; esac')
        self.program("apt-get", "echo called >&2; exit 9")
        result = self.run_script(self.root / "tools/test")
        self.assertEqual(result.returncode, 4)
        self.assertIn("sudo apt-get install -y --no-install-recommends lld-22\n", result.stderr)
        self.assertNotIn("called", result.stderr)
        self.assertIn("lld-22                 the linker", result.stdout)

    def test_nothing_to_install(self):
        self.program("dpkg-query", "printf installed")
        self.program("apt-get", "exit 9")
        result = self.shell("install_packages")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_with_root_installs_what_is_missing_only(self):
        self.program("id", "echo 0")
        self.program("dpkg-query", 'case "$*" in *cmake) exit 1;; *) printf installed;; esac')
        self.program("apt-get", f'echo "$*" >>{self.root}/calls')
        self.assertEqual(self.shell("install_packages").returncode, 0)
        calls = (self.root / "calls").read_text().splitlines()
        self.assertEqual(calls, ["update", "install -y --no-install-recommends cmake"])

    def test_a_failure_shows_the_end_of_the_log_and_keeps_the_status(self):
        result = self.shell("logged job sh -c 'echo the reason; exit 7' || echo status $?")
        self.assertIn("status 7", result.stdout)
        self.assertIn("the reason", result.stderr)
        self.assertIn("build/logs/job.log", result.stderr)

    def jobs(self, cpus, mebibytes, wanted=""):
        """What choose_jobs chooses on a machine with so many CPUs and so much memory, and what it says."""
        self.program("nproc", f"echo {cpus}")
        return self.shell(f"available_mebibytes() {{ echo {mebibytes}; }}; choose_jobs; echo jobs $JOBS", KILN_JOBS=wanted)

    def test_as_many_jobs_as_cpus(self):
        for cpus in (1, 2, 16):
            self.assertEqual(self.jobs(cpus, 64000).stdout, f"jobs {cpus}\n")

    def test_fewer_jobs_where_memory_is_short(self):
        result = self.jobs(4, 4096).stdout
        self.assertIn("2 of 4 CPUs are used (KILN_JOBS overrules this)", result)
        self.assertIn("jobs 2", result)

    def test_one_job_where_memory_does_not_suffice(self):
        result = self.jobs(2, 700).stdout
        self.assertIn("a build needs 1500 MiB of memory, and 700 MiB are available", result)
        self.assertIn("jobs 1", result)

    def test_jobs_as_asked_for(self):
        self.assertEqual(self.jobs(2, 700, "3").stdout, "jobs 3\n")
        for wrong in ("0", "many", "-1"):
            result = self.jobs(2, 64000, wrong)
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"KILN_JOBS must be a number from 1 on, found '{wrong}'", result.stderr)

    def test_two_builds_in_one_checkout_follow_each_other(self):
        first = 'lock_build; echo first; sleep 1; echo "first is done"'
        result = self.shell(f'({first}) & sleep 0.3; lock_build; echo second; wait')
        self.assertEqual([line for line in result.stdout.splitlines() if "waiting" not in line], ["first", "first is done", "second"])
        self.assertIn("another tools/quickstart or tools/test works in this checkout", result.stdout)

    def test_a_build_folder_of_another_generator_is_configured_anew(self):
        cache = self.root / "build/CMakeCache.txt"
        for text, stays in (
            (f"CMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_HOME_DIRECTORY:INTERNAL={self.root}\n", True),
            (f"CMAKE_GENERATOR:INTERNAL=Unix Makefiles\nCMAKE_HOME_DIRECTORY:INTERNAL={self.root}\n", False),
            ("CMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n", False),
        ):
            cache.parent.mkdir(exist_ok=True)
            cache.write_text(text)
            result = self.shell("forget_other_build")
            self.assertEqual((result.returncode, cache.exists()), (0, stays), text)
            self.assertEqual("configured anew" in result.stdout, not stays)

    def test_stamps(self):
        result = self.shell('f=$BUILD/s; stamped "$f" a || echo no; echo a >"$f"; stamped "$f" a && echo yes; stamped "$f" b || echo no')
        self.assertEqual(result.stdout.split(), ["no", "yes", "no"])

    def test_a_file_that_is_not_the_pinned_one(self):
        result = self.shell('echo x >"$BUILD/f"; check_sha256 "$BUILD/f" 00')
        self.assertEqual(result.returncode, 3)
        self.assertIn("expected sha256 00", result.stderr)

    def ctest(self):
        """A ctest that says of its last argument how it ended."""
        self.program("ctest", """
while [ $# -gt 1 ]; do [ "$1" = --output-junit ] && results=$2; shift; done
case $1 in
  good) printf '<testcase name="a" status="run">\\n<testcase name="b" status="run">\\n';;
  skips) printf '<testcase name="a" status="notrun">\\n<skipped message="SKIP_RETURN_CODE=77"/>\\n';;
  absent) printf '<testcase name="a" status="notrun">\\n<skipped message="Unable to find executable"/>\\n';;
  bad) printf '<testcase name="a" status="fail">\\n<testcase name="b" status="run">\\n';;
esac >"$results"
case $1 in bad|absent) exit 8;; esac
""")

    def test_tiers_end_with_times_and_counts(self):
        self.ctest()
        result = self.shell("phase Kiln; run_ctest 'Tests: one' good; run_ctest 'Tests: two' skips; finish_tests")
        lines = result.stdout.splitlines()
        self.assertEqual((result.returncode, lines[-1]), (0, "2 passed, 0 failed"), result.stderr)
        self.assertIn("1 tests were skipped", lines[-2])
        self.assertEqual([line.split("s  ")[1] for line in lines[-6:-2]], ["Kiln", "Tests: one", "Tests: two", "in all"])

    def test_a_tier_that_fails_does_not_keep_the_next_from_running(self):
        self.ctest()
        result = self.shell("run_ctest one bad; run_ctest two absent; run_ctest three good; finish_tests")
        self.assertEqual((result.returncode, result.stdout.splitlines()[-1]), (8, "3 passed, 2 failed"), result.stderr)


if __name__ == "__main__":
    unittest.main()
