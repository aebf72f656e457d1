//===- Process.cpp - Process exit and crashes -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "Report.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Usage.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <exception>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

using namespace kiln;
using namespace kiln::driver;

/// Writes without allocation, as the process may be out of memory.
static void say(const char *text) {
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, strlen(text));
}

void driver::leave(int status) {
  removeProtectedOutputs();
  llvm::sys::RunInterruptHandlers();
  _exit(status);
}

[[noreturn]] static void outOfMemory() {
  say("error: KILN-E0700: kiln: memory is exhausted; expected more memory, found an "
      "allocation that failed; fix: free memory, raise the limit (ulimit -v), or "
      "compile for smaller dims\n");
  leave(4);
}

static void badAlloc(void *, const char *, bool) { outOfMemory(); }

/// LLVM reports a thread that cannot be started as a fatal error: under a memory limit
/// this is the first thing to fail.
static void fatalError(void *, const char *reason, bool) {
  if (strstr(reason, "pthread_create") || strstr(reason, "out of memory"))
    outOfMemory();
  say("error: KILN-E0900: kiln: ");
  say(reason);
  say("; fix: report this with the model and the command that show it\n");
  leave(3);
}

/// Handles exceptions of the standard library outside of this code: a thread that cannot
/// be started means exhausted memory, too.
[[noreturn]] static void terminated() {
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (type && (*type == typeid(std::system_error) || *type == typeid(std::bad_alloc)))
    outOfMemory();
  fatalError(nullptr, type ? type->name() : "terminated", false);
  leave(3);
}

/// Returns whether memory is exhausted. MLIR uses results of malloc unchecked, and a
/// stack cannot grow without memory, so a crash is then attributed to it.
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
  say("error: KILN-E0900: kiln: crashed by ");
  const char *name = sigabbrev_np(signal);
  say(name ? name : "a signal");
  say("; fix: report this with the model and the command that show it (KILN_CORE=1 "
      "keeps the core file)\n");
  leave(3);
}

static void interrupted(int signal) { leave(128 + signal); }

static void catchSignal(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  sigaction(signal, &action, nullptr);
}

/// Stack overflow also ends in the handler, which therefore needs its own stack.
static void useOwnSignalStack() {
  static char memory[64 * 1024];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof(memory);
  sigaltstack(&stack, nullptr);
}

void driver::prepareProcess() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); // makes writes beyond ulimit -f fail, which is reported
  catchSignal(SIGINT, interrupted);
  catchSignal(SIGTERM, interrupted);
  std::set_new_handler(outOfMemory);
  std::set_terminate(terminated);
  llvm::install_bad_alloc_error_handler(badAlloc);
  llvm::install_fatal_error_handler(fatalError);
  if (getenv("KILN_CORE"))
    return;
  useOwnSignalStack();
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
    catchSignal(signal, crashed);
}

int driver::finishProcess(int status) {
  llvm::outs().flush();
  std::error_code ec = llvm::outs().error();
  llvm::outs().clear_error();
  if (!ec || ec == std::errc::broken_pipe)
    return status;
  bool full = ec == std::errc::no_space_on_device;
  return report(makeError({full ? ErrorCode::DiskFull : ErrorCode::OutputNotWritable,
                           "stdout", "cannot be written", "an output that takes the text",
                           ec.message(), "redirect it elsewhere"}));
}
