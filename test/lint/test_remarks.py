"""The lint of remarks against planted faults."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import remarks
from test_lint import Lint as Case

TD = """def FusePass : Pass<"kiln-fuse", "X"> {
  let description = [{
    | remark | kind | says |
    | --- | --- | --- |
    | `fuse` | missed | why not |
  }];
}
"""
CALL = 'static constexpr StringLiteral kFusePass = "kiln-fuse";\nremarkMissed(op->getLoc(), kFusePass, "fuse", f(a, b));\n'


class Remarks(Case):
    def plant(self, code, td=TD):
        self.write("include/kiln/Fusion/Passes.td", td)
        self.write("lib/Fusion/Fuse.cpp", code)

    def test_named_remarks(self):
        self.plant(CALL)
        self.assert_passes(remarks)

    def test_a_remark_without_a_row(self):
        self.plant(CALL + 'remarkPassed(loc(a, "(,"), "kiln-fuse", "fuse", "done");\n')
        self.assert_fails(remarks, "lib/Fusion/Fuse.cpp:3", "no row | `fuse` | passed |")

    def test_a_row_without_a_remark(self):
        self.plant("int x;\n")
        self.assert_fails(remarks, "names a remark that no code leaves: fuse, missed")

    def test_names_are_literals(self):
        self.plant(CALL + "remarkPassed(loc, kFusePass, nameOf(op), what);\n")
        self.assert_fails(remarks, "lib/Fusion/Fuse.cpp:3", "must be literals: kFusePass, nameOf(op)")

    def test_no_other_way(self):
        self.plant(CALL + 'remark::missed(loc, options) << "why";\n')
        self.assert_fails(remarks, "use kiln/Support/PassRemark.h")

    def test_precision_logs(self):
        self.plant(CALL + 'PrecisionLog log{kFusePass, "lower"};\n', TD + TD.replace("fuse` | missed", "lower` | passed"))
        self.assert_fails(remarks, "no row | `lower` | missed |")
