//===- PhaseOptions.cpp - Options that passes read ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Transforms/Graph/PhaseOptions.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <memory>

using namespace kiln;
using namespace mlir;

/// Calls visitor(name, field, description) for each option.
template <typename Options, typename Visitor>
static void visitOptions(Options &options, Visitor visitor) {
  auto &[targets, precision, mesh, state, indices, limits] = options;
  visitor("targets", targets.names, "targets of the package");
  visitor("batch-invariant", targets.batchInvariant, "one kernel for any number of rows");
  visitor("configs", targets.configs, "file of configs that replace the choice");
  visitor("precision", precision.precision, "of matmuls, as kiln compile --precision");
  visitor("rules", precision.rules, "nodes=precision: of other nodes, by a glob");
  visitor("kv", precision.cache, "format of caches: int8 or fp8");
  visitor("algorithm", precision.algorithm, "by which weights are quantized");
  visitor("activations", precision.activations, "type that weights are multiplied with");
  visitor("range", precision.range, "method that found the static ranges");
  visitor("observe", precision.observation,
          "products, maxima or values of matmuls' inputs, in place of lowering them: "
          "WHAT:FIRST:ELEMENTS");
  visitor("shard", mesh.axes, "mesh of the ranks, as kiln compile --shard");
  visitor("overlap", mesh.overlap, "parts of rows whose collectives overlap");
  visitor("micro-batches", mesh.microBatches, "parts of a run, for stages");
  visitor("state", state.enabled, "whether pasts and presents become state");
  visitor("state-pairs", state.pairs, "past=present: in place of those that are found");
  visitor("keep-inputs", state.keptInputs, "inputs that stay, by name");
  visitor("state-dims", state.dims, "ranges of the dims of a state, as rows=1..4");
  visitor("tokens", state.tokens, "range of the new positions of @decode");
  visitor("clamp-indices", indices.clamp, "leave indices out of range unnoticed");
  visitor("memory-limit", limits.memory, "bytes that a package may need");
}

//===----------------------------------------------------------------------===//
// Values as text
//===----------------------------------------------------------------------===//

static constexpr std::pair<Observed, StringLiteral> kObserved[] = {
    {Observed::Products, "products"},
    {Observed::Maxima, "maxima"},
    {Observed::Values, "values"}};

static std::string toText(const std::string &value) { return value; }
static std::string toText(bool value) { return value ? "true" : "false"; }
static std::string toText(int64_t value) { return std::to_string(value); }
static std::string toText(const std::optional<uint64_t> &value) {
  return value ? std::to_string(*value) : "";
}
static std::string toText(const Mesh &value) { return value.str(); }
static std::string toText(const std::optional<Observation> &value) {
  if (!value)
    return "";
  StringRef what;
  for (const auto &[kind, name] : kObserved)
    if (kind == value->what)
      what = name;
  return (what + ":" + Twine(value->first) + ":" + Twine(value->elements)).str();
}
static std::vector<std::string> toText(const std::vector<std::string> &list) {
  return list;
}
static std::vector<std::string> toText(const std::vector<PrecisionRule> &rules) {
  PrecisionPolicy policy;
  policy.rules = rules;
  return policy.ruleOptions();
}

static bool fromText(StringRef text, std::string &value) {
  value = text.str();
  return true;
}
static bool fromText(StringRef text, bool &value) {
  value = text == "true";
  return value || text == "false";
}
static bool fromText(StringRef text, int64_t &value) {
  return !text.getAsInteger(10, value) && value > 0;
}
static bool fromText(StringRef text, std::optional<uint64_t> &value) {
  return text.empty() || !text.getAsInteger(10, value.emplace());
}
static bool fromText(StringRef text, Mesh &value) {
  llvm::Expected<Mesh> mesh = Mesh::parse(text, /*ranks=*/0, "shard");
  if (!mesh)
    return llvm::consumeError(mesh.takeError()), false;
  value = *mesh;
  return true;
}
static bool fromText(StringRef text, std::optional<Observation> &value) {
  if (text.empty())
    return true;
  auto [what, range] = text.split(':');
  auto [first, elements] = range.split(':');
  value.emplace();
  for (const auto &[kind, name] : kObserved)
    if (name == what) {
      value->what = kind;
      return !first.getAsInteger(10, value->first) &&
             !elements.getAsInteger(10, value->elements);
    }
  return false;
}
static bool fromText(ArrayRef<std::string> list, std::vector<std::string> &value) {
  value = list.vec();
  return true;
}
static bool fromText(ArrayRef<std::string> list, std::vector<PrecisionRule> &rules) {
  rules = PrecisionPolicy::fromOptions("", list).rules;
  return true;
}

//===----------------------------------------------------------------------===//
// All options
//===----------------------------------------------------------------------===//

namespace {
/// The options in the form that MLIR parses.
class PhaseFlags : public PassPipelineOptions<PhaseFlags> {
public:
  PhaseFlags() {
    PhaseOptions defaults;
    visitOptions(defaults, [&](StringRef name, const auto &field, StringRef text) {
      add(name, toText(field), text);
    });
  }
  /// Returns the options as fields. Fails with KILN-E0001.
  llvm::Expected<PhaseOptions> get() const {
    PhaseOptions options;
    std::string wrong;
    visitOptions(options, [&](StringRef name, auto &field, StringRef) {
      if (!read(name, field) && wrong.empty())
        wrong = name.str();
    });
    if (wrong.empty())
      return options;
    return makeError({ErrorCode::BadUsage, wrong, "has no such value",
                      "a value as kiln compile takes it",
                      "'" + texts.lookup(wrong)->getValue() + "'",
                      "kiln-opt --help lists the options of pipelines"});
  }

private:
  void add(StringRef name, const std::string &value, StringRef description) {
    owned.push_back(std::make_shared<Option<std::string>>(
        *this, name, llvm::cl::desc(description), llvm::cl::init(value)));
    texts[name] = static_cast<Option<std::string> *>(owned.back().get());
  }
  void add(StringRef name, const std::vector<std::string> &value, StringRef description) {
    owned.push_back(std::make_shared<ListOption<std::string>>(
        *this, name, llvm::cl::desc(description),
        llvm::cl::list_init<std::string>(value)));
    lists[name] = static_cast<ListOption<std::string> *>(owned.back().get());
  }
  template <typename T> bool read(StringRef name, std::vector<T> &field) const {
    return fromText(**lists.lookup(name), field);
  }
  template <typename T> bool read(StringRef name, T &field) const {
    return fromText(texts.lookup(name)->getValue(), field);
  }

  std::vector<std::shared_ptr<void>> owned;
  llvm::StringMap<Option<std::string> *> texts;
  llvm::StringMap<ListOption<std::string> *> lists;
};
} // namespace

static std::string quoted(const std::string &value) {
  return StringRef(value).contains(' ') ? "{" + value + "}" : value;
}
static std::string quoted(const std::vector<std::string> &list) {
  return "{" + llvm::join(list, ",") + "}";
}

std::string PhaseOptions::str() const {
  std::string text;
  llvm::StringMap<std::string> defaults;
  PhaseOptions none;
  visitOptions(none, [&](StringRef name, const auto &field, StringRef) {
    defaults[name] = quoted(toText(field));
  });
  visitOptions(*this, [&](StringRef name, const auto &field, StringRef) {
    std::string value = quoted(toText(field));
    if (value != defaults[name])
      text += (text.empty() ? "" : " ") + name.str() + "=" + value;
  });
  return text;
}

llvm::Error PhaseOptions::check() {
  if (llvm::Error error = precision.check())
    return error;
  if (!precision.cache.empty() && !state.enabled)
    return makeError({ErrorCode::BadUsage, "--kv", "there is no cache without state",
                      "--kv or --no-state", "both", "leave one of them out"});
  if (!state.enabled && !state.pairs.empty())
    return makeError({ErrorCode::BadUsage, "--no-state",
                      "there is a pair to make state of", "--state or --no-state", "both",
                      "leave one of them out"});
  return mesh.resolve();
}

llvm::Expected<PhaseOptions> PhaseOptions::parse(StringRef text) {
  PhaseFlags flags;
  std::string problem;
  llvm::raw_string_ostream os(problem);
  if (failed(flags.parseFromString(text, os)))
    return makeError({ErrorCode::BadUsage, "options of a pipeline", "cannot be read",
                      "NAME=VALUE, apart by spaces",
                      problem.empty() ? text.str() : StringRef(problem).trim().str(),
                      "kiln-opt --help lists the options of pipelines"});
  llvm::Expected<PhaseOptions> options = flags.get();
  if (!options)
    return options.takeError();
  options->mesh.shard = options->mesh.axes.str();
  if (llvm::Error error = options->check())
    return std::move(error);
  return options;
}

void kiln::showPhaseOptions(
    llvm::function_ref<void(const mlir::detail::PassOptions &)> show) {
  show(PhaseFlags());
}
