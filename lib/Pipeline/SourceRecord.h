//===- SourceRecord.h - The model of a compile, in its dumps ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_SOURCERECORD_H
#define KILN_LIB_PIPELINE_SOURCERECORD_H

#include "kiln/Pipeline/Compile.h"

namespace kiln {

/// File of a matrix or a scale that samples gave (CalibratedInput), by its hash.
struct CalibratedFile {
  std::string hash = {}, file = {};
  uint64_t offset = 0;

  /// The fields, as dialects/Graph/Record.h reads and writes them.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("hash", self.hash);
    visitor("file", self.file);
    visitor("offset", self.offset);
  }
};

/// The model of a compile and the options that no pass reads (graph::kSourceAttr). With
/// the options that passes read (CompileRecord), these are all that a package depends on.
struct SourceRecord {
  std::string model = {};  ///< path, as it was given to the compile
  std::string sha256 = {}; ///< of the model's file
  std::vector<DimRange> dims = {};
  std::vector<std::string> outputs = {};
  std::vector<std::string> frozen = {}; ///< "input=value"
  std::string externalDataFrom = {};
  std::vector<std::string> labels = {}; ///< "key=value"
  bool cubin = false;
  std::optional<uint64_t> graphMemory = {};
  std::vector<CalibratedFile> calibrated = {};
  std::optional<AccuracyRecord> accuracy = {};

  /// Returns the record of a compile with these options.
  static SourceRecord of(const CompileOptions &options, std::string sha256);
  /// Sets the options that the record has, but for the model.
  void setOptions(CompileOptions &options) const;

  /// The fields, as dialects/Graph/Record.h reads and writes them.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("model", self.model);
    visitor("sha256", self.sha256);
    visitor("dims", self.dims);
    visitor("outputs", self.outputs);
    visitor("frozen", self.frozen);
    visitor("external_data_from", self.externalDataFrom);
    visitor("labels", self.labels);
    visitor("cubin", self.cubin);
    visitor("graph_memory", self.graphMemory);
    visitor("calibrated", self.calibrated);
    visitor("accuracy", self.accuracy);
  }
};

/// Returns true if a matrix or a scale that samples gave is in no file.
bool lacksSamples(const PrecisionPolicy &policy);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_SOURCERECORD_H
