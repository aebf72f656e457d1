//===- programs.cpp - What the programs of a package have in common -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks programs of a package against each other; each plan has been validated by
// itself. A program reads the state that another one has written, so their states must
// have the same offsets.
//
//===----------------------------------------------------------------------===//
#include "runtime/model/model.h"
#include <algorithm>

using namespace kiln::rt;

static Failure invalid(const std::string &where, std::string what, std::string expected,
                       std::string found) {
  return {Code::PlanInvalid,   where, std::move(what), std::move(expected),
          std::move(found), "compile the model again"};
}

static Failure unsafe(const std::string &where, std::string what, std::string expected,
                      std::string found) {
  return {Code::PlanMemory,    where, std::move(what), std::move(expected),
          std::move(found), "compile the model again"};
}

static Status checkNames(std::span<const Plan *const> plans, const std::string &where) {
  for (size_t i = 0; i < plans.size(); ++i) {
    const std::string &name = plans[i]->name;
    if (plans.size() > 1 && name.empty())
      return invalid(where, "a program has no name", "a name for each of several", "none");
    for (size_t j = 0; j < i; ++j)
      if (plans[j]->name == name)
        return invalid(where, "two programs have one name", "distinct names",
                       "\"" + name + "\" twice");
  }
  return {};
}

/// Checks that programs have the same targets, as one is selected for all of them.
static Status checkTargets(const Plan &first, const Plan &other,
                           const std::string &where) {
  bool same = std::ranges::equal(
      first.targets, other.targets, [](const Target &a, const Target &b) {
        return a.name == b.name && a.features == b.features && a.image == b.image &&
               a.kind == b.kind;
      });
  if (same)
    return {};
  return invalid(where, "its targets are not those of the first program",
                 std::to_string(first.targets.size()) + " targets, the same ones",
                 std::to_string(other.targets.size()) + " targets");
}

static Status checkArenas(const Plan &first, const Plan &other,
                          const std::string &where) {
  bool same = std::ranges::equal(
      first.arenas, other.arenas,
      [](const Arena &a, const Arena &b) { return a.kind == b.kind; });
  if (same)
    return {};
  return invalid(where, "its arenas are not those of the first program",
                 std::to_string(first.arenas.size()) + " arenas of the same kinds",
                 std::to_string(other.arenas.size()) + " arenas");
}

static Status checkSymbols(const Plan &first, const Plan &other,
                           const std::string &where) {
  for (const Symbol &symbol : other.symbols)
    for (const Symbol &known : first.symbols)
      if (known.name == symbol.name &&
          (known.min != symbol.min || known.max != symbol.max))
        return invalid(where, "dim \"" + symbol.name + "\" has two ranges",
                       std::to_string(known.min) + ".." + std::to_string(known.max),
                       std::to_string(symbol.min) + ".." + std::to_string(symbol.max));
  return {};
}

static Status checkStates(const Plan &first, const Plan &other,
                          const std::string &where) {
  if (first.states.size() != other.states.size())
    return invalid(where, "its states are not those of the first program",
                   std::to_string(first.states.size()) + " states",
                   std::to_string(other.states.size()));
  for (size_t i = 0; i < first.states.size(); ++i) {
    const Tensor &a = first.states[i], &b = other.states[i];
    if (first.buffers[a.buffer].stage != other.buffers[b.buffer].stage)
      return invalid(
          where, "state \"" + b.name + "\" is of another stage than in the first program",
          std::to_string(first.buffers[a.buffer].stage),
          std::to_string(other.buffers[b.buffer].stage));
    if (a.name != b.name || a.dtype != b.dtype || a.dims.size() != b.dims.size())
      return invalid(where, "state \"" + b.name + "\" is another one in the first program",
                     "\"" + a.name + "\" of type " + kiln_dtype_name(a.dtype),
                     "\"" + b.name + "\" of type " + kiln_dtype_name(b.dtype));
  }
  bool hasLengths = first.sequences.has_value() == other.sequences.has_value() &&
                    (!first.sequences || (first.sequences->lengths == other.sequences->lengths &&
                                          first.sequences->ring == other.sequences->ring &&
                                          first.sequences->window == other.sequences->window));
  if (!hasLengths)
    return invalid(where, "its sequences are not those of the first program",
                   "lengths in one state", "in two");
  return {};
}

Status kiln::rt::checkStatePlaces(const Plan &plan, const Layout &layout,
                                  const Plan &other, const Layout &otherLayout,
                                  const std::string &where) {
  for (size_t i = 0; i < plan.states.size(); ++i) {
    const Tensor &a = plan.states[i], &b = other.states[i];
    bool same = layout.offset(a.buffer) == otherLayout.offset(b.buffer);
    for (size_t d = 0; d < a.dims.size(); ++d)
      same &= layout.value(a.dims[d]) == otherLayout.value(b.dims[d]);
    if (!same)
      return unsafe(where, "state \"" + a.name + "\" lies elsewhere in another program",
                    std::to_string(layout.tensorBytes(a)) + " bytes at " +
                        std::to_string(layout.offset(a.buffer)),
                    std::to_string(otherLayout.tensorBytes(b)) + " bytes at " +
                        std::to_string(otherLayout.offset(b.buffer)));
  }
  if (plan.sequences &&
      layout.value(plan.sequences->capacity) != otherLayout.value(other.sequences->capacity))
    return unsafe(where, "sequences have another capacity in another program",
                  std::to_string(layout.value(plan.sequences->capacity)),
                  std::to_string(otherLayout.value(other.sequences->capacity)));
  return {};
}

Status kiln::rt::checkPrograms(std::span<const Plan *const> plans,
                               const std::string &where) {
  KILN_TRY(checkNames(plans, where));
  const Plan &first = *plans.front();
  for (const Plan *other : plans.subspan(1)) {
    std::string at = where + ": program " + other->name;
    if (other->ranks != first.ranks)
      return invalid(at, "it is for another number of ranks than the first program",
                     std::to_string(first.ranks), std::to_string(other->ranks));
    if (other->stages != first.stages)
      return invalid(at, "it has another number of stages than the first program",
                     std::to_string(first.stages), std::to_string(other->stages));
    KILN_TRY(checkTargets(first, *other, at));
    KILN_TRY(checkArenas(first, *other, at));
    KILN_TRY(checkSymbols(first, *other, at));
    KILN_TRY(checkStates(first, *other, at));
    for (bool upper : {false, true}) {
      Layout a(first), b(*other);
      KILN_TRY(a.compute(first, corner(first.symbols, upper), where));
      KILN_TRY(b.compute(*other, corner(other->symbols, upper), where));
      KILN_TRY(checkStatePlaces(first, a, *other, b, at));
    }
  }
  return {};
}

Status kiln_model::findProgram(const char *name, size_t &out) const {
  std::string known;
  for (size_t i = 0; i < programCount(); ++i) {
    std::string entry = program(i).entryName();
    known += (i ? ", " : "") + entry;
    if (name && entry == name) {
      out = i;
      return {};
    }
  }
  return Failure{Code::EntryUnknown,
                 first->path,
                 "the model has no such entry",
                 known,
                 name ? name : "no name",
                 "use a name from kiln inspect"};
}
