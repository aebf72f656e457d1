//===- rendezvous.cpp - How processes become ranks ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/rendezvous_socket.h"
#include <cerrno>
#include <optional>

using namespace kiln::rt;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Interval between attempts to connect with rank 0.
static constexpr auto connectInterval = 10ms;
/// How long rank 0 stays after a mismatch to send the error to ranks that connect later.
static constexpr auto refusalTime = 2s;
/// Max connections without a hello message: anything may connect to a port.
static constexpr size_t maxStrangers = 64;
/// Time beyond rank 0's timeout that a rank waits for its answer.
static constexpr auto answerTime = 5s;

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

static Failure systemFailure(uint32_t rank, const char *what) {
  return {Code::RankFailed, rankText(rank),       what,
          "a socket",       std::strerror(errno), "look at the limits of this process"};
}

Failure kiln::rt::hasEnded(uint32_t rank, const char *when) {
  return {Code::RankFailed,
          rankText(rank),
          "its process has ended",
          "a process for each rank",
          when,
          "see what that rank said, or how its launcher ended it"};
}

Failure kiln::rt::lateFailure(const Rendezvous &self, const std::string &missing) {
  bool isOne = missing.find(',') == std::string::npos;
  return {Code::RankLate,
          missing,
          isOne ? "it has not come to the others" : "they have not come to the others",
          "all " + std::to_string(self.ranks) + " ranks within " +
              std::to_string(self.timeout.count()) + " ms at " + self.place,
          "nothing of " + missing,
          self.store.port
              ? "start all ranks with the same MASTER_ADDR and MASTER_PORT, and let the "
                "nodes reach that port"
              : "start all ranks on one node, with the same MASTER_ADDR and MASTER_PORT, "
                "or set KILN_TRANSPORT=gloo for ranks on several"};
}

static Failure strangeAnswer(const Rendezvous &self) {
  return {Code::RankFailed,
          rankText(self.rank),
          "something that is no rank of this Kiln answers where rank 0 should listen",
          "rank 0 at " + self.place,
          "another answer",
          "choose another MASTER_PORT, and give all ranks the same build of Kiln"};
}

static Failure differs(uint32_t rank, const char *what, const std::string &expected,
                       const std::string &found) {
  return {Code::CollectiveMismatch,
          rankText(rank),
          what,
          expected + " as on rank 0",
          found,
          "give all ranks the same package, options and build of Kiln"};
}

//===----------------------------------------------------------------------===//
// Rank 0
//===----------------------------------------------------------------------===//

namespace {
class Host {
public:
  Host(const Rendezvous &self, Socket listener)
      : self(self), own(Hello::of(self)), listener(std::move(listener)),
        deadline(Clock::now() + self.timeout), peers(self.ranks) {}

  Status run(Bootstrap &bootstrap);

private:
  Status gather();
  void refuse(const Failure &failure);
  Status acceptAll();
  Status readHello(Socket &connection);
  Status check(const Hello &hello) const;
  Status checkPeers();
  std::string missing() const;
  std::vector<pollfd> sockets() const;

  const Rendezvous &self;
  const Hello own;
  Socket listener;
  const Deadline deadline;
  std::vector<Socket> peers;   ///< by rank; ranks whose hello has been received
  std::vector<Socket> pending; ///< connections without a hello
  uint32_t arrived = 1;        ///< ranks so far, including this one
};
} // namespace

/// Checks that a rank is of this job, has rank 0's version, package, dims and world size,
/// and has not connected twice.
Status Host::check(const Hello &hello) const {
  if (hello.job.str() != own.job.str())
    return differs(hello.rank, "it is of another job at the same port", own.job.str(),
                   hello.job.str());
  if (hello.version.str() != own.version.str())
    return differs(hello.rank, "it is of another version of Kiln", own.version.str(),
                   hello.version.str());
  if (hello.package.str() != own.package.str())
    return differs(hello.rank, "it has another package", own.package.str(),
                   hello.package.str());
  if (hello.ranks != self.ranks || hello.rank >= self.ranks)
    return Failure{Code::GroupRanks,
                   rankText(hello.rank),
                   "it is a rank of another number of them",
                   std::to_string(self.ranks) + " ranks as on rank 0",
                   rankText(hello.rank) + " of " + std::to_string(hello.ranks),
                   "start as many ranks as the package is for, by one launcher"};
  if (hello.rank == 0 || peers[hello.rank])
    return Failure{Code::GroupRanks,
                   rankText(hello.rank),
                   "two processes say that they are this rank",
                   "one process for each rank at " + self.place,
                   "two",
                   "give each job of a node a MASTER_PORT of its own, and each rank its "
                   "number"};
  if (hello.optionsHash.str() != own.optionsHash.str())
    return differs(hello.rank, "it has other dims or another target", own.options.str(),
                   hello.options.str());
  return {};
}

/// Accepts all pending connections. Fails if the process has no descriptors left, as poll
/// would then return immediately for ever.
Status Host::acceptAll() {
  for (;;) {
    Socket connection = listener.accept();
    if (connection && connection.isOwnUser()) {
      if (pending.size() >= self.ranks + maxStrangers) // drop the oldest
        pending.erase(pending.begin());
      pending.push_back(std::move(connection));
    } else if (!connection && errno == EAGAIN) {
      return {};
    } else if (!connection && errno != EINTR && errno != ECONNABORTED) {
      return systemFailure(self.rank, "it cannot accept the other ranks");
    }
  }
}

/// Reads a rank's hello and makes its connection a peer. Other connections are closed and
/// ignored.
Status Host::readHello(Socket &connection) {
  Hello hello;
  Socket::Received received = connection.receive(&hello, sizeof hello);
  if (received == Socket::Received::Nothing)
    return {};
  Socket said = std::move(connection);
  connection = Socket();
  if (received == Socket::Received::Ended || !hello.isOne())
    return {};
  Status checked = check(hello);
  if (!checked.ok()) {
    pending.push_back(std::move(said)); // refuse() also tells this rank
    return checked;
  }
  peers[hello.rank] = std::move(said);
  ++arrived;
  return {};
}

/// Checks that no peer has ended. A waiting peer sends nothing, so a receive returns
/// Nothing or Ended.
Status Host::checkPeers() {
  for (uint32_t rank = 1; rank < self.ranks; ++rank) {
    char byte;
    if (peers[rank] && peers[rank].receive(&byte, 1) == Socket::Received::Ended)
      return hasEnded(rank, "it ended before all ranks had come");
  }
  return {};
}

std::string Host::missing() const {
  std::string text;
  for (uint32_t rank = 1; rank < self.ranks; ++rank)
    if (!peers[rank])
      text += (text.empty() ? "" : ", ") + rankText(rank);
  return text;
}

std::vector<pollfd> Host::sockets() const {
  std::vector<pollfd> all = {listener.poll()};
  for (const std::vector<Socket> *list : {&peers, &pending})
    for (const Socket &socket : *list)
      if (socket)
        all.push_back(socket.poll());
  return all;
}

Status Host::gather() {
  for (;;) {
    KILN_TRY(acceptAll());
    for (size_t i = 0; i < pending.size(); ++i)
      if (pending[i])
        KILN_TRY(readHello(pending[i]));
    std::erase_if(pending, [](const Socket &connection) { return !connection; });
    KILN_TRY(checkPeers());
    if (arrived == self.ranks)
      return {};
    if (Clock::now() >= deadline)
      return lateFailure(self, missing());
    std::vector<pollfd> all = sockets();
    waitFor(all, deadline);
  }
}

/// Sends the failure to all ranks, including those that connect a little later, and waits
/// until they have read it: closing a socket with unread input discards what was sent.
void Host::refuse(const Failure &failure) {
  Answer answer = Answer::of(Answer::Refuse);
  answer.failure.store(0, failure);
  for (Socket &peer : peers)
    pending.push_back(std::move(peer));
  peers.clear();
  size_t seen = 0, told = 0;
  for (Deadline end = Clock::now() + refusalTime; Clock::now() < end;) {
    for (; seen < pending.size(); ++seen)
      if (pending[seen])
        told += pending[seen].send(&answer, sizeof answer);
    Hello ignored;
    for (Socket &connection : pending)
      if (connection &&
          connection.receive(&ignored, sizeof ignored) == Socket::Received::Ended)
        connection = Socket();
    bool isRead = std::ranges::none_of(pending, [](const Socket &g) { return bool(g); });
    if (isRead && told + 1 >= self.ranks)
      return;
    std::vector<pollfd> all = sockets();
    waitFor(all, end);
    if (!acceptAll().ok()) { // wait until other processes have closed descriptors
      std::vector<pollfd> none;
      waitFor(none, std::min(end, Clock::now() + connectInterval));
    }
  }
}

Status Host::run(Bootstrap &bootstrap) {
  Status done = gather();
  if (done.ok()) {
    listener = Socket(); // frees the name for the next group of the job
    done = bootstrap.asHost(peers);
  }
  if (!done.ok())
    refuse(done.failure());
  return done;
}

//===----------------------------------------------------------------------===//
// Other ranks
//===----------------------------------------------------------------------===//

Status kiln::rt::receiveAnswer(const Socket &host, const Rendezvous &self, Answer &out,
                               Descriptor *passed) {
  Deadline until = Clock::now() + self.timeout + answerTime;
  switch (host.receive(&out, sizeof out, until, passed)) {
  case Socket::Received::Nothing:
    return lateFailure(self, rankText(0));
  case Socket::Received::Ended:
    return hasEnded(0, "it ended before all ranks had come");
  case Socket::Received::Message:
    break;
  }
  if (!out.isOne())
    return strangeAnswer(self);
  return out.kind == Answer::Refuse ? Status(out.failure.load()) : Status();
}

Status kiln::rt::rendezvous(const Rendezvous &self, Bootstrap &bootstrap) {
  Deadline deadline = Clock::now() + self.timeout;
  for (;;) {
    Socket socket;
    // A second process with rank 0 finds the name taken, and connects to the first one,
    // which detects the duplicate.
    Socket::Outcome outcome =
        self.rank == 0 ? Socket::listen(self, socket) : Socket::Outcome::Taken;
    if (outcome == Socket::Outcome::Done)
      return Host(self, std::move(socket)).run(bootstrap);
    if (outcome == Socket::Outcome::Taken)
      outcome = Socket::connect(self, socket);
    if (outcome == Socket::Outcome::Done && socket.isOwnUser()) {
      Hello hello = Hello::of(self);
      socket.send(&hello,
                  sizeof hello); // asPeer reports errors
      return bootstrap.asPeer(socket);
    }
    if (outcome == Socket::Outcome::Failed)
      return systemFailure(self.rank, "it cannot reach the other ranks");
    if (Clock::now() >= deadline)
      return lateFailure(self, rankText(0));
    std::vector<pollfd> none;
    waitFor(none, std::min(deadline, Clock::now() + connectInterval));
  }
}

//===----------------------------------------------------------------------===//
// Ranks of one node
//===----------------------------------------------------------------------===//

namespace {
class SegmentBootstrap final : public Bootstrap {
public:
  SegmentBootstrap(const Rendezvous &self, Segment &segment)
      : self(self), segment(segment) {}
  Status asHost(std::vector<Socket> &peers) override;
  Status asPeer(const Socket &host) override;

private:
  const Rendezvous &self;
  Segment &segment;
};
} // namespace

/// Sends the segment to all ranks, and lets them continue when all have mapped it.
Status SegmentBootstrap::asHost(std::vector<Socket> &peers) {
  KILN_TRY(Segment::create(self.ranks, segment));
  KILN_TRY(segment.claim(0));
  Answer answer = Answer::of(Answer::Share);
  for (uint32_t rank = 1; rank < self.ranks; ++rank)
    if (!peers[rank].send(&answer, sizeof answer, segment.descriptor()))
      return hasEnded(rank, "it ended before it had the memory that ranks share");
  Deadline deadline = Clock::now() + answerTime;
  for (uint32_t rank = 1; rank < self.ranks; ++rank) {
    char byte;
    switch (peers[rank].receive(&byte, 1, deadline)) {
    case Socket::Received::Message:
      break;
    case Socket::Received::Nothing:
      return lateFailure(self, rankText(rank));
    case Socket::Received::Ended:
      return hasEnded(rank, "it ended before it had the memory that ranks share");
    }
  }
  answer = Answer::of(Answer::Go);
  for (uint32_t rank = 1; rank < self.ranks; ++rank)
    peers[rank].send(&answer, sizeof answer); // a barrier detects a rank that has ended
  return {};
}

Status SegmentBootstrap::asPeer(const Socket &host) {
  Answer answer;
  Descriptor shared;
  KILN_TRY(receiveAnswer(host, self, answer, &shared));
  KILN_TRY(Segment::open(std::move(shared), self.ranks, segment));
  KILN_TRY(segment.claim(self.rank));
  char byte = 0;
  host.send(&byte, 1);
  return receiveAnswer(host, self, answer);
}

Status kiln::rt::rendezvous(const Rendezvous &self, Segment &out) {
  SegmentBootstrap bootstrap(self, out);
  return rendezvous(self, bootstrap);
}
