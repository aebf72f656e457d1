//===- load_capi.cpp - The C interface of packages that are loaded --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/log.h"
#include "runtime/model/model.h"
#include "runtime/session/api_guard.h"
#include <cstdio>

using namespace kiln::rt;

using Source = PackageBytes::Source;

/// Logs that a package was loaded, or not.
static void logLoad(const Status &loaded, const char *path, const kiln_model *model,
                    const LogTimer &timer) {
  if (!isLogged())
    return;
  if (!loaded.ok()) {
    writeLog("kiln.model.load_failed", loaded, path);
    return;
  }
  const char *target =
      model->target < 0 ? "" : model->plan.targets[size_t(model->target)].name.c_str();
  writeLog(KILN_LOG_INFO, "kiln.model.loaded", std::string("loaded ") + path,
           {{"file.path", path},
            {"file.size", double(model->bytes.size())},
            {"kiln.target", target},
            {"kiln.duration_ms", timer.milliseconds()}});
}

/// Loads a package. function: name of the called function, for error messages. isGiven:
/// its pointer arguments are not NULL.
static kiln_status *load(const char *function, const Source &source, bool isGiven,
                         const kiln_model_options *given, kiln_model **out) {
  return guarded([&]() -> Status {
    if (!out || !isGiven)
      return misuse(function, "an argument is NULL");
    kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
    KILN_TRY(readOptions(given, options, function));
    LogTimer timer;
    Status loaded = kiln_model::load(source, options, *out);
    logLoad(loaded, source.name, *out, timer);
    return loaded;
  });
}

static Source memorySource(Source::Kind kind, const char *name, const void *data,
                           size_t size) {
  return {kind, name, {static_cast<const uint8_t *>(data), size}};
}

extern "C" {

kiln_status *kiln_model_load(const char *path, const kiln_model_options *options,
                             kiln_model **out) {
  return load("kiln_model_load", {Source::Path, path}, path, options, out);
}

kiln_status *kiln_model_load_buffer(const void *data, size_t size, const char *name,
                                    const kiln_model_options *options, kiln_model **out) {
  Source source = memorySource(Source::Copied, name ? name : "a buffer", data, size);
  return load("kiln_model_load_buffer", source, data, options, out);
}

kiln_status *kiln_model_load_memory(const void *data, size_t size, const char *name,
                                    const kiln_model_options *options,
                                    kiln_release_memory release, void *user,
                                    kiln_model **out) {
  Source source = memorySource(Source::Borrowed, name ? name : "memory", data, size);
  kiln_status *status = load("kiln_model_load_memory", source, data, options, out);
  if (!status) {
    MemoryRelease &after = (*out)->memoryRelease;
    after.memory = source.memory;
    after.user = user;
    after.call = release;
  }
  return status;
}

kiln_status *kiln_model_load_fd(int fd, uint64_t offset, uint64_t length,
                                const char *name, const kiln_model_options *options,
                                kiln_model **out) {
  char text[32];
  std::snprintf(text, sizeof text, "descriptor %d", fd);
  Source source{Source::Descriptor, name ? name : text, {}, fd, offset, length};
  return load("kiln_model_load_fd", source, true, options, out);
}

} // extern "C"
