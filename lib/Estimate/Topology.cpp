//===- Topology.cpp - Devices, nodes and links ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Topology.h"
#include "Fields.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Target/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace kiln;
using namespace kiln::estimate;
using namespace llvm;

double Topology::networkRate(int64_t flows) const {
  int64_t used = std::min(flows, adapters);
  return network.rate * double(used) / double(std::max<int64_t>(flows, 1));
}

//===----------------------------------------------------------------------===//
// Parts of a file
//===----------------------------------------------------------------------===//

/// Returns the operations per second of matmuls, by the compiler's model of a GPU.
static double modelRate(const GpuModel &model, Arithmetic arithmetic) {
  double cycles = model.clockGHz * 1e9 * double(model.multiprocessors);
  if (arithmetic == Arithmetic::F32)
    return 2 * double(model.multiplyAdds) * cycles;
  // Multiply-adds per cycle of 16-bit operands. tensorOperandBytes is that rate of
  // mma.sync times the bytes of an operand; wgmma has a rate of its own.
  double half = model.wgmmaColumnCycles ? 128.0 * 64 / double(model.wgmmaColumnCycles)
                                        : double(model.tensorOperandBytes) / 2;
  double factor = arithmetic == Arithmetic::TF32  ? 0.5
                  : arithmetic == Arithmetic::F16 ? 1
                                                  : 2;
  return 2 * half * factor * cycles;
}

/// Returns the device by the target's performance model, which supplies the fields that a
/// topology file leaves out.
static Device standardDevice(const TargetInfo &target) {
  Device device;
  if (!target.gpu)
    return device;
  const GpuModel &model = target.gpu->model;
  device.memoryRate = double(model.memoryBytes) * model.clockGHz * 1e9;
  for (int i = 0; i < kArithmetics; ++i)
    device.productRates[i] = modelRate(model, Arithmetic(i));
  device.otherRate = device.productRate(Arithmetic::F32);
  // A step takes at least the launch of a block and one memory latency.
  device.stepSeconds =
      1e-9 * model.nanoseconds(double(model.blockCycles + model.memoryLatency));
  return device;
}

static std::optional<double> standard(double value) {
  return value > 0 ? std::optional<double>(value) : std::nullopt;
}

static Error readRates(Fields &parent, StringRef place, Device &device) {
  bool isGpu = device.productRate(Arithmetic::F32) > 0;
  const json::Object *object = parent.child("tflops", !isGpu);
  if (!object)
    return Error::success();
  Fields fields(place, parent.pathOf("tflops"), *object);
  static constexpr StringLiteral names[] = {"f32", "tf32", "f16", "f8", "i8"};
  for (int i = 0; i < kArithmetics; ++i) {
    // A CPU computes types without a faster instruction in f32.
    double other = isGpu ? device.productRates[i] : i ? device.productRates[0] : 0;
    device.productRates[i] = fields.number(names[i], 1e12, 1e6, standard(other));
  }
  device.otherRate = device.productRate(Arithmetic::F32);
  return fields.finish();
}

static Error readDevice(const json::Object &object, StringRef place, Device &device) {
  Fields fields(place, "device", object);
  std::string target = fields.text("target"), name = fields.text("name");
  if (target.empty() || name.empty())
    return fields.finish();
  std::optional<TargetInfo> info = TargetInfo::find(target);
  if (!info || target == "native") {
    std::vector<StringRef> names = TargetInfo::names();
    erase(names, "native");
    fields.fail("target", "is no target", "one of " + join(names, ", "),
                "'" + target + "'");
    return fields.finish();
  }
  device = standardDevice(*info);
  device.name = std::move(name);
  device.target = std::move(target);
  device.memoryBytes = fields.number("memory_gib", 0x1p30, 1e6);
  device.memoryRate =
      fields.number("memory_gb_per_s", 1e9, 1e6, standard(device.memoryRate));
  device.stepSeconds = fields.number("step_us", 1e-6, 1e6, standard(device.stepSeconds));
  if (Error error = readRates(fields, place, device))
    return error;
  return fields.finish();
}

/// Kinds of links that connect all devices of a node through a switch or a common memory.
static constexpr StringLiteral kNodeLinks[] = {"nvlink", "nvlink_bridge", "pcie",
                                               "memory"};
static constexpr StringLiteral kNetworkLinks[] = {"infiniband", "ethernet"};

static StringRef displayName(StringRef kind) {
  return StringSwitch<StringRef>(kind)
      .Case("nvlink", "NVLink")
      .Case("nvlink_bridge", "NVLink bridges")
      .Case("pcie", "PCIe")
      .Case("memory", "shared memory")
      .Case("infiniband", "InfiniBand")
      .Default("Ethernet");
}

static void readLink(Fields &fields, ArrayRef<StringLiteral> kinds, Link &link) {
  std::string kind = fields.text("kind");
  if (!is_contained(kinds, kind))
    fields.fail("kind", "is no kind of link here", "one of " + join(kinds, ", "),
                "'" + kind + "'");
  link.name = displayName(kind).str();
  link.reachesAll = kind == "nvlink" || kind == "memory";
  link.rate = fields.number("gb_per_s", 1e9, 1e5);
  link.latency = fields.number("latency_us", 1e-6, 1e6);
}

static Error readTopologyFields(const json::Object &object, StringRef place,
                                Topology &topology) {
  Fields fields(place, "", object);
  topology.name = fields.text("name");
  topology.devicesPerNode = fields.count("devices_per_node", 1024);
  topology.nodes = fields.count("nodes", 4096, 1);
  const json::Object *device = fields.child("device", true);
  const json::Object *link = fields.child("link", topology.devicesPerNode > 1);
  const json::Object *network = fields.child("network", topology.nodes > 1);
  if (Error error = fields.finish())
    return error;
  if (Error error = readDevice(*device, place, topology.device))
    return error;
  if (link) {
    Fields node(place, "link", *link);
    readLink(node, kNodeLinks, topology.node);
    if (Error error = node.finish())
      return error;
  }
  topology.adapters = topology.devicesPerNode;
  if (!network)
    return Error::success();
  Fields across(place, "network", *network);
  readLink(across, kNetworkLinks, topology.network);
  topology.adapters =
      across.count("adapters_per_node", topology.devicesPerNode, topology.adapters);
  return across.finish();
}

Expected<Topology> estimate::parseTopology(StringRef text, StringRef place) {
  Expected<json::Object> object = parseObject(text, place, "is no topology");
  if (!object)
    return object.takeError();
  Topology topology;
  if (Error error = readTopologyFields(*object, place, topology))
    return std::move(error);
  return topology;
}

Expected<Topology> estimate::readTopology(StringRef nameOrFile) {
  for (const Profile &profile : profiles())
    if (profile.name == nameOrFile)
      return parseTopology(profile.text, nameOrFile);
  auto file = MemoryBuffer::getFile(nameOrFile);
  if (file)
    return parseTopology((*file)->getBuffer(), nameOrFile);
  SmallVector<StringRef> names;
  for (const Profile &profile : profiles())
    names.push_back(profile.name);
  return makeError({ErrorCode::FileNotFound, nameOrFile.str(),
                    "is neither a profile nor a file that can be read",
                    "one of " + join(names, ", ") + ", or the path of a file",
                    file.getError().message(), "check the value of --topology"});
}
