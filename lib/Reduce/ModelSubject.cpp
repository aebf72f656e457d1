//===- ModelSubject.cpp - ONNX models that are made smaller ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Import/ModelEditor.h"
#include "kiln/Reduce/Subject.h"
#include "kiln/Support/OutputFiles.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::reduce;
using import::ModelEditor;

namespace {
struct ModelKind {
  llvm::StringLiteral name;
  ModelEditor::Edit edit;
};
} // namespace

/// Kinds in the order in which they are tried: data first, so that tests read less.
static constexpr ModelKind kModelKinds[] = {
    {"weights to inputs", ModelEditor::Edit::WeightsToInputs},
    {"cut nodes", ModelEditor::Edit::CutNodes},
    {"if to then", ModelEditor::Edit::InlineThen},
    {"if to else", ModelEditor::Edit::InlineElse},
    {"loops to an iteration", ModelEditor::Edit::InlineLoops},
    {"drop values of loops", ModelEditor::Edit::DropLoopValues},
    {"drop outputs", ModelEditor::Edit::DropOutputs},
    {"drop unused values", ModelEditor::Edit::DropUnused},
    {"replace outputs by inputs", ModelEditor::Edit::BypassNodes},
    {"replace outputs by constants", ModelEditor::Edit::OutputsToOnes},
    {"named dims to 1", ModelEditor::Edit::NamedDimsToOne},
    {"sizes to 1", ModelEditor::Edit::SizesToOne},
    {"drop attributes", ModelEditor::Edit::DropAttributes},
    {"drop text", ModelEditor::Edit::DropText},
};

namespace {
class ModelSubject : public Subject {
public:
  explicit ModelSubject(ModelEditor editor) : editor(std::move(editor)) {}

  size_t numKinds() const final { return std::size(kModelKinds); }
  llvm::StringRef nameOf(size_t kind) const final { return kModelKinds[kind].name; }
  size_t countSites(size_t kind) final {
    return editor.countSites(kModelKinds[kind].edit);
  }
  bool apply(size_t kind, SiteRange sites) final {
    return editor.apply(kModelKinds[kind].edit, sites.begin, sites.end);
  }
  bool isValid() final { return editor.isValid(); }
  llvm::Error write(const std::string &path) final {
    std::string bytes = editor.serialize();
    if (path != "-")
      return writeAtomically(path, bytes);
    llvm::outs() << bytes;
    return llvm::Error::success();
  }
  llvm::StringRef suffix() const final { return ".onnx"; }
  std::string describeSize() final {
    size_t count = editor.numNodes();
    return std::to_string(count) + (count == 1 ? " node" : " nodes");
  }

private:
  ModelEditor editor;
};
} // namespace

llvm::Expected<std::unique_ptr<Subject>> reduce::readModel(llvm::StringRef path) {
  llvm::Expected<ModelEditor> editor = ModelEditor::read(path);
  if (!editor)
    return editor.takeError();
  return std::make_unique<ModelSubject>(std::move(*editor));
}
