//===- batching.c - Sequences that join and leave between steps -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Continuous batching: every step decodes one token of each running text, and a text that
// ends makes room for the next one. For a byte-level model, such as tinylm:
//
//   batching tinylm.kiln "/// Returns true if the " "class " "// "
//
// After the session has been created nothing is allocated: a step sets a few integers and
// calls kiln_session_run_entry.
//
//===----------------------------------------------------------------------===//
#include <kiln/runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rows = 2, capacity = 256, max_prompt = 128, max_new = 80, vocabulary = 256 };

typedef struct text {
  const char *prompt;
  char found[max_new + 1];
  int length;
} text;

typedef struct server {
  kiln_session *session;
  text *in_row[rows];              ///< NULL: the row is free
  int64_t ids[rows * max_prompt];  ///< input of the current run, [rows, tokens]
  int64_t counts[rows];            ///< number of valid tokens in each row
  float logits[rows * vocabulary]; ///< [rows, 1, vocabulary]
  unsigned char next[rows];        ///< the next token of each row
  size_t lengths;                  ///< the state with the length of each row
} server;

/// Prints an error as the kiln program does and ends with its exit status.
static void check(kiln_status *status) {
  if (!status)
    return;
  int code = kiln_status_exit_code(status);
  fprintf(stderr, "error: %s\n", kiln_status_message(status));
  kiln_status_free(status);
  exit(code);
}

static void open_session(server *s, kiln_model *model) {
  kiln_dim_range dims[] = {{"rows", rows, rows}, {"capacity", capacity, capacity}};
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.dims = dims;
  options.dim_count = 2;
  check(kiln_session_create(model, &options, &s->session));
  for (size_t i = 0; i < kiln_model_state_count(model); ++i)
    if (!strcmp(kiln_model_state(model, i)->name, "lengths"))
      s->lengths = i;
}

/// Runs an entry on `tokens` tokens of each row. Rows whose count is 0 do not change, and
/// their part of the result is undefined.
static void run(server *s, const char *entry, int64_t tokens) {
  int64_t ids_shape[2] = {rows, tokens}, counts_shape[1] = {rows};
  int64_t logits_shape[3] = {rows, 1, vocabulary};
  kiln_tensor inputs[2] = {
      {"input_ids", s->ids, sizeof(int64_t) * (size_t)(rows * tokens), KILN_DTYPE_I64, 2,
       ids_shape, KILN_MEMORY_HOST},
      {"counts", s->counts, sizeof s->counts, KILN_DTYPE_I64, 1, counts_shape,
       KILN_MEMORY_HOST}};
  kiln_tensor output = {"logits",       s->logits, sizeof s->logits, KILN_DTYPE_F32, 3,
                        logits_shape, KILN_MEMORY_HOST};
  check(kiln_session_run_entry(s->session, entry, inputs, 2, &output, 1));
  for (int row = 0; row < rows; ++row) {
    const float *own = s->logits + row * vocabulary;
    int best = 0;
    for (int i = 1; i < vocabulary; ++i)
      best = own[i] > own[best] ? i : best;
    if (s->counts[row])
      s->next[row] = (unsigned char)best;
  }
}

/// Assigns free rows to waiting texts; returns how many.
static int join(server *s, text *texts, int count, int *waiting) {
  int joined = 0;
  int64_t longest = 0;
  memset(s->ids, 0, sizeof s->ids);
  memset(s->counts, 0, sizeof s->counts);
  text *given[rows] = {NULL};
  for (int row = 0; row < rows; ++row) {
    if (s->in_row[row] || *waiting == count)
      continue;
    given[row] = s->in_row[row] = &texts[(*waiting)++];
    s->counts[row] = (int64_t)strlen(given[row]->prompt);
    longest = s->counts[row] > longest ? s->counts[row] : longest;
    int64_t none = 0;
    check(kiln_session_write_state(s->session, s->lengths, sizeof none * (size_t)row,
                                   &none, sizeof none));
    ++joined;
  }
  for (int row = 0; row < rows; ++row)
    for (int64_t i = 0; given[row] && i < s->counts[row]; ++i)
      s->ids[row * longest + i] = (unsigned char)given[row]->prompt[i];
  if (joined)
    run(s, "prefill", longest);
  return joined;
}

/// Decodes one token of each text, and removes the texts that end.
static void step(server *s) {
  memset(s->counts, 0, sizeof s->counts);
  int going_on = 0;
  for (int row = 0; row < rows; ++row) {
    text *t = s->in_row[row];
    if (!t)
      continue;
    t->found[t->length++] = (char)s->next[row];
    if (s->next[row] == '\n' || t->length == max_new) {
      s->in_row[row] = NULL;
      continue;
    }
    s->ids[row] = s->next[row];
    s->counts[row] = 1;
    going_on = 1;
  }
  if (going_on)
    run(s, "decode", 1);
}

static int is_busy(const server *s) {
  for (int row = 0; row < rows; ++row)
    if (s->in_row[row])
      return 1;
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: batching M.kiln PROMPT ...\n");
    return 2;
  }
  int count = argc - 2, waiting = 0;
  text *texts = calloc((size_t)count, sizeof *texts);
  for (int i = 0; texts && i < count; ++i) {
    texts[i].prompt = argv[i + 2];
    if (!*argv[i + 2] || strlen(argv[i + 2]) > max_prompt) {
      fprintf(stderr, "error: a prompt has 1 to %d bytes\n", max_prompt);
      return 2;
    }
  }
  static server s;
  kiln_model *model = NULL;
  check(kiln_model_load(argv[1], NULL, &model));
  open_session(&s, model);
  while (join(&s, texts, count, &waiting) || is_busy(&s))
    step(&s);
  for (int i = 0; i < count; ++i) {
    texts[i].found[strcspn(texts[i].found, "\n")] = 0;
    printf("%s%s\n", texts[i].prompt, texts[i].found);
  }
  kiln_session_release(s.session);
  kiln_model_release(model);
  free(texts);
  return 0;
}
