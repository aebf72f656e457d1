//===- processes.cpp - Signals, forks and exits beside runs ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace abuse;

static std::atomic<unsigned> alarms{0};

/// Arguments PACKAGE SECONDS: runs with a signal every millisecond, with and without
/// SA_RESTART.
void abuse::signals(const Arguments &arguments) {
  const char *path = arguments[0].c_str();
  std::string expected = once(path);
  for (int flags : {0, SA_RESTART}) {
    struct sigaction action{};
    action.sa_handler = [](int) { ++alarms; };
    action.sa_flags = flags;
    sigaction(SIGALRM, &action, nullptr);
    itimerval every{{0, 1000}, {0, 1000}}, never{};
    setitimer(ITIMER_REAL, &every, nullptr);
    auto end = std::chrono::steady_clock::now() +
               std::chrono::milliseconds(std::stol(arguments[1]) * 500);
    unsigned runs = 0, wrong = 0;
    while (std::chrono::steady_clock::now() < end) {
      ++runs;
      wrong += once(path) != expected;
    }
    setitimer(ITIMER_REAL, &never, nullptr);
    std::string what = std::to_string(wrong) + " wrong";
    report(flags ? "alarms, calls restart" : "alarms, calls end with EINTR",
           wrong ? what : "same bits");
    report("", std::to_string(alarms.exchange(0)) + " alarms in " + std::to_string(runs) +
                   " loads and runs");
  }
  std::string cancelled = inChild([&]() -> std::string {
    static Program program;
    kiln_status *status = program.load(path);
    if (!status)
      status = program.create();
    if (!status)
      status = program.prepare();
    std::signal(SIGALRM, [](int) { kiln_session_cancel(program.session); });
    itimerval soon{{0, 200}, {0, 200}}, never{};
    setitimer(ITIMER_REAL, &soon, nullptr);
    for (int i = 0; i < 300 && !status; ++i)
      if (std::string code = codeOf(program.run()); !code.empty() && code != "KILN-E0713")
        return code;
    setitimer(ITIMER_REAL, &never, nullptr);
    return codeOf(status ? status : program.run()) + "same bits";
  });
  report("cancel from a handler", cancelled);
}

/// Arguments PACKAGE COUNT: forks children that use the parent's sessions while another
/// thread runs.
void abuse::forks(const Arguments &arguments) {
  const char *path = arguments[0].c_str();
  int count = std::stoi(arguments[1]);
  std::string expected = once(path);
  auto same = [&](const std::string &result) {
    return result == expected ? "same bits" : result;
  };
  for (int i = 0; i < count; ++i) {
    Program program; // its weights are being checked when the process forks
    kiln_status *status = program.load(path);
    report("fork at once after loading", status ? codeOf(status) : inChild([&]() {
             Program own;
             kiln_status *error = own.create(program.model, 2);
             if (!error)
               error = own.prepare();
             if (!error)
               error = own.run();
             return error ? codeOf(error) : same(once(path));
           }));
  }
  Program busy;
  kiln_status *status = busy.load(path);
  Program idle;
  if (!status)
    status = busy.create();
  if (!status)
    status = busy.prepare();
  if (!status)
    status = idle.create(busy.model, 2);
  if (!status)
    status = idle.prepare();
  if (status)
    return report("fork", codeOf(status));
  std::atomic<bool> stop{false};
  std::thread runs([&] {
    while (!stop)
      kiln_status_free(busy.run());
  });
  for (int i = 0; i < count; ++i)
    report("fork beside a run, an idle session", inChild([&] {
             kiln_status *error = idle.run();
             return error ? codeOf(error)
                          : same(once(path, 1 + static_cast<uint32_t>(i) % 2));
           }));
  stop = true;
  runs.join();
}

/// Returns how a child ends that is to call exit(7): "exits" if it does.
static std::string leaving(const std::function<void()> &body) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    body();
    _exit(98);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "hangs"
                                       : "signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 7 ? "exits"
                                  : "exit " + std::to_string(WEXITSTATUS(status));
}

using Leave = void (*)(int);

static void leaveByObserver(const char *path, Leave leave, size_t step, int after) {
  static struct {
    Leave leave;
    size_t step;
    int after;
  } wanted;
  wanted = {leave, step, after};
  Program program;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.observer = [](void *, size_t now, int isAfter, const kiln_buffer_view *, size_t,
                        const kiln_buffer_view *, size_t) {
    if (now == wanted.step && isAfter == wanted.after)
      wanted.leave(7);
  };
  kiln_status_free(program.load(path));
  kiln_status_free(program.create(options));
  kiln_status_free(program.prepare());
  kiln_status_free(program.run());
}

static void leaveBesideRuns(const char *path, Leave leave, useconds_t microseconds) {
  std::thread runs([=] {
    for (;;)
      once(path);
  });
  usleep(microseconds);
  leave(7);
}

/// Arguments PACKAGE COUNT: exits right after loading, in a run and during runs of other
/// threads.
void abuse::exits(const Arguments &arguments) {
  const char *path = arguments[0].c_str();
  int count = std::stoi(arguments[1]);
  const std::pair<const char *, Leave> ways[] = {
      {"exit", std::exit}, {"_exit", _exit}, {"quick_exit", std::quick_exit}};
  for (int i = 0; i < count; ++i)
    report("exit at once after loading", leaving([&] {
             kiln_model *model = nullptr;
             kiln_status_free(kiln_model_load(path, nullptr, &model));
             std::exit(7);
           }));
  for (const auto &[name, leave] : ways) {
    for (int after : {0, 1})
      report(std::string(name) + " from an observer",
             leaving([&, way = leave] { leaveByObserver(path, way, 0, after); }));
    for (useconds_t microseconds : {100, 1000, 5000, 20000})
      report(std::string(name) + " beside runs",
             leaving([&, way = leave] { leaveBesideRuns(path, way, microseconds); }));
  }
  for (int i = 0; i < count; ++i)
    report("pthread_cancel of a thread that runs", leaving([&] {
             static Program program;
             kiln_status_free(program.load(path));
             kiln_status_free(program.create());
             kiln_status_free(program.prepare());
             pthread_t thread;
             auto work = [](void *file) -> void * {
               for (;;) {
                 kiln_status_free(program.run());
                 once(static_cast<const char *>(file));
                 pthread_testcancel();
               }
             };
             pthread_create(&thread, nullptr, work, const_cast<char *>(path));
             usleep(static_cast<useconds_t>(i * 137));
             pthread_cancel(thread);
             pthread_join(thread, nullptr);
             std::exit(codeOf(program.run()).empty() ? 7 : 8);
           }));
}
