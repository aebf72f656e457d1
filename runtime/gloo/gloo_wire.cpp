//===- gloo_wire.cpp - Bytes between nodes by Gloo ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses only Gloo's TCP transport: its collectives reduce in another order.
//
//===----------------------------------------------------------------------===//
#include "runtime/gloo/wire.h"
#include <atomic>
#include <cstdio>
#include <cstring>
#include <gloo/transport/address.h>
#include <gloo/transport/context.h>
#include <gloo/transport/device.h>
#include <gloo/transport/tcp/device.h>
#include <gloo/transport/unbound_buffer.h>
#include <mutex>

struct kiln_wire {
  std::shared_ptr<gloo::transport::Device> device;
  std::shared_ptr<gloo::transport::Context> context;
  std::mutex mutex; ///< guards the list
  std::vector<std::unique_ptr<kiln_wire_region>> regions;
  std::atomic<bool> isStopped{false};
};

struct kiln_wire_region {
  kiln_wire *wire;
  std::unique_ptr<gloo::transport::UnboundBuffer> buffer;
};

/// Timeout of waits: on expiry Gloo would close all connections. Threads that wait are
/// stopped by stop() instead.
static constexpr auto forever = std::chrono::hours(24 * 365);
/// All messages between two ranks have one tag; they are matched in order.
static constexpr uint64_t tag = 1;

static void explain(const std::exception &reason, char *error, size_t room) {
  std::snprintf(error, room, "%s", reason.what());
}

static kiln_wire *openWire(uint32_t rank, uint32_t ranks, const char *host,
                           uint32_t timeout, char *error, size_t room) {
  try {
    gloo::transport::tcp::attr attributes(host);
    auto wire = std::make_unique<kiln_wire>();
    wire->device = gloo::transport::tcp::CreateDevice(attributes);
    wire->context =
        wire->device->createContext(static_cast<int>(rank), static_cast<int>(ranks));
    wire->context->setTimeout(std::chrono::milliseconds(timeout));
    for (uint32_t peer = 0; peer < ranks; ++peer)
      if (peer != rank)
        wire->context->createPair(static_cast<int>(peer));
    return wire.release();
  } catch (const std::exception &reason) {
    explain(reason, error, room);
    return nullptr;
  }
}

static size_t addressOf(kiln_wire *wire, uint32_t peer, void *out, size_t room) {
  try {
    std::vector<char> bytes =
        wire->context->getPair(static_cast<int>(peer))->address().bytes();
    if (bytes.size() > room)
      return 0;
    std::memcpy(out, bytes.data(), bytes.size());
    return bytes.size();
  } catch (const std::exception &) {
    return 0;
  }
}

static int connectWire(kiln_wire *wire, uint32_t peer, const void *address, size_t size,
                       char *error, size_t room) {
  try {
    auto *bytes = static_cast<const char *>(address);
    wire->context->getPair(static_cast<int>(peer))->connect({bytes, bytes + size});
    return 1;
  } catch (const std::exception &reason) {
    explain(reason, error, room);
    return 0;
  }
}

static kiln_wire_region *addRegion(kiln_wire *wire, void *memory, size_t bytes) {
  try {
    auto region = std::make_unique<kiln_wire_region>();
    region->wire = wire;
    region->buffer = wire->context->createUnboundBuffer(memory, bytes);
    std::lock_guard lock(wire->mutex);
    return wire->regions.emplace_back(std::move(region)).get();
  } catch (const std::exception &) {
    return nullptr;
  }
}

static int sendBytes(kiln_wire_region *region, uint32_t peer, size_t offset,
                     size_t bytes) {
  try {
    if (region->wire->isStopped)
      return 0;
    region->buffer->send(static_cast<int>(peer), tag, offset, bytes);
    return region->buffer->waitSend(nullptr, forever);
  } catch (const std::exception &) {
    return 0;
  }
}

static int receiveBytes(kiln_wire_region *region, uint32_t peer, size_t offset,
                        size_t bytes) {
  try {
    if (region->wire->isStopped)
      return 0;
    region->buffer->recv(static_cast<int>(peer), tag, offset, bytes);
    return region->buffer->waitRecv(nullptr, forever);
  } catch (const std::exception &) {
    return 0;
  }
}

static void stopWire(kiln_wire *wire) {
  wire->isStopped = true;
  std::lock_guard lock(wire->mutex);
  for (auto &region : wire->regions) {
    region->buffer->abortWaitSend();
    region->buffer->abortWaitRecv();
  }
}

static void closeWire(kiln_wire *wire) {
  try {
    delete wire;
  } catch (const std::exception &) {
  }
}

extern "C" __attribute__((visibility("default"))) const kiln_wire_table *
kiln_wire_functions() {
  static const kiln_wire_table table = {KILN_WIRE_VERSION, openWire,  addressOf,
                                        connectWire,       addRegion, sendBytes,
                                        receiveBytes,      stopWire,  closeWire};
  return &table;
}
