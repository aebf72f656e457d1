"""compiled_alone.py against a batch whose sources do not include what they use."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import sys
import unittest
import unittest.mock

import compiled_alone
import test_lint
import tree


class CompiledAlone(test_lint.Lint):
    """One.cpp includes what both sources of a batch need."""

    def setUp(self):
        super().setUp()
        self.write("include/kiln/A/A.h", "std::vector<int> values();\n")
        self.write("lib/A/One.cpp", '#include <vector>\n#include "kiln/A/A.h"\nstd::vector<int> values() { return {}; }\n')
        self.write("lib/A/Two.cpp", "int count() { return std::vector<int>(2).size(); }\n")
        self.write("build/batches/A/lib_A_0.cpp", '#include "lib/A/One.cpp"\n#include "lib/A/Two.cpp"\n')
        batch = f"{tree.ROOT}/build/batches/A/lib_A_0.cpp"
        entry = {"directory": f"{tree.ROOT}/build", "file": batch, "command": f"c++ -I{tree.ROOT}/include -o lib_A_0.o -c {batch}"}
        self.write("build/compile_commands.json", json.dumps([entry]))
        patched = unittest.mock.patch.object(sys, "argv", ["compiled_alone.py", str(tree.ROOT / "build"), "--all"])
        patched.start()
        self.addCleanup(patched.stop)

    def test_missing_includes(self):
        self.assert_fails(compiled_alone, "include/kiln/A/A.h does not compile alone", "lib/A/Two.cpp does not compile alone", "2 problems")

    def test_in_order(self):
        for path in ("include/kiln/A/A.h", "lib/A/Two.cpp"):
            self.write(path, f"#pragma once\n#include <vector>\n{tree.read(path)}")
        self.assert_passes(compiled_alone)


if __name__ == "__main__":
    unittest.main()
