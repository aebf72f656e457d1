//===- model.h - A loaded package -------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_MODEL_MODEL_H
#define KILN_MODEL_MODEL_H

#include "runtime/code/named_code.h"
#include "runtime/package/checker.h"
#include "runtime/package/package_bytes.h"
#include "runtime/package/weights_check.h"

namespace kiln::rt {

/// All information that the C interface returns about a model, in its structs. Contains
/// pointers into the plan and into itself, so it is filled in place and never moved.
struct ModelInfo {
  struct Tensors {
    std::vector<std::vector<kiln_dim_info>> dims;
    std::vector<kiln_tensor_info> infos;
  };
  Tensors inputs, outputs, states;
  std::vector<kiln_symbol_info> symbols;
  std::vector<kiln_arena_info> arenas;
  std::vector<kiln_target_info> targets;
  std::vector<kiln_step_info> steps;
  std::vector<std::vector<kiln_variant_info>> variants; ///< by kernel
  std::vector<std::vector<kiln_bound_info>> bounds;     ///< by variant of any kernel
  std::string provenance;

  std::vector<std::string> texts; ///< texts that exist only here
  std::vector<std::vector<const char *>> lists;

  ModelInfo() = default;
  ModelInfo(const ModelInfo &) = delete;
  ModelInfo &operator=(const ModelInfo &) = delete;
  void fill(const Plan &plan, int selectedTarget);

private:
  void fillTensors(const Plan &plan, const std::vector<Tensor> &from,
                   const Envelope &envelope, Tensors &to);
  void fillVariants(const Plan &plan);
  const char *const *list(const std::vector<std::string> &strings);
  const char *keep(std::string text);
};

/// Decodes the plan with an index among the plan sections of a parsed container, and
/// checks it against the other sections.
Status loadPlan(const Container &container, const std::string &where, uint32_t index,
                Plan &out);

/// On destruction, notifies the caller that its memory is no longer used.
struct MemoryRelease {
  kiln_release_memory call = nullptr;
  void *user = nullptr;
  std::span<const uint8_t> memory = {};

  MemoryRelease() = default;
  MemoryRelease(const MemoryRelease &) = delete;
  MemoryRelease &operator=(const MemoryRelease &) = delete;
  ~MemoryRelease() {
    if (call)
      call(user, memory.data(), memory.size());
  }
};

/// Checks that the programs of a model have different names and equal ranks, stages,
/// targets, arenas, ranges of dims and, at both ends of the dims' ranges, offsets of
/// states. Errors: KILN-E0506, E0507.
Status checkPrograms(std::span<const Plan *const> plans, const std::string &where);

/// Checks that each state has the same offset and size in two programs, at the dims of
/// one session. Errors: KILN-E0507.
Status checkStatePlaces(const Plan &plan, const Layout &layout, const Plan &other,
                        const Layout &otherLayout, const std::string &where);

/// Selects the best target that runs on this CPU: of those whose features the CPU has,
/// the one that needs the largest number. name: use only this one, or NULL. -1 if the
/// plan has no kernels. Errors: KILN-E0510, E0511.
Status selectTarget(const Plan &plan, const char *name, const std::string &where,
                    int &out);

/// Returns the number of different dims that these ranges allow; saturates at UINT64_MAX.
uint64_t countChoices(std::span<const kiln_symbol_info> ranges);

} // namespace kiln::rt

/// One program of a package. The first program owns the others and everything that they
/// have in common: file, code and reference count.
struct kiln_model {
  std::atomic<uint64_t> references{1}; ///< used in the first program only
  kiln_model *first = this;
  std::vector<std::unique_ptr<kiln_model>> others; ///< set in the first program only
  std::string path;
  kiln::rt::MemoryRelease memoryRelease; ///< destroyed after all users of the memory
  kiln::rt::PackageBytes bytes;
  kiln::rt::WeightsCheck weightsCheck; ///< of `bytes`; set in the first program only
  kiln::rt::CodeImage image;           ///< empty for a model without kernels
  kiln::rt::Plan plan;
  kiln::rt::NamedCode names; ///< symbols of `image`; set in the first program only
  kiln::rt::MemoryChecker checker;
  int target = -1;          ///< CPU target; -1 if there is none
  std::string wantedTarget; ///< use only this target; empty: the best
  bool inspectOnly = false;
  kiln::rt::ModelInfo info;

  /// Selects the code for this CPU; -1 if the plan has no kernels. Errors: KILN-E0510,
  /// E0511.
  kiln::rt::Status selectHostTarget(int &out) const;
  const kiln::rt::Container &container() const { return first->bytes.container(); }
  const uint8_t *weights() const;
  size_t programCount() const { return 1 + first->others.size(); }
  const kiln_model &program(size_t index) const {
    return index ? *first->others[index - 1] : *first;
  }
  kiln_model &program(size_t index) { return index ? *first->others[index - 1] : *first; }
  /// Returns the name of the program's entry point; "main" if it is the only one.
  const char *entryName() const { return plan.name.empty() ? "main" : plan.name.c_str(); }
  /// Finds a program by name. Errors: KILN-E0619.
  kiln::rt::Status findProgram(const char *name, size_t &out) const;
  /// See stepDependencies (runtime/package/dependencies.h). Computed on the first call;
  /// thread-safe.
  const std::vector<std::vector<uint32_t>> &dependencies() const;
  /// Returns the PTX of a GPU target: null-terminated texts, which the plan's kernels
  /// refer to by offset.
  const char *ptx(size_t target) const;
  const uint8_t *entry(const kiln::rt::Kernel &kernel) const {
    return first->image.data() + kernel.entries[static_cast<size_t>(target)];
  }

  static kiln::rt::Status load(const kiln::rt::PackageBytes::Source &source,
                               const kiln_model_options &options, kiln_model *&out);

private:
  kiln::rt::Status finish(const kiln_model_options &options);
  kiln::rt::Status finishProgram(uint32_t index);
  kiln::rt::Status selectTargets(const kiln_model_options &options);
  kiln::rt::Status mapImage();
  mutable std::once_flag dependenciesOnce;
  mutable std::vector<std::vector<uint32_t>> stepDependencies;
};

#endif // KILN_MODEL_MODEL_H
