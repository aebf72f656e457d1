//===- states.cpp - What outlives a run -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/session/states.h"
#include "runtime/model/tensors.h"
#include <algorithm>
#include <cstring>

using namespace kiln::rt;

/// Adds the symbols that an expression depends on.
static void addSymbols(const std::vector<Expr> &exprs, ExprIndex e,
                       std::vector<bool> &symbols) {
  const Expr &expr = exprs[e];
  if (expr.kind == ExprKind::Symbol)
    symbols[expr.lhs] = true;
  if (expr.kind <= ExprKind::Symbol)
    return;
  addSymbols(exprs, expr.lhs, symbols);
  addSymbols(exprs, expr.rhs, symbols);
}

/// Returns why a symbol needs one value; "" if a session may have a range for it.
static std::string whyFixed(const std::vector<bool> &sizes,
                            const std::vector<bool> &limits, size_t symbol) {
  if (sizes[symbol])
    return "the size of the model's state depends on it";
  return limits[symbol] ? "how long a sequence may become depends on it" : "";
}

/// The size of a ring buffer does not depend on the capacity, but the dim that limits its
/// sequences is fixed, too.
Status States::fixSizes(const Plan &plan, std::span<const kiln_dim_range> given,
                        std::span<kiln_symbol_info> ranges) {
  if (plan.states.empty())
    return {};
  std::vector<bool> sizes(plan.symbols.size()), limits(plan.symbols.size());
  for (uint32_t b = 0; b < plan.buffers.size(); ++b)
    if (plan.kindOf(b) == KILN_ARENA_STATE)
      addSymbols(plan.exprs, plan.buffers[b].size, sizes);
  if (plan.sequences)
    addSymbols(plan.exprs, plan.sequences->capacity, limits);
  for (size_t s = 0; s < sizes.size(); ++s) {
    kiln_symbol_info &range = ranges[s];
    std::string why = whyFixed(sizes, limits, s), name = range.name;
    if (why.empty() || range.min == range.max)
      continue;
    if (std::ranges::find(given, name, &kiln_dim_range::name) == given.end()) {
      range.min = range.max = limits[s] ? range.max : range.min;
      continue;
    }
    return Failure{Code::SessionDims,
                   "dim \"" + name + "\"",
                   why,
                   "one value for the session",
                   std::to_string(range.min) + ".." + std::to_string(range.max),
                   "give one value: " + name + "=" + std::to_string(range.max)};
  }
  return {};
}

void States::open(const Plan &first, const Layout &layout, uint32_t stage,
                  DeviceSession &memory) {
  plan = &first;
  device = &memory;
  for (const Tensor &state : first.states) {
    Place &place = places.emplace_back();
    for (ExprIndex dim : state.dims)
      place.dims.push_back(layout.value(dim));
    place.offset = layout.offset(state.buffer);
    place.bytes = layout.tensorBytes(state);
    if (int32_t own = first.buffers[state.buffer].stage;
        own >= 0 && static_cast<uint32_t>(own) != stage) {
      place.dims[0] = 0;
      place.bytes = 0;
    }
  }
  if (first.sequences) {
    lengths.assign(static_cast<size_t>(places[first.sequences->lengths].dims[0]), 0);
    highest.assign(lengths.size(), 0);
    capacity = layout.value(first.sequences->capacity);
  }
}

/// Returns the number of new rows of sequence `row`, from the i64 counts in the input.
static int64_t countOf(const kiln_tensor &counts, size_t row) {
  int64_t count;
  std::memcpy(&count, static_cast<const char *>(counts.data) + row * sizeof count,
              sizeof count);
  return count;
}

Status States::checkGiven(const Plan &program, std::span<const kiln_tensor> given) {
  if (!program.sequences)
    return {};
  const Tensor &counts = program.inputs[program.sequences->counts];
  for (const kiln_tensor &tensor : given)
    if (!tensor.name || counts.name == tensor.name)
      return {};
  return Failure{
      Code::TensorMissing,
      tensorName("input", counts),
      "it is not given: the package keeps the model's cache",
      "how many new rows of each sequence count",
      std::to_string(given.size()) + " other inputs",
      "use kiln.Decoder or kiln generate, give it beside the other inputs, or for pasts "
      "that are inputs compile with --no-state"};
}

Status States::checkCounts(const Plan &program, const Layout &at,
                           std::span<const kiln_tensor *const> inputs) const {
  if (!program.sequences)
    return {};
  uint32_t input = program.sequences->counts;
  const Tensor &wanted = program.inputs[input];
  const kiln_tensor &given = *inputs[input];
  if (given.memory == KILN_MEMORY_DEVICE)
    return Failure{Code::TensorDevice,
                   tensorName("input", wanted),
                   "it is in memory of the device",
                   "host memory: the session counts the rows of each sequence",
                   "device memory",
                   "give it in host memory"};
  int64_t added = at.value(program.sequences->added);
  for (size_t row = 0; row < lengths.size(); ++row) {
    int64_t count = countOf(given, row), rest = capacity - lengths[row];
    if (count >= 0 && count <= std::min(rest, added))
      continue;
    bool isFull = count >= 0 && count <= added;
    return Failure{Code::SequenceFull,
                   tensorName("input", wanted) + ", sequence " + std::to_string(row),
                   isFull ? "the state has no room for its new rows"
                          : "the inputs do not have so many new rows",
                   isFull ? "at most " + std::to_string(rest) + " (it has " +
                                std::to_string(lengths[row]) + " of " +
                                std::to_string(capacity) + ")"
                          : "0 to " + std::to_string(added),
                   std::to_string(count),
                   isFull ? "trim or reset the sequence, or create the session with a "
                            "larger capacity"
                          : "give a count of rows that are there"};
  }
  return {};
}

void States::addCounts(const Plan &program, std::span<const kiln_tensor *const> inputs) {
  if (!program.sequences)
    return;
  for (size_t row = 0; row < lengths.size(); ++row) {
    lengths[row] += countOf(*inputs[program.sequences->counts], row);
    highest[row] = std::max(highest[row], lengths[row]);
  }
}

void States::takeBack(const Plan &program, std::span<const kiln_tensor *const> inputs) {
  if (!program.sequences)
    return;
  for (size_t row = 0; row < lengths.size(); ++row) {
    int64_t written = lengths[row] + countOf(*inputs[program.sequences->counts], row);
    highest[row] = std::max(highest[row], written);
  }
  auto known = std::as_bytes(std::span(lengths));
  // If the device fails here, it has already failed in the run, which returns the error.
  static_cast<void>(device->writeState(
      places[plan->sequences->lengths].offset,
      {reinterpret_cast<const uint8_t *>(known.data()), known.size()}));
}

void States::takeBackCounts(const Plan &program,
                            std::span<const kiln_tensor *const> inputs) {
  if (!program.sequences)
    return;
  for (size_t row = 0; row < lengths.size(); ++row)
    lengths[row] -= countOf(*inputs[program.sequences->counts], row);
  takeBack(program, inputs);
}

Status States::checkRange(const char *function, size_t index, uint64_t offset,
                          uint64_t bytes) const {
  if (index >= places.size())
    return Failure{Code::BadUsage,
                   function,
                   "the index is out of range",
                   "less than " + std::to_string(places.size()),
                   std::to_string(index),
                   "ask kiln_model_state_count"};
  uint64_t all = places[index].bytes;
  if (offset <= all && bytes <= all - offset)
    return {};
  return Failure{Code::StateRange,
                 nameOf(index),
                 "the bytes lie outside of it",
                 "a part of " + std::to_string(all) + " bytes",
                 std::to_string(bytes) + " bytes from " + std::to_string(offset) + " on",
                 "ask kiln_session_state_shape"};
}

Status States::shape(size_t index, kiln_shape &out) const {
  KILN_TRY(checkRange("kiln_session_state_shape", index, 0, 0));
  const Place &place = places[index];
  out.rank = static_cast<uint32_t>(place.dims.size());
  std::ranges::copy(place.dims, out.dims);
  out.bytes = place.bytes;
  return {};
}

Status States::read(size_t index, uint64_t offset, std::span<uint8_t> to) {
  KILN_TRY(checkRange("kiln_session_read_state", index, offset, to.size()));
  if (plan->sequences && index == plan->sequences->lengths) {
    // The lengths on the device are known here, so there is no need to synchronize.
    auto known = std::as_bytes(std::span(lengths)).subspan(offset, to.size());
    std::memcpy(to.data(), known.data(), known.size());
    return {};
  }
  return to.empty() ? Status() : device->readState(places[index].offset + offset, to);
}

/// Checks that a ring buffer still has the positions that a given length needs. A ring of
/// r rows with window w keeps the positions behind h - r, where h rows have been written;
/// an older row has been overwritten by the one r positions later. A length l needs the
/// positions from l - w + 1 on, which are there if h - l <= r - w + 1.
Status States::checkRing(size_t row, int64_t given) const {
  auto [ring, window] = std::pair(plan->sequences->ring, plan->sequences->window);
  int64_t shortest = highest[row] - (ring - window + 1);
  if (ring == 0 || given == 0 || highest[row] <= ring || given >= shortest)
    return {};
  return Failure{Code::StateForgotten,
                 nameOf(plan->sequences->lengths) + ", sequence " + std::to_string(row),
                 "a ring has not kept what a shorter sequence needs",
                 "0, or " + std::to_string(shortest) + " and more (the ring has " +
                     std::to_string(ring) + " rows, of which " + std::to_string(window) +
                     " are seen)",
                 std::to_string(given),
                 "reset the sequence and prefill it again, or fork it before it grows"};
}

/// Records a length that the caller has written. If it is longer than before, its rows
/// come from another session, where the sequence may have been longer by as many rows as
/// can be dropped.
void States::noteLength(size_t row, int64_t given) {
  int64_t slack =
      plan->sequences->ring ? plan->sequences->ring - plan->sequences->window + 1 : 0;
  if (given == 0)
    highest[row] = 0;
  else if (given > lengths[row])
    highest[row] = given + slack;
  lengths[row] = given;
}

/// Sets the lengths of sequences from bytes that the caller writes to "lengths".
Status States::takeLengths(uint64_t offset, std::span<const uint8_t> from) {
  std::string name = nameOf(plan->sequences->lengths);
  if (offset % sizeof(int64_t) || from.size() % sizeof(int64_t))
    return Failure{Code::StateRange,
                   name,
                   "a part of a length is written",
                   "whole numbers of 8 bytes",
                   std::to_string(from.size()) + " bytes from " + std::to_string(offset) +
                       " on",
                   "write whole lengths"};
  std::vector<int64_t> given(from.size() / sizeof(int64_t));
  std::memcpy(given.data(), from.data(), from.size());
  for (int64_t length : given)
    if (length < 0 || length > capacity)
      return Failure{Code::SequenceFull,
                     name,
                     "no sequence can have this length",
                     "0 to " + std::to_string(capacity),
                     std::to_string(length),
                     "write lengths within the capacity"};
  size_t first = offset / sizeof(int64_t);
  for (size_t i = 0; i < given.size(); ++i)
    KILN_TRY(checkRing(first + i, given[i]));
  for (size_t i = 0; i < given.size(); ++i)
    noteLength(first + i, given[i]);
  return {};
}

Status States::write(size_t index, uint64_t offset, std::span<const uint8_t> from) {
  KILN_TRY(checkRange("kiln_session_write_state", index, offset, from.size()));
  if (from.empty())
    return {};
  if (plan->sequences && index == plan->sequences->lengths)
    KILN_TRY(takeLengths(offset, from));
  return device->writeState(places[index].offset + offset, from);
}

Status States::copyRow(size_t from, size_t to) {
  if (from >= lengths.size() || to >= lengths.size())
    return Failure{Code::StateRange,
                   "kiln_session_copy_row",
                   "there is no such sequence",
                   "less than " + std::to_string(lengths.size()),
                   std::to_string(std::max(from, to)),
                   "create the session with more rows"};
  if (from == to)
    return {};
  for (const Place &place : places) {
    uint64_t row = place.bytes / lengths.size();
    if (row)
      KILN_TRY(
          device->copyState(place.offset + from * row, place.offset + to * row, row));
  }
  lengths[to] = lengths[from];
  highest[to] = highest[from];
  return {};
}

Status States::reset() {
  std::ranges::fill(lengths, 0);
  std::ranges::fill(highest, 0);
  return device->resetState();
}
