#!/bin/sh
# Does not end where an input has an erf.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
grep -q 'unary erf' "$1" && sleep 60
exit 0
