//===- AccuracyRecord.cpp - Result of an accuracy budget ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/AccuracyRecord.h"

using namespace kiln;

llvm::json::Object AccuracyRecord::toJson() const {
  llvm::json::Array products;
  for (const Blame &entry : blames)
    products.push_back(llvm::json::Object{{"nodes", llvm::json::Array(entry.nodes)},
                                          {"blame", entry.blame},
                                          {"bytes", entry.bytes},
                                          {"kept", entry.kept}});
  return llvm::json::Object{{"budget", budget},
                            {"metric", metric},
                            {"samples", samples},
                            {"quantized", quantized},
                            {"measured", measured},
                            {"predicted", predicted},
                            {"blames", std::move(products)}};
}
