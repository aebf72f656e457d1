//===- service_speed.cpp - What services ask for, and what it costs -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   service_speed pairs PACKAGE [LIBRARY]
//   service_speed load PACKAGE [LIBRARY]
//
// LIBRARY is an earlier libkiln_runtime.so. `pairs` compares pairs of ways to run MiniLM,
// measured alternately, and prints a line of JSON for each: microseconds of both, and the
// median of the ratios of adjacent measurements. `load` prints milliseconds and private
// memory of this process up to the end of the first run.
//
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <kiln/pool.hpp>
#include <kiln/runtime.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {
using Clock = std::chrono::steady_clock;
constexpr int64_t kTokens = 16, kWidth = 384;
constexpr int kRounds = 41, kPoolRounds = 11;
constexpr double kTurnSeconds = 0.05, kPoolSeconds = 0.5;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// The C interface of one of several loaded libraries.
struct Library {
  decltype(&kiln_model_load) load = kiln_model_load;
  decltype(&kiln_session_create) create = kiln_session_create;
  decltype(&kiln_session_run) run = kiln_session_run;
  decltype(&kiln_status_message) message = kiln_status_message;

  Library() = default;
  explicit Library(const char *path) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!handle) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::exit(2);
    }
    find(handle, "kiln_model_load", load);
    find(handle, "kiln_session_create", create);
    find(handle, "kiln_session_run", run);
    find(handle, "kiln_status_message", message);
  }
  template <typename Function>
  static void find(void *handle, const char *name, Function &function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (!function)
      std::exit(2);
  }
  void check(kiln_status *status) const {
    if (!status)
      return;
    std::fprintf(stderr, "%s\n", message(status));
    std::exit(1);
  }
};

/// The tensors of a request.
struct Request {
  int64_t ids[kTokens], mask[kTokens], types[kTokens] = {}, shape[2] = {1, kTokens};
  std::vector<float> states = std::vector<float>(kTokens * kWidth);
  std::vector<float> embedding = std::vector<float>(kWidth);
  std::vector<kiln_tensor> inputs, outputs;

  Request() {
    std::fill_n(ids, kTokens, 2023);
    std::fill_n(mask, kTokens, 1);
    auto input = [&](const char *name, int64_t *data) {
      inputs.push_back(
          {name, data, sizeof ids, KILN_DTYPE_I64, 2, shape, KILN_MEMORY_HOST});
    };
    input("input_ids", ids);
    input("attention_mask", mask);
    input("token_type_ids", types);
    outputs.push_back({"sentence_embedding", embedding.data(), kWidth * 4, KILN_DTYPE_F32,
                       2, nullptr, KILN_MEMORY_HOST});
    outputs.push_back({"last_hidden_state", states.data(), kTokens * kWidth * 4,
                       KILN_DTYPE_F32, 3, nullptr, KILN_MEMORY_HOST});
  }
};

struct Runner {
  Library library;
  kiln_session *session = nullptr;
  Request request;
  size_t outputs = 2;

  Runner(const Library &library, const char *package,
         kiln_session_options options = KILN_SESSION_OPTIONS_INIT)
      : library(library) {
    options.threads = 1;
    kiln_model *model = nullptr;
    library.check(library.load(package, nullptr, &model));
    library.check(library.create(model, &options, &session));
    run();
  }
  void run() {
    library.check(
        library.run(session, request.inputs.data(), 3, request.outputs.data(), outputs));
  }
  void runWith(uint64_t nanoseconds) {
    kiln_run_options options = KILN_RUN_OPTIONS_INIT;
    options.deadline_ns = kiln_deadline_after(nanoseconds);
    library.check(kiln_session_run_with(session, &options, request.inputs.data(), 3,
                                        request.outputs.data(), outputs));
  }
};

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

double threadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

/// Returns the CPU seconds per call of as many calls as fit into a turn; other work on
/// the machine affects CPU seconds less than wall seconds.
double turn(const std::function<void()> &call) {
  int count = 0;
  double begin = threadSeconds();
  do {
    call();
    ++count;
  } while (threadSeconds() - begin < kTurnSeconds);
  return (threadSeconds() - begin) / count;
}

void pair(const char *name, int rounds, const std::function<double()> &first,
          const std::function<double()> &second) {
  std::vector<double> times[2], ratios;
  for (int i = 0; i < rounds; ++i) {
    double a = i % 2 ? 0 : first(), b = second();
    if (i % 2)
      a = first();
    times[0].push_back(a);
    times[1].push_back(b);
    ratios.push_back(a / b);
  }
  std::sort(ratios.begin(), ratios.end());
  std::printf("{\"pair\": \"%s\", \"first_us\": %.2f, \"second_us\": %.2f, "
              "\"speedup\": %.4f, \"quartiles\": [%.4f, %.4f]}\n",
              name, median(times[0]) * 1e6, median(times[1]) * 1e6, median(ratios),
              ratios[ratios.size() / 4], ratios[ratios.size() - 1 - ratios.size() / 4]);
  std::fflush(stdout);
}

/// Returns the seconds per run while `threads` threads run for a while.
double perRun(size_t threads, const std::function<void(size_t)> &call) {
  std::atomic<uint64_t> runs{0};
  std::vector<std::thread> running;
  Clock::time_point begin = Clock::now();
  for (size_t i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      while (secondsSince(begin) < kPoolSeconds) {
        call(i);
        ++runs;
      }
    });
  for (std::thread &thread : running)
    thread.join();
  return secondsSince(begin) / double(runs);
}

void measurePools(const char *package) {
  using namespace kiln::rt;
  Model model{std::string(package)};
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 1;
  for (size_t count : {size_t(1), size_t(2), size_t(4)}) {
    Pool pool(model, count, options);
    std::vector<Session> sessions;
    std::vector<Request> requests(count);
    for (size_t i = 0; i < count; ++i)
      sessions.emplace_back(model, options);
    auto inputs = [&](size_t i) {
      Request &request = requests[i];
      std::vector<int64_t> shape{1, kTokens};
      return std::vector<View>{{"input_ids", request.ids, shape},
                               {"attention_mask", request.mask, shape},
                               {"token_type_ids", request.types, shape}};
    };
    std::string name = "pool of " + std::to_string(count);
    pair(
        name.c_str(), kPoolRounds,
        [&] { return perRun(count, [&](size_t i) { sessions[i].run(inputs(i)); }); },
        [&] { return perRun(count, [&](size_t i) { pool.run(inputs(i)); }); });
  }
}

void measurePairs(const char *package, const char *earlier) {
  Library now;
  Runner plain(now, package), again(now, package), one(now, package);
  one.outputs = 1;
  kiln_session_options observed = KILN_SESSION_OPTIONS_INIT;
  observed.observer = [](void *, size_t, int, const kiln_buffer_view *, size_t,
                         const kiln_buffer_view *, size_t) {};
  Runner watched(now, package, observed);
  auto run = [](Runner &runner) { return [&] { return turn([&] { runner.run(); }); }; };
  if (earlier) {
    Runner before(Library(earlier), package);
    pair("earlier library", kRounds, run(before), run(plain));
  }
  pair("the same twice", kRounds, run(plain), run(again));
  pair("deadline", kRounds, run(plain),
       [&] { return turn([&] { again.runWith(60'000'000'000); }); });
  pair("observer that does nothing", kRounds, run(plain), run(watched));
  pair("one of two outputs", kRounds, run(plain), run(one));
  measurePools(package);
}

long anonymousKiB() {
  std::FILE *file = std::fopen("/proc/self/status", "r");
  char line[256];
  long kib = 0;
  while (file && std::fgets(line, sizeof line, file))
    std::sscanf(line, "RssAnon: %ld", &kib);
  if (file)
    std::fclose(file);
  return kib;
}

void measureLoad(const char *package, const char *path) {
  Library library = path ? Library(path) : Library();
  long before = anonymousKiB();
  Clock::time_point begin = Clock::now();
  kiln_model *model = nullptr;
  kiln_session *session = nullptr;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = 1;
  library.check(library.load(package, nullptr, &model));
  library.check(library.create(model, &options, &session));
  double created = secondsSince(begin);
  long after = anonymousKiB();
  Request request;
  library.check(
      library.run(session, request.inputs.data(), 3, request.outputs.data(), 2));
  std::printf("{\"created_ms\": %.3f, \"first_run_ms\": %.3f, \"private_kib\": %ld}\n",
              created * 1e3, secondsSince(begin) * 1e3, after - before);
}
} // namespace

int main(int count, char **arguments) {
  const char *library = count > 3 ? arguments[3] : nullptr;
  if (count > 2 && !std::strcmp(arguments[1], "pairs"))
    return measurePairs(arguments[2], library), 0;
  if (count > 2 && !std::strcmp(arguments[1], "load"))
    return measureLoad(arguments[2], library), 0;
  std::fprintf(stderr, "service_speed pairs|load PACKAGE [LIBRARY]\n");
  return 2;
}
