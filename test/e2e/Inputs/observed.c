/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Runs a model of MiniLM's shape again and again, and looks at the stack whenever a timer stops it in a kernel.
   usage: observed PACKAGE THREADS SAMPLES; prints how many samples there were, and of how many the stack reaches main. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <kiln/runtime.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>

enum { MAX_SAMPLES = 1000, MAX_DEPTH = 64, TOKENS = 16 };
static void *frames[MAX_SAMPLES][MAX_DEPTH];
static int depths[MAX_SAMPLES];
static volatile sig_atomic_t count;
static int wanted;
static uintptr_t codeBegin, codeEnd;

static void look(int number, siginfo_t *info, void *context) {
  (void)number, (void)info;
  uintptr_t place = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
  if (count < wanted && place >= codeBegin && place < codeEnd) {
    depths[count] = backtrace(frames[count], MAX_DEPTH);
    count = count + 1;
  }
}

/* The only executable memory of no file: "[anon:kiln-kernels]" where the system names such memory. */
static void findCode(void) {
  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (maps && fgets(line, sizeof line, maps))
    if (strstr(line, " r-xp 00000000 00:00 0 ") && !strstr(line, "[v"))
      sscanf(line, "%lx-%lx", &codeBegin, &codeEnd);
  if (maps)
    fclose(maps);
  if (!codeBegin)
    exit(3);
}

static void succeed(kiln_status *status) {
  if (!status)
    return;
  fprintf(stderr, "%s\n", kiln_status_message(status));
  exit(1);
}

static int reachesMain(int sample) {
  for (int i = 0; i < depths[sample]; ++i) {
    Dl_info info;
    if (dladdr(frames[sample][i], &info) && info.dli_sname && !strcmp(info.dli_sname, "main"))
      return 1;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  wanted = atoi(argv[3]) < MAX_SAMPLES ? atoi(argv[3]) : MAX_SAMPLES;
  kiln_model *model = NULL;
  kiln_session *session = NULL;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = (uint32_t)atoi(argv[2]);
  succeed(kiln_model_load(argv[1], NULL, &model));
  succeed(kiln_session_create(model, &options, &session));
  static int64_t ones[TOKENS];
  static float hidden[TOKENS * 384], embedding[384];
  int64_t shape[] = {1, TOKENS};
  for (int i = 0; i < TOKENS; ++i)
    ones[i] = 1;
  kiln_tensor inputs[3], outputs[2] = {
      {NULL, hidden, sizeof hidden, KILN_DTYPE_F32, 3, NULL, KILN_MEMORY_HOST},
      {NULL, embedding, sizeof embedding, KILN_DTYPE_F32, 2, NULL, KILN_MEMORY_HOST}};
  for (int i = 0; i < 3; ++i) {
    kiln_tensor input = {NULL, ones, sizeof ones, KILN_DTYPE_I64, 2, shape, KILN_MEMORY_HOST};
    inputs[i] = input;
  }
  succeed(kiln_session_run(session, inputs, 3, outputs, kiln_model_output_count(model)));
  findCode();
  backtrace(frames[0], MAX_DEPTH); /* loads the unwinder, which a handler must not */
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = look;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, NULL);
  struct itimerval timer = {{0, 997}, {0, 997}}, off = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &timer, NULL);
  for (int runs = 0; count < wanted && runs < 20000; ++runs)
    succeed(kiln_session_run(session, inputs, 3, outputs, kiln_model_output_count(model)));
  setitimer(ITIMER_PROF, &off, NULL);
  int reached = 0;
  for (int i = 0; i < count; ++i)
    reached += reachesMain(i);
  printf("%d samples, %d reach main\n", (int)count, reached);
  kiln_session_release(session);
  kiln_model_release(model);
  return 0;
}
