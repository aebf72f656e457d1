//===- Remarks.cpp - Files of remarks -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Remarks.h"
#include "kiln/Support/OutputFiles.h"
#include "kiln/Support/UsageError.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkFormat.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace kiln;

llvm::StringRef PassRemark::kindName() const {
  static constexpr llvm::StringLiteral kNames[] = {"passed", "missed", "analysis"};
  return kNames[kind];
}

static bool isText(llvm::StringRef key) {
  return key == "Remark" || key == "Reason" || key == "Suggestion";
}

std::string PassRemark::text() const {
  std::string text, values;
  for (const auto &[key, value] : arguments)
    if (isText(key))
      text += (text.empty() ? "" : ", ") + value;
    else
      values += (values.empty() ? "" : "; ") + key + ": " + value;
  return values.empty() ? text : text + " (" + values + ")";
}

static bool isYaml(llvm::StringRef path) {
  llvm::StringRef suffix = llvm::sys::path::extension(path);
  return suffix == ".yaml" || suffix == ".yml";
}

llvm::Error kiln::checkRemarksFile(llvm::StringRef where, llvm::StringRef path) {
  if (isYaml(path) || llvm::sys::path::extension(path) == ".json")
    return checkOutput(path);
  return usageError(where, "the format of the file is unknown",
                    "a name that ends in .yaml or .json", "'" + path + "'",
                    "choose one of these");
}

static std::string jsonOf(llvm::ArrayRef<PassRemark> remarks) {
  llvm::json::Array all;
  for (const PassRemark &remark : remarks) {
    llvm::json::Object arguments;
    for (const auto &[key, value] : remark.arguments)
      arguments[key] = value;
    all.push_back(llvm::json::Object{{"pass", remark.pass},
                                     {"kind", remark.kindName()},
                                     {"name", remark.name},
                                     {"node", remark.node},
                                     {"arguments", std::move(arguments)}});
  }
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all))).str();
}

static llvm::remarks::Remark toLlvm(const PassRemark &remark, llvm::StringRef model) {
  using llvm::remarks::Type;
  static constexpr Type kTypes[] = {Type::Passed, Type::Missed, Type::Analysis};
  llvm::remarks::Remark result;
  result.RemarkType = kTypes[remark.kind];
  result.PassName = remark.pass;
  result.RemarkName = remark.name;
  result.FunctionName = remark.node;
  result.Loc = llvm::remarks::RemarkLocation{model, 0, 0};
  for (const auto &[key, value] : remark.arguments)
    result.Args.emplace_back(key, value);
  return result;
}

static llvm::Expected<std::string> yamlOf(llvm::StringRef model,
                                          llvm::ArrayRef<PassRemark> remarks) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto serializer =
      llvm::remarks::createRemarkSerializer(llvm::remarks::Format::YAML, os);
  if (!serializer)
    return serializer.takeError();
  for (const PassRemark &remark : remarks)
    (*serializer)->emit(toLlvm(remark, model));
  return text;
}

llvm::Error kiln::writeRemarks(llvm::StringRef path, llvm::StringRef model,
                               llvm::ArrayRef<PassRemark> remarks) {
  if (!isYaml(path))
    return writeAtomically(path.str(), jsonOf(remarks));
  llvm::Expected<std::string> text = yamlOf(model, remarks);
  return text ? writeAtomically(path.str(), *text) : text.takeError();
}
