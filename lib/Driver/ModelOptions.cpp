//===- ModelOptions.cpp - Options of models -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelOptions.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Pipeline/Annotations.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/TargetInfo.h"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

/// Parses the name of a precision, or a policy file with names by node.
static Error readPrecision(StringRef text, PrecisionPolicy &policy) {
  // --kv and --activations may precede the policy file, and override it.
  std::string cache = policy.cache, activations = policy.activations;
  auto keep = scope_exit([&] {
    if (!cache.empty())
      policy.cache = cache;
    if (!activations.empty())
      policy.activations = activations;
  });
  if (!text.ends_with(".json")) {
    policy = PrecisionPolicy{text.str()};
    return policy.check();
  }
  auto file = MemoryBuffer::getFile(text);
  if (std::error_code error = file.getError())
    return makeError({ErrorCode::FileNotFound, text.str(), "a policy cannot be read",
                      "a readable file", error.message(),
                      "check the path of --precision"});
  return PrecisionPolicy::parse(text, (*file)->getBuffer()).moveInto(policy);
}

static constexpr int64_t kMaxParts = 16;

/// Declares an option for the number of parts in which a run is computed.
static void declarePartCount(OptionTable &table, const std::string &place,
                             const std::string &name, const char *help, int64_t &parts) {
  table.value(name, "N", help, [&parts, place, name](StringRef text) -> Error {
    if (!text.getAsInteger(10, parts) && parts >= 1 && parts <= kMaxParts)
      return Error::success();
    return usageError(place + name, "is not a number of parts",
                      "1 to " + std::to_string(kMaxParts), "'" + text + "'",
                      "write for example --" + name + " 4");
  });
}

static void declareParts(OptionTable &table, const std::string &place,
                         CompileOptions &options) {
  declarePartCount(
      table, place, "overlap",
      "compute rows of long sequences in N parts (1 to 16, default 1), so that\n"
      "collectives of one part run beside products of the others; tp and sp",
      options.mesh.overlap);
  declarePartCount(
      table, place, "micro-batches",
      "split a run into N parts (1 to 16, default 1) that the stages of a\n"
      "pipeline compute one behind the other: rows of long sequences under causal\n"
      "attention, else sequences of a batch; pp",
      options.mesh.microBatches);
}

/// allowsAuto: for `kiln compile`, which searches for the mesh for a topology.
static void declareRankOptions(OptionTable &table, const std::string &place,
                               CompileOptions &options, bool allowsAuto) {
  table.value("ranks", "N",
              "split the model among N ranks, which run it together (1 to 64, default 1)",
              [&options, place](StringRef text) -> Error {
                if (!text.getAsInteger(10, options.mesh.ranks) &&
                    options.mesh.ranks >= 1 && options.mesh.ranks <= Mesh::kMaxRanks)
                  return Error::success();
                return usageError(place + "ranks", "is not a number of ranks",
                                  "1 to " + std::to_string(Mesh::kMaxRanks),
                                  "'" + text + "'", "write for example --ranks 2");
              });
  declareParts(table, place, options);
  // Static because the table keeps references.
  static const std::string meshes =
      "how ranks divide the model: tp (tensor parallel, the default: weights of\n"
      "products by columns and by rows, attention by heads), pp (pipeline: one\n"
      "range of layers after the other), or both, as pp=2,tp=2;\n"
      "sp in place of tp divides the rows of long sequences between products, too;\n"
      "cp (context parallel) divides rows alone: every rank has all weights, or with\n"
      "tp=2,cp=2 its part of them; dcp in place of cp divides the positions of a\n"
      "decoder's caches, too";
  static const std::string meshesAndAuto =
      meshes + ";\nauto: the best for --topology; FILE.json or onnx: annotations of "
               "weights in\nthat file or in the model";
  table.value(
      "shard", "MESH", allowsAuto ? meshesAndAuto : meshes,
      [&options, place, allowsAuto](StringRef text) -> Error {
        options.mesh.shard = text.str();
        if (allowsAuto && (text == kAutoMesh || isAnnotations(text)))
          return Error::success();
        return Mesh::parse(text, text.contains('=') ? 0 : 1, place + "shard").takeError();
      });
}

/// Returns all targets, in lines of a help text.
static std::string targetHelp() {
  constexpr size_t kLine = 75;
  std::string text, line;
  for (StringRef name : TargetInfo::names()) {
    std::string item =
        (name + (line.empty() && text.empty() ? " (default), " : ", ")).str();
    if (line.size() + item.size() > kLine) {
      text += StringRef(line).rtrim().str() + "\n";
      line.clear();
    }
    line += item;
  }
  return text + StringRef(line).rtrim(", ").str() + ";\nseveral: one package";
}

static void declareTarget(OptionTable &table, const std::string &place,
                          CompileOptions &options) {
  // Static because the table keeps references.
  static const std::string help = targetHelp();
  table.value("target", "T,T", help, [&options, place](StringRef text) {
    options.targets.names.clear();
    return parseList(place + "target", text, options.targets.names);
  });
}

static void declareSizes(OptionTable &table, const std::string &place,
                         CompileOptions &options) {
  table.value(
      "dims", "NAME=LO..HI,...", "ranges of the model's symbolic dims",
      [&options, place](StringRef text) {
        return parseRanges(place + "dims", text, options.dims);
      },
      /*repeat=*/true);
  table.value(
      "precision", "P",
      "what matrix products are computed in: f32 (default: as the model says),\n"
      "tf32, bf16 or f16; int8, mxfp6, int4, nvfp4 or mxfp4: weights in so many bits, "
      "in\n"
      "blocks with scales, and activations in 8 bits; fp8, mxfp8: weights in E4M3 with "
      "a\n"
      "scale each or per block of 32, mxfp6_e3m2: E3M2 per block of 32; sums, norms and\n"
      "softmax stay f32; POLICY.json: by node\n"
      "(docs/guides/quantization.md)",
      [&options](StringRef text) { return readPrecision(text, options.precision); });
  table.value(
      "activations", "TYPE",
      "bf16 or f16: what weights in int8, mxfp6, int4, nvfp4 and mxfp4 are\n"
      "multiplied with, in place of codes of 8 bits, and what all other matrix\n"
      "products and attention are computed in; fp8: what weights in fp8, mxfp8,\n"
      "mxfp6_e3m2 and mxfp4 are multiplied with; fp8-fast: the same, and\n"
      "sums of fp8 stay in tensor cores, which may keep fewer bits than f32 has;\n"
      "nvfp4 or mxfp4: what weights of the same format are multiplied with",
      [&options](StringRef text) {
        options.precision.activations = text.str();
        return options.precision.check();
      });
  table.value(
      "kv", "FORMAT",
      "int8 or fp8: keys and values of a decoder's cache in 8 bits, with a scale\n"
      "per head and position",
      [&options](StringRef text) {
        options.precision.cache = text.str();
        return options.precision.check();
      });
}

static void declareRunOptions(OptionTable &table, const std::string &place,
                              CompileOptions &options, bool allowsAuto) {
  table.flag(
      "batch-invariant",
      "GPU: one kernel per product for any number of rows, so that a row's bits do\n"
      "not depend on how many run; by default skinny GEMMs have kernels of their own",
      options.targets.batchInvariant);
  declareRankOptions(table, place, options, allowsAuto);
  table.value("memory-limit", "SIZE",
              "fail if weights, inputs, outputs and activations could need more, for\n"
              "example 24GiB",
              [&options, place](StringRef text) -> Error {
                Expected<uint64_t> bytes = parseBytes(place + "memory-limit", text);
                if (!bytes)
                  return bytes.takeError();
                options.limits.memory = *bytes;
                return Error::success();
              });
}

static void declareGraphOptions(OptionTable &table, const std::string &place,
                                CompileOptions &options) {
  table.value(
      "state", "PAST=PRESENT,...",
      "a decoder's pasts and presents become state, which is written in place: these\n"
      "instead of those that are found; its dims are rows, capacity, sequence, tokens",
      [&options, place](StringRef text) {
        return parseList(place + "state", text, options.state.pairs);
      },
      /*repeat=*/true);
  table.value(
      "keep-input", "NAME,...",
      "inputs that stay although they follow from the state, or have an initializer",
      [&options, place](StringRef text) {
        return parseList(place + "keep-input", text, options.state.keptInputs);
      },
      /*repeat=*/true);
  table.value(
      "outputs", "NAME,...",
      "the outputs that the package has (default: all); what only others need is left\n"
      "out. Presents that become state must be among them",
      [&options, place](StringRef text) {
        return parseList(place + "outputs", text, options.outputs);
      },
      /*repeat=*/true);
  table.flag("no-state", "pasts and presents stay inputs and outputs",
             [&options](StringRef) {
               options.state.enabled = false;
               return Error::success();
             });
  table.value(
      "freeze", "NAME=VALUE",
      "an input becomes a constant, all its elements this number, before anything is\n"
      "simplified: what an If tests is then known",
      [&options, place](StringRef text) -> Error {
        auto [name, value] = text.split('=');
        if (name.empty() || value.empty())
          return usageError(place + "freeze", "is not an input with its value",
                            "NAME=VALUE", "'" + text + "'",
                            "write for example use_cache_branch=true");
        options.frozen.emplace_back(name.str(), value.str());
        return Error::success();
      },
      /*repeat=*/true);
  table.text("external-data-from", "DIR",
             "external data may be links that lead into DIR, as in caches of model hubs",
             options.externalDataFrom);
}

void driver::declareModelOptions(OptionTable &table, StringRef command,
                                 CompileOptions &options) {
  std::string place = "kiln " + command.str() + ": --";
  declareTarget(table, place, options);
  declareSizes(table, place, options);
  declareRunOptions(table, place, options, command == "compile");
  declareGraphOptions(table, place, options);
}

void driver::declareEstimateOptions(OptionTable &table, CompileOptions &options) {
  const std::string place = "kiln estimate: --";
  declareSizes(table, place, options);
  declareParts(table, place, options);
  declareGraphOptions(table, place, options);
}
