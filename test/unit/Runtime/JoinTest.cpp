//===- JoinTest.cpp - Groups of processes through the C interface ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forked.h"
#include "TestPackage.h"
#include "kiln/group.hpp"
#include <thread>

using namespace kiln::test;
using namespace std::chrono_literals;

namespace {
class Join : public testing::Test {
protected:
  /// Writes a package for `ranks` ranks.
  std::string package(uint32_t ranks) {
    std::string path = folder / (std::to_string(ranks) + ".kiln");
    writeModel(path, ranks > 1 ? ranksModel(ranks) : scaleModel());
    return path;
  }
  TempFolder folder;
  uint32_t port = static_cast<uint32_t>(getpid());
};

struct Input {
  Input(int64_t batch, int64_t seq, int64_t first = -8) : shape{batch, seq} {
    for (int64_t i = 0; i < batch * seq; ++i)
      data.push_back(static_cast<float>(i % 17 + first));
  }
  kiln::rt::View view() const { return {"x", data, shape}; }
  std::vector<int64_t> shape;
  std::vector<float> data;
};

kiln_join_options joinAs(uint32_t rank, uint32_t size, uint32_t port) {
  kiln_join_options join = KILN_JOIN_OPTIONS_INIT;
  join.rank = rank;
  join.size = size;
  join.address = "JoinTest"; // other tests may use the port
  join.port = port;
  join.timeout_ms = 10000;
  return join;
}

/// Runs a body with each rank of a group; returns its result, or the error.
std::vector<Ended> onRanks(const std::string &path, uint32_t ranks, uint32_t port,
                           const std::function<std::string(kiln::rt::Group &)> &body,
                           const kiln_group_options &options = KILN_GROUP_OPTIONS_INIT) {
  return inProcesses(ranks, [&](uint32_t rank) -> std::string {
    try {
      kiln::rt::Model model(path);
      kiln::rt::Group group(model, options, joinAs(rank, ranks, port));
      return body(group);
    } catch (const kiln::rt::Error &error) {
      return error.what();
    }
  });
}

std::string bytesOf(const std::vector<kiln::rt::Array> &arrays) {
  std::string text;
  for (const kiln::rt::Array &array : arrays)
    text.append(static_cast<const char *>(array.data()), array.size);
  return text;
}
} // namespace

TEST_F(Join, RunsAsThreadsDo) {
  for (uint32_t ranks : {2, 4}) {
    std::string path = package(ranks), expected;
    auto runs = [](kiln::rt::Group &group) {
      std::string text;
      for (auto [batch, seq] : {std::pair(1, 1), {4, 256}, {3, 7}, {1, 1}})
        text += bytesOf(group.run({Input(batch, seq).view()}));
      return text;
    };
    auto all = onRanks(path, ranks, port, runs);
    kiln::rt::Group threads((kiln::rt::Model(path)));
    expected = runs(threads);
    for (const Ended &one : all)
      EXPECT_TRUE(one.result == expected) << one.result.substr(0, 500);
  }
}

TEST_F(Join, SpeaksOfItsRank) {
  auto all = onRanks(package(3), 3, port, [](kiln::rt::Group &group) -> std::string {
    uint32_t rank = kiln_group_rank(group.get());
    uint64_t decided = 7 + rank;
    kiln::rt::check(kiln_group_broadcast(group.get(), &decided, sizeof decided));
    for (uint32_t other = 0; other < 4; ++other)
      if ((kiln_group_session(group.get(), other) != nullptr) != (other == rank))
        return "another rank has a session here";
    kiln::rt::check(kiln_group_reset_state(group.get()));
    return std::to_string(rank) + " of " + std::to_string(group.ranks()) + ": " +
           std::to_string(decided);
  });
  for (uint32_t rank = 0; rank < 3; ++rank)
    EXPECT_EQ(all[rank].result, std::to_string(rank) + " of 3: 7");
}

/// An error on all ranks ends a run before it starts, and has no other effect.
TEST_F(Join, InputsThatAreWrongForAll) {
  auto all = onRanks(package(2), 2, port, [](kiln::rt::Group &group) -> std::string {
    std::string text;
    std::vector<float> x(300), y(300), sums(2);
    std::vector<int64_t> wide = {1, 300}, one = {1, 1}, two = {2};
    auto tensor = [](const char *name, std::vector<float> &data,
                     const std::vector<int64_t> &shape) {
      return kiln_tensor{name,
                         data.data(),
                         data.size() * 4,
                         KILN_DTYPE_F32,
                         uint32_t(shape.size()),
                         shape.data(),
                         KILN_MEMORY_ANY};
    };
    for (auto *shape : {&wide, &one}) {
      kiln_tensor in = tensor("x", x, *shape),
                  out[] = {tensor("y", y, *shape), tensor("sums", sums, two)};
      StatusPtr status = own(kiln_group_run(group.get(), nullptr, &in, 1, out, 2));
      text += std::to_string(kiln_status_code(status.get())) + " ";
    }
    return text;
  });
  for (const Ended &one : all)
    EXPECT_EQ(one.result, "604 0 ");
}

TEST_F(Join, OtherInputsAreRefused) {
  auto all = onRanks(package(2), 2, port, [](kiln::rt::Group &group) {
    int64_t first = kiln_group_rank(group.get());
    return bytesOf(group.run({Input(2, 9, first).view()}));
  });
  for (const Ended &one : all)
    EXPECT_TRUE(one.says("KILN-E0712: rank 1: it begins another run than rank 0"))
        << one.result;
}

TEST_F(Join, AKilledRankIsNamed) {
  auto all = onRanks(package(2), 2, port, [](kiln::rt::Group &group) {
    group.run({Input(1, 3).view()});
    if (kiln_group_rank(group.get()) == 1)
      raise(SIGKILL);
    return bytesOf(group.run({Input(1, 3).view()}));
  });
  EXPECT_EQ(all[1].signal, SIGKILL);
  EXPECT_TRUE(all[0].says("KILN-E0710") && all[0].says("rank 1 has failed"))
      << all[0].result;
  EXPECT_LT(all[0].seconds, 5s);
}

/// While a run waits for another rank, other calls on the session are refused, as they
/// would bind other dims.
TEST_F(Join, ARunIsNotDisturbed) {
  std::string path = package(2);
  int late[2]; // rank 1 starts when it can read from it
  ASSERT_EQ(pipe(late), 0);
  auto all = onRanks(path, 2, port, [&](kiln::rt::Group &group) -> std::string {
    Input input(2, 9), wide(4, 256);
    char byte = 0;
    if (group.rank() == 1)
      return read(late[0], &byte, 1) == 1 ? bytesOf(group.run({input.view()})) : "";
    std::vector<float> y(18), sums(4);
    kiln::rt::View views[] = {
        input.view(), wide.view(), {"y", y, {2, 9}}, {"sums", sums, {4}}};
    kiln_tensor in = views[0].tensor(), wideIn = views[1].tensor(),
                out[] = {views[2].tensor(), views[3].tensor()};
    auto run = [&](const kiln_tensor &given) {
      return kiln_status_code(
          own(kiln_group_run(group.get(), nullptr, &given, 1, out, 2)).get());
    };
    auto askShapes = [&] {
      kiln_session *session = kiln_group_session(group.get(), 0);
      kiln_shape shapes[2];
      return kiln_status_code(
          own(kiln_session_output_shapes(session, &wideIn, 1, shapes, 2)).get());
    };
    constexpr unsigned isBusy = 609;
    unsigned code = isBusy;
    std::atomic<bool> hasEnded = false;
    std::thread first([&] {
      while (code == isBusy) // while shapes are queried
        code = run(in);
      hasEnded = true;
    });
    while (askShapes() != isBusy && !hasEnded)
      usleep(1000);
    // The first run waits for rank 1 now, unless it has failed.
    unsigned second = run(wideIn), asked = askShapes();
    bool isTold = write(late[1], &byte, 1) == 1;
    first.join();
    if (!isTold || code || second != isBusy || asked != isBusy)
      return std::to_string(code) + " " + std::to_string(second) + " " +
             std::to_string(asked);
    auto *bytes = reinterpret_cast<const char *>(y.data());
    std::string result(bytes, y.size() * sizeof(float));
    bytes = reinterpret_cast<const char *>(sums.data());
    return result.append(bytes, sums.size() * sizeof(float));
  });
  close(late[0]);
  close(late[1]);
  kiln::rt::Group threads((kiln::rt::Model(path)));
  std::string expected = bytesOf(threads.run({Input(2, 9).view()}));
  for (const Ended &one : all)
    EXPECT_TRUE(one.result == expected) << one.result.substr(0, 500);
}

/// A rank is delayed before a step by an observer of its own.
TEST_F(Join, ALateRankIsNamed) {
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.timeout_ms = 2000; // rank 0 is never that late, even on a busy machine
  options.observer = [](void *, uint32_t rank, size_t step, int after,
                        const kiln_buffer_view *, size_t, const kiln_buffer_view *,
                        size_t) {
    if (rank == 1 && step == RanksModel::reduce && !after)
      usleep(6000000);
  };
  auto all = onRanks(
      package(2), 2, port,
      [](kiln::rt::Group &group) { return bytesOf(group.run({Input(1, 3).view()})); },
      options);
  for (const Ended &one : all)
    EXPECT_TRUE(one.says("KILN-E0711") && one.says("rank 1 has not come")) << one.result;
}

/// A rank fails between the rendezvous and its first run.
TEST_F(Join, DimsThatDoNotFitAreRefusedOnAllRanks) {
  kiln_dim_range range = {"seq", 1, 1000};
  kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
  options.dims = &range;
  options.dim_count = 1;
  auto body = [](kiln::rt::Group &) { return std::string("joined"); };
  for (const Ended &one : onRanks(package(2), 2, port, body, options))
    EXPECT_TRUE(one.says("KILN-E0608") || one.says("KILN-E0710")) << one.result;
}

TEST_F(Join, OtherDimsAndPackagesAreRefused) {
  std::string paths[] = {package(2), folder / "other.kiln"};
  kiln::package::PackageContents other = ranksModel(2);
  other.plan.symbols[0]->max = 3;
  writeModel(paths[1], other);
  for (bool hasOtherDims : {false, true}) {
    auto all = inProcesses(2, [&](uint32_t rank) -> std::string {
      kiln_dim_range range = {"seq", 1, 5 + rank};
      kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
      options.dims = &range;
      options.dim_count = hasOtherDims;
      ModelPtr model = loadModel(paths[hasOtherDims ? 0 : rank]);
      kiln_join_options join = joinAs(rank, 2, port);
      kiln_group *group = nullptr;
      return kiln_status_message(
          own(kiln_group_join(model.get(), &options, &join, &group)).get());
    });
    for (const Ended &one : all) {
      EXPECT_TRUE(one.says("KILN-E0712: rank 1: it has ")) << one.result;
      EXPECT_TRUE(one.says(hasOtherDims ? "seq=1..6" : "another package")) << one.result;
    }
  }
}

static std::string joinError(const std::string &path, const kiln_join_options &join,
                             const kiln_group_options *options = nullptr) {
  ModelPtr model = loadModel(path);
  kiln_group *group = nullptr;
  std::string text = kiln_status_message(
      own(kiln_group_join(model.get(), options, &join, &group)).get());
  EXPECT_EQ(group, nullptr);
  return text;
}

TEST_F(Join, WrongNumbersAreRefused) {
  auto all = inProcesses(1, [&](uint32_t) -> std::string {
    clearenv();
    std::string text = joinError(package(3), joinAs(0, 2, 1));
    text += '\n' + joinError(package(1), joinAs(0, 2, 1));
    text += '\n' + joinError(package(2), joinAs(2, 2, 1));
    text += '\n' + joinError(package(2), joinAs(1, 2, 0)); // no port
    text += '\n' + joinError(package(2), KILN_JOIN_OPTIONS_INIT);
    kiln_group_options options = KILN_GROUP_OPTIONS_INIT;
    options.device = "gpu";
    text += '\n' + joinError(package(2), joinAs(0, 2, 1), &options);
    options = KILN_GROUP_OPTIONS_INIT;
    options.ranks = 3;
    return text + '\n' + joinError(package(2), joinAs(0, 2, 1), &options);
  });
  for (const char *words :
       {"KILN-E0621: rank 0: ", "expected 3 ranks, found 2 ranks; fix: start as many",
        "expected 1 rank, found 2 ranks; fix: run it without the launcher",
        "KILN-E0001: kiln_group_join: there is no such rank; expected less than 2",
        "KILN-E0001: rank 1: nothing says where the ranks meet",
        "KILN-E0001: kiln_group_join: nothing says which rank this process is",
        "KILN-E0702: device gpu", "expected 2 ranks, found 3 ranks; fix: ask for"})
    EXPECT_TRUE(all[0].says(words)) << all[0].result << "\nlacks: " << words;
}

TEST_F(Join, ThreadsAreOneProcess) {
  kiln::rt::Group group((kiln::rt::Model(package(2))));
  EXPECT_EQ(kiln_group_rank(group.get()), 0u);
  uint32_t value = 5;
  EXPECT_FALSE(own(kiln_group_broadcast(group.get(), &value, sizeof value)));
  EXPECT_EQ(kiln_status_code(own(kiln_group_broadcast(nullptr, nullptr, 0)).get()), 1u);
  EXPECT_EQ(
      kiln_status_code(own(kiln_group_join(nullptr, nullptr, nullptr, nullptr)).get()),
      1u);
  EXPECT_EQ(kiln_status_code(own(kiln_find_launcher(nullptr, nullptr)).get()), 1u);
  EXPECT_EQ(kiln_group_rank(nullptr), 0u);
}
