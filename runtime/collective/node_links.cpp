//===- node_links.cpp - Ranks on several nodes share a segment ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each peer has a sending and a receiving thread, so that a peer that is stopped or
// unreachable does not delay the others beyond their deadlines.
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/node_links.h"
#include <cassert>

using namespace kiln::rt;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

static constexpr auto beatInterval = 500ms;
/// Max time that a leaving rank waits until the others have received its messages.
static constexpr auto flushTime = 1s;
static constexpr uint32_t messageMagic = 0x4e4c494b;

struct NodeLinks::Message {
  enum Kind : uint32_t { Beat, Arrival, Failed };
  uint32_t magic = messageMagic;
  Kind kind = Beat;
  uint32_t steps = 0;    ///< steps that the rank has completed
  uint32_t arrivals = 0; ///< Arrival: value of the rank's counter; all below: of Arrival
  uint32_t bufferIndex = 0, hasCall = 0;
  uint64_t offset = 0, bytes = 0; ///< bytes: payload that follows the message
  CollectiveCall call;
};

struct NodeLinks::Peer {
  uint32_t rank = 0;

  // Queue of messages to send: a rank is at most two barriers ahead of another one.
  static constexpr uint32_t capacity = 4;
  std::mutex mutex; ///< guards the members below
  std::condition_variable changed;
  Message queue[capacity];
  uint32_t first = 0, count = 0;
  bool hasFailure = false; ///< a failure is to be sent
  bool isSending = false;
  bool isStopping = false;

  std::atomic<bool> isLost{false};
  std::atomic<int64_t> heard{0}; ///< time of the last received message
  Message outgoing, incoming;
  FailureRecord failureOut = {}, failureIn = {};
  kiln_wire_region *headerOut = nullptr, *headerIn = nullptr;
  kiln_wire_region *dataOut = nullptr, *dataIn = nullptr;
  kiln_wire_region *recordOut = nullptr, *recordIn = nullptr;
  std::thread sender, receiver;
};

static int64_t steadyMilliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             Clock::now().time_since_epoch())
      .count();
}

//===----------------------------------------------------------------------===//
// Opening and closing
//===----------------------------------------------------------------------===//

NodeLinks::NodeLinks(uint32_t rank, Segment &segment) : own(rank), segment(segment) {}

Status NodeLinks::open(const Rendezvous &self, Segment &segment,
                       std::unique_ptr<NodeLinks> &out) {
  if (self.ranks > maxNodeRanks)
    return Failure{Code::GroupRanks,
                   rankText(self.rank),
                   "there are too many ranks for several nodes",
                   "at most " + std::to_string(maxNodeRanks),
                   std::to_string(self.ranks),
                   "compile for fewer ranks"};
  std::unique_ptr<NodeLinks> links(new NodeLinks(self.rank, segment));
  KILN_TRY(loadWire(links->table));
  NodeBootstrap bootstrap(self, *links->table);
  KILN_TRY(rendezvous(self, bootstrap));
  KILN_TRY(Segment::create(self.ranks, segment));
  links->wire = bootstrap.take();
  links->cards = bootstrap.takeCards();
  KILN_TRY(links->start());
  out = std::move(links);
  return {};
}

Status NodeLinks::start() {
  uint32_t ranks = segment.size();
  peers.resize(ranks);
  local = 0;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    bool isLocal = cards[rank].boot.str() == cards[own].boot.str();
    local += isLocal;
    CPU_ZERO(&segment.cpus(rank));
    if (isLocal)
      segment.cpus(rank) = cards[rank].cpus;
    if (rank == own)
      continue;
    Peer &peer = *(peers[rank] = std::make_unique<Peer>());
    peer.rank = rank;
    peer.heard = steadyMilliseconds();
    auto add = [&](void *memory, size_t bytes) {
      return table->add_region(wire, memory, bytes);
    };
    peer.headerOut = add(&peer.outgoing, sizeof peer.outgoing);
    peer.headerIn = add(&peer.incoming, sizeof peer.incoming);
    peer.dataOut = add(segment.buffer(own, 0), 2 * Segment::bufferBytes);
    peer.dataIn = add(segment.buffer(rank, 0), 2 * Segment::bufferBytes);
    peer.recordOut = add(&peer.failureOut, sizeof peer.failureOut);
    peer.recordIn = add(&peer.failureIn, sizeof peer.failureIn);
    for (kiln_wire_region *region : {peer.headerOut, peer.headerIn, peer.dataOut,
                                     peer.dataIn, peer.recordOut, peer.recordIn})
      if (!region)
        return Failure{Code::OutOfMemory, rankText(own), "memory is exhausted"};
  }
  for (auto &peer : peers)
    if (peer) {
      running += 2;
      peer->sender = std::thread([this, &peer = *peer] { send(peer); });
      peer->receiver = std::thread([this, &peer = *peer] { receive(peer); });
    }
  return {};
}

NodeLinks::~NodeLinks() {
  if (!peers.empty() && !segment.state().load()) // other ranks have been sent the failure
    flush(flushTime);
  for (auto &peer : peers)
    if (peer) {
      std::lock_guard lock(peer->mutex);
      peer->isStopping = true;
      peer->changed.notify_all();
    }
  for (; running > 0; std::this_thread::sleep_for(1ms))
    table->stop(wire);
  for (auto &peer : peers)
    if (peer && peer->sender.joinable()) {
      peer->sender.join();
      peer->receiver.join();
    }
  if (wire)
    table->close(wire);
}

//===----------------------------------------------------------------------===//
// Sending
//===----------------------------------------------------------------------===//

void NodeLinks::publish(uint32_t arrivals, uint32_t bufferIndex,
                        const CollectiveCall *call,
                        std::span<const Segment::Range> ranges) {
  for (auto &peer : peers) {
    if (!peer)
      continue;
    const Segment::Range &range = ranges[peer->rank];
    std::lock_guard lock(peer->mutex);
    if (peer->isLost)
      continue;
    assert(peer->count < Peer::capacity);
    Message &next = peer->queue[(peer->first + peer->count++) % Peer::capacity];
    next = Message();
    next.kind = Message::Arrival;
    next.arrivals = arrivals;
    next.bufferIndex = bufferIndex;
    next.offset = range.offset;
    next.bytes = range.bytes;
    next.hasCall = call != nullptr;
    if (call) {
      next.call = *call;
      next.call.from = next.call.to = nullptr;
      next.call.kernels = nullptr;
    }
    peer->changed.notify_all();
  }
}

void NodeLinks::publishFailure() {
  for (auto &peer : peers)
    if (peer) {
      std::lock_guard lock(peer->mutex);
      peer->failureOut = segment.record();
      peer->hasFailure = true;
      peer->changed.notify_all();
    }
  flush(flushTime);
}

void NodeLinks::flush(std::chrono::milliseconds within) {
  Deadline until = Clock::now() + within;
  for (auto &peer : peers)
    if (peer) {
      std::unique_lock lock(peer->mutex);
      peer->changed.wait_until(lock, until, [&] {
        return peer->isLost || (!peer->count && !peer->hasFailure && !peer->isSending);
      });
    }
}

/// Body of the thread that sends to a peer.
void NodeLinks::send(Peer &peer) {
  std::unique_lock lock(peer.mutex);
  while (!peer.isStopping) {
    peer.changed.wait_for(lock, beatInterval, [&] {
      return peer.isStopping || peer.count || peer.hasFailure;
    });
    if (peer.isStopping)
      break;
    bool isFailure = !peer.count && peer.hasFailure;
    peer.outgoing = peer.count ? peer.queue[peer.first] : Message();
    if (isFailure) {
      peer.outgoing.kind = Message::Failed;
      peer.outgoing.bytes = sizeof peer.failureOut;
      peer.hasFailure = false;
    } else if (peer.count) {
      peer.first = (peer.first + 1) % Peer::capacity;
      --peer.count;
    }
    peer.outgoing.steps = segment.states()[own].steps.load(std::memory_order_relaxed);
    peer.isSending = true;
    lock.unlock();
    const Message &next = peer.outgoing;
    size_t offset = next.bufferIndex * Segment::bufferBytes + next.offset;
    bool isSent =
        table->send(peer.headerOut, peer.rank, 0, sizeof next) &&
        (next.bytes == 0 ||
         (isFailure ? table->send(peer.recordOut, peer.rank, 0, next.bytes)
                    : table->send(peer.dataOut, peer.rank, offset, next.bytes)));
    lock.lock();
    peer.isSending = false;
    if (!isSent) {
      peer.isLost = true;
      peer.isStopping = true;
    }
    peer.changed.notify_all();
  }
  --running;
}

//===----------------------------------------------------------------------===//
// Receiving
//===----------------------------------------------------------------------===//

bool NodeLinks::receiveFailure(Peer &peer, const Message &message) {
  if (message.bytes != sizeof peer.failureIn ||
      !table->receive(peer.recordIn, peer.rank, 0, sizeof peer.failureIn))
    return false;
  uint32_t none = 0;
  if (segment.state().compare_exchange_strong(none, Segment::Writing)) {
    segment.record() = peer.failureIn;
    segment.record().rank = std::min(peer.failureIn.rank, segment.size() - 1);
    segment.state().store(Segment::Failed);
  }
  return true;
}

/// Applies a peer's message to the peer's state and staging buffers of the segment.
/// False: the message is malformed.
bool NodeLinks::apply(Peer &peer, const Message &message) {
  RankState &state = segment.states()[peer.rank];
  if (message.magic != messageMagic || message.kind > Message::Failed)
    return false;
  state.steps.store(message.steps, std::memory_order_relaxed);
  if (message.kind == Message::Failed)
    return receiveFailure(peer, message);
  if (message.kind == Message::Beat)
    return message.bytes == 0;
  constexpr uint64_t room = Segment::bufferBytes;
  if (message.bufferIndex > 1 || message.offset > room ||
      message.bytes > room - message.offset)
    return false;
  if (message.bytes &&
      !table->receive(peer.dataIn, peer.rank, message.bufferIndex * room + message.offset,
                      message.bytes))
    return false;
  if (message.hasCall)
    state.calls[message.bufferIndex] = message.call;
  state.arrivals.store(message.arrivals);
  wakeSleepers(state, true);
  return true;
}

/// Body of the thread that receives from a peer.
void NodeLinks::receive(Peer &peer) {
  while (table->receive(peer.headerIn, peer.rank, 0, sizeof peer.incoming)) {
    peer.heard = steadyMilliseconds();
    if (!apply(peer, peer.incoming))
      break;
  }
  std::lock_guard lock(peer.mutex);
  peer.isLost = true;
  peer.isStopping = true;
  peer.changed.notify_all();
  --running;
}

bool NodeLinks::isLost(uint32_t rank) const { return peers[rank] && peers[rank]->isLost; }

std::chrono::milliseconds NodeLinks::silence(uint32_t rank) const {
  return std::chrono::milliseconds(peers[rank] ? steadyMilliseconds() - peers[rank]->heard
                                               : 0);
}
