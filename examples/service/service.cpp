//===- service.cpp - A service with deadlines, replacement, metrics -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A service: each request has a thread, and a pool of sessions runs two of them
// concurrently and limits the number of those that wait. README.md has the protocol.
//
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <future>
#include <iostream>
#include <kiln/pool.hpp>
#include <list>
#include <map>
#include <sstream>
#include <sys/stat.h>

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
constexpr size_t sessionCount = 2, maxWaiting = 64;

/// Counts requests by result, and their times.
class Metrics {
public:
  void count(unsigned code, Seconds time) {
    std::lock_guard<std::mutex> lock(mutex);
    ++results[code];
    sum += time;
    longest = std::max(longest, time);
  }
  void countLoad(bool failed) {
    std::lock_guard<std::mutex> lock(mutex);
    ++(failed ? failedLoads : loads);
  }
  std::string text(size_t waiting) const {
    std::lock_guard<std::mutex> lock(mutex);
    std::ostringstream out;
    unsigned all = 0;
    for (const auto &[code, count] : results) {
      out << "kiln_requests_total{code=\"" << code << "\"} " << count << "\n";
      all += count;
    }
    out << "kiln_request_seconds_sum " << sum.count() << "\nkiln_request_seconds_max "
        << longest.count() << "\nkiln_request_seconds_count " << all
        << "\nkiln_requests_waiting " << waiting << "\nkiln_loads_total " << loads
        << "\nkiln_failed_loads_total " << failedLoads << "\nend\n";
    return out.str();
  }

private:
  mutable std::mutex mutex;
  std::map<unsigned, unsigned> results;
  Seconds sum{0}, longest{0};
  unsigned loads = 0, failedLoads = 0;
};

/// A loaded package and its sessions; it lives until the last run with it has ended.
struct Package {
  explicit Package(const std::string &path)
      : model(path), pool(model, sessionCount, options(), maxWaiting) {
    model.checkWeights();
  }

  /// Runs a request; returns the last output.
  std::vector<float> run(const std::vector<int64_t> &tokens,
                         const kiln::rt::RunOptions &limits) {
    const std::vector<int64_t> ones(tokens.size(), 1), zeros(tokens.size());
    const std::vector<int64_t> shape = {1, static_cast<int64_t>(tokens.size())};
    std::vector<kiln::rt::View> inputs;
    std::vector<kiln_tensor> tensors;
    for (size_t i = 0; i < model.inputCount(); ++i) {
      std::string name = model.input(i).name;
      bool isMask = name.find("mask") != name.npos,
           isType = name.find("type") != name.npos;
      inputs.emplace_back(name, isMask ? ones : isType ? zeros : tokens, shape);
    }
    for (const kiln::rt::View &input : inputs)
      tensors.push_back(input.tensor());
    std::vector<kiln_shape> shapes(model.outputCount());
    kiln::rt::check(kiln_model_output_shapes(model.get(), tensors.data(), tensors.size(),
                                             shapes.data(), shapes.size()));
    const kiln_shape &last = shapes.back();
    std::vector<float> values(last.bytes / sizeof(float));
    std::vector<int64_t> dims(last.dims, last.dims + last.rank);
    pool.run(inputs, {{model.output(shapes.size() - 1).name, values.data(), dims}},
             limits);
    return values;
  }

  static kiln_session_options options() {
    kiln_session_options own = KILN_SESSION_OPTIONS_INIT;
    own.threads = 1;
    return own;
  }

  kiln::rt::Model model;
  kiln::rt::Pool pool;
};

class Service {
public:
  /// Loads the first package; throws if that fails.
  explicit Service(std::string file) : path(std::move(file)) {
    stat(path.c_str(), &loaded);
    current = std::make_shared<Package>(path);
    metrics.countLoad(false);
  }

  /// Loads the package that has been renamed over the old one, if possible.
  void refresh() {
    struct stat now{};
    stat(path.c_str(), &now);
    if (now.st_ino == loaded.st_ino && now.st_mtim.tv_sec == loaded.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == loaded.st_mtim.tv_nsec)
      return;
    loaded = now;
    try {
      current = std::make_shared<Package>(path);
      metrics.countLoad(false);
    } catch (const kiln::rt::Error &) {
      metrics.countLoad(true);
    }
  }

  /// Starts a thread that answers a line.
  void handle(const std::string &line) {
    Clock::time_point begin = Clock::now();
    std::istringstream words(line);
    std::string kind, id;
    int64_t milliseconds = 0;
    words >> kind;
    if (kind == "metrics")
      return print(metrics.text(current->pool.waiting()));
    if (kind != "embed" || !(words >> id >> milliseconds))
      return answer("-", begin, [&]() -> std::vector<float> {
        throw kiln::rt::Error(1, 2, "request", "unknown",
                              "embed ID MILLISECONDS TOKEN... or metrics", "another line",
                              "see README.md");
      });
    std::vector<int64_t> tokens;
    for (int64_t token; words >> token;)
      tokens.push_back(token);
    auto isDone = [](const std::future<void> &run) {
      return run.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    runs.remove_if(isDone);
    runs.push_back(std::async(std::launch::async, [this, id, begin, milliseconds, tokens,
                                                   package = current] {
      answer(id, begin, [&] {
        kiln::rt::RunOptions limits;
        limits.timeout = begin + std::chrono::milliseconds(milliseconds) - Clock::now();
        return package->run(tokens, limits);
      });
    }));
  }

private:
  template <typename Run>
  void answer(const std::string &id, Clock::time_point begin, const Run &run) {
    std::ostringstream line;
    unsigned code = 0;
    try {
      std::vector<float> values = run();
      line << "ok " << id << std::fixed;
      for (size_t i = 0; i < values.size() && i < 4; ++i)
        line << " " << values[i];
    } catch (const kiln::rt::Error &error) {
      code = error.code();
      line << "error " << id << " " << error.what();
    }
    metrics.count(code, Clock::now() - begin);
    print(line.str() + "\n");
  }

  void print(const std::string &text) {
    std::lock_guard<std::mutex> lock(printing);
    std::cout << text << std::flush;
  }

  std::string path;
  struct stat loaded{}; // the file of the last attempt to load
  Metrics metrics;
  std::mutex printing;
  std::shared_ptr<Package> current;
  std::list<std::future<void>> runs; // their destructors wait for the threads
};

} // namespace

int main(int argc, char **argv) try {
  if (argc != 2) {
    std::cerr << "error: usage: service-cpp M.kiln\n";
    return 2;
  }
  Service service(argv[1]);
  for (std::string line; std::getline(std::cin, line);) {
    service.refresh();
    service.handle(line);
  }
  return 0;
} catch (const kiln::rt::Error &error) {
  std::cerr << "error: " << error.what() << "\n";
  return error.exitCode();
}
