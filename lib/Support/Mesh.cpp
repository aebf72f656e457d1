//===- Mesh.cpp - Meshes of ranks -----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/Mesh.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace kiln;
using namespace mlir;

namespace {
class MeshParser {
public:
  MeshParser(StringRef text, int64_t ranks, StringRef place)
      : text(text), ranks(ranks), place(place) {}
  llvm::Expected<Mesh> run();

private:
  struct Axis {
    int64_t *size;
    bool isNamed = false;
  };
  llvm::Error fail(const Twine &what, const Twine &expected, const Twine &found) {
    return makeError({ErrorCode::BadUsage, place.str(), what.str(), expected.str(),
                      found.str(), "write for example --ranks 4 --shard pp=2,tp=2"});
  }
  llvm::Error readAxis(StringRef one);
  llvm::Error fillLeft();

  StringRef text;
  int64_t ranks;
  StringRef place;
  Mesh mesh;
  Axis tp{&mesh.tp}, cp{&mesh.cp}, pp{&mesh.pp};
  SmallVector<int64_t *> left; ///< axes without a size
};
} // namespace

llvm::Error MeshParser::readAxis(StringRef one) {
  auto [name, number] = one.trim().split('=');
  Axis *axis = llvm::StringSwitch<Axis *>(name)
                   .Cases({"tp", "sp"}, &tp)
                   .Cases({"cp", "dcp"}, &cp)
                   .Case("pp", &pp)
                   .Default(nullptr);
  if (!axis)
    return fail("is not a way to split a model that is here",
                "tp (tensor parallel), sp (tensor and sequence parallel), cp (context "
                "parallel), dcp (with caches divided, too) or pp (pipeline), with =N or "
                "without",
                "'" + name + "'");
  if (axis->isNamed)
    return fail("names an axis twice",
                "each axis once, and of tp and sp one, of cp and dcp one",
                "'" + text + "'");
  axis->isNamed = true;
  mesh.sequence |= name == "sp";
  mesh.dividesCaches |= name == "dcp";
  if (!one.contains('=')) {
    left.push_back(axis->size);
    return llvm::Error::success();
  }
  if (number.getAsInteger(10, *axis->size) || *axis->size < 1 ||
      *axis->size > Mesh::kMaxRanks)
    return fail("has an axis of no ranks", "1 to " + Twine(Mesh::kMaxRanks),
                "'" + one.trim() + "'");
  return llvm::Error::success();
}

/// Computes the size of the one axis that may omit it from --ranks.
llvm::Error MeshParser::fillLeft() {
  int64_t given = mesh.ranks(), all = ranks ? ranks : given;
  if (left.size() > 1)
    return fail("leaves more than one axis without a number", "=N at all but one",
                "'" + text + "'");
  if (all % given)
    return fail("does not divide the ranks", "a divisor of " + Twine(all), Twine(given));
  if (!left.empty())
    *left.front() = all / given;
  if (mesh.ranks() != all)
    return fail("is of another number of ranks than --ranks", Twine(all),
                Twine(mesh.ranks()));
  return llvm::Error::success();
}

llvm::Expected<Mesh> MeshParser::run() {
  SmallVector<StringRef> axes;
  text.split(axes, ',');
  for (StringRef one : axes)
    if (llvm::Error error = readAxis(one))
      return std::move(error);
  if (llvm::Error error = fillLeft())
    return std::move(error);
  if (mesh.sequence && cp.isNamed)
    return fail("divides rows of sequences twice", "sp, or cp with or without tp",
                "'" + text + "'");
  if (mesh.ranks() > Mesh::kMaxRanks)
    return fail("has too many ranks", "at most " + Twine(Mesh::kMaxRanks),
                Twine(mesh.ranks()));
  return mesh;
}

llvm::Expected<Mesh> Mesh::parse(StringRef text, int64_t ranks, StringRef place) {
  return MeshParser(text, ranks, place).run();
}

std::string Mesh::str() const {
  SmallVector<std::string> parts;
  auto add = [&](const char *name, int64_t size, bool isNamed) {
    if (size > 1 || isNamed)
      parts.push_back(name + ('=' + std::to_string(size)));
  };
  add("pp", pp, false);
  add(sequence ? "sp" : "tp", tp, sequence);
  add(dividesCaches ? "dcp" : "cp", cp, dividesCaches);
  return parts.empty() ? "tp" : llvm::join(parts, ",");
}

llvm::Error MeshOptions::resolve() {
  llvm::Expected<Mesh> mesh = Mesh::parse(shard, ranks, "--shard");
  if (!mesh)
    return mesh.takeError();
  axes = *mesh;
  if (overlap > 1 && (axes.tp == 1 || axes.pp > 1 || axes.cp > 1))
    return makeError({ErrorCode::BadUsage, "--overlap",
                      "is for collectives of tensor-parallel ranks",
                      "a mesh of tp or sp alone", "--shard " + shard,
                      "choose --shard tp or sp, or leave --overlap out"});
  if (microBatches > 1 && (axes.pp == 1 || axes.cp > 1))
    return makeError({ErrorCode::BadUsage, "--micro-batches",
                      "is for stages of a pipeline", "a mesh with pp and without cp",
                      "--shard " + shard,
                      "choose --shard pp, or leave --micro-batches out"});
  return llvm::Error::success();
}
