//===- RendezvousTest.cpp - Rendezvous of processes as ranks --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Forked.h"
#include "runtime/collective/launch.h"
#include "runtime/collective/rendezvous_socket.h"
#include <cstdlib>
#include <sys/resource.h>

using namespace kiln::rt;
using namespace kiln::test;
using namespace std::chrono_literals;

//===----------------------------------------------------------------------===//
// Ranks that are rejected
//===----------------------------------------------------------------------===//

/// Starts three processes as ranks 0 to 2 of 3, modified by `change`. Returns the message
/// of each; empty if it became a rank.
static std::vector<Ended> meetWith(const std::function<void(Rendezvous &)> &change,
                                   uint32_t stops = UINT32_MAX) {
  std::string place = newPlace();
  return inProcesses(
      3,
      [&](uint32_t number) -> std::string {
        Rendezvous self = rendezvousOf(place, number, 3);
        change(self);
        Segment segment;
        return rendezvous(self, segment).message();
      },
      stops);
}

static void expectAll(const std::vector<Ended> &all, const std::string &text) {
  for (const Ended &one : all) {
    EXPECT_TRUE(one.says(text)) << one.result << "\nis not: " << text;
    EXPECT_LT(one.seconds, 8s);
  }
}

TEST(Rendezvous, RanksMeet) {
  for (const Ended &one : meetWith([](Rendezvous &) {}))
    EXPECT_EQ(one.result, "");
}

/// Ranks may arrive in any order and at different times.
TEST(Rendezvous, RanksMayComeLater) {
  for (uint32_t late : {0, 2})
    for (const Ended &one : meetWith([&](Rendezvous &self) {
           if (self.rank == late)
             usleep(400000);
         }))
      EXPECT_EQ(one.result, "");
}

TEST(Rendezvous, AnotherPackageIsRefused) {
  expectAll(meetWith([](Rendezvous &self) {
              if (self.rank == 2)
                self.package = "other";
            }),
            "KILN-E0712: rank 2: it has another package; expected package as on rank 0, "
            "found other");
}

TEST(Rendezvous, OtherDimsAreRefused) {
  std::string many(300, 'x'); // longer than a message may be
  for (const std::string &dims : {std::string("a=1..2"), many}) {
    auto all = meetWith(
        [&](Rendezvous &self) { self.options = self.rank == 1 ? dims + "1" : dims; });
    expectAll(all, "KILN-E0712: rank 1: it has other dims or another target");
  }
}

TEST(Rendezvous, AnotherVersionIsRefused) {
  expectAll(meetWith([](Rendezvous &self) {
              if (self.rank == 2)
                self.version = "1.1";
            }),
            "KILN-E0712: rank 2: it is of another version of Kiln; expected 1.0 as on "
            "rank 0, found 1.1");
}

TEST(Rendezvous, AnotherNumberOfRanksIsRefused) {
  expectAll(meetWith([](Rendezvous &self) {
              if (self.rank == 1)
                self.ranks = 4;
            }),
            "KILN-E0621: rank 1: it is a rank of another number of them; expected 3 "
            "ranks as on rank 0, found rank 1 of 4");
}

/// Two jobs at one address, or a launcher that assigns a number twice.
TEST(Rendezvous, ARankThatIsThereTwiceIsRefused) {
  expectAll(
      meetWith([](Rendezvous &self) { self.rank = self.rank == 2 ? 1 : self.rank; }),
      "KILN-E0621: rank 1: two processes say that they are this rank");
  expectAll(
      meetWith([](Rendezvous &self) { self.rank = self.rank == 2 ? 0 : self.rank; }),
      "KILN-E0621: rank 0: two processes say that they are this rank");
}

TEST(Rendezvous, ARankThatDoesNotComeIsNamed) {
  for (uint32_t missing : {0u, 2u}) {
    auto all = meetWith([&](Rendezvous &self) {
      self.timeout = 500ms;
      if (self.rank == missing)
        _exit(0);
    });
    for (uint32_t rank = 0; rank < 3; ++rank)
      if (rank != missing) {
        EXPECT_TRUE(all[rank].says("KILN-E0711: rank " + std::to_string(missing) +
                                   ": it has not come to the others; expected all 3 "
                                   "ranks within 500 ms"))
            << all[rank].result;
        EXPECT_LT(all[rank].seconds, 5s);
      }
  }
}

TEST(Rendezvous, AllThatDoNotComeAreNamed) {
  auto all = meetWith([](Rendezvous &self) {
    self.timeout = 300ms;
    if (self.rank)
      _exit(0);
  });
  EXPECT_TRUE(all[0].says("KILN-E0711: rank 1, rank 2: they have not come"))
      << all[0].result;
}

/// Rank 1 joins, and exits before rank 2 has come.
TEST(Rendezvous, ARankThatEndsWhileItWaitsIsNamed) {
  std::string place = newPlace();
  auto all = inProcesses(3, [&](uint32_t rank) -> std::string {
    if (rank == 1)
      alarm(1); // ends by SIGALRM
    if (rank == 2)
      usleep(1500000); // rank 0 notifies ranks that come within two seconds
    Segment segment;
    return rendezvous(rendezvousOf(place, rank, 3), segment).message();
  });
  EXPECT_EQ(all[1].signal, SIGALRM);
  EXPECT_TRUE(all[0].says("KILN-E0710: rank 1: its process has ended")) << all[0].result;
  EXPECT_TRUE(all[2].says("KILN-E0710: rank 1: its process has ended")) << all[2].result;
}

TEST(Rendezvous, ARankZeroThatEndsIsNamed) {
  std::string place = newPlace();
  auto all = inProcesses(3, [&](uint32_t rank) -> std::string {
    if (rank == 0)
      alarm(1);
    if (rank == 2)
      _exit(0); // never joins
    Segment segment;
    return rendezvous(rendezvousOf(place, rank, 3), segment).message();
  });
  EXPECT_TRUE(all[1].says("KILN-E0710: rank 0: its process has ended")) << all[1].result;
}

/// Connections that are no ranks are ignored.
TEST(Rendezvous, OthersAreIgnored) {
  std::string place = newPlace();
  auto all = inProcesses(3, [&](uint32_t number) -> std::string {
    Segment segment;
    if (number == 2) {
      Socket sockets[2];
      for (Socket &socket : sockets)
        while (Socket::connect(rendezvousOf(place, 0, 1), socket) !=
               Socket::Outcome::Done)
          usleep(1000);
      char text[2048] = "GET / HTTP/1.1";
      sockets[0].send(text, sizeof text);
      usleep(500000);
      return "";
    }
    usleep(number * 200000);
    return rendezvous(rendezvousOf(place, number, 2), segment).message();
  });
  for (const Ended &one : all)
    EXPECT_EQ(one.result, "");
}

/// Rank 0 has a descriptor left only for its listener.
TEST(Rendezvous, ALimitOfDescriptorsIsNamed) {
  auto all = meetWith([](Rendezvous &self) {
    if (self.rank)
      return;
    int lowest = dup(STDERR_FILENO);
    close(lowest);
    rlimit limit = {};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = static_cast<rlim_t>(lowest) + 1;
    setrlimit(RLIMIT_NOFILE, &limit);
  });
  EXPECT_TRUE(all[0].says("KILN-E0710: rank 0: it cannot accept the other ranks"))
      << all[0].result;
  EXPECT_LT(all[0].seconds, 8s);
}

//===----------------------------------------------------------------------===//
// Launchers
//===----------------------------------------------------------------------===//

namespace {
using Variables = std::vector<std::pair<const char *, const char *>>;

/// Returns the launcher detected from only these variables: "rank/size launcher at
/// place", or an error.
std::string found(const Variables &variables) {
  return inProcesses(1,
                     [&](uint32_t) -> std::string {
                       clearenv();
                       for (auto [name, value] : variables)
                         setenv(name, value, 1);
                       Launch launch;
                       if (Status read = findLaunch(launch); !read.ok())
                         return read.message();
                       return std::to_string(launch.rank) + "/" +
                              std::to_string(launch.size) + " " + launch.launcher +
                              " at " + launch.place;
                     })[0]
      .result;
}
} // namespace

TEST(Launch, ByEachLauncher) {
  EXPECT_EQ(found({}), "0/0  at ");
  Variables torch = {{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"LOCAL_WORLD_SIZE", "2"}};
  EXPECT_EQ(found(torch), "1/2 torchrun at ");
  torch.push_back({"MASTER_PORT", "29500"});
  EXPECT_EQ(found(torch), "1/2 torchrun at 127.0.0.1:29500");
  torch.push_back({"MASTER_ADDR", "localhost"});
  EXPECT_EQ(found(torch), "1/2 torchrun at localhost:29500");
  Variables mpi = {{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "3"}};
  EXPECT_EQ(found(mpi), "0/3 mpirun at ");
  mpi.push_back({"PMIX_NAMESPACE", "7"});
  EXPECT_EQ(found(mpi), "0/3 mpirun at mpirun job 7");
  mpi.push_back({"MASTER_PORT", "1"});
  EXPECT_EQ(found(mpi), "0/3 mpirun at 127.0.0.1:1");
  Variables step = {{"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}};
  EXPECT_EQ(found(step), "3/4 srun at ");
  step.push_back({"SLURM_JOB_ID", "12"});
  step.push_back({"SLURM_STEP_ID", "0"});
  EXPECT_EQ(found(step), "3/4 srun at srun job 12.0");
}

/// A launcher may itself run under another one, whose variables are set too.
TEST(Launch, TheInnermostIsTaken) {
  Variables all = {{"SLURM_PROCID", "0"},
                   {"SLURM_NTASKS", "1"},
                   {"OMPI_COMM_WORLD_RANK", "1"},
                   {"OMPI_COMM_WORLD_SIZE", "2"},
                   {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  EXPECT_EQ(found(all), "1/2 mpirun at ");
  all.push_back({"RANK", "2"});
  all.push_back({"WORLD_SIZE", "5"});
  EXPECT_EQ(found(all), "2/5 torchrun at ");
}

/// A Slurm job's script has the variables of tasks, but is no task.
TEST(Launch, SlurmScriptsAreNoTasks) {
  Variables script = {
      {"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_JOB_ID", "1"}};
  EXPECT_EQ(found(script), "0/0  at ");
  script.push_back({"SLURM_STEP_ID", "4294967290"});
  EXPECT_EQ(found(script), "0/0  at ");
  EXPECT_EQ(found({{"SLURM_NTASKS", "4"}}), "0/0  at ");
}

TEST(Launch, WrongVariablesAreRefused) {
  for (const auto &[variables, words] : std::vector<std::pair<Variables, const char *>>{
           {{{"RANK", "0"}},
            "torchrun: a variable that the launcher sets for each rank "
            "is missing; expected RANK and WORLD_SIZE, found no "
            "WORLD_SIZE"},
           {{{"WORLD_SIZE", "2"}}, "found no RANK"},
           {{{"OMPI_COMM_WORLD_SIZE", "2"}}, "found no OMPI_COMM_WORLD_RANK"},
           {{{"SLURM_PROCID", "1"}}, "found no SLURM_NTASKS"},
           {{{"RANK", "0x"}, {"WORLD_SIZE", "2"}},
            "RANK: the variable of a launcher is "
            "no number"},
           {{{"RANK", "0"}, {"WORLD_SIZE", "-1"}}, "found '-1'"},
           {{{"RANK", "2"}, {"WORLD_SIZE", "2"}},
            "RANK: there is no such rank; expected "
            "less than 2, which is WORLD_SIZE, "
            "found 2"}}) {
    std::string text = found(variables);
    EXPECT_EQ(text.find("KILN-E0001: "), 0u) << text;
    EXPECT_NE(text.find(words), std::string::npos) << text << "\nis not: " << words;
  }
}

/// Returns the transport between the ranks, or why there is none.
static std::string transportOf(Launch launch, const char *wanted,
                               std::span<const Transport> all = transports()) {
  if (wanted)
    setenv("KILN_TRANSPORT", wanted, 1);
  const Transport *found = nullptr;
  Status status = findTransport(launch, all, found);
  unsetenv("KILN_TRANSPORT");
  return !status.ok() ? status.message() : found->name;
}

TEST(Launch, RanksOfSeveralNodesUseTheNetwork) {
  Launch one{0, 4, "torchrun", "place", false, {"node0", 29501}};
  Launch several = one, unknown = one, high = one;
  several.isOfSeveralNodes = unknown.isOfSeveralNodes = high.isOfSeveralNodes = true;
  unknown.store.host = "";
  high.store.port = 65536;
  EXPECT_EQ(transportOf(one, nullptr), "shared_memory");
  EXPECT_EQ(transportOf(one, "gloo"), "gloo");
  EXPECT_EQ(transportOf(several, nullptr), "gloo");
  for (const auto &[text, words] :
       {std::pair(transportOf(several, "shared_memory"), "share no memory"),
        {transportOf(one, "udp"), "found 'udp'"},
        {transportOf(unknown, nullptr), "found no MASTER_ADDR"},
        {transportOf(high, nullptr), "found 65536"}})
    EXPECT_TRUE(text.starts_with("KILN-E0001: ") && text.find(words) != std::string::npos)
        << text;
}

TEST(Launch, AFurtherTransportIsARow) {
  Launch one{0, 4, "torchrun", "place", false, {"node0", 29501}}, several = one;
  several.isOfSeveralNodes = true;
  auto join = [](const Rendezvous &, std::unique_ptr<HostBackend> &) { return Status(); };
  std::vector<Transport> rows(transports().begin(), transports().end());
  rows.push_back({"mailbox", /*connectsNodes=*/true, join});
  EXPECT_EQ(transportOf(several, "mailbox", rows), "mailbox");
  EXPECT_EQ(transportOf(several, nullptr, rows), "gloo");
  EXPECT_EQ(transportOf(one, nullptr, rows), "shared_memory");
  std::string text = transportOf(one, "mail", rows);
  EXPECT_NE(text.find("expected shared_memory or gloo or mailbox, found 'mail'"),
            std::string::npos)
      << text;
}
