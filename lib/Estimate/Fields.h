//===- Fields.h - The JSON of topology and price files ----------*- C++ -*-===//
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

/// KILN-E0001 of a file that a user has written.
llvm::Error fileError(llvm::StringRef place, const llvm::Twine &what,
                      const llvm::Twine &expected, const llvm::Twine &found);

/// The object that a file holds; `what` is wrong if it is something else.
llvm::Expected<llvm::json::Object>
parseObject(llvm::StringRef text, llvm::StringRef place, const llvm::Twine &what);

/// Reads the fields of an object; the first problem stays.
class Fields {
public:
  Fields(llvm::StringRef place, const std::string &path, const llvm::json::Object &object)
      : place(place), path(path), object(object) {}

  std::string text(llvm::StringRef key);
  /// In (0, highest], times `unit`; `standard` where the field may be missing.
  double number(llvm::StringRef key, double unit, double highest,
                std::optional<double> standard = std::nullopt);
  int64_t count(llvm::StringRef key, int64_t highest,
                std::optional<int64_t> standard = std::nullopt);
  /// Null where it is missing.
  const llvm::json::Object *child(llvm::StringRef key, bool isNeeded);
  std::string pathOf(llvm::StringRef key) const {
    return (path.empty() ? "" : path + ".") + key.str();
  }
  void fail(llvm::StringRef key, const llvm::Twine &what, const llvm::Twine &expected,
            const llvm::Twine &found);
  /// An error where something was wrong, or a field is none of those that were read.
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
