//===- wrapper.cpp - A program of the C++ interface as it was -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: wrapper model.kiln
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <kiln/group.hpp>
#include <kiln/runtime.hpp>

int main(int, char **arguments) try {
  kiln::rt::Model model(arguments[1]);
  kiln::rt::Session session(model);
  std::vector<float> x(2 * 3 * 8);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i) / 8;
  auto results = session.run({{"x", x, {2, 3, 8}}});
  std::printf("%s %.6f %.6f\n", results[0].name.c_str(), results[0].as<float>()[0],
              results[0].as<float>()[47]);
  kiln::rt::Group group(model);
  std::printf("same %d\n", group.run({{"x", x, {2, 3, 8}}})[0].as<float>()[47] ==
                               results[0].as<float>()[47]);
  try {
    session.run({{"z", x, {2, 3, 8}}});
  } catch (const kiln::rt::Error &error) {
    std::printf("error %u %d\n", error.code(), error.exitCode());
  }
} catch (const kiln::rt::Error &error) {
  std::printf("error: %s\n", error.what());
  return 1;
}
