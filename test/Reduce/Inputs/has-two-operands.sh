#!/bin/sh
# Status 0, interesting, where an input has an add of two different values.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
grep -E 'graph.binary add (%[a-z0-9]+), ' "$1" | grep -vqE 'graph.binary add (%[a-z0-9]+), \1 '
