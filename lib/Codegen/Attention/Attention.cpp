//===- Attention.cpp - Attention kernels ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Blocks.h"
#include "AttentionAnalysis.h"
#include "CostModel.h"
#include "GpuAttention.h"
#include "HeadTensor.h"
#include "HostAttention.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr StringLiteral kQueriesVariant = "queries";

/// Queries per task. A task packs the keys and values once, which costs about 1/kQueries
/// of its matmuls.
static constexpr int64_t kQueries = 128;

SmallVector<tile::AttentionConfigAttr>
kiln::codegen::rankAttentionConfigs(MLIRContext *context, int64_t accumulatorBytes,
                                    const TargetInfo &target,
                                    std::optional<tile::DotProduct> dot) {
  SmallVector<tile::AttentionConfigAttr> configs;
  if (dot == tile::DotProduct::tdpbf16ps)
    return {tile::AttentionConfigAttr::get(context, 2 * kTileRegisterRows,
                                           2 * kTileRegisterColumns, kQueries)};
  for (int64_t registers : {2, 1}) {
    int64_t width = target.lanes(accumulatorBytes) * registers;
    int64_t rows = (target.vectorRegisters - 1 - registers) / registers;
    configs.push_back(tile::AttentionConfigAttr::get(
        context, std::clamp<int64_t>(rows, 1, 12), width, kQueries));
  }
  return configs;
}

namespace {
/// Tile of a block of threads: its queries, and the keys of one loop step.
struct BlockTile {
  int64_t rows, keys, threads;
};
using BlockTiles = SmallVector<BlockTile>;
} // namespace

/// Shared memory reserved for barriers and alignment.
static constexpr int64_t kBlockReservedBytes = 1024;

static int64_t paddedTo(int64_t least, int64_t extent) {
  return int64_t(llvm::PowerOf2Ceil(std::max(extent, least)));
}

/// Shared memory of a block that computes without tensor cores; extents are already
/// padded.
static int64_t blockBytes(int64_t rows, int64_t keys, int64_t headDim, int64_t columns,
                          int64_t accumulatorBytes) {
  constexpr int64_t kPadding = 8;
  int64_t strip = rows * (std::max(keys, columns) + kPadding) + 3 * rows + keys;
  int64_t staged = rows * headDim + 2 * keys * (headDim + kPadding) + 2 * keys * columns;
  return (strip + staged) * accumulatorBytes + kBlockReservedBytes;
}

static BlockTiles blockTiles(int64_t headDim, int64_t columns, int64_t accumulatorBytes,
                             const GpuInfo &gpu) {
  constexpr int64_t kThreads = 128;
  // Maximum number of a thread's registers for the result.
  constexpr int64_t kResultRegisters = 64;
  headDim = paddedTo(8, headDim);
  columns = paddedTo(8, columns);
  BlockTiles tiles;
  for (auto [rows, keys] :
       {std::pair<int64_t, int64_t>(64, 32), {32, 32}, {32, 16}, {16, 16}, {16, 8}}) {
    bool fits =
        blockBytes(rows, keys, headDim, columns, accumulatorBytes) <= gpu.maxSharedBytes;
    if (fits && rows * columns / kThreads <= kResultRegisters)
      tiles.push_back({rows, keys, kThreads});
  }
  return tiles;
}

/// Rows of the MMA of one warp (mma.sync m16).
static constexpr int64_t kWarpRows = 16;

/// Shared memory of a block on tensor cores: double-buffered tiles of keys and values,
/// the queries, an epilogue tile for the results, and a mask; extents are already padded.
static int64_t tensorBytes(int64_t rows, int64_t keys, int64_t headDim, int64_t columns) {
  constexpr int64_t kPadding = 8, kOperandBytes = 2, kSumBytes = 4;
  int64_t staged = (rows * headDim + 2 * keys * (headDim + columns)) * kOperandBytes;
  int64_t strip = rows * (columns + kPadding + keys + kPadding) * kSumBytes;
  return staged + strip + kBlockReservedBytes;
}

static BlockTiles tensorTiles(std::optional<int64_t> rows, int64_t headDim,
                              int64_t columns, const GpuInfo &gpu) {
  constexpr int64_t kMostSums = 160; // registers of scores and results
  headDim = paddedTo(kWarpRows, headDim);
  columns = paddedTo(kWarpRows, columns);
  BlockTiles tiles;
  for (int64_t tall : {64, 32, 16})
    for (int64_t keys : {64, 32, 16}) {
      int64_t threads = tall / kWarpRows * gpu.warpThreads;
      bool isTooTall = rows && tall > kWarpRows && *rows <= tall / 2;
      bool fits = tensorBytes(tall, keys, headDim, columns) <= gpu.maxSharedBytes;
      if (fits && !isTooTall && tall * (keys + columns) / threads <= kMostSums)
        tiles.push_back({tall, keys, threads});
    }
  return tiles;
}

static SmallVector<tile::BlockAttentionConfigAttr> configsOf(MLIRContext *context,
                                                             const BlockTiles &tiles) {
  return llvm::map_to_vector(tiles, [&](const BlockTile &tile) {
    return tile::BlockAttentionConfigAttr::get(context, tile.rows, tile.keys,
                                               tile.threads, /*split=*/0);
  });
}

SmallVector<tile::BlockAttentionConfigAttr>
kiln::codegen::rankBlockAttentionConfigs(MLIRContext *context, int64_t headDim,
                                         int64_t columns, int64_t accumulatorBytes,
                                         const TargetInfo &target) {
  return configsOf(context, blockTiles(headDim, columns, accumulatorBytes, *target.gpu));
}

SmallVector<tile::BlockAttentionConfigAttr>
kiln::codegen::rankTensorAttentionConfigs(MLIRContext *context,
                                          std::optional<int64_t> rows, int64_t headDim,
                                          int64_t columns, const TargetInfo &target) {
  return configsOf(context, tensorTiles(rows, headDim, columns, *target.gpu));
}

bool kiln::codegen::holdsAttention(graph::AttentionOp op, StringRef name) {
  std::optional<TargetInfo> target = TargetInfo::find(name);
  if (!target || !target->gpu)
    return true;
  auto headDim = graph::getDims(op.getQuery()).back().getConstant(),
       columns = graph::getDims(op.getValue()).back().getConstant();
  if (!headDim || !columns)
    return false;
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  // Kernels on tensor cores have 16-bit operands and cannot dequantize keys and values.
  if (op.getKeyScales() && !element.isF32())
    return false;
  if (blockTiles(*headDim, *columns, element.isF64() ? 8 : 4, *target->gpu).empty())
    return false;
  // Fusion decides whether 16-bit operands stay so (tensor cores) or are widened first
  // (multiply-adds): tiles of both kinds must fit.
  return element.isF32() || element.isF64() ||
         !tensorTiles({}, *headDim, *columns, *target->gpu).empty();
}

/// Returns true if the rows of a tile may be the query heads of a key head instead of
/// queries (one query only), so that keys and values are read once for all of these
/// heads. A window masks rows by their positions, and here all rows have the same
/// position.
static bool mayPackGroup(const AttentionProgram &program, const TargetInfo &target) {
  graph::AttentionOp op = program.op;
  return target.gpu && !program.outer.extent.isConstant(1) && !op.getWindow();
}

AttentionAnalysis::AttentionAnalysis(graph::KernelOp kernel)
    : context(kernel.getContext()), program(AttentionProgram::build(kernel, why)) {
  if (program)
    queries = rangeOf(program->row.extent, kernel->getParentOfType<ModuleOp>());
}

bool AttentionAnalysis::canEmit(std::string &reason) const {
  reason = why;
  return program != nullptr;
}

std::optional<AttentionProgram>
AttentionAnalysis::programFor(const CodeRequest &request) const {
  if (!program)
    return std::nullopt;
  AttentionProgram own = *program;
  own.maxQueries = maxOf(request.variant, kQueriesVariant);
  if (!own.maxQueries && queries)
    own.maxQueries = queries->max;
  if (own.maxQueries == 1 && mayPackGroup(own, request.target))
    own.swapRows();
  return own;
}

/// Minimum number of keys of a split: its loop must outweigh the cost of storing and
/// merging its result.
static constexpr int64_t kMinSplitKeys = 256;
/// Maximum number of splits, for whose results the workspace has room.
static constexpr int64_t kMaxSplits = 64;
/// Maximum number of queries of a kernel that splits the keys. With more of them, the
/// result of a split takes more bytes than its keys and values.
static constexpr int64_t kMaxSplitQueries = 16;

/// Minimum number of query tiles in a launch, with one tile per head.
static int64_t minTiles(const AttentionProgram &program, ModuleOp module) {
  int64_t tiles = 1;
  for (const Loop *loop : {&program.batch, &program.keyHead, &program.outer})
    if (auto range = rangeOf(loop->extent, module))
      tiles *= std::max<int64_t>(range->min, 1);
  return tiles;
}

/// Returns the number of keys of a split, or 0 if no block splits its keys. Splits pay
/// where a launch may have fewer query tiles than the GPU has multiprocessors, and many
/// keys.
static int64_t splitKeys(const AttentionProgram &program, int64_t tileRows,
                         const GpuInfo &gpu) {
  graph::AttentionOp op = program.op;
  auto module = op->getParentOfType<ModuleOp>();
  auto rows = program.knownRows();
  const Loop &queries = program.packsGroup ? program.outer : program.row;
  auto keys = rangeOf(program.key.extent, module);
  bool hasFewQueries = rows && (program.packsGroup || *rows <= kMaxSplitQueries);
  if (!hasFewQueries || *rows > tileRows || !keys || keys->min < 1 ||
      program.key.extent == queries.extent ||
      minTiles(program, module) >= gpu.model.multiprocessors)
    return 0;
  auto length = std::max(
      kMinSplitKeys,
      int64_t(llvm::alignTo(llvm::divideCeil(keys->max, kMaxSplits), kMinSplitKeys)));
  int64_t seen = keys->max;
  if (auto window = op.getWindow())
    seen = std::min(seen, int64_t(*window) + *rows);
  return seen >= 2 * length ? length : 0;
}

/// Puts configs that split the keys, where this pays, in front of the given configs.
static SmallVector<tile::BlockAttentionConfigAttr>
withSplits(ArrayRef<tile::BlockAttentionConfigAttr> configs,
           const AttentionProgram &program, const TargetInfo &target) {
  SmallVector<tile::BlockAttentionConfigAttr> all;
  for (tile::BlockAttentionConfigAttr config : configs)
    if (int64_t split = splitKeys(program, config.getRows(), *target.gpu))
      all.push_back(tile::BlockAttentionConfigAttr::get(
          config.getContext(), config.getRows(), config.getKeys(), config.getThreads(),
          split));
  llvm::append_range(all, configs);
  return all;
}

/// Returns the configs for blocks of threads; none if the extents of a head are unknown
/// or no block has room for a tile.
static SmallVector<tile::BlockAttentionConfigAttr>
configsFor(const AttentionProgram &program, MLIRContext *context,
           const TargetInfo &target) {
  auto depth = program.depth.extent.getConstant(),
       columns = program.column.extent.getConstant();
  if (!depth || !columns)
    return {};
  if (program.fitsTensorCores())
    return withSplits(rankTensorAttentionConfigs(context, program.knownRows(), *depth,
                                                 *columns, target),
                      program, target);
  return withSplits(rankBlockAttentionConfigs(context, *depth, *columns,
                                              tile::elementBytes(program.accumulator),
                                              target),
                    program, target);
}

static SmallVector<tile::WarpgroupAttentionConfigAttr>
warpgroupConfigsFor(AttentionProgram &program, MLIRContext *context,
                    const TargetInfo &target) {
  auto depth = program.depth.extent.getConstant(),
       columns = program.column.extent.getConstant();
  if (!depth || !columns || !hasHeadTensors(program))
    return {};
  int64_t maskRows = !program.mask ? 0 : program.hasOneMaskRow() ? 1 : 2;
  return rankWarpgroupAttentionConfigs(context,
                                       {program.knownRows(),
                                        program.key.extent.getConstant(), *depth,
                                        *columns, maskRows, program.keep ? 2 : 1},
                                       target);
}

/// Returns the configs of all kinds that the target supports, the fastest kind first.
static SmallVector<Attribute> configsOf(AttentionProgram &program, MLIRContext *context,
                                        const TargetInfo &target) {
  SmallVector<Attribute> configs;
  if (target.gpu) {
    llvm::append_range(configs, warpgroupConfigsFor(program, context, target));
    llvm::append_range(configs, configsFor(program, context, target));
  } else {
    llvm::append_range(
        configs, rankAttentionConfigs(context, tile::elementBytes(program.accumulator),
                                      target, program.dotProduct(target)));
  }
  return configs;
}

SmallVector<Attribute> AttentionAnalysis::configs(const CodeRequest &request) const {
  std::optional<AttentionProgram> own = programFor(request);
  return own ? configsOf(*own, context, request.target) : SmallVector<Attribute>();
}

SmallVector<tile::WarpgroupAttentionConfigAttr>
AttentionAnalysis::warpgroupConfigs(const CodeRequest &request) const {
  std::optional<AttentionProgram> own = programFor(request);
  if (!own)
    return {};
  return warpgroupConfigsFor(*own, context, request.target);
}

SmallVector<tile::BlockAttentionConfigAttr>
AttentionAnalysis::blockConfigs(const CodeRequest &request) const {
  std::optional<AttentionProgram> own = programFor(request);
  if (!own)
    return {};
  return configsFor(*own, context, request.target);
}

/// Returns the approximate shared memory of a block with this config.
static int64_t sharedBytes(const AttentionProgram &program,
                           tile::BlockAttentionConfigAttr config) {
  auto depth = program.depth.extent.getConstant(),
       columns = program.column.extent.getConstant();
  if (!depth || !columns)
    return 0;
  if (program.fitsTensorCores())
    return tensorBytes(config.getRows(), config.getKeys(), paddedTo(kWarpRows, *depth),
                       paddedTo(kWarpRows, *columns));
  return blockBytes(config.getRows(), config.getKeys(), paddedTo(8, *depth),
                    paddedTo(8, *columns), tile::elementBytes(program.accumulator));
}

int64_t AttentionAnalysis::sharedBytes(tile::BlockAttentionConfigAttr config) const {
  return program ? ::sharedBytes(*program, config) : 0;
}

/// Extent that the cost model assumes for a dim which is known at run time only.
static constexpr int64_t kTypicalExtent = 1024;
static constexpr int64_t kTensorBytes = 2;

static TimedTile tileOf(const AttentionProgram &program, const TargetInfo &target,
                        Attribute config) {
  using Mma = TimedTile::Mma;
  constexpr int64_t kBlockStages = 2; // double-buffered: the loop copies one tile ahead
  if (auto groups = dyn_cast<tile::WarpgroupAttentionConfigAttr>(config)) {
    constexpr int64_t kGroupRows = 64, kGroupThreads = 128;
    int64_t threads = (groups.getRows() / kGroupRows + 1) * kGroupThreads;
    return {Mma::Wgmma, groups.getRows(),   groups.getKeys(),
            threads,    groups.getStages(), target.gpu->maxSharedBytes};
  }
  auto block = cast<tile::BlockAttentionConfigAttr>(config);
  return {program.fitsTensorCores() ? Mma::MmaSync : Mma::MultiplyAdds,
          block.getRows(),
          block.getKeys(),
          block.getThreads(),
          kBlockStages,
          sharedBytes(program, block),
          block.getSplit()};
}

double AttentionAnalysis::time(const CodeRequest &request, Attribute config) const {
  std::optional<AttentionProgram> program = programFor(request);
  const TargetInfo &target = request.target;
  int64_t minimum = program->fitsTensorCores() ? kWarpRows : 8;
  auto extent = [](const Loop &loop, int64_t typical) {
    return loop.extent.getConstant().value_or(typical);
  };
  AttentionWork work{
      extent(program->batch, 1) * extent(program->keyHead, 1) *
          extent(program->outer, 1),
      std::min(program->knownRows().value_or(kTypicalExtent), kTypicalExtent),
      extent(program->key, kTypicalExtent),
      paddedTo(minimum,
               graph::getDims(program->op.getQuery()).back().getConstant().value_or(1)),
      paddedTo(minimum, extent(program->column, 1)),
      program->fitsTensorCores() ? kTensorBytes
                                 : tile::elementBytes(program->accumulator)};
  if (auto known = program->row.extent.getConstant())
    work.queries = *known;
  return target.gpu->model.nanoseconds(
      attentionCycles(work, tileOf(*program, target, config), *target.gpu));
}

std::vector<Quantity> AttentionAnalysis::quantities() const {
  return {{kQueriesVariant.str(), program->row.extent}};
}

/// Maximum number of queries for mma.sync: so few would leave most rows of a wgmma (64)
/// idle.
static constexpr int64_t kFewQueries = 32;

SmallVector<Variant> AttentionAnalysis::variants(const TargetInfo &target) const {
  SmallVector<Variant> variants;
  if (!program || !target.gpu || !queries)
    return variants;
  auto upTo = [](int64_t count) {
    return Variant{{Bound{kQueriesVariant.str(), count}}};
  };
  if (queries->spans(1) && mayPackGroup(*program, target))
    variants.push_back(upTo(1));
  if (queries->spans(kFewQueries) && !warpgroupConfigs({target}).empty() &&
      !blockConfigs({target, upTo(kFewQueries)}).empty())
    variants.push_back(upTo(kFewQueries));
  return variants;
}

FailureOr<tile::KernelOp> AttentionAnalysis::emit(graph::KernelOp kernel,
                                                  const CodeRequest &request,
                                                  OpBuilder &builder,
                                                  Attribute config) const {
  std::optional<AttentionProgram> program = programFor(request);
  if (!program)
    return kiln::emitError(kernel.getLoc(),
                           {ErrorCode::KernelNotEmittable, "", why,
                            "one attention between views and elementwise ops", "", ""});
  if (!config) {
    SmallVector<Attribute> configs = configsOf(*program, context, request.target);
    if (configs.empty())
      return kiln::emitError(
          kernel.getLoc(),
          {ErrorCode::KernelNotEmittable, "", "attention with heads of this size",
           "a constant size that fits into shared memory",
           program->depth.extent.str() + " and " + program->column.extent.str(), ""});
    config = configs.front();
  }
  if (auto groups = dyn_cast<tile::WarpgroupAttentionConfigAttr>(config))
    return GpuAttention(builder, kernel, *program).emit(groups);
  if (auto block = dyn_cast<tile::BlockAttentionConfigAttr>(config))
    return GpuAttention(builder, kernel, *program).emit(block);
  return HostAttention(builder, kernel, *program, cast<tile::AttentionConfigAttr>(config),
                       request.target)
      .emit();
}
