//===- ShardAnnotations.cpp - How users divide a model --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/ShardAnnotations.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace kiln;
using namespace llvm;

/// Far above any model; what the model has is checked where the rules are applied.
static constexpr int64_t kMaxNumber = 1 << 16;

static std::string printed(const json::Value &value) {
  std::string text;
  raw_string_ostream(text) << value;
  return text;
}

namespace {
/// Reads one file; the first problem is returned.
class Reader {
public:
  explicit Reader(StringRef place) : place(place) {}
  Expected<ShardAnnotations> run(StringRef json);

private:
  Error fail(const Twine &what, const Twine &expected, const Twine &found) const {
    return makeError({ErrorCode::BadUsage, place.str(), what.str(), expected.str(),
                      found.str(), "docs/guides/ranks.md describes the file"});
  }
  Error checkKeys(const json::Object &object, ArrayRef<StringRef> keys) const;
  Error readRule(const json::Value &value, ShardRule &rule) const;
  Error readNames(const json::Object &object, ShardRule &rule) const;
  Error readNumber(const json::Object &object, StringRef key,
                   std::optional<int64_t> &number) const;

  StringRef place;
};
} // namespace

Error Reader::checkKeys(const json::Object &object, ArrayRef<StringRef> keys) const {
  for (const auto &member : object)
    if (!is_contained(keys, StringRef(member.first)))
      return fail("a key means nothing", join(keys, ", "), member.first.str());
  return Error::success();
}

Error Reader::readNames(const json::Object &object, ShardRule &rule) const {
  const json::Value *names = object.get("names"), *nodes = object.get("nodes");
  if (!names == !nodes)
    return fail("a rule names weights by themselves or by nodes that read them",
                "\"names\" or \"nodes\"", names ? "both" : "none");
  std::optional<StringRef> glob = (names ? names : nodes)->getAsString();
  if (!glob)
    return fail("the names of a rule are no text", "a glob",
                printed(*(names ? names : nodes)));
  rule.by = names ? ShardRule::By::Weight : ShardRule::By::Node;
  rule.names = glob->str();
  if (Expected<GlobPattern> pattern = GlobPattern::create(*glob); !pattern)
    return fail("the names of a rule are no glob", "a name, perhaps with *, ? and [a-z]",
                rule.names + ": " + toString(pattern.takeError()));
  return Error::success();
}

Error Reader::readNumber(const json::Object &object, StringRef key,
                         std::optional<int64_t> &number) const {
  const json::Value *value = object.get(key);
  if (!value)
    return Error::success();
  number = value->getAsInteger();
  if (!number || *number < 0 || *number > kMaxNumber)
    return fail("the " + key + " of a rule is out of range", "0 to " + Twine(kMaxNumber),
                printed(*value));
  return Error::success();
}

Error Reader::readRule(const json::Value &value, ShardRule &rule) const {
  const json::Object *object = value.getAsObject();
  if (!object)
    return fail("a rule is no object", "{\"names\": ..., \"axis\": ...}", printed(value));
  if (Error error = checkKeys(*object, {"names", "nodes", "axis", "stage"}))
    return error;
  if (Error error = readNames(*object, rule))
    return error;
  const json::Value *axis = object->get("axis");
  if (axis && axis->getAsString() == StringRef("whole"))
    rule.axis = kWholeWeight;
  else if (Error error = readNumber(*object, "axis", rule.axis))
    return error;
  if (Error error = readNumber(*object, "stage", rule.stage))
    return error;
  if (!rule.axis && !rule.stage)
    return fail("a rule says nothing", "\"axis\" (a number or \"whole\") or \"stage\"",
                printed(value));
  return Error::success();
}

Expected<ShardAnnotations> Reader::run(StringRef json) {
  Expected<json::Value> value = json::parse(json);
  if (!value)
    return fail("the file is no JSON", "an object", toString(value.takeError()));
  const json::Object *object = value->getAsObject();
  if (!object)
    return fail("the file is no object", "{\"mesh\": ..., \"weights\": [...]}",
                printed(*value));
  if (Error error = checkKeys(*object, {"mesh", "weights"}))
    return std::move(error);
  ShardAnnotations result;
  result.place = place.str();
  if (const json::Value *mesh = object->get("mesh")) {
    if (!mesh->getAsString())
      return fail("\"mesh\" is no text", "for example \"pp=2,tp=2\"", printed(*mesh));
    result.mesh = mesh->getAsString()->str();
  }
  const json::Value *rules = object->get("weights");
  if (!rules || !rules->getAsArray())
    return fail("\"weights\" is no list", "[{\"names\": ..., \"axis\": ...}]",
                rules ? printed(*rules) : "none");
  for (const json::Value &entry : *rules->getAsArray())
    if (Error error = readRule(entry, result.rules.emplace_back()))
      return std::move(error);
  return result;
}

int64_t ShardAnnotations::stages() const {
  int64_t count = 1;
  for (const ShardRule &rule : rules)
    count = std::max(count, rule.stage.value_or(0) + 1);
  return count;
}

Expected<ShardAnnotations> ShardAnnotations::parse(StringRef json, StringRef place) {
  return Reader(place).run(json);
}

Expected<ShardAnnotations> ShardAnnotations::read(StringRef path) {
  auto file = MemoryBuffer::getFile(path);
  if (std::error_code error = file.getError())
    return makeError({ErrorCode::FileNotFound, path.str(),
                      "the annotations cannot be read", "a readable file",
                      error.message(), "check the path of --shard"});
  return parse((*file)->getBuffer(), path);
}
