//===- CheckTargets.cpp - Names of targets in options ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/CheckTargets.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Target/TargetInfo.h"

using namespace kiln;

mlir::LogicalResult kiln::checkTargets(mlir::Location loc,
                                       llvm::ArrayRef<std::string> names) {
  for (const std::string &name : names)
    if (llvm::Error error = TargetInfo::get(name).takeError())
      return emitError(loc, takeDiagnosis(std::move(error)));
  return mlir::success();
}

mlir::LogicalResult kiln::checkHostFeatures(const mlir::Pass &pass,
                                            llvm::ArrayRef<std::string> features,
                                            mlir::MLIRContext *context) {
  auto isKnown = [](llvm::StringRef feature) {
    return llvm::any_of(hostCpus(), [&](const HostCpu &cpu) {
      return TargetInfo::find(cpu.name)->has(feature);
    });
  };
  for (const std::string &feature : features)
    if (!isKnown(feature))
      return refuseOption(pass, "features", "features of hosts, such as avx512bw",
                          "'" + feature + "'", context);
  return mlir::success();
}
