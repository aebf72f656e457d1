//===- reader.h - Reads device profiles --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A profile is a text of `key = value` lines; `#` starts a comment. Every key must occur
// once; an unknown key, an invalid number or an impossible combination is an error that
// names the line.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PROFILE_READER_H
#define KILN_SIM_PROFILE_READER_H

#include "runtime/sim/profile/profile.h"
#include <string>
#include <string_view>

namespace kiln::sim {

/// Returns false with a message such as "line 3: unknown key 'sms'".
bool parseProfile(std::string_view text, DeviceProfile &out, std::string &error);

/// Reads a user's profile of another GPU from a file.
bool readProfileFile(const std::string &path, DeviceProfile &out, std::string &error);

} // namespace kiln::sim

#endif // KILN_SIM_PROFILE_READER_H
