//===- ControlFlowEdits.h - Ifs and Loops that are made smaller -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits of ModelEditor that need to know what the bodies of a node mean. Internal to
// lib/Import.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_CONTROLFLOWEDITS_H
#define KILN_LIB_IMPORT_CONTROLFLOWEDITS_H

#include "lib/Import/Onnx/OnnxLibrary.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace kiln::import {

/// Visits all names that a node reads, those in its bodies among them.
void forEachRead(const onnx::NodeProto &node,
                 llvm::function_ref<void(llvm::StringRef)> visit);
/// Gives readers of a value in a graph, and in the bodies of its nodes, another one.
void renameReads(onnx::GraphProto &graph, const std::string &from, const std::string &to);
/// Gives a value that a graph makes another name, for its readers and as its output, too.
void renameValue(onnx::GraphProto &graph, const std::string &from, const std::string &to);
/// Returns true if a node of the graph makes the value.
bool makesByNode(const onnx::GraphProto &graph, llvm::StringRef value);
/// Returns a graph and the bodies of its nodes, each before those within.
std::vector<onnx::GraphProto *> graphsIn(onnx::GraphProto &graph);

/// Numbers of the nodes of a graph that are an If or a Loop.
std::vector<int> nodesNamed(const onnx::GraphProto &graph, llvm::StringRef type);
/// Puts a branch of an If, "then_branch" or "else_branch", in its place. `main` has all
/// names. False if the branch does not fit.
bool inlineBranch(onnx::GraphProto &main, onnx::GraphProto &graph, int node,
                  llvm::StringRef branch);
/// Puts the first iteration in the place of a Loop; false if outputs with a row per
/// iteration are read, or the body does not fit.
bool inlineIteration(onnx::GraphProto &main, onnx::GraphProto &graph, int node);

/// A value that a Loop carries, or that has a row per iteration, by its output.
struct LoopValue {
  int node, output;
};
/// Returns the values of Loops whose outputs nothing reads.
std::vector<LoopValue> unreadLoopValues(const onnx::GraphProto &graph);
/// Removes such a value. The body then reads what the first iteration has read.
void dropLoopValue(onnx::GraphProto &graph, LoopValue value);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_CONTROLFLOWEDITS_H
