//===- Fields.h - JSON of topology and price files --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_ESTIMATE_FIELDS_H
#define KILN_LIB_ESTIMATE_FIELDS_H

#include "kiln/Support/Error.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

#include <optional>

namespace kiln::estimate {

/// Returns error KILN-E0001 for a user's file.
llvm::Error fileError(llvm::StringRef place, const llvm::Twine &what,
                      const llvm::Twine &expected, const llvm::Twine &found);

/// Parses a file that must hold a JSON object; `what` is the message if it does not.
llvm::Expected<llvm::json::Object>
parseObject(llvm::StringRef text, llvm::StringRef place, const llvm::Twine &what);

/// Reads the fields of an object and keeps the first problem.
class Fields {
public:
  Fields(llvm::StringRef place, const std::string &path, const llvm::json::Object &object)
      : place(place), path(path), object(object) {}

  std::string text(llvm::StringRef key);
  /// Returns a number in (0, highest], times `unit`, or `standard` if that is given and
  /// the field is missing.
  double number(llvm::StringRef key, double unit, double highest,
                std::optional<double> standard = std::nullopt);
  int64_t count(llvm::StringRef key, int64_t highest,
                std::optional<int64_t> standard = std::nullopt);
  /// Returns null if the field is missing.
  const llvm::json::Object *child(llvm::StringRef key, bool isNeeded);
  std::string pathOf(llvm::StringRef key) const {
    return (path.empty() ? "" : path + ".") + key.str();
  }
  void fail(llvm::StringRef key, const llvm::Twine &what, const llvm::Twine &expected,
            const llvm::Twine &found);
  /// Returns an error if there was a problem, or a field of the object was never read.
  llvm::Error finish();

private:
  const llvm::json::Value *find(llvm::StringRef key, bool isNeeded,
                                const llvm::Twine &expected);

  llvm::StringRef place;
  std::string path;
  const llvm::json::Object &object;
  llvm::StringSet<> known;
  std::optional<Diagnosis> problem;
};

} // namespace kiln::estimate

#endif // KILN_LIB_ESTIMATE_FIELDS_H
