"""Which comments doc_comments.py counts."""

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import unittest

import doc_comments

SOURCE = """
/// Of a step that exists.
/// What of it: this line begins nothing.
int a;
  /// What the step reads.
  int b;
int c; ///< Of a field, which may be short
// Of no function: this is no doc comment.
/// Returns the rows of `a`.
int d;
/// Official names are long.
int e;
"""


class Beginnings(unittest.TestCase):
    def test_blocks_that_stand_alone_are_judged_by_their_first_line(self):
        blocks = [text for _, text in doc_comments.first_lines(SOURCE)]
        self.assertEqual(
            blocks, ["Of a step that exists.", "What the step reads.", "Returns the rows of `a`.", "Official names are long."])
        counted = [text for text in blocks if doc_comments.BEGINNING.match(text)]
        self.assertEqual(counted, ["Of a step that exists.", "What the step reads."])


if __name__ == "__main__":
    unittest.main()
