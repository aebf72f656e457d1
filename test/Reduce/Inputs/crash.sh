#!/bin/sh
# Ends by a signal where an input has an erf behind a tanh.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
grep -q 'unary tanh' "$1" && grep -q 'unary erf' "$1" && kill -SEGV $$
exit 0
