#!/bin/sh
# Status 0, interesting, where a program returns two values.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
grep -qE 'return %[a-z0-9]+, %' "$1"
