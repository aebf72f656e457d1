//===- GroupTest.cpp - Ranks as threads of a process ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/group.hpp"
#include "TestPackage.h"
#include <chrono>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>

using namespace kiln::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {
class Group : public testing::TestWithParam<uint32_t> {
protected:
  /// Loads a package for `ranks` ranks.
  kiln::rt::Model load(uint32_t ranks) {
    std::string path = folder / "m.kiln";
    writeModel(path, ranks > 1 ? ranksModel(ranks) : scaleModel());
    return kiln::rt::Model(path);
  }
  TempFolder folder;
};

struct Input {
  Input(int64_t batch, int64_t seq) : shape{batch, seq} {
    for (int64_t i = 0; i < batch * seq; ++i)
      data.push_back(static_cast<float>(i % 17 - 8));
  }
  kiln::rt::View view() const { return {"x", data, shape}; }
  std::vector<int64_t> shape;
  std::vector<float> data;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Ranks, Group, testing::Values(2, 3, 4));

TEST_P(Group, RunsOnAllRanks) {
  uint32_t ranks = GetParam();
  kiln::rt::Group group(load(ranks));
  EXPECT_EQ(group.ranks(), ranks);
  for (auto [batch, seq] : {std::pair(1, 1), {4, 256}, {3, 7}, {1, 1}}) {
    Input x(batch, seq);
    auto results = group.runAll({x.view()});
    ASSERT_EQ(results.size(), ranks);
    for (const auto &own : results) {
      for (size_t i = 0; i < x.data.size(); ++i) {
        float sum = 0;
        for (uint32_t rank = 0; rank < ranks; ++rank)
          sum += x.data[i] * (2 + float(rank)) + 1;
        ASSERT_EQ(own[0].as<float>()[i], sum) << i;
      }
      for (uint32_t rank = 0; rank < ranks; ++rank)
        for (int64_t row = 0; row < batch; ++row) {
          float sum = 0;
          for (int64_t i = 0; i < seq; ++i)
            sum += x.data[size_t(row * seq + i)] * (2 + float(rank)) + 1;
          ASSERT_EQ(own[1].as<float>()[rank * uint32_t(batch) + uint32_t(row)], sum);
        }
    }
    auto first = group.run({x.view()});
    EXPECT_EQ(0, std::memcmp(first[0].data(), results[0][0].data(), first[0].size));
  }
}

TEST_F(Group, SeveralThreadsForEachRank) {
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.threads = 3;
  kiln::rt::Group group(load(2), options);
  EXPECT_EQ(kiln_session_threads(kiln_group_session(group.get(), 1)), 3u);
  Input x(4, 100);
  auto results = group.runAll({x.view()});
  EXPECT_EQ(results[1][0].as<float>()[5], x.data[5] * 5 + 2);
}

TEST_F(Group, OneRankIsASession) {
  kiln::rt::Group group(load(1));
  EXPECT_EQ(group.ranks(), 1u);
  Input x(2, 5);
  EXPECT_EQ(group.run({x.view()})[0].as<float>()[3], scaled(x.data[3]));
}

/// Returns stateModel for two ranks without collectives; each rank's state can be read
/// and written.
static kiln::package::PackageContents statesOfRanks() {
  kiln::package::PackageContents contents = stateModel();
  contents.plan.ranks = 2;
  auto state = std::make_unique<kiln::fb::TensorT>(*contents.plan.outputs[0]);
  state->name = "past";
  state->buffer = 1;
  contents.plan.states.push_back(std::move(state));
  return contents;
}

TEST_F(Group, EachRankHasStatesOfItsOwn) {
  std::string path = folder / "m.kiln";
  writeModel(path, statesOfRanks());
  kiln::rt::Group group((kiln::rt::Model(path)));
  std::vector<float> x = {3};
  auto totals = [&] {
    auto results = group.runAll({{"x", x, {1}}});
    return std::pair(results[0][0].as<float>()[0], results[1][0].as<float>()[0]);
  };
  EXPECT_EQ(totals(), std::pair(3.f, 3.f));
  kiln_session *second = kiln_group_session(group.get(), 1);
  float past = 0, written = 10;
  kiln::rt::check(kiln_session_read_state(second, 0, 0, &past, sizeof past));
  EXPECT_EQ(past, 3);
  kiln::rt::check(kiln_session_write_state(second, 0, 0, &written, sizeof written));
  EXPECT_EQ(totals(), std::pair(6.f, 13.f));
  kiln::rt::check(kiln_group_reset_state(group.get()));
  EXPECT_EQ(totals(), std::pair(3.f, 3.f));
}

TEST_F(Group, WeightsOfRanks) {
  kiln::rt::Model model = load(3);
  EXPECT_EQ(kiln_model_rank_count(model.get()), 3u);
  kiln_rank_info info;
  kiln::rt::check(kiln_model_rank(model.get(), 2, &info));
  EXPECT_EQ(info.weights_bytes, 8u);
  EXPECT_EQ(info.replicated_bytes, 0u);
  EXPECT_EQ(kiln_status_code(own(kiln_model_rank(model.get(), 3, &info)).get()), 1u);
  kiln_collective_info met = {"x", 1, 1, 1};
  int64_t dims[] = {2, 5}; // batch, seq
  kiln::rt::check(kiln_model_collective(model.get(), RanksModel::gather, dims, &met));
  EXPECT_STREQ(met.kind, "all_gather");
  EXPECT_EQ(met.bytes, 2u * 4);
  kiln::rt::check(kiln_model_collective(model.get(), RanksModel::reduce, dims, &met));
  EXPECT_STREQ(met.kind, "all_reduce");
  EXPECT_EQ(met.bytes, 2u * 5 * 4);
  kiln::rt::check(kiln_model_collective(model.get(), 0, dims, &met));
  EXPECT_EQ(met.kind, nullptr);
  EXPECT_EQ(
      kiln_status_code(own(kiln_model_collective(model.get(), 99, dims, &met)).get()),
      1u);
  kiln::rt::Model one = load(1);
  kiln::rt::check(kiln_model_rank(one.get(), 0, &info));
  EXPECT_EQ(info.replicated_bytes, info.weights_bytes);
}

/// A weight without elements has the same offset as the next one.
TEST_F(Group, EmptyWeightsHideNoOthers) {
  kiln::package::PackageContents contents = scaleModel();
  auto add = [&](const char *name, uint32_t size) {
    auto weight = std::make_unique<kiln::fb::BufferT>(*contents.plan.buffers[0]);
    weight->name = name, weight->size = size, weight->offset = 64;
    contents.plan.steps[0]->reads.push_back(
        static_cast<uint32_t>(contents.plan.buffers.size()));
    contents.plan.buffers.push_back(std::move(weight));
  };
  add("empty", contents.plan.kernels[0]->scratch); // 0
  add("more", contents.plan.buffers[0]->size);
  float values[2] = {};
  contents.weights.push_back(
      kiln::package::weightFromMemory("more", 64, values, sizeof values));
  std::string path = folder / "weights.kiln";
  writeModel(path, contents);
  kiln_rank_info info;
  kiln::rt::check(kiln_model_rank(kiln::rt::Model(path).get(), 0, &info));
  EXPECT_EQ(info.weights_bytes, 16u);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

static StatusPtr create(kiln_model *model, const kiln_group_options &options) {
  kiln_group *group = nullptr;
  StatusPtr status = own(kiln_group_create(model, &options, &group));
  EXPECT_EQ(group, nullptr);
  return status;
}

static bool says(const StatusPtr &status, const std::string &text) {
  return std::string(kiln_status_message(status.get())).find(text) != std::string::npos;
}

TEST_F(Group, OtherNumbersOfRanksAreRefused) {
  kiln::rt::Model model = load(3);
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.ranks = 2;
  StatusPtr status = create(model.get(), options);
  EXPECT_EQ(kiln_status_code(status.get()), 621u);
  EXPECT_TRUE(says(status, "expected 3 ranks, found 2 ranks"))
      << kiln_status_message(status.get());
  options.ranks = 1u << 31;
  EXPECT_EQ(kiln_status_code(create(model.get(), options).get()), 621u);

  kiln_session *session = nullptr;
  status = own(kiln_session_create(model.get(), nullptr, &session));
  EXPECT_EQ(kiln_status_code(status.get()), 621u);
  EXPECT_TRUE(says(status, "of 3 ranks")) << kiln_status_message(status.get());

  kiln::rt::Model one = load(1);
  options.ranks = 2;
  status = create(one.get(), options);
  EXPECT_EQ(kiln_status_code(status.get()), 621u);
  EXPECT_TRUE(says(status, "ask for one rank")) << kiln_status_message(status.get());
}

TEST_F(Group, UnknownDevicesAreRefused) {
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.device = "gpu";
  EXPECT_EQ(kiln_status_code(create(load(2).get(), options).get()), 702u);
}

TEST_F(Group, ARankDoesNotRunByItself) {
  for (uint32_t ranks : {1, 2}) {
    kiln::rt::Group group(load(ranks));
    kiln_session *rank = kiln_group_session(group.get(), ranks - 1), *entry = nullptr;
    kiln::rt::check(kiln_session_entry(rank, "main", &entry));
    EXPECT_EQ(entry, rank);
    StatusPtr status = own(kiln_session_run(rank, nullptr, 0, nullptr, 0));
    EXPECT_EQ(kiln_status_code(status.get()), 1u);
    EXPECT_TRUE(says(status, "kiln_group_run")) << kiln_status_message(status.get());
    status = own(kiln_session_run_entry(rank, "main", nullptr, 0, nullptr, 0));
    EXPECT_EQ(kiln_status_code(status.get()), 1u);
    kiln_session_release(rank); // owned by the group
    Input x(1, 2);
    EXPECT_EQ(group.run({x.view()}).size(), 2u);
  }
}

TEST_F(Group, MeasuresMemory) {
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.measure_memory = 1;
  kiln::rt::Group group(load(2), options);
  Input x(2, 9);
  group.run({x.view()});
  uint64_t measured = 0;
  for (size_t i = 0; i < 5; ++i) {
    kiln_arena_usage usage;
    kiln::rt::check(kiln_session_arena(kiln_group_session(group.get(), 1), i, &usage));
    measured += usage.measured;
  }
  EXPECT_GT(measured, 0u);
}

TEST_F(Group, NullsAreRefused) {
  EXPECT_EQ(kiln_status_code(own(kiln_group_create(nullptr, nullptr, nullptr)).get()),
            1u);
  EXPECT_EQ(kiln_status_code(
                own(kiln_group_run(nullptr, nullptr, nullptr, 0, nullptr, 0)).get()),
            1u);
  EXPECT_EQ(kiln_group_ranks(nullptr), 0u);
  EXPECT_EQ(kiln_group_session(nullptr, 0), nullptr);
  kiln_group_release(nullptr);
}

static unsigned codeOf(const std::function<void()> &call, std::string &message) {
  try {
    call();
  } catch (const kiln::rt::Error &error) {
    message = error.what();
    return error.code();
  }
  return 0;
}

/// An error of a rank has the same text as a session's, and the group can continue.
TEST_F(Group, InputsAreChecked) {
  kiln::rt::Group group(load(2));
  std::string message;
  Input tooLong(1, 300), fine(1, 3);
  EXPECT_EQ(codeOf([&] { group.run({tooLong.view()}); }, message), 604u);
  EXPECT_EQ(codeOf([&] { group.run({}); }, message), 601u);
  const kiln::rt::View view = fine.view(); // owns the name
  kiln_tensor in = view.tensor();
  FloatTensor y("y", {1, 3});
  kiln_tensor out = y.tensor();
  EXPECT_EQ(
      kiln_status_code(own(kiln_group_run(group.get(), nullptr, &in, 1, &out, 1)).get()),
      0u); // the other output is not requested
  EXPECT_EQ(y.data[0], fine.data[0] * 5 + 2);
  EXPECT_EQ(
      kiln_status_code(own(kiln_group_run(group.get(), "decode", &in, 1, &out, 1)).get()),
      619u);
  EXPECT_EQ(group.run({fine.view()})[0].as<float>()[0], fine.data[0] * 5 + 2);
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

namespace {
/// Delays a rank before a step.
struct Delay {
  uint32_t rank;
  size_t step;
  std::chrono::milliseconds time;
  static void observe(void *user, uint32_t rank, size_t step, int after,
                      const kiln_buffer_view *, size_t, const kiln_buffer_view *,
                      size_t) {
    const Delay &delay = *static_cast<Delay *>(user);
    if (rank == delay.rank && step == delay.step && !after)
      std::this_thread::sleep_for(delay.time);
  }
};
} // namespace

TEST_F(Group, ALateRankIsNamed) {
  Delay delay{1, RanksModel::reduce, 700ms};
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.timeout_ms = 200;
  options.observer = Delay::observe;
  options.observer_user = &delay;
  kiln::rt::Group group(load(3), options);
  Input x(2, 9);
  std::string message;
  Clock::time_point begin = Clock::now();
  EXPECT_EQ(codeOf([&] { group.run({x.view()}); }, message), 711u);
  EXPECT_LT(Clock::now() - begin, 5s);
  EXPECT_NE(message.find("rank 1 has not come"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  // A slow rank is not lost, and a failure does not affect the next run.
  delay.time = 20ms;
  EXPECT_EQ(group.run({x.view()})[0].as<float>()[1], x.data[1] * 9 + 3);
}

/// The default timeout is five seconds.
TEST_F(Group, NobodyWaitsForever) {
  Delay delay{0, RanksModel::gather, 5500ms};
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.observer = Delay::observe;
  options.observer_user = &delay;
  kiln::rt::Group group(load(2), options);
  Input x(1, 1);
  std::string message;
  EXPECT_EQ(codeOf([&] { group.run({x.view()}); }, message), 711u);
  EXPECT_NE(message.find("rank 0 has not come"), std::string::npos) << message;
}

TEST_F(Group, ObserversSeeEveryRank) {
  struct Seen {
    std::mutex mutex;
    std::set<std::pair<uint32_t, size_t>> steps;
  } seen;
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.profile = 1;
  options.observer = [](void *user, uint32_t rank, size_t step, int,
                        const kiln_buffer_view *, size_t, const kiln_buffer_view *,
                        size_t) {
    auto &seen = *static_cast<Seen *>(user);
    std::lock_guard lock(seen.mutex);
    seen.steps.insert({rank, step});
  };
  options.observer_user = &seen;
  kiln::rt::Group group(load(2), options);
  Input x(1, 4);
  group.run({x.view()});
  EXPECT_EQ(seen.steps.size(), 10u);
  EXPECT_NE(kiln_session_step_times(kiln_group_session(group.get(), 1)), nullptr);
}
