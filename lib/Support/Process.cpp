//===- Process.cpp - Ends of a tool ---------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/Process.h"
#include "CrashReproducer.h"
#include "kiln/Support/OutputFiles.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <string>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

using namespace kiln;

/// "kiln: ", in front of the place of a message.
static std::string toolPlace;

/// Writes without allocating: memory may be what is missing.
static void say(const char *text) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, strlen(text));
}

void kiln::leave(int status) {
  removeProtectedOutputs();
  llvm::sys::RunInterruptHandlers();
  _exit(status);
}

[[noreturn]] static void outOfMemory() {
  say("error: KILN-E0700: ");
  say(toolPlace.c_str());
  say("memory is exhausted; expected more memory, found an "
      "allocation that failed; fix: free memory, raise the limit (ulimit -v), or "
      "compile for smaller dims\n");
  leave(4);
}

static void badAlloc(void *, const char *, bool) { outOfMemory(); }

/// Says how to report a defect, and ends the process.
[[noreturn]] static void endByDefect(const char *what, const char *name) {
  say("error: KILN-E0900: ");
  say(toolPlace.c_str());
  say(what);
  say(name);
  if (const char *path = writeReproducer()) {
    say("; fix: report this with ");
    say(path);
    say(", which has the command");
  } else {
    say("; fix: report this with the input and the command that show it");
  }
  say(" (KILN_CORE=1 keeps the core file)\n");
  leave(3);
}

/// LLVM reports a thread that cannot be started as a fatal error: under a
/// memory limit that is the first thing to fail.
static void fatalError(void *, const char *reason, bool) {
  if (strstr(reason, "pthread_create") || strstr(reason, "out of memory"))
    outOfMemory();
  endByDefect(reason, "");
}

/// The standard library throws where this code cannot catch: a thread that
/// cannot be started is a lack of memory, too.
[[noreturn]] static void terminated() {
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (type && (*type == typeid(std::system_error) || *type == typeid(std::bad_alloc)))
    outOfMemory();
  endByDefect(type ? type->name() : "terminated", "");
}

/// MLIR allocates operations with malloc and uses them unchecked, and a stack
/// cannot grow without memory: crashes while no memory can be had come from that.
static bool memoryIsExhausted() {
  constexpr size_t probe = size_t(4) << 20;
  void *memory = mmap(nullptr, probe, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return true;
  munmap(memory, probe);
  return false;
}

static void crashed(int signal) {
  if (memoryIsExhausted())
    outOfMemory();
  const char *name = sigabbrev_np(signal);
  endByDefect("crashed by ", name ? name : "a signal");
}

static void interrupted(int signal) { leave(128 + signal); }

static void catchSignal(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  sigaction(signal, &action, nullptr);
}

/// Deep recursion ends here as well, so the handler needs a stack of its own.
static void useOwnSignalStack() {
  static char memory[64 * 1024];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof(memory);
  sigaltstack(&stack, nullptr);
}

static void catchCrashes() {
  // MLIR's tools register handlers of LLVM, which does so once: not behind these.
  llvm::sys::PrintStackTraceOnErrorSignal("");
  if (getenv("KILN_CORE"))
    return;
  useOwnSignalStack();
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    catchSignal(signal, crashed);
}

void kiln::prepareProcess(llvm::StringRef tool, llvm::ArrayRef<const char *> arguments) {
  toolPlace = (tool + ": ").str();
  prepareReproducer(tool, arguments);
  llvm::setBugReportMsg("error: KILN-E0900: a defect in Kiln; fix: report this with the "
                        "input and the command that show it\n");
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); // beyond ulimit -f writes fail, which is reported
  std::set_terminate(terminated);
  llvm::install_bad_alloc_error_handler(badAlloc);
  llvm::install_fatal_error_handler(fatalError);
  catchCrashes();
  std::set_new_handler(outOfMemory);
  catchSignal(SIGINT, interrupted);
  catchSignal(SIGTERM, interrupted);
}
