//===- calls.cpp - Calls that are wrong -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <climits>
#include <cstring>

using namespace abuse;

namespace {

/// Arguments of a valid run of x f32[2,3,8] -> y f32[2,3,8], which trials change.
struct Call {
  float x[64] = {}, y[64] = {};
  int64_t inShape[9] = {2, 3, 8}, outShape[9] = {2, 3, 8};
  kiln_tensor inputs[2], outputs[2];
  size_t inputCount = 1, outputCount = 1;

  Call() {
    inputs[0] = {"x", x, 192, KILN_DTYPE_F32, 3, inShape, KILN_MEMORY_HOST};
    outputs[0] = {"y", y, 192, KILN_DTYPE_F32, 3, outShape, KILN_MEMORY_HOST};
    inputs[1] = inputs[0];
    outputs[1] = outputs[0];
  }
};

struct Wrong {
  const char *name, *code;
  void (*change)(Call &);
};

} // namespace

static const Wrong wrongRuns[] = {
    {"nothing wrong", "", [](Call &) {}},
    {"no inputs", "KILN-E0601", [](Call &c) { c.inputCount = 0; }},
    {"an input twice", "KILN-E0607", [](Call &c) { c.inputCount = 2; }},
    {"an input of another name", "KILN-E0600", [](Call &c) { c.inputs[0].name = "z"; }},
    {"an input of the empty name", "KILN-E0600", [](Call &c) { c.inputs[0].name = ""; }},
    {"an input by its place", "", [](Call &c) { c.inputs[0].name = nullptr; }},
    {"another element type", "KILN-E0602",
     [](Call &c) { c.inputs[0].dtype = KILN_DTYPE_I64; }},
    {"an element type that is none", "KILN-E0602",
     [](Call &c) { c.inputs[0].dtype = static_cast<kiln_dtype>(12345); }},
    {"rank 2", "KILN-E0603", [](Call &c) { c.inputs[0].rank = 2; }},
    {"rank 0", "KILN-E0603", [](Call &c) { c.inputs[0].rank = 0; }},
    {"rank 9", "KILN-E0603", [](Call &c) { c.inputs[0].rank = 9; }},
    {"rank 4 billion", "KILN-E0603", [](Call &c) { c.inputs[0].rank = UINT_MAX; }},
    {"no shape", "KILN-E0603", [](Call &c) { c.inputs[0].shape = nullptr; }},
    {"a dim of 0", "KILN-E0604", [](Call &c) { c.inShape[0] = 0; }},
    {"a dim of -1", "KILN-E0604", [](Call &c) { c.inShape[1] = -1; }},
    {"a dim of 2^63-1", "KILN-E0604", [](Call &c) { c.inShape[0] = INT64_MAX; }},
    {"a dim above the range", "KILN-E0604", [](Call &c) { c.inShape[1] = 17; }},
    {"another fixed dim", "KILN-E0605", [](Call &c) { c.inShape[2] = 7; }},
    {"no memory", "KILN-E0606", [](Call &c) { c.inputs[0].data = nullptr; }},
    {"memory too small", "KILN-E0606", [](Call &c) { c.inputs[0].size = 191; }},
    {"memory of size 0", "KILN-E0606", [](Call &c) { c.inputs[0].size = 0; }},
    {"misaligned memory", "KILN-E0606",
     [](Call &c) { c.inputs[0].data = reinterpret_cast<char *>(c.x) + 1; }},
    {"memory of a GPU", "KILN-E0613",
     [](Call &c) { c.inputs[0].memory = KILN_MEMORY_DEVICE; }},
    {"memory that is none", "KILN-E0001",
     [](Call &c) { c.inputs[0].memory = static_cast<kiln_memory>(77); }},
    {"no outputs", "", [](Call &c) { c.outputCount = 0; }},
    {"an output without memory", "", [](Call &c) { c.outputs[0].data = nullptr; }},
    {"an output twice", "KILN-E0607", [](Call &c) { c.outputCount = 2; }},
    {"an output of another name", "KILN-E0600", [](Call &c) { c.outputs[0].name = "x"; }},
    {"an output of another type", "KILN-E0602",
     [](Call &c) { c.outputs[0].dtype = KILN_DTYPE_F64; }},
    {"an output of another rank", "KILN-E0603", [](Call &c) { c.outputs[0].rank = 2; }},
    {"an output of another shape", "KILN-E0605", [](Call &c) { c.outShape[0] = 3; }},
    {"an output too small", "KILN-E0606", [](Call &c) { c.outputs[0].size = 4; }},
    {"a misaligned output", "KILN-E0606",
     [](Call &c) { c.outputs[0].data = reinterpret_cast<char *>(c.y) + 2; }},
    {"an output over an input", "KILN-E0610",
     [](Call &c) { c.outputs[0].data = c.x + 1; }},
};

static void runs(kiln_session *session) {
  for (const Wrong &wrong : wrongRuns) {
    Call call;
    wrong.change(call);
    std::string code = codeOf(kiln_session_run(session, call.inputs, call.inputCount,
                                               call.outputs, call.outputCount));
    report(wrong.name, code == wrong.code
                           ? (code.empty() ? "runs" : code)
                           : "expected " + std::string(wrong.code) + ", found " + code);
  }
}

/// Makes wrong calls other than runs, each with its expected code.
static void others(const char *path, kiln_model *model, kiln_session *session) {
  auto trial = [](const char *name, const char *code, kiln_status *status) {
    std::string found = codeOf(status);
    report(name,
           found == code ? found : "expected " + std::string(code) + ", found " + found);
  };
  kiln_model *other = nullptr;
  kiln_session *created = nullptr;
  Call call;
  trial("no path", "KILN-E0001", kiln_model_load(nullptr, nullptr, &other));
  trial("no place for a model", "KILN-E0001", kiln_model_load(path, nullptr, nullptr));
  trial("a folder", "KILN-E0002", kiln_model_load("/", nullptr, &other));
  trial("a file that is not there", "KILN-E0002",
        kiln_model_load("none", nullptr, &other));
  trial("a device", "KILN-E0002", kiln_model_load("/dev/null", nullptr, &other));
  trial("no bytes", "KILN-E0001",
        kiln_model_load_buffer(nullptr, 9, "b", nullptr, &other));
  trial("bytes of size 0", "KILN-E0500",
        kiln_model_load_buffer("", 0, "b", nullptr, &other));

  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.target = "z80";
  trial("a target that is not there", "KILN-E0511",
        kiln_model_load(path, &options, &other));
  options = KILN_MODEL_OPTIONS_INIT;
  options.expect_sha256 = "abc";
  trial("no SHA-256", "KILN-E0001", kiln_model_load(path, &options, &other));
  options = KILN_MODEL_OPTIONS_INIT;
  options.struct_size = 1;
  trial("options of size 1", "KILN-E0001", kiln_model_load(path, &options, &other));
  struct {
    kiln_model_options known = KILN_MODEL_OPTIONS_INIT;
    int newer = 1;
  } more;
  more.known.struct_size = sizeof more;
  trial("an option of a newer header", "KILN-E0001",
        kiln_model_load(path, &more.known, &other));

  kiln_session_options wanted = KILN_SESSION_OPTIONS_INIT;
  trial("no model", "KILN-E0001", kiln_session_create(nullptr, nullptr, &created));
  trial("no place for a session", "KILN-E0001",
        kiln_session_create(model, nullptr, nullptr));
  wanted.device = "tpu";
  trial("a device that is none", "KILN-E0702",
        kiln_session_create(model, &wanted, &created));
  wanted = KILN_SESSION_OPTIONS_INIT;
  kiln_dim_range range = {"sequence", 1, 2};
  wanted.dims = &range;
  wanted.dim_count = 1;
  trial("a dim of another name", "KILN-E0608",
        kiln_session_create(model, &wanted, &created));
  range = {"seq", 5, 2};
  trial("an empty range", "KILN-E0608", kiln_session_create(model, &wanted, &created));
  range = {"seq", 1, INT64_MAX};
  trial("a range that is too wide", "KILN-E0608",
        kiln_session_create(model, &wanted, &created));
  wanted.dims = nullptr;
  trial("no ranges", "KILN-E0001", kiln_session_create(model, &wanted, &created));

  trial("no session", "KILN-E0001",
        kiln_session_run(nullptr, call.inputs, 1, nullptr, 0));
  trial("no tensors", "KILN-E0001", kiln_session_run(session, nullptr, 1, nullptr, 0));
  trial("an entry of another name", "KILN-E0619",
        kiln_session_run_entry(session, "z", call.inputs, 1, call.outputs, 1));
  kiln_run_options limits = KILN_RUN_OPTIONS_INIT;
  limits.deadline_ns = 1;
  trial("a deadline in the past", "KILN-E0714",
        kiln_session_run_with(session, &limits, call.inputs, 1, call.outputs, 1));
  kiln_shape shapes[2];
  trial("shapes of two outputs", "KILN-E0601",
        kiln_session_output_shapes(session, call.inputs, 1, shapes, 2));
  kiln_arena_usage usage;
  trial("an arena that is none", "KILN-E0001", kiln_session_arena(session, 999, &usage));
  kiln_step_launch launch;
  trial("a step that is none", "KILN-E0001",
        kiln_session_step_launch(session, 999, &launch));
  char byte = 0;
  trial("a state that is none", "KILN-E0001",
        kiln_session_read_state(session, 0, 0, &byte, 1));
  trial("a sequence that is none", "KILN-E0616", kiln_session_copy_row(session, 0, 1));
  trial("a stream on a CPU", "KILN-E0001", kiln_session_set_stream(session, &byte));
  report("NULL and out of range",
         kiln_model_input(model, 1) || kiln_model_output(nullptr, 0) ||
                 kiln_session_threads(nullptr) || kiln_session_symbol(session, 9) ||
                 kiln_status_code(nullptr) || *kiln_status_message(nullptr) ||
                 kiln_dtype_size(static_cast<kiln_dtype>(-1))
             ? "something"
             : "nothing");
  kiln_session_cancel(nullptr);
  kiln_session_release(nullptr);
  kiln_model_retain(nullptr);
  kiln_model_release(nullptr);
  kiln_status_free(nullptr);
  report("releasing NULL", "nothing");
}

/// Argument PACKAGE: makes one argument wrong at a time, and prints the code.
void abuse::calls(const Arguments &arguments) {
  Program program;
  kiln_status *status = program.load(arguments[0].c_str());
  if (!status)
    status = program.create();
  if (status)
    return report("calls", codeOf(status));
  runs(program.session);
  others(arguments[0].c_str(), program.model, program.session);
  Call call;
  report("after all of them",
         codeOf(kiln_session_run(program.session, call.inputs, 1, call.outputs, 1)) +
             "runs");
}
