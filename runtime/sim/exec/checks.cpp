//===- checks.cpp - Which detectors run: KILN_SIM_CHECK --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/checks.h"

namespace kiln::sim::exec {

namespace {
struct Name {
  std::string_view word;
  bool Checks::*flag;
  bool inAll = true;
};
constexpr Name names[] = {
    {"init", &Checks::initialised},
    {"race", &Checks::races},
    {"proxy", &Checks::proxies},
    {"barrier", &Checks::barriers},
    {"mbarrier", &Checks::mbarriers},
    {"collective", &Checks::collectives},
    {"wgmma", &Checks::wgmma},
    {"pending", &Checks::pending},
    {"noncoherent", &Checks::nonCoherent},
    {"copy", &Checks::copies},
    {"samevalue", &Checks::sameValue, false},
};

void setAll(Checks &checks, bool on) {
  for (const Name &n : names)
    checks.*n.flag = on && n.inAll;
}

/// Applies one word of the list; false if it is unknown.
bool apply(std::string_view word, Checks &checks) {
  bool on = true, sign = false;
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) {
    sign = true;
    on = word[0] == '+';
    word.remove_prefix(1);
  }
  for (const Name &n : names)
    if (word == n.word) {
      checks.*n.flag = on;
      return true;
    }
  if (word == "all")
    setAll(checks, on);
  else if (word == "none" && !sign)
    setAll(checks, false);
  else if (word == "default" && !sign)
    checks = Checks();
  else
    return false;
  return true;
}
} // namespace

bool Checks::parse(std::string_view text, Checks &out, std::string &error) {
  Checks result;
  bool relative = !text.empty() && (text[0] == '+' || text[0] == '-');
  if (!text.empty() && !relative)
    setAll(result, false);
  for (bool more = !text.empty(); more;) {
    size_t comma = text.find(',');
    std::string_view word = text.substr(0, comma);
    if (!apply(word, result)) {
      error = "`" + std::string(word) + "` is no detector; there are ";
      for (const Name &n : names)
        error += std::string(n.word) + ", ";
      error += "all, none and default";
      return false;
    }
    more = comma != std::string_view::npos;
    text.remove_prefix(more ? comma + 1 : text.size());
  }
  out = result;
  return true;
}

std::string Checks::text() const {
  std::string text;
  bool all = true, more = false;
  for (const Name &n : names) {
    all &= this->*n.flag || !n.inAll;
    more |= this->*n.flag && !n.inAll;
    if (this->*n.flag)
      text += (text.empty() ? "" : ",") + std::string(n.word);
  }
  return all && !more ? "all" : text.empty() ? "none" : text;
}

} // namespace kiln::sim::exec
