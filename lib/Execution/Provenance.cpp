//===- Provenance.cpp - Provenance of a package ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Provenance.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

json::Object execution::provenanceOf(kiln_model *model) {
  size_t length = 0;
  const char *text = kiln_model_provenance(model, &length);
  Expected<json::Value> value = json::parse(StringRef(text, length));
  if (!value) {
    consumeError(value.takeError());
    return {};
  }
  json::Object *object = value->getAsObject();
  return object ? std::move(*object) : json::Object();
}

std::vector<std::string> execution::precisionsOf(kiln_model *model) {
  json::Object provenance = provenanceOf(model);
  std::vector<std::string> all{provenance.getString("precision").value_or("f32").str()};
  const json::Array *rules = provenance.getArray("precision_rules");
  for (const json::Value &rule : rules ? *rules : json::Array())
    if (const json::Object *object = rule.getAsObject())
      all.push_back(object->getString("precision").value_or("f32").str());
  if (std::string activations = activationsOf(model); !activations.empty())
    all.push_back(activations);
  return all;
}

std::string execution::activationsOf(kiln_model *model) {
  return provenanceOf(model).getString("activations").value_or("").str();
}

Expected<std::string> execution::graphTextOf(kiln_model *model) {
  json::Object provenance = provenanceOf(model);
  if (std::optional<StringRef> text = provenance.getString("graph"))
    return text->str();
  return makeError({ErrorCode::GraphMissing, kiln_model_path(model),
                    "the package carries no graph", "the module that kiln compile stores",
                    "none in its provenance",
                    "compile the model again with this version of kiln"});
}

Expected<PackageGraph> execution::graphOf(kiln_model *model) {
  Expected<std::string> text = graphTextOf(model);
  if (!text)
    return text.takeError();
  return PackageGraph::parse(*text, kiln_model_path(model),
                             kiln_model_current_entry(model));
}
