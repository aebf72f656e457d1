//===- threads.cpp - Everything at once from several threads --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <thread>

using namespace abuse;

/// Body of one thread; found: collects codes of errors, and results that are not
/// `expected`.
static void work(const char *path, kiln_model *shared, kiln_session *one,
                 const std::string &expected, unsigned seed, int rounds,
                 std::set<std::string> &found) {
  std::minstd_rand random(seed);
  for (int i = 0; i < rounds; ++i) {
    switch (random() % 6) {
    case 0:
      found.insert(once(path, 1 + random() % 2));
      break;
    case 1:
      found.insert(codeOf(kiln_model_check_weights(shared)));
      break;
    case 2: {
      Program own;
      kiln_status *status = own.create(shared, 1 + random() % 2);
      if (!status)
        status = own.prepare();
      for (int k = 0; k < 3 && !status; ++k)
        status = own.run();
      found.insert(codeOf(status));
      break;
    }
    case 3:
      kiln_session_cancel(one);
      break;
    case 4: {
      kiln_arena_usage usage;
      found.insert(codeOf(kiln_session_arena(one, 0, &usage)));
      break;
    }
    default: {
      Program own; // runs the session that all threads use
      kiln_model_retain(shared);
      own.model = shared;
      own.session = one;
      kiln_status *status = own.prepare();
      if (!status)
        status = own.run();
      own.session = nullptr;
      found.insert(codeOf(status));
    }
    }
  }
  found.erase("");
  found.erase(expected);
  found.erase("KILN-E0609"); // expected: another thread uses the session
  found.erase("KILN-E0713"); // expected: another thread has cancelled its run
}

/// Arguments PACKAGE SEED ROUNDS: runs eight trials of four threads each.
void abuse::threads(const Arguments &arguments) {
  const char *path = arguments[0].c_str();
  unsigned seed = static_cast<unsigned>(std::stoul(arguments[1]));
  std::string expected = once(path);
  for (unsigned trial = 0; trial < 8; ++trial) {
    Program shared;
    kiln_status *status = shared.load(path);
    if (!status)
      status = shared.create();
    if (status)
      return report("four threads", codeOf(status));
    std::set<std::string> found[4];
    std::vector<std::thread> workers;
    for (unsigned i = 0; i < 4; ++i)
      workers.emplace_back(work, path, shared.model, shared.session, expected,
                           seed + trial * 4 + i, std::stoi(arguments[2]),
                           std::ref(found[i]));
    for (std::thread &worker : workers)
      worker.join();
    std::string odd;
    for (const std::set<std::string> &own : found)
      for (const std::string &result : own)
        odd += result + " ";
    report("four threads", odd.empty() ? "same bits" : odd);
  }
}
