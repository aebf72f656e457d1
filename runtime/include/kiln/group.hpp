//===- group.hpp - C++ interface of ranks that run together -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header-only layer over group.h, as runtime.hpp is over runtime.h.
//
//   kiln::rt::Group group(kiln::rt::Model("model.kiln"));
//   auto out = group.run({{"ids", ids, {1, 3}}});
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GROUP_HPP
#define KILN_GROUP_HPP

#include "kiln/group.h"
#include "kiln/runtime.hpp"

namespace kiln::rt {

/// The ranks of a package, which are threads of this process, or processes of which this
/// one is a rank.
class Group {
public:
  explicit Group(const Model &loaded,
                 const kiln_group_options &options = KILN_GROUP_OPTIONS_INIT)
      : model(loaded) {
    kiln_group *created = nullptr;
    check(kiln_group_create(model.get(), &options, &created));
    group.reset(created);
  }
  /// Makes this process one rank of a group of processes.
  Group(const Model &loaded, const kiln_group_options &options,
        const kiln_join_options &join)
      : model(loaded) {
    kiln_group *created = nullptr;
    check(kiln_group_join(model.get(), &options, &join, &created));
    group.reset(created);
  }

  kiln_group *get() const { return group.get(); }
  uint32_t ranks() const { return kiln_group_ranks(get()); }
  /// Rank of this process; 0 if ranks are threads.
  uint32_t rank() const { return kiln_group_rank(get()); }

  /// Returns the outputs of this process's rank, which all ranks have.
  std::vector<Array> run(const std::vector<View> &inputs) {
    return std::move(runRanks(inputs, 1).front());
  }
  /// Returns the outputs of each rank, if ranks are threads.
  std::vector<std::vector<Array>> runAll(const std::vector<View> &inputs) {
    return runRanks(inputs, ranks());
  }

private:
  struct Release {
    void operator()(kiln_group *created) const { kiln_group_release(created); }
  };

  std::vector<std::vector<Array>> runRanks(const std::vector<View> &inputs,
                                           uint32_t count) {
    std::vector<kiln_tensor> given, places;
    for (const View &input : inputs)
      given.push_back(input.tensor());
    std::vector<kiln_shape> shapes(model.outputCount());
    check(kiln_group_output_shapes(get(), nullptr, given.data(), given.size(),
                                   shapes.data(), shapes.size()));
    std::vector<std::vector<Array>> results(count);
    for (std::vector<Array> &own : results) {
      own.reserve(shapes.size()); // places point into the arrays
      for (size_t i = 0; i < shapes.size(); ++i)
        places.push_back(own.emplace_back(model.output(i), shapes[i]).tensor());
    }
    check(kiln_group_run(get(), nullptr, given.data(), given.size(), places.data(),
                         places.size()));
    return results;
  }

  Model model;
  std::unique_ptr<kiln_group, Release> group;
};

} // namespace kiln::rt

#endif // KILN_GROUP_HPP
