//===- validate.cpp - Is a plan consistent? -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that every index of a plan is in range, so that it can be followed without
// further checks. Needs the plan and the sizes of the sections, but no dims.
//
//===----------------------------------------------------------------------===//
#include "kiln/abi.h"
#include "runtime/package/format.h"
#include "runtime/package/plan_check.h"
#include <algorithm>
#include <bit>
#include <map>
#include <set>

using namespace kiln::rt;

namespace {
class Validator : PlanCheck {
public:
  Validator(const PlanSurroundings &around, const std::string &where, Plan &plan)
      : PlanCheck(plan, where), around(around), plan(plan) {}

  Status run() {
    KILN_TRY(checkAbi());
    if (plan.ranks < 1 || plan.ranks > format::maxRanks)
      return fail("ranks", "the number of ranks is out of range",
                  "1 to " + std::to_string(format::maxRanks), std::to_string(plan.ranks));
    if (plan.stages < 1 || plan.ranks % plan.stages)
      return fail("stages", "the ranks cannot be divided into stages",
                  "a divisor of " + std::to_string(plan.ranks),
                  std::to_string(plan.stages));
    KILN_TRY(checkSymbols());
    KILN_TRY(checkExprs());
    KILN_TRY(checkArenas());
    for (uint32_t i = 0; i < plan.buffers.size(); ++i)
      KILN_TRY(checkBuffer(i));
    KILN_TRY(checkTensors(plan.inputs, "input "));
    KILN_TRY(checkTensors(plan.outputs, "output "));
    KILN_TRY(checkTensors(plan.states, "state "));
    KILN_TRY(checkStates());
    KILN_TRY(checkIndexRows());
    KILN_TRY(checkBinding());
    KILN_TRY(checkTargets());
    for (uint32_t i = 0; i < plan.kernels.size(); ++i)
      KILN_TRY(checkKernel(i));
    for (uint32_t i = 0; i < plan.steps.size(); ++i)
      KILN_TRY(checkStep(i));
    KILN_TRY(checkStateOrder());
    KILN_TRY(validateRanks(plan, where));
    for (size_t i = 0; i < plan.indexChecks.size(); ++i)
      KILN_TRY(checkIndexCheck(i));
    for (uint32_t i = 0; i < plan.steps.size(); ++i) // needs checked buffers of all steps
      KILN_TRY(checkWorkspace(i));
    return {};
  }

private:
  Status checkAbi() const {
    if (plan.abiVersion == KILN_HOST_ABI_VERSION)
      return {};
    return Failure{Code::PackageAbi,
                   where,
                   "the kernels use another calling convention",
                   "version " + std::to_string(KILN_HOST_ABI_VERSION),
                   "version " + std::to_string(plan.abiVersion),
                   "compile the model with this Kiln"};
  }

  Status checkSymbols() const {
    std::set<std::string> names;
    for (const Symbol &s : plan.symbols) {
      if (s.name.empty() || !names.insert(s.name).second)
        return fail("symbol \"" + s.name + "\"", "the name is empty or used twice");
      if (s.min < 0 || s.max < s.min)
        return fail("symbol \"" + s.name + "\"", "the range is empty or wrong",
                    "0 <= min <= max",
                    std::to_string(s.min) + ".." + std::to_string(s.max));
    }
    return {};
  }

  Status checkExprs() const {
    for (size_t i = 0; i < plan.exprs.size(); ++i) {
      const Expr &e = plan.exprs[i];
      std::string part = numbered("expression ", i);
      if (e.kind > ExprKind::Min)
        return fail(part, "the kind is unknown", "0 to 8",
                    std::to_string(unsigned(e.kind)));
      if (e.kind == ExprKind::Symbol)
        KILN_TRY(index(part, "a symbol", e.lhs, plan.symbols.size()));
      if (e.kind > ExprKind::Symbol && (e.lhs >= i || e.rhs >= i))
        return fail(part, "an operand does not come before its user",
                    "less than " + std::to_string(i),
                    std::to_string(std::max(e.lhs, e.rhs)));
    }
    return {};
  }

  Status checkArenas() const {
    unsigned seen[KILN_ARENA_WORKSPACE + 1] = {};
    for (size_t i = 0; i < plan.arenas.size(); ++i) {
      const Arena &a = plan.arenas[i];
      std::string part = numbered("arena ", i);
      if (a.kind > KILN_ARENA_WORKSPACE)
        return fail(part, "the kind is unknown", "0 to 5",
                    std::to_string(unsigned(a.kind)));
      if (seen[a.kind]++)
        return fail(part, std::string("a second arena of kind ") +
                              kiln_arena_kind_name(a.kind));
      KILN_TRY(expr(part, a.size));
    }
    return {};
  }

  Status checkBuffer(uint32_t i) {
    Buffer &b = plan.buffers[i];
    std::string part = plan.bufferName(i);
    KILN_TRY(index(part, "an arena", b.arena, plan.arenas.size()));
    KILN_TRY(expr(part, b.size));
    if (b.firstStep > b.lastStep || b.lastStep > plan.steps.size())
      return fail(part, "the lifetime is not within the steps",
                  "at most " + std::to_string(plan.steps.size()),
                  std::to_string(b.firstStep) + ".." + std::to_string(b.lastStep));
    for (uint32_t below : b.above)
      if (below >= i || plan.buffers[below].arena != b.arena)
        return fail(part,
                    "it is placed above a buffer that is not before it "
                    "in the same arena",
                    "a smaller index", std::to_string(below));
    KILN_TRY(checkAlias(i, part));
    KILN_TRY(checkStageNumber(part, b.stage));
    if (b.stage >= 0 && (plan.kindOf(i) != KILN_ARENA_STATE || b.aliasOf >= 0))
      return fail(part, "it is of a stage", "a state that is no alias");
    if (b.rankStride &&
        (plan.ranksPerStage() == 1 || plan.kindOf(i) != KILN_ARENA_WEIGHTS))
      return fail(part, "it has parts for ranks", "weights of several ranks",
                  std::string(kiln_arena_kind_name(plan.kindOf(i))) + " of " +
                      std::to_string(plan.ranks));
    KILN_TRY(checkAxis(part, b.rankAxis));
    if (b.rankAxis.size && !b.rankStride)
      return fail(part, "it has an axis of ranks, which all have the same bytes");
    if (b.rankStride % format::weightAlignment != 0)
      return fail(part, "its parts are not aligned",
                  "a multiple of " + std::to_string(format::weightAlignment),
                  std::to_string(b.rankStride));
    if (plan.kindOf(i) == KILN_ARENA_WORKSPACE)
      return fail(part, "the workspace holds scratch, no buffers");
    return {};
  }

  Status checkAlias(uint32_t i, const std::string &part) {
    Buffer &b = plan.buffers[i];
    b.storage = i;
    if (b.aliasOf == -1)
      return {};
    // Aliases refer to smaller indices only: chains end, and offsets are known in index
    // order.
    if (b.aliasOf < 0 || uint32_t(b.aliasOf) >= i)
      return fail(part, "it is an alias of a buffer that is not before it",
                  "less than " + std::to_string(i), std::to_string(b.aliasOf));
    const Buffer &of = plan.buffers[b.aliasOf];
    if (of.arena != b.arena)
      return fail(part, "it is an alias of a buffer in another arena",
                  "arena " + std::to_string(b.arena),
                  "arena " + std::to_string(of.arena));
    b.storage = of.storage;
    return {};
  }

  Status checkTensors(const std::vector<Tensor> &tensors, const char *noun) {
    std::set<std::string> names;
    for (const Tensor &t : tensors) {
      std::string part = noun + ("\"" + t.name + "\"");
      if (t.name.empty() || !names.insert(t.name).second)
        return fail(part, "the name is empty or used twice");
      if (t.dtype >= KILN_DTYPE_COUNT)
        return fail(part, "the element type is unknown",
                    "0 to " + std::to_string(KILN_DTYPE_COUNT - 1),
                    std::to_string(unsigned(t.dtype)));
      if (t.dims.size() > KILN_MAX_RANK)
        return fail(part, "the rank is too large",
                    "at most " + std::to_string(KILN_MAX_RANK),
                    std::to_string(t.dims.size()));
      for (ExprIndex e : t.dims)
        KILN_TRY(expr(part, e));
      KILN_TRY(index(part, "a buffer", t.buffer, plan.buffers.size()));
    }
    return {};
  }

  /// Checks that each state has memory of its own, and a first dim that counts sequences.
  Status checkStates() const {
    std::set<uint32_t> bound;
    for (const Tensor &t : plan.states)
      if (plan.kindOf(t.buffer) != KILN_ARENA_STATE ||
          plan.buffers[t.buffer].aliasOf >= 0 || t.dims.empty() ||
          !bound.insert(t.buffer).second)
        return fail("state \"" + t.name + "\"",
                    "it does not have a buffer of its own in the state arena");
    return plan.sequences ? checkSequences(*plan.sequences) : Status();
  }

  Status checkSequences(const Sequences &s) const {
    const char *part = "sequences";
    KILN_TRY(index(part, "a state", s.lengths, plan.states.size()));
    KILN_TRY(index(part, "an input", s.counts, plan.inputs.size()));
    KILN_TRY(expr(part, s.added));
    KILN_TRY(expr(part, s.capacity));
    const Tensor &lengths = plan.states[s.lengths], &counts = plan.inputs[s.counts];
    bool agree = lengths.dtype == KILN_DTYPE_I64 && counts.dtype == KILN_DTYPE_I64 &&
                 lengths.dims.size() == 1 && counts.dims == lengths.dims;
    if (!agree)
      return fail(part, "lengths and counts are not one int64 each");
    KILN_TRY(checkRing(s));
    std::set<uint32_t> moving;
    addSymbols(s.added, moving);
    for (const Tensor &state : plan.states) {
      std::set<uint32_t> own;
      for (ExprIndex dim : state.dims)
        addSymbols(dim, own);
      for (uint32_t symbol : own)
        if (moving.count(symbol))
          return fail("state \"" + state.name + "\"", "its size changes from run to run",
                      "dims fixed for a session",
                      "dim \"" + plan.symbols[symbol].name + "\"");
    }
    return {};
  }

  /// Checks that ring buffers have room for the new rows of a run in addition to the
  /// window: all new rows are written before the first query reads its window.
  Status checkRing(const Sequences &s) const {
    const char *part = "sequences";
    if (s.ring == 0 && s.window == 0)
      return {};
    if (s.ring < 1 || !hasRing(s.ring))
      return fail(part, "no state is a ring of so many rows",
                  "a dim of a state behind the first, or 0 without a window",
                  std::to_string(s.ring));
    if (s.window < 1 || s.window > s.ring)
      return fail(part, "the window of a ring is no part of it",
                  "1 to " + std::to_string(s.ring), std::to_string(s.window));
    const Expr &added = plan.exprs[s.added];
    bool isKnown = added.kind <= ExprKind::Symbol;
    int64_t rows = added.kind == ExprKind::Const ? added.value
                   : isKnown                     ? plan.symbols[added.lhs].max
                                                 : 0;
    int64_t room = s.ring - s.window + 1;
    if (!isKnown || rows > room)
      return fail(part, "a ring has no room for the new rows of a run",
                  "at most " + std::to_string(room) + " of them",
                  isKnown ? std::to_string(rows) : "an expression");
    return {};
  }

  bool hasRing(int64_t rows) const {
    auto isRows = [&](ExprIndex dim) {
      const Expr &e = plan.exprs[dim];
      return e.kind == ExprKind::Const && e.value == rows;
    };
    return std::ranges::any_of(plan.states, [&](const Tensor &state) {
      return std::any_of(state.dims.begin() + 1, state.dims.end(), isRows);
    });
  }

  void addSymbols(ExprIndex e, std::set<uint32_t> &symbols) const {
    const Expr &expr = plan.exprs[e];
    if (expr.kind == ExprKind::Symbol)
      symbols.insert(expr.lhs);
    if (expr.kind <= ExprKind::Symbol)
      return;
    addSymbols(expr.lhs, symbols);
    addSymbols(expr.rhs, symbols);
  }

  /// Checks that no step reads overwritten state, and that no two writes branch off the
  /// same value.
  Status checkStateOrder() const {
    std::map<uint32_t, uint32_t> newest; // by storage: buffer with its current value
    for (uint32_t i = 0; i < plan.steps.size(); ++i) {
      auto isOld = [&](uint32_t buffer) {
        auto it = newest.find(plan.buffers[buffer].storage);
        return it != newest.end() && it->second != buffer;
      };
      for (uint32_t read : plan.steps[i].reads)
        if (plan.kindOf(read) == KILN_ARENA_STATE && isOld(read))
          return fail(plan.stepName(i), "it reads " + plan.bufferName(read) +
                                            " after another step has overwritten it");
      for (uint32_t write : plan.steps[i].writes) {
        if (plan.kindOf(write) != KILN_ARENA_STATE)
          continue;
        uint32_t storage = plan.buffers[write].storage;
        bool follows = !newest.count(storage) || newest[storage] == write ||
                       plan.buffers[write].aliasOf == int64_t(newest[storage]);
        if (!follows)
          return fail(plan.stepName(i), "it writes the state of " +
                                            plan.bufferName(write) +
                                            ", which another step writes, too");
        newest[storage] = write;
      }
    }
    return {};
  }

  /// Checks that elements first, first + step ... of an input are indices.
  Status checkIndexInput(const std::string &part, uint32_t input, uint32_t first,
                         uint32_t step) const {
    KILN_TRY(index(part, "an input", input, plan.inputs.size()));
    kiln_dtype dtype = plan.inputs[input].dtype;
    if (dtype < KILN_DTYPE_I8 || dtype > KILN_DTYPE_U64)
      return fail(part, "the input holds no integers", "an integer type",
                  kiln_dtype_name(dtype));
    if (step == 0 || first >= step)
      return fail(part, "the elements are wrong", "first < step",
                  std::to_string(first) + " of " + std::to_string(step));
    return {};
  }

  Status checkIndexRows() const {
    for (size_t i = 0; i < plan.indexRows.size(); ++i) {
      const IndexRows &r = plan.indexRows[i];
      std::string part = numbered("index rows ", i);
      KILN_TRY(checkIndexInput(part, r.input, r.first, r.step));
      KILN_TRY(expr(part, r.rows));
    }
    return {};
  }

  /// Checks that only one step writes the result of a check, and that it is kept to the
  /// end of a run.
  Status checkIndexCheck(size_t i) const {
    const IndexCheck &c = plan.indexChecks[i];
    std::string part = numbered("index check ", i);
    KILN_TRY(index(part, "a buffer", c.buffer, plan.buffers.size()));
    KILN_TRY(index(part, "a step", c.step, plan.steps.size()));
    const Buffer &buffer = plan.buffers[c.buffer];
    const Expr &size = plan.exprs[buffer.size];
    if (plan.kindOf(c.buffer) != KILN_ARENA_ACTIVATIONS)
      return fail(part, "its result lies in the wrong arena",
                  kiln_arena_kind_name(KILN_ARENA_ACTIVATIONS),
                  kiln_arena_kind_name(plan.kindOf(c.buffer)));
    if (size.kind != ExprKind::Const || size.value != sizeof(int64_t))
      return fail(part, "its result is not one int64", "8 bytes", plan.text(buffer.size));
    if (buffer.lastStep + 1 < plan.steps.size())
      return fail(part, "its result is not kept to the end of a run",
                  "live to step " + std::to_string(plan.steps.size() - 1),
                  "to step " + std::to_string(buffer.lastStep));
    const Step &step = plan.steps[c.step];
    if (step.kind != StepKind::Launch || step.writes.size() != 1 ||
        step.writes[0] != c.buffer)
      return fail(part, "its step does not write its result and nothing else",
                  plan.bufferName(c.buffer), numbered("step ", c.step));
    for (uint32_t s = c.step + 1; s < plan.steps.size(); ++s)
      if (names(plan.steps[s], buffer.storage))
        return fail(part, "its result is used by a later step", "nothing",
                    numbered("step ", s));
    if (c.valueBits < 1 || c.valueBits > 62 || c.parts.empty())
      return fail(part, "its result cannot be read", "parts, and 1 to 62 bits of values",
                  std::to_string(c.parts.size()) + " and " + std::to_string(c.valueBits));
    for (const CheckedPart &p : c.parts)
      KILN_TRY(checkPart(part, p));
    return {};
  }

  Status checkPart(const std::string &part, const CheckedPart &p) const {
    KILN_TRY(expr(part, p.rows));
    if (p.dims.size() > KILN_MAX_RANK)
      return fail(part, "the rank is too large",
                  "at most " + std::to_string(KILN_MAX_RANK),
                  std::to_string(p.dims.size()));
    for (ExprIndex e : p.dims)
      KILN_TRY(expr(part, e));
    if (p.input == -1)
      return {};
    return checkIndexInput(part, static_cast<uint32_t>(p.input), p.first, p.step);
  }

  /// Checks that every storage in the caller's memory belongs to exactly one tensor; an
  /// output may also refer to a buffer elsewhere, which is copied out.
  Status checkBinding() const {
    std::set<uint32_t> bound;
    for (const Tensor &t : plan.inputs) {
      uint32_t storage = plan.buffers[t.buffer].storage;
      if (plan.kindOf(t.buffer) != KILN_ARENA_INPUT || !bound.insert(storage).second)
        return fail("input \"" + t.name + "\"",
                    "it does not have an input buffer of its own");
    }
    for (const Tensor &t : plan.outputs)
      if (plan.kindOf(t.buffer) == KILN_ARENA_OUTPUT)
        bound.insert(plan.buffers[t.buffer].storage);
    for (uint32_t i = 0; i < plan.buffers.size(); ++i) {
      bool callers =
          plan.kindOf(i) == KILN_ARENA_INPUT || plan.kindOf(i) == KILN_ARENA_OUTPUT;
      if (callers && !bound.count(plan.buffers[i].storage))
        return fail(plan.bufferName(i),
                    "it is the caller's memory, but no input or output names "
                    "it");
    }
    return {};
  }

  Status checkTargets() const {
    if (plan.targets.empty() && !plan.kernels.empty())
      return fail("targets", "the plan has kernels but no target");
    std::set<std::string> names;
    for (const Target &t : plan.targets) {
      std::string part = "target \"" + t.name + "\"";
      if (t.name.empty() || !names.insert(t.name).second)
        return fail(part, "the name is empty or used twice");
      if (t.kind > TargetKind::Cuda)
        return fail(part, "the kind is unknown", "0 or 1",
                    std::to_string(unsigned(t.kind)));
      if (t.kind == TargetKind::Cuda)
        KILN_TRY(index(part, "a PTX section", t.image, around.ptx.size()));
      else
        KILN_TRY(index(part, "a host image", t.image, around.imageSizes.size()));
    }
    return {};
  }

  /// Checks that a PTX text is null-terminated, contains its entry, and has a block that
  /// can be launched.
  Status checkPtx(const std::string &part, const std::string &entry, uint64_t begin,
                  const Block &block, const Target &target) const {
    std::span<const uint8_t> bytes = around.ptx[target.image];
    std::string_view texts(reinterpret_cast<const char *>(bytes.data()), bytes.size());
    if (begin >= texts.size() || texts.back() != '\0' ||
        (begin > 0 && texts[begin - 1] != '\0'))
      return fail(part, "no PTX text of target " + target.name + " begins where it says",
                  "the offset of a text", std::to_string(begin));
    std::string_view text = texts.substr(begin, texts.find('\0', begin) - begin);
    if (text.find(".entry " + entry + "(") == std::string_view::npos)
      return fail(part, "its PTX text for target " + target.name + " has another entry",
                  ".entry " + entry);
    if (block.threads == 0 || block.threads > 1024 || block.threads % 32 != 0)
      return fail(part, "its block is no whole number of warps up to 1024 threads", "",
                  std::to_string(block.threads) + " threads");
    constexpr uint32_t maxBlocks = 8; // portable max cluster size
    bool isCluster = block.cluster <= maxBlocks && std::has_single_bit(block.cluster);
    if (!isCluster || (block.cluster > 1 && !block.persistent))
      return fail(part, "its cluster is no number of blocks that a grid can be cut into",
                  "1, or 2 to 8 where it is persistent", std::to_string(block.cluster));
    uint64_t room =
        target.image < around.cubinSizes.size() ? around.cubinSizes[target.image] : 0;
    if (block.cubin > room || block.cubinSize > room - block.cubin)
      return fail(
          part, "its cubin for target " + target.name + " lies outside its section",
          std::to_string(room) + " bytes at most",
          std::to_string(block.cubinSize) + " bytes from " + std::to_string(block.cubin));
    for (size_t m = 0; m < block.maps.size(); ++m)
      KILN_TRY(checkMap(part + ", tensor map " + std::to_string(m), block.maps[m]));
    if (block.workspace != -1 || block.tickets != -1)
      for (int32_t e : {block.workspace, block.tickets})
        KILN_TRY(expr(part, static_cast<uint32_t>(e)));
    return expr(part, block.shared);
  }

  /// Checks the properties of a tensor map that do not depend on dims: rank, box, element
  /// type and swizzle. The others are checked at the dims of a run.
  Status checkMap(const std::string &part, const TensorMap &map) const {
    KILN_TRY(expr(part, map.offset));
    size_t rank = map.extents.size();
    if (rank < 1 || rank > 5 || map.strides.size() + 1 != rank || map.box.size() != rank)
      return fail(part, "its dims do not fit together",
                  "1 to 5 extents, as many in a box, one stride less",
                  std::to_string(rank) + ", " + std::to_string(map.box.size()) + " and " +
                      std::to_string(map.strides.size()));
    for (const std::vector<ExprIndex> *list : {&map.extents, &map.strides})
      for (ExprIndex e : *list)
        KILN_TRY(expr(part, e));
    for (uint32_t extent : map.box)
      if (extent < 1 || extent > 256)
        return fail(part, "a copy is too long or empty", "1 to 256 elements of each dim",
                    std::to_string(extent));
    if (map.dtype != KILN_DTYPE_F16 && map.dtype != KILN_DTYPE_BF16)
      return fail(part, "tensor copies do not bring this element type", "f16 or bf16",
                  std::to_string(unsigned(map.dtype)));
    uint64_t line = map.box[0] * kiln_dtype_size(map.dtype);
    bool swizzles = map.swizzle == 32 || map.swizzle == 64 || map.swizzle == 128;
    if (!swizzles || line > map.swizzle || line % 16)
      return fail(part, "the lines of a copy cannot be swizzled",
                  "lines of 16 bytes or a multiple, at most as long as those that are "
                  "swizzled: 32, 64 or 128 bytes",
                  std::to_string(line) + " of " + std::to_string(map.swizzle));
    return {};
  }

  Status checkKernel(uint32_t i) const {
    const Kernel &k = plan.kernels[i];
    std::string part = "kernel \"" + k.name + "\"";
    if (k.entries.size() != plan.targets.size())
      return fail(part, "it does not have one entry per target",
                  std::to_string(plan.targets.size()), std::to_string(k.entries.size()));
    for (size_t t = 0; t < k.entries.size(); ++t) {
      const Target &target = plan.targets[t];
      if (target.kind == TargetKind::Cuda) {
        if (k.blocks.size() != plan.targets.size())
          return fail(part, "it does not have one block per target",
                      std::to_string(plan.targets.size()),
                      std::to_string(k.blocks.size()));
        KILN_TRY(checkPtx(part, k.name, k.entries[t], k.blocks[t], target));
        continue;
      }
      uint64_t size = around.imageSizes[target.image];
      if (k.entries[t] >= size)
        return fail(part,
                    "the entry point is outside the image of target " +
                        plan.targets[t].name,
                    "less than " + std::to_string(size), std::to_string(k.entries[t]));
    }
    for (uint32_t s : k.symbols)
      KILN_TRY(index(part, "a symbol", s, plan.symbols.size()));
    KILN_TRY(checkVariants(part, k));
    return expr(part, k.scratch);
  }

  /// Whether the bounds of `inner` imply those of `outer`.
  static bool alwaysWithin(const Variant &inner, const Variant &outer) {
    return std::ranges::all_of(outer.when, [&](const Bound &wide) {
      return std::ranges::any_of(inner.when, [&](const Bound &narrow) {
        return narrow.value == wide.value && narrow.max <= wide.max;
      });
    });
  }

  /// Checks the variants of a kernel, each of which has bounds; the default code has
  /// none.
  Status checkVariants(const std::string &part, const Kernel &k) const {
    uint32_t before = 0;
    for (const Variant &v : k.variants) {
      std::string name = part + ", variant \"" + v.name + "\"";
      KILN_TRY(index(name, "a target", v.target, plan.targets.size()));
      if (before > v.target)
        return fail(name, "the variants are not in the order of their targets",
                    std::to_string(before) + " or more", std::to_string(v.target));
      before = v.target;
      const Target &target = plan.targets[v.target];
      if (target.kind != TargetKind::Cuda)
        return fail(name, "target " + target.name + " has one way to run a kernel",
                    "a GPU");
      if (v.when.empty())
        return fail(name, "it has no bounds", "one at least");
      for (const Bound &bound : v.when) {
        KILN_TRY(expr(name + ", a bound", bound.value));
        if (bound.max < 0)
          return fail(name, "a bound is negative", "0 or more",
                      std::to_string(bound.max));
      }
      for (const Variant &earlier : k.variants) {
        if (&earlier == &v)
          break;
        if (earlier.target == v.target && alwaysWithin(v, earlier))
          return fail(name, "it never runs", "bounds that those before it exceed",
                      "those of \"" + earlier.name + "\" hold wherever its own do");
      }
      KILN_TRY(checkPtx(name, v.name, v.entry, v.block, target));
      KILN_TRY(expr(name, v.grid));
    }
    return {};
  }

  Status checkStep(uint32_t i) const {
    const Step &s = plan.steps[i];
    std::string part = numbered("step ", i);
    if (s.kind > StepKind::Collective)
      return fail(part, "the kind is unknown", "0 to 2",
                  std::to_string(unsigned(s.kind)));
    if (s.kind == StepKind::Launch)
      KILN_TRY(index(part, "a kernel", s.kernel, plan.kernels.size()));
    if (s.kind != StepKind::Launch && (s.reads.size() != 1 || s.writes.size() != 1))
      return fail(part,
                  std::string(s.kind == StepKind::Copy ? "a copy" : "a collective") +
                      " needs one source and one destination",
                  "1 and 1",
                  std::to_string(s.reads.size()) + " and " +
                      std::to_string(s.writes.size()));
    for (uint32_t b : s.reads)
      KILN_TRY(index(part, "a buffer", b, plan.buffers.size()));
    for (uint32_t b : s.writes)
      KILN_TRY(index(part, "a buffer", b, plan.buffers.size()));
    if (s.kind == StepKind::Launch && s.grids.size() != plan.targets.size())
      return fail(part, "it does not have one grid per target",
                  std::to_string(plan.targets.size()), std::to_string(s.grids.size()));
    if (s.kind == StepKind::Launch) {
      for (const Block &block : plan.kernels[s.kernel].blocks)
        KILN_TRY(checkMapped(part, s, block));
      for (const Variant &variant : plan.kernels[s.kernel].variants)
        KILN_TRY(checkMapped(part, s, variant.block));
    }
    for (ExprIndex grid : s.grids)
      KILN_TRY(expr(part, grid));
    KILN_TRY(checkStageNumber(part, s.stage));
    KILN_TRY(expr(part, s.bytes));
    return expr(part, s.flops);
  }

  Status checkMapped(const std::string &part, const Step &s, const Block &block) const {
    for (const TensorMap &map : block.maps)
      KILN_TRY(index(part, "a buffer that a tensor map describes", map.buffer,
                     s.reads.size() + s.writes.size()));
    return {};
  }

  /// Checks the workspace of a step, by which its blocks exchange partial results: no
  /// step that may run at the same time uses that memory, and no other step at all uses
  /// its arrival counters.
  Status checkWorkspace(uint32_t i) const {
    const Step &s = plan.steps[i];
    std::string part = numbered("step ", i);
    bool needed = s.kind == StepKind::Launch && plan.kernels[s.kernel].needsWorkspace();
    if (s.workspace == -1 && s.tickets == -1)
      return needed ? fail(part, "it has no workspace, but its kernel needs one")
                    : Status();
    auto place = [&](int32_t buffer, const char *what, kiln_arena_kind kind) -> Status {
      KILN_TRY(
          index(part, "a buffer", static_cast<uint32_t>(buffer), plan.buffers.size()));
      if (plan.kindOf(static_cast<uint32_t>(buffer)) == kind)
        return {};
      return fail(part, std::string("its ") + what + " in the wrong arena",
                  kiln_arena_kind_name(kind),
                  kiln_arena_kind_name(plan.kindOf(static_cast<uint32_t>(buffer))));
    };
    KILN_TRY(place(s.workspace, "workspace lies", KILN_ARENA_ACTIVATIONS));
    KILN_TRY(place(s.tickets, "tickets lie", KILN_ARENA_STATE));
    if (names(s, plan.buffers[static_cast<uint32_t>(s.workspace)].storage))
      return fail(part, "its workspace holds what it reads or writes");
    uint32_t tickets = plan.buffers[static_cast<uint32_t>(s.tickets)].storage;
    for (uint32_t other = 0; other < plan.steps.size(); ++other) {
      const Step &o = plan.steps[other];
      bool shares = other < i && o.tickets >= 0 &&
                    plan.buffers[static_cast<uint32_t>(o.tickets)].storage == tickets;
      if (shares || names(o, tickets))
        return fail(part, "its tickets are used by " + numbered("step ", other) + " too");
    }
    return {};
  }

  /// Whether a step reads or writes a storage.
  bool names(const Step &s, uint32_t storage) const {
    auto is = [&](uint32_t b) { return plan.buffers[b].storage == storage; };
    return std::ranges::any_of(s.reads, is) || std::ranges::any_of(s.writes, is);
  }

  const PlanSurroundings &around;
  Plan &plan; ///< the checks also fill Buffer::storage
};
} // namespace

Status kiln::rt::validatePlan(const PlanSurroundings &around, const std::string &where,
                              Plan &plan) {
  return Validator(around, where, plan).run();
}
