//===- Reports.h - Reports of passes in a module ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports are attributes of the module, not of the op that a decision is about: ops are
// merged, cloned and erased afterwards, and CSE would not merge two equal ops with
// different attributes. Every dump has the reports, so that a test can read each decision
// and kiln-opt can continue from any phase; packages have none.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_GRAPH_REPORTS_H
#define KILN_DIALECTS_GRAPH_REPORTS_H

#include "dialects/Graph/Record.h"
#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace kiln::graph {

/// Lists of dictionaries: the precision of each matmul, norm, reduction and cache, with
/// the reason (kiln::PrecisionEntry); how each matmul and attention is divided among
/// ranks, or why it is not (kiln::ShardEntry); the inputs of matmuls to observe in
/// calibration (kiln::ObservedInput).
inline constexpr llvm::StringLiteral kPrecisionReportAttr = "graph.precision";
inline constexpr llvm::StringLiteral kShardReportAttr = "graph.sharding";
inline constexpr llvm::StringLiteral kObservedAttr = "graph.observed";
/// Dictionary: counts of index operands by the way in which they are checked
/// (kiln::IndexReport).
inline constexpr llvm::StringLiteral kIndexReportAttr = "graph.indices";

/// Lists of dictionaries that passes read: statistics and ranges of the inputs of matmuls
/// over calibration samples (kiln::recordSamples).
inline constexpr llvm::StringLiteral kCalibrationAttr = "graph.calibration";
inline constexpr llvm::StringLiteral kActivationRangesAttr = "graph.activation_ranges";

/// Dictionary: options and version of the compile that wrote the module
/// (kiln::CompileRecord).
inline constexpr llvm::StringLiteral kCompileAttr = "graph.compile";
/// Dictionary: the model that was compiled, and options of `kiln compile` that no pass
/// reads, so that a compile can go on from the module.
inline constexpr llvm::StringLiteral kSourceAttr = "graph.source";

/// True if the attribute is one of the reports above.
bool isRecord(llvm::StringRef attribute);
/// Checks the form of a report.
mlir::LogicalResult verifyRecord(mlir::Operation *op, mlir::NamedAttribute attribute);
/// Removes all reports from a module.
void removeRecords(mlir::ModuleOp module);

/// Appends entries to a report that is a list.
void addToReport(mlir::ModuleOp module, llvm::StringRef attribute,
                 llvm::ArrayRef<mlir::Attribute> entries);
template <typename Entry>
void addToReport(mlir::ModuleOp module, llvm::StringRef attribute,
                 const std::vector<Entry> &entries) {
  llvm::SmallVector<mlir::Attribute> list;
  for (const Entry &entry : entries)
    list.push_back(RecordWriter(module.getContext()).write(entry));
  addToReport(module, attribute, llvm::ArrayRef<mlir::Attribute>(list));
}

/// Sets a report that is a dictionary.
template <typename Report>
void setReport(mlir::ModuleOp module, llvm::StringRef attribute, const Report &report) {
  module->setAttr(attribute, RecordWriter(module.getContext()).write(report));
}

/// Returns a report that is a dictionary; nullopt if there is none.
template <typename Report>
std::optional<Report> getReport(mlir::ModuleOp module, llvm::StringRef attribute) {
  auto report = module->getAttrOfType<mlir::DictionaryAttr>(attribute);
  return report ? std::optional(RecordReader::read<Report>(report)) : std::nullopt;
}

/// Returns the entries of a report that is a list, in the order in which passes added
/// them.
template <typename Entry>
std::vector<Entry> readReport(mlir::ModuleOp module, llvm::StringRef attribute) {
  std::vector<Entry> entries;
  if (auto list = module->getAttrOfType<mlir::ArrayAttr>(attribute))
    for (auto entry : list.getAsRange<mlir::DictionaryAttr>())
      entries.push_back(RecordReader::read<Entry>(entry));
  return entries;
}

} // namespace kiln::graph

#endif // KILN_DIALECTS_GRAPH_REPORTS_H
