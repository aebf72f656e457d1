//===- NameList.h - Long lists in messages ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_NAMELIST_H
#define KILN_SUPPORT_NAMELIST_H

#include "llvm/ADT/StringExtras.h"

namespace kiln {

/// Returns the first `shown` names and the number of the others: "a, b, and 3 more".
inline std::string shortened(llvm::ArrayRef<std::string> names, size_t shown) {
  std::string text = llvm::join(names.take_front(shown), ", ");
  if (names.size() > shown)
    text += ", and " + std::to_string(names.size() - shown) + " more";
  return text;
}

} // namespace kiln

#endif // KILN_SUPPORT_NAMELIST_H
