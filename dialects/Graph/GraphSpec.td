//===- GraphSpec.td - All ops of the graph dialect, for its page -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
include "dialects/Graph/GraphOps.td"
include "dialects/Graph/Ops/GraphPartialOps.td"
