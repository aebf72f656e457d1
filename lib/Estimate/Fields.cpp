//===- Fields.cpp - JSON of topology and price files ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "kiln/ErrorCodes/Usage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::estimate;
using namespace llvm;

static std::string printed(const json::Value &value) {
  std::string text;
  raw_string_ostream(text) << value;
  return text;
}

Error estimate::fileError(StringRef place, const Twine &what, const Twine &expected,
                          const Twine &found) {
  return makeError({ErrorCode::BadUsage, place.str(), what.str(), expected.str(),
                    found.str(), "docs/guides/estimate.md describes the file"});
}

Expected<json::Object> estimate::parseObject(StringRef text, StringRef place,
                                             const Twine &what) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return fileError(place, "is not JSON", "an object", toString(value.takeError()));
  if (json::Object *object = value->getAsObject())
    return std::move(*object);
  return fileError(place, what, "an object", printed(*value));
}

void Fields::fail(StringRef key, const Twine &what, const Twine &expected,
                  const Twine &found) {
  if (!problem)
    problem = takeDiagnosis(
        fileError(place, "field '" + pathOf(key) + "' " + what, expected, found));
}

const json::Value *Fields::find(StringRef key, bool isNeeded, const Twine &expected) {
  known.insert(key);
  const json::Value *value = object.get(key);
  if (!value && isNeeded)
    fail(key, "is missing", expected, "none");
  return value;
}

std::string Fields::text(StringRef key) {
  const json::Value *value = find(key, true, "a text");
  if (!value)
    return {};
  std::optional<StringRef> found = value->getAsString();
  if (!found || found->empty())
    fail(key, "is no text", "a text in quotes", printed(*value));
  return found.value_or("").str();
}

double Fields::number(StringRef key, double unit, double highest,
                      std::optional<double> standard) {
  std::string expected = "a number above 0, at most " + std::to_string(int64_t(highest));
  const json::Value *value = find(key, !standard, expected);
  if (!value)
    return standard.value_or(0);
  std::optional<double> found = value->getAsNumber();
  if (!found || !(*found > 0) || *found > highest)
    fail(key, "is out of range", expected, printed(*value));
  return found.value_or(0) * unit;
}

int64_t Fields::count(StringRef key, int64_t highest, std::optional<int64_t> standard) {
  std::string expected = "a whole number from 1 to " + std::to_string(highest);
  const json::Value *value = find(key, !standard, expected);
  if (!value)
    return standard.value_or(1);
  std::optional<int64_t> found = value->getAsInteger();
  if (!found || *found < 1 || *found > highest)
    fail(key, "is out of range", expected, printed(*value));
  return found.value_or(1);
}

const json::Object *Fields::child(StringRef key, bool isNeeded) {
  const json::Value *value = find(key, isNeeded, "an object");
  if (value && !value->getAsObject())
    fail(key, "is no object", "an object in braces", printed(*value));
  return value ? value->getAsObject() : nullptr;
}

Error Fields::finish() {
  for (const auto &[key, value] : object)
    if (!known.contains(StringRef(key))) {
      SmallVector<StringRef> names(known.keys());
      sort(names);
      fail(key, "is unknown", "one of " + join(names, ", "), "'" + StringRef(key) + "'");
    }
  return problem ? makeError(*problem) : Error::success();
}
