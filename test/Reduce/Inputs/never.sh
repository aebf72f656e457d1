#!/bin/sh
# Finds nothing in any input.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
exit 7
