//===- ErrorPages.cpp - The pages of docs/errors --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ErrorPages.h"
#include "lib/Driver/Support/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

namespace {
struct Page {
  unsigned code;
  const char *text;
};
} // namespace

/// Generated from docs/errors by CMakeLists.txt, sorted by code.
static const Page kPages[] = {
#include "ErrorPages.inc"
};

/// Returns the number in a code; nullopt if the text is not a code.
static std::optional<unsigned> numberOf(StringRef text) {
  std::string upper = text.upper();
  StringRef rest = upper;
  rest.consume_front("KILN-");
  rest.consume_front("E");
  unsigned number = 0;
  if (rest.empty() || rest.size() > 4 || rest.getAsInteger(10, number))
    return std::nullopt;
  return number;
}

bool driver::isErrorCode(StringRef text) { return numberOf(text).has_value(); }

int driver::printErrorPage(StringRef text) {
  unsigned number = *numberOf(text);
  for (const Page &page : kPages)
    if (page.code == number) {
      outs() << page.text;
      return 0;
    }
  return report(
      usageError("kiln help", "no error has this code",
                 codeName(static_cast<ErrorCode::ID>(kPages[0].code)) + " to " +
                     codeName(static_cast<ErrorCode::ID>(std::end(kPages)[-1].code)),
                 "'" + text + "'", "copy the code from the message"));
}
