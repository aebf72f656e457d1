//===- program.cpp --------------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "abuse.h"
#include <cstdio>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace abuse;

Program::~Program() {
  kiln_session_release(session);
  kiln_model_release(model);
}

kiln_status *Program::load(const char *path) {
  kiln_session_release(session);
  session = nullptr;
  kiln_model_release(model);
  model = nullptr;
  return kiln_model_load(path, nullptr, &model);
}

kiln_status *Program::load(const std::vector<char> &bytes) {
  return kiln_model_load_buffer(bytes.data(), bytes.size(), "bytes", nullptr, &model);
}

kiln_status *Program::create(kiln_session_options options) {
  return kiln_session_create(model, &options, &session);
}

kiln_status *Program::create(kiln_model *shared, uint32_t threads) {
  kiln_model_retain(shared);
  model = shared;
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = threads;
  return create(options);
}

void Program::add(const kiln_tensor_info &info, const std::vector<int64_t> &shape,
                  size_t bytes, std::vector<kiln_tensor> &to) {
  memory.push_back({shape, std::vector<uint64_t>(bytes / sizeof(uint64_t) + 1)});
  Memory &own = memory.back();
  if (info.dtype == KILN_DTYPE_F32)
    for (size_t i = 0; i < bytes / sizeof(float); ++i)
      reinterpret_cast<float *>(own.words.data())[i] =
          static_cast<float>(i % 7) * 0.25f - 0.5f;
  else if (info.dtype == KILN_DTYPE_I64)
    for (size_t i = 0; i < bytes / sizeof(int64_t); ++i)
      own.words[i] = i % 2;
  to.push_back({info.name, own.words.data(), bytes, info.dtype, info.rank,
                own.shape.data(), KILN_MEMORY_HOST});
}

kiln_status *Program::prepare(Dims dims) {
  size_t inputCount = kiln_model_input_count(model);
  size_t outputCount = kiln_model_output_count(model);
  inputs.clear();
  outputs.clear();
  memory.clear();
  memory.reserve(inputCount + outputCount); // tensors point into it
  for (size_t i = 0; i < inputCount; ++i) {
    const kiln_tensor_info &info = *kiln_model_input(model, i);
    std::vector<int64_t> shape;
    size_t bytes = kiln_dtype_size(info.dtype);
    for (uint32_t d = 0; d < info.rank; ++d) {
      shape.push_back(dims == Dims::Smallest ? info.dims[d].min : info.dims[d].max);
      bytes *= static_cast<size_t>(shape.back());
      if (bytes > (1u << 28)) // a hostile package may request any size
        bytes = 1u << 28;
    }
    add(info, shape, bytes, inputs);
  }
  std::vector<kiln_shape> shapes(outputCount);
  if (kiln_status *status = kiln_session_output_shapes(
          session, inputs.data(), inputs.size(), shapes.data(), outputCount))
    return status;
  for (size_t i = 0; i < outputCount; ++i) {
    const kiln_shape &shape = shapes[i];
    std::vector<int64_t> own(shape.dims, shape.dims + shape.rank);
    add(*kiln_model_output(model, i), own, shape.bytes, outputs);
  }
  return nullptr;
}

kiln_status *Program::run() {
  return kiln_session_run(session, inputs.data(), inputs.size(), outputs.data(),
                          outputs.size());
}

uint64_t Program::hash() const {
  uint64_t value = 14695981039346656037u; // FNV-1a
  for (const kiln_tensor &output : outputs)
    for (size_t i = 0; i < output.size; ++i)
      value = (value ^ static_cast<const uint8_t *>(output.data)[i]) * 1099511628211u;
  return value;
}

std::string abuse::codeOf(kiln_status *status) {
  if (!status)
    return "";
  std::string text = std::string(kiln_status_message(status)).substr(0, 10);
  kiln_status_free(status);
  return text;
}

static std::string bits(const Program &program) {
  char text[32];
  std::snprintf(text, sizeof text, "ran %016llx",
                static_cast<unsigned long long>(program.hash()));
  return text;
}

static std::string finish(Program &program, kiln_status *status, uint32_t threads,
                          Dims dims) {
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.threads = threads;
  if (!status)
    status = program.create(options);
  if (!status)
    status = program.prepare(dims);
  if (!status)
    status = program.run();
  return status ? codeOf(status) : bits(program);
}

std::string abuse::once(const char *path, uint32_t threads, Dims dims) {
  Program program;
  return finish(program, program.load(path), threads, dims);
}

std::string abuse::once(const std::vector<char> &bytes, uint32_t threads) {
  Program program;
  return finish(program, program.load(bytes), threads, Dims::Largest);
}

void abuse::report(const std::string &trial, const std::string &result) {
  std::printf("%s\t%s\n", trial.c_str(), result.c_str());
  std::fflush(stdout);
}

std::string abuse::inChild(const std::function<std::string()> &body, unsigned seconds) {
  int ends[2];
  if (pipe(ends))
    return "no pipe";
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(seconds);
    std::string text = body();
    if (write(ends[1], text.data(), text.size()) < 0)
      _exit(99);
    _exit(0);
  }
  close(ends[1]);
  char text[256];
  ssize_t size = read(ends[0], text, sizeof text);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGALRM ? "hangs"
                                       : "signal " + std::to_string(WTERMSIG(status));
  if (size > 0)
    return std::string(text, static_cast<size_t>(size));
  return "exit " + std::to_string(WEXITSTATUS(status));
}

std::vector<char> abuse::readFile(const char *path) {
  std::vector<char> bytes;
  if (FILE *file = std::fopen(path, "rb")) {
    std::fseek(file, 0, SEEK_END);
    bytes.resize(static_cast<size_t>(std::ftell(file)));
    std::rewind(file);
    bytes.resize(std::fread(bytes.data(), 1, bytes.size(), file));
    std::fclose(file);
  }
  return bytes;
}
