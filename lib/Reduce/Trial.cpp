//===- Trial.cpp - One run of a test, in a process of its own -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trial.h"
#include "kiln/Support/Clock.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::reduce;
using llvm::Error;
using llvm::ErrorOr;
using llvm::Expected;
using llvm::StringRef;

static std::string ownFolder() {
  std::string self = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  return llvm::sys::path::parent_path(self).str();
}

Expected<ResolvedTest> reduce::resolve(const Test &test) {
  StringRef name = test.command.front();
  for (const Program &program : test.programs)
    if (program.name == name)
      return ResolvedTest{test, &program, ""};
  std::string folder = ownFolder();
  ErrorOr<std::string> path = std::error_code();
  if (!name.contains('/'))
    path = llvm::sys::findProgramByName(name, {StringRef(folder)});
  if (!path || path->empty())
    path = llvm::sys::findProgramByName(name);
  if (!path || !llvm::sys::fs::can_execute(*path))
    return usageError("kiln reduce: " + name, "cannot be run",
                      "a program that can be run", "no such program",
                      "give the path of a program, or chmod +x the script");
  return ResolvedTest{test, nullptr, *path};
}

//===----------------------------------------------------------------------===//
// Outcome
//===----------------------------------------------------------------------===//

bool Outcome::crashed() const {
  return signal || StringRef(output).contains("KILN-E0900");
}

bool Outcome::isInteresting(const Test &test) const {
  if (!wasRun || timedOut != test.hangs)
    return false;
  if (test.crashes && !crashed())
    return false;
  if (test.succeeds && (timedOut || signal || status))
    return false;
  return StringRef(output).contains(test.message);
}

std::string Outcome::str() const {
  if (timedOut)
    return "a test that was still running";
  if (signal)
    return std::string("a crash by ") + strsignal(signal);
  std::string text = "exit status " + std::to_string(status);
  StringRef line = StringRef(output).trim().split('\n').first;
  return line.empty() ? text : text + " and '" + line.take_front(160).str() + "'";
}

//===----------------------------------------------------------------------===//
// The forked process
//===----------------------------------------------------------------------===//

static std::vector<std::string> argumentsOf(const Test &test, const std::string &path) {
  std::vector<std::string> words = test.command;
  bool isNamed = false;
  for (std::string &word : words)
    for (size_t at = word.find("{}"); at != std::string::npos;
         at = word.find("{}", at + path.size())) {
      word.replace(at, 2, path);
      isNamed = true;
    }
  if (!isNamed)
    words.push_back(path);
  return words;
}

/// Crashes are wanted here: nobody reads a core file or waits for a symbolizer, and what
/// tools leave in the folder for temporary files goes with the input.
static void prepareToCrash(const Test &test, const std::string &path) {
  for (int signal :
       {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGINT, SIGTERM, SIGPIPE})
    std::signal(signal, SIG_DFL);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  setenv("TMPDIR", llvm::sys::path::parent_path(path).str().c_str(), 1);
  setenv("LLVM_DISABLE_CRASH_REPORT", "1", 1);
  if (test.message.empty())
    setenv("LLVM_DISABLE_SYMBOLIZATION", "1", 1);
}

static void redirect(int output) {
  int null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
}

[[noreturn]] static void runTest(const ResolvedTest &resolved, const std::string &path) {
  std::vector<std::string> words = argumentsOf(resolved.test, path);
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  if (!resolved.program) {
    // Also runs scripts that do not name their interpreter.
    execvp(resolved.path.c_str(), arguments.data());
    _exit(127);
  }
  int status = resolved.program->run(int(words.size()), arguments.data());
  llvm::outs().flush();
  _exit(status);
}

Trial::Trial(const ResolvedTest &test, const std::string &path,
             llvm::function_ref<bool()> make)
    : path(path), deadline(now() + test.test.timeout) {
  output = memfd_create("kiln-reduce", 0);
  wasRun = static_cast<char *>(
      mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (output < 0 || wasRun == MAP_FAILED)
    llvm::report_fatal_error("out of memory");
  llvm::outs().flush();
  process = fork();
  if (process)
    return;
  setpgid(0, 0);
  prepareToCrash(test.test, path);
  redirect(output);
  if (!make())
    _exit(1);
  *wasRun = 1;
  runTest(test, path);
}

void Trial::kill() {
  ::kill(-process, SIGKILL);
  ::kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  process = -1;
}

Trial::~Trial() {
  if (process > 0)
    kill();
  munmap(wasRun, 1);
  close(output);
  // What the test wrote beside its input goes with it.
  llvm::sys::fs::remove_directories(llvm::sys::path::parent_path(path));
}

/// Text of a file in memory, up to 64 MiB.
static std::string readAll(int file) {
  constexpr off_t kMax = off_t(64) << 20;
  std::string text(std::min(std::max<off_t>(lseek(file, 0, SEEK_END), 0), kMax), '\0');
  ssize_t got = pread(file, text.data(), text.size(), 0);
  text.resize(std::max<ssize_t>(got, 0));
  return text;
}

Outcome Trial::wait() {
  Outcome outcome;
  int status = 0;
  useconds_t pause = 200;
  while (process > 0 && waitpid(process, &status, WNOHANG) == 0) {
    if (now() > deadline) {
      outcome.timedOut = true;
      kill();
      break;
    }
    usleep(pause);
    pause = std::min<useconds_t>(pause + pause / 8, 5000);
  }
  if (!outcome.timedOut && process > 0) {
    // Whatever the test left running holds the input.
    ::kill(-process, SIGKILL);
    process = -1;
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }
  outcome.wasRun = *wasRun;
  outcome.output = readAll(output);
  return outcome;
}
