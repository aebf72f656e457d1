//===- model.cpp - kiln.Model ---------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model.h"
#include "errors.h"
#include <algorithm>
#include <map>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace kiln::python;

Model Model::entry(const std::string &name) const {
  kiln_model *found = nullptr;
  check(kiln_model_entry(model.get(), name.c_str(), &found));
  return Model(std::shared_ptr<kiln_model>(model, found));
}

std::vector<std::string> Model::entries() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < kiln_model_entry_count(model.get()); ++i)
    names.emplace_back(kiln_model_entry_name(model.get(), i));
  return names;
}

std::vector<std::string> Model::targets() const {
  std::vector<std::string> names;
  for (size_t i = 0; const kiln_target_info *info = kiln_model_target(model.get(), i);
       ++i)
    names.emplace_back(info->name);
  return names;
}

using TensorAt = const kiln_tensor_info *(*)(const kiln_model *, size_t);

static std::vector<Tensor> tensorsOf(kiln_model *model, TensorAt at) {
  std::vector<Tensor> list;
  for (size_t i = 0; const kiln_tensor_info *info = at(model, i); ++i)
    list.push_back(describe(*info));
  return list;
}

std::vector<Tensor> Model::inputs() const {
  return tensorsOf(model.get(), kiln_model_input);
}
std::vector<Tensor> Model::outputs() const {
  return tensorsOf(model.get(), kiln_model_output);
}
std::vector<Tensor> Model::states() const {
  return tensorsOf(model.get(), kiln_model_state);
}

nb::dict Model::dims() const {
  nb::dict ranges;
  for (size_t i = 0; const kiln_symbol_info *info = kiln_model_symbol(model.get(), i);
       ++i)
    ranges[info->name] = nb::make_tuple(info->min, info->max);
  return ranges;
}

std::string Model::provenance() const {
  size_t length = 0;
  const char *text = kiln_model_provenance(model.get(), &length);
  return {text, length};
}

nb::dict Model::provenanceOf(const char *part) const {
  nb::object all =
      nb::module_::import_("json").attr("loads")(nb::str(provenance().c_str()));
  return nb::cast<nb::dict>(all.attr("get")(part, nb::dict()));
}

nb::dict Model::outputShapes(const nb::dict &given) const {
  std::vector<std::string> names;
  std::vector<std::vector<int64_t>> shapes;
  for (auto [name, shape] : given) {
    std::vector<int64_t> dims;
    bool isShape = nb::hasattr(shape, "__iter__");
    if (isShape)
      for (nb::handle dim : shape) {
        int64_t size = 0;
        isShape &= PyIndex_Check(dim.ptr()) && nb::try_cast(dim, size);
        dims.push_back(size);
      }
    std::string text;
    if (!isShape || !nb::try_cast(name, text))
      throw nb::type_error(("shapes: expected names and shapes as in {\"ids\": (2, 5)}, "
                            "found " +
                            textOf(nb::repr(name)) + ": " + textOf(nb::repr(shape)))
                               .c_str());
    names.push_back(text);
    shapes.push_back(std::move(dims));
  }
  std::vector<kiln_tensor> tensors;
  for (size_t i = 0; i < names.size(); ++i) {
    kiln_dtype dtype = KILN_DTYPE_F32;
    for (size_t t = 0; const kiln_tensor_info *info = kiln_model_input(model.get(), t);
         ++t)
      if (names[i] == info->name)
        dtype = info->dtype;
    tensors.push_back({names[i].c_str(), nullptr, 0, dtype,
                       static_cast<uint32_t>(shapes[i].size()), shapes[i].data(),
                       KILN_MEMORY_ANY});
  }
  std::vector<kiln_shape> found(kiln_model_output_count(model.get()));
  check(kiln_model_output_shapes(model.get(), tensors.data(), tensors.size(),
                                 found.data(), found.size()));
  nb::dict result;
  for (size_t i = 0; i < found.size(); ++i) {
    nb::list dims;
    for (uint32_t d = 0; d < found[i].rank; ++d)
      dims.append(found[i].dims[d]);
    result[kiln_model_output(model.get(), i)->name] = nb::tuple(dims);
  }
  return result;
}

/// Returns the ranges of all dims of all entries, as given; the error names all missing
/// ones.
static std::map<std::string, SessionConfig::Range>
completeRanges(kiln_model *model, const std::vector<SessionConfig::Range> &given) {
  std::map<std::string, SessionConfig::Range> ranges;
  std::string missing, names, known;
  for (size_t e = 0; e < kiln_model_entry_count(model); ++e) {
    kiln_model *entry = nullptr;
    check(kiln_model_entry(model, kiln_model_entry_name(model, e), &entry));
    for (size_t i = 0; const kiln_symbol_info *info = kiln_model_symbol(entry, i); ++i) {
      if (ranges.count(info->name))
        continue;
      std::string range = std::string(info->name) + "=" + std::to_string(info->min) +
                          ".." + std::to_string(info->max);
      known += (known.empty() ? "" : ", ") + range;
      auto found = std::ranges::find(given, info->name, &SessionConfig::Range::name);
      bool isGiven = found != given.end();
      if (!isGiven) {
        missing += (missing.empty() ? "" : ", ") + range;
        names += (names.empty() ? "\"" : ", \"") + std::string(info->name) + "\"";
      } else if (found->lo > found->hi || found->lo < info->min ||
                 found->hi > info->max) {
        raise(608, "dim \"" + found->name + "\"", "the range is not within the model's",
              range, std::to_string(found->lo) + ".." + std::to_string(found->hi),
              "give a part of the model's range");
      }
      ranges[info->name] = isGiven ? *found : SessionConfig::Range{info->name, 0, 0};
    }
  }
  for (const SessionConfig::Range &range : given)
    if (!ranges.count(range.name))
      raise(608, "dim \"" + range.name + "\"", "the model has no such dim", known,
            range.name, "use a name of Model.dims");
  if (!missing.empty())
    raise(608, "dims " + names, "they are not given", missing,
          std::to_string(given.size()) + " given",
          "give each a number or a pair (lo, hi)");
  return ranges;
}

uint64_t Model::bytes(const nb::dict &dims, uint32_t threads) const {
  auto ranges = completeRanges(model.get(), rangesOf(dims));
  constexpr uint64_t page = 4096; // each thread's workspace consists of entire pages
  std::vector<uint64_t> arenas(kiln_model_arena_count(model.get()));
  for (size_t e = 0; e < kiln_model_entry_count(model.get()); ++e) {
    kiln_model *entry = nullptr;
    check(kiln_model_entry(model.get(), kiln_model_entry_name(model.get(), e), &entry));
    for (bool upper : {false, true}) {
      std::vector<int64_t> values;
      for (size_t i = 0; const kiln_symbol_info *info = kiln_model_symbol(entry, i); ++i)
        values.push_back(upper ? ranges[info->name].hi : ranges[info->name].lo);
      for (size_t a = 0; a < arenas.size(); ++a) {
        uint64_t needed = 0;
        check(kiln_model_arena_bytes(entry, a, values.data(), &needed));
        arenas[a] = std::max(arenas[a], needed);
      }
    }
  }
  uint64_t all = 0;
  for (size_t a = 0; a < arenas.size(); ++a) {
    kiln_arena_kind kind = kiln_model_arena(model.get(), a)->kind;
    if (kind == KILN_ARENA_WORKSPACE)
      all += (arenas[a] + page - 1) / page * page * threads;
    else if (kind >= KILN_ARENA_ACTIVATIONS)
      all += arenas[a];
  }
  return all;
}

std::string Model::repr() const {
  std::string text = "<kiln.Model " + path() + ": ";
  const char *separator = "";
  for (const std::vector<Tensor> &side : {inputs(), outputs()}) {
    for (const Tensor &tensor : side) {
      text += separator + tensor.name + " " + tensor.type();
      separator = ", ";
    }
    separator = " -> ";
  }
  return text + ">";
}
