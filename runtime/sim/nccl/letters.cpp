//===- letters.cpp - Messages between two modelled ranks ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/nccl/clique.h"
#include <cstring>

using namespace kiln::sim::nccl;

static std::string textOf(const Message &message) {
  return "message " + std::to_string(message.number) + " from rank " +
         std::to_string(message.from) + " to rank " + std::to_string(message.to);
}

static std::string sizeOf(size_t bytes, bool isCaptured) {
  return std::to_string(bytes) + " bytes" + (isCaptured ? ", captured" : "");
}

Clique::LetterKey Clique::keyOf(const Message &message) {
  return {message.from, message.to, message.number, message.launch};
}

Result Clique::enter(int rank, const Message &message) {
  Lock lock(mutex);
  if (failure.code != Success)
    return failure;
  auto [it, isNew] = letters.try_emplace(keyOf(message));
  Letter &letter = it->second;
  if (isNew || letter.caller == rank) {
    letter.bytes = message.bytes;
    letter.isCaptured = message.isCaptured;
    letter.caller = rank;
    return {};
  }
  if (letter.bytes == message.bytes && letter.isCaptured == message.isCaptured)
    return {};
  return fail(InvalidUsage, textOf(message) + ": rank " + std::to_string(letter.caller) +
                                " calls it with " +
                                sizeOf(letter.bytes, letter.isCaptured) + ", and rank " +
                                std::to_string(rank) + " with " +
                                sizeOf(message.bytes, message.isCaptured));
}

/// Creates the letters of each launch of a graph; they exist until they are received.
void Clique::open(const std::vector<Message> &messages) {
  for (const Message &message : messages)
    if (message.isCaptured)
      letters[keyOf(message)].bytes = message.bytes;
}

/// Receives messages that have arrived; true if none is missing. Receiving removes the
/// letter, and the sender continues.
bool Clique::handle(const std::vector<Message> &messages) {
  bool hasTaken = false;
  size_t missing = 0;
  for (const Message &message : messages) {
    auto it = letters.find(keyOf(message));
    bool isHere = !message.sends && it != letters.end() && !it->second.isTaken &&
                  it->second.content && !aborted[message.from];
    if (!isHere)
      continue;
    memcpy(message.memory, it->second.content, it->second.bytes);
    hasTaken = it->second.isTaken = true;
  }
  for (const Message &message : messages) {
    auto it = letters.find(keyOf(message));
    if (it == letters.end())
      continue;
    missing += !it->second.isTaken;
    if (it->second.isTaken && message.sends)
      letters.erase(it);
  }
  if (hasTaken)
    changed.notify_all();
  return missing == 0;
}

void Clique::exchange(int rank, const std::vector<Message> &messages) {
  Lock lock(mutex);
  auto isOver = [&] { return failure.code != Success || aborted[rank]; };
  if (isOver() || messages.empty())
    return;
  sufferInStream(lock, rank, messages.front().isCaptured);
  if (isOver())
    return;
  open(messages);
  for (const Message &message : messages)
    if (message.sends)
      letters[keyOf(message)].content = message.memory;
  changed.notify_all();
  bool ended = changed.wait_for(lock, settings().bound,
                                [&] { return isOver() || handle(messages); });
  if (ended)
    return;
  for (const Message &message : messages) {
    auto it = letters.find(keyOf(message));
    if (it != letters.end() && !it->second.isTaken)
      fail(RemoteError, textOf(message) + " has not come to both of its ranks");
  }
}
