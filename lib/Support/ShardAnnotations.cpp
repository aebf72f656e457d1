//===- ShardAnnotations.cpp - User annotations of sharding ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/ShardAnnotations.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace kiln;
using namespace mlir;

/// Syntactic limit; the model's own limits are checked where the rules are applied.
static constexpr int64_t kMaxNumber = 1 << 16;

static std::string printed(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

namespace {
/// Reads one file; returns its first error.
class Reader {
public:
  explicit Reader(StringRef place) : place(place) {}
  llvm::Expected<ShardAnnotations> run(StringRef text);

private:
  llvm::Error fail(const Twine &what, const Twine &expected, const Twine &found) const {
    return makeError({ErrorCode::BadUsage, place.str(), what.str(), expected.str(),
                      found.str(), "docs/guides/ranks.md describes the file"});
  }
  llvm::Error checkKeys(const llvm::json::Object &object, ArrayRef<StringRef> keys) const;
  llvm::Error readRule(const llvm::json::Value &value, ShardRule &rule) const;
  llvm::Error readNames(const llvm::json::Object &object, ShardRule &rule) const;
  llvm::Error readNumber(const llvm::json::Object &object, StringRef key,
                         std::optional<int64_t> &number) const;

  StringRef place;
};
} // namespace

llvm::Error Reader::checkKeys(const llvm::json::Object &object,
                              ArrayRef<StringRef> keys) const {
  for (const auto &member : object)
    if (!is_contained(keys, StringRef(member.first)))
      return fail("a key means nothing", join(keys, ", "), member.first.str());
  return llvm::Error::success();
}

llvm::Error Reader::readNames(const llvm::json::Object &object, ShardRule &rule) const {
  const llvm::json::Value *names = object.get("names"), *nodes = object.get("nodes");
  if (!names == !nodes)
    return fail("a rule names weights by themselves or by nodes that read them",
                "\"names\" or \"nodes\"", names ? "both" : "none");
  std::optional<StringRef> glob = (names ? names : nodes)->getAsString();
  if (!glob)
    return fail("the names of a rule are no text", "a glob",
                printed(*(names ? names : nodes)));
  rule.by = names ? ShardRule::By::Weight : ShardRule::By::Node;
  rule.names = glob->str();
  if (llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(*glob);
      !pattern)
    return fail("the names of a rule are no glob", "a name, perhaps with *, ? and [a-z]",
                rule.names + ": " + toString(pattern.takeError()));
  return llvm::Error::success();
}

llvm::Error Reader::readNumber(const llvm::json::Object &object, StringRef key,
                               std::optional<int64_t> &number) const {
  const llvm::json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  number = value->getAsInteger();
  if (!number || *number < 0 || *number > kMaxNumber)
    return fail("the " + key + " of a rule is out of range", "0 to " + Twine(kMaxNumber),
                printed(*value));
  return llvm::Error::success();
}

llvm::Error Reader::readRule(const llvm::json::Value &value, ShardRule &rule) const {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return fail("a rule is no object", "{\"names\": ..., \"axis\": ...}", printed(value));
  if (llvm::Error error = checkKeys(*object, {"names", "nodes", "axis", "stage"}))
    return error;
  if (llvm::Error error = readNames(*object, rule))
    return error;
  const llvm::json::Value *axis = object->get("axis");
  if (axis && axis->getAsString() == StringRef("whole"))
    rule.axis = kWholeWeight;
  else if (llvm::Error error = readNumber(*object, "axis", rule.axis))
    return error;
  if (llvm::Error error = readNumber(*object, "stage", rule.stage))
    return error;
  if (!rule.axis && !rule.stage)
    return fail("a rule says nothing", "\"axis\" (a number or \"whole\") or \"stage\"",
                printed(value));
  return llvm::Error::success();
}

llvm::Expected<ShardAnnotations> Reader::run(StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return fail("the file is no JSON", "an object", toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return fail("the file is no object", "{\"mesh\": ..., \"weights\": [...]}",
                printed(*value));
  if (llvm::Error error = checkKeys(*object, {"mesh", "weights"}))
    return std::move(error);
  ShardAnnotations result;
  result.place = place.str();
  if (const llvm::json::Value *mesh = object->get("mesh")) {
    if (!mesh->getAsString())
      return fail("\"mesh\" is no text", "for example \"pp=2,tp=2\"", printed(*mesh));
    result.mesh = mesh->getAsString()->str();
  }
  const llvm::json::Value *rules = object->get("weights");
  if (!rules || !rules->getAsArray())
    return fail("\"weights\" is no list", "[{\"names\": ..., \"axis\": ...}]",
                rules ? printed(*rules) : "none");
  for (const llvm::json::Value &entry : *rules->getAsArray())
    if (llvm::Error error = readRule(entry, result.rules.emplace_back()))
      return std::move(error);
  return result;
}

int64_t ShardAnnotations::stages() const {
  int64_t count = 1;
  for (const ShardRule &rule : rules)
    count = std::max(count, rule.stage.value_or(0) + 1);
  return count;
}

llvm::Expected<ShardAnnotations> ShardAnnotations::parse(StringRef text,
                                                         StringRef place) {
  return Reader(place).run(text);
}

llvm::Expected<ShardAnnotations> ShardAnnotations::read(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (std::error_code error = file.getError())
    return makeError({ErrorCode::FileNotFound, path.str(),
                      "the annotations cannot be read", "a readable file",
                      error.message(), "check the path of --shard"});
  return parse((*file)->getBuffer(), path);
}
