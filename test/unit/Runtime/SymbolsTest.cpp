//===- SymbolsTest.cpp - Kernels by name in profilers and debuggers -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test publishes in a child process, as published symbols last until the process
// ends.
//
//===----------------------------------------------------------------------===//
#include "Forked.h"
#include "FrameTable.h"
#include "TestPackage.h"
#include "runtime/code/gdb_interface.h"
#include "runtime/code/named_code.h"
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <gtest/gtest.h>

using namespace kiln::rt;
using namespace kiln::test;

extern "C" {
struct jit_code_entry {
  jit_code_entry *next_entry, *prev_entry;
  const char *symfile_addr;
  uint64_t symfile_size;
};
extern struct {
  uint32_t version, action_flag;
  jit_code_entry *relevant_entry, *first_entry;
} __jit_debug_descriptor;
}

/// Returns scaleModel with a table in which its first kernel covers the entire image.
static kiln::package::PackageContents tabledModel() {
  kiln::package::PackageContents contents = scaleModel();
  size_t begin = contents.plan.kernels[0]->entries[0];
  contents.unwindTables = {frameTable({{begin, testImage().size() - begin}})};
  return contents;
}

static const std::string scaleName = "kiln:scale[node0,node1,node2]";

/// Runs a body in a child process and returns its result.
static std::string inChild(const std::function<std::string()> &body) {
  return inProcesses(1, [&](uint32_t) { return body(); })[0].result;
}

template <typename T> static T load(const std::string &bytes, size_t at) {
  T value{};
  if (at + sizeof value > bytes.size())
    ADD_FAILURE() << "the file ends at " << bytes.size();
  else
    std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

TEST(Symbols, NamesAndSizes) {
  TempFolder folder;
  writeModel(folder / "m.kiln", tabledModel());
  std::string bytes = testImage(), table = tabledModel().unwindTables[0];
  CodeImage image;
  auto *data = reinterpret_cast<const uint8_t *>(bytes.data());
  auto *rows = reinterpret_cast<const uint8_t *>(table.data());
  ASSERT_TRUE(image.map({data, bytes.size()}, {rows, table.size()}, "test").ok());
  Plan plan = decode(tabledModel());
  const Plan *programs[] = {&plan, &plan};
  std::vector<KernelSymbol> symbols = kernelSymbols(image, programs, 0);
  ASSERT_EQ(symbols.size(), plan.kernels.size());
  EXPECT_EQ(symbols[0].name, scaleName);
  EXPECT_EQ(symbols[0].function.size, symbols[0].size);
  // Without a record of its own, a kernel ends where the next one starts.
  EXPECT_EQ(symbols[1].function.size, 0u);
  EXPECT_EQ(symbols.back().offset + symbols.back().size, bytes.size());
  plan.steps[0].nodes = {"node 'a b\nc' (MatMul, opset 17)", std::string(300, 'x')};
  const Plan *one[] = {&plan};
  EXPECT_EQ(kernelSymbols(image, one, 0)[0].name, "kiln:scale[a_b_c,+3]");
}

TEST(Symbols, MapOfPerf) {
  TempFolder folder;
  writeModel(folder / "m.kiln", tabledModel());
  std::string map = inChild([&] {
    std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    ModelPtr before = loadModel(folder / "m.kiln");
    if (kiln_publish_symbols("map") || kiln_publish_symbols("map"))
      return std::string("an error");
    ModelPtr after = loadModel(folder / "m.kiln");
    std::string text = readFile(path);
    std::filesystem::remove(path);
    return text;
  });
  std::istringstream lines(map);
  std::string line;
  int scales = 0, all = 0;
  while (std::getline(lines, line)) {
    unsigned long long begin = 0, size = 0;
    char name[300] = "";
    ASSERT_EQ(std::sscanf(line.c_str(), "%llx %llx %299s", &begin, &size, name), 3)
        << line;
    EXPECT_GT(begin, 4096u);
    EXPECT_GT(size, 0u);
    scales += name == scaleName;
    ++all;
  }
  EXPECT_EQ(scales, 2) << map; // of the previous model and of the next one
  EXPECT_EQ(all, 4) << map;
}

namespace {
struct Records {
  int loads = 0, unwinds = 0;
  std::vector<std::string> names;
};
} // namespace

/// Parses a dump by perf's specification.
static Records readDump(const std::string &dump) {
  Records found;
  EXPECT_EQ(load<uint32_t>(dump, 0), 0x4a695444u);
  EXPECT_EQ(load<uint32_t>(dump, 4), 1u);
  EXPECT_EQ(load<uint32_t>(dump, 12), uint32_t(EM_X86_64));
  uint64_t unwindSize = 0;
  for (size_t at = load<uint32_t>(dump, 8); at < dump.size();) {
    auto kind = load<uint32_t>(dump, at), size = load<uint32_t>(dump, at + 4);
    EXPECT_GT(load<uint64_t>(dump, at + 8), 0u);
    if (kind == 4) {
      unwindSize = load<uint64_t>(dump, at + 16);
      EXPECT_EQ(load<uint64_t>(dump, at + 24), 20u); // .eh_frame_hdr
      EXPECT_LE(40 + unwindSize, size);
      ++found.unwinds;
    } else {
      EXPECT_EQ(kind, 0u);
      const char *name = dump.data() + at + 56;
      found.names.emplace_back(name);
      EXPECT_EQ(load<uint64_t>(dump, at + 24), load<uint64_t>(dump, at + 32));
      EXPECT_EQ(load<uint64_t>(dump, at + 48), uint64_t(found.loads));
      EXPECT_EQ(56 + found.names.back().size() + 1 + load<uint64_t>(dump, at + 40), size);
      ++found.loads;
    }
    if (size < 16)
      break;
    at += size;
  }
  return found;
}

TEST(Symbols, DumpOfPerf) {
  TempFolder folder;
  writeModel(folder / "m.kiln", tabledModel());
  std::string dump = inChild([&] {
    setenv("JITDUMPDIR", folder.path.c_str(), 1);
    if (kiln_publish_symbols("jitdump"))
      return std::string("an error");
    ModelPtr model = loadModel(folder / "m.kiln");
    std::string name = "/jit-" + std::to_string(getpid()) + ".dump";
    // perf record finds the file through an executable mapping of it.
    std::string maps = readFile("/proc/self/maps");
    size_t mapped = maps.find(name);
    std::string line = maps.substr(maps.rfind('\n', mapped) + 1, 80);
    return line.find("r-xp") == line.npos ? line : readFile(folder.path + name);
  });
  Records records = readDump(dump);
  EXPECT_EQ(records.loads, 2);
  EXPECT_EQ(records.unwinds, 1);
  ASSERT_FALSE(records.names.empty());
  EXPECT_EQ(records.names[0], scaleName);
}

/// After a fork the child has its own files, including what its parent has loaded.
TEST(Symbols, FilesOfAChild) {
  TempFolder folder;
  writeModel(folder / "m.kiln", tabledModel());
  std::string dump = inChild([&] {
    setenv("JITDUMPDIR", folder.path.c_str(), 1);
    if (kiln_publish_symbols("jitdump"))
      return std::string("an error");
    ModelPtr model = loadModel(folder / "m.kiln");
    return inChild([&] {
      ModelPtr own = loadModel(folder / "m.kiln");
      return readFile(folder / ("jit-" + std::to_string(getpid()) + ".dump"));
    });
  });
  EXPECT_EQ(readDump(dump).loads, 4);
}

TEST(Symbols, ObjectsOfGdb) {
  TempFolder folder;
  writeModel(folder / "m.kiln", tabledModel());
  std::string object = inChild([&] {
    if (kiln_publish_symbols("gdb"))
      return std::string("an error");
    ModelPtr first = loadModel(folder / "m.kiln"), second = loadModel(folder / "m.kiln");
    first.reset();
    jit_code_entry *entry = __jit_debug_descriptor.first_entry;
    if (!entry || entry->next_entry || entry->prev_entry)
      return std::string("the list is wrong");
    std::string bytes(entry->symfile_addr, entry->symfile_size);
    second.reset();
    bool isEmpty = !__jit_debug_descriptor.first_entry;
    return isEmpty && __jit_debug_descriptor.action_flag == 2 ? bytes
                                                              : "it is not removed";
  });
  auto header = load<Elf64_Ehdr>(object, 0);
  ASSERT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0) << object;
  ASSERT_EQ(header.e_shnum, 5u);
  auto section = [&](size_t i) {
    return load<Elf64_Shdr>(object, header.e_shoff + i * sizeof(Elf64_Shdr));
  };
  auto nameAt = [&](size_t offset) {
    return std::string(object.c_str() + section(4).sh_offset + offset);
  };
  EXPECT_EQ(nameAt(section(1).sh_name), ".text");
  EXPECT_EQ(nameAt(section(2).sh_name), ".eh_frame");
  EXPECT_EQ(section(1).sh_size, testImage().size());
  EXPECT_GT(section(2).sh_addr, section(1).sh_addr);
  EXPECT_EQ(section(3).sh_size, 5 * sizeof(Elf64_Sym));
  auto symbol = load<Elf64_Sym>(object, section(3).sh_offset + sizeof(Elf64_Sym));
  EXPECT_EQ(nameAt(symbol.st_name), scaleName);
  symbol = load<Elf64_Sym>(object, section(3).sh_offset + 2 * sizeof(Elf64_Sym));
  EXPECT_EQ(nameAt(symbol.st_name), "kiln_scale"); // for the debugger's break command
  EXPECT_EQ(section(4).sh_offset + section(4).sh_size, object.size());
}

TEST(Symbols, WordsAndFilesThatCannotBe) {
  EXPECT_EQ(kiln_status_code(own(kiln_publish_symbols(nullptr)).get()), 1u);
  for (const char *word : {"", "maps", "map,", "map jitdump"})
    EXPECT_EQ(kiln_status_code(own(kiln_publish_symbols(word)).get()), 1u) << word;
  TempFolder folder;
  writeModel(folder / "m.kiln", tabledModel());
  std::string result = inChild([&] {
    setenv("JITDUMPDIR", (folder / "none").c_str(), 1);
    unsigned code = kiln_status_code(own(kiln_publish_symbols("jitdump")).get());
    ModelPtr model = loadModel(folder / "m.kiln");
    // A symbolic link that another user left in /tmp is not followed.
    std::string map = "/tmp/perf-" + std::to_string(getpid()) + ".map";
    std::filesystem::create_symlink(folder / "victim", map);
    unsigned linked = kiln_status_code(own(kiln_publish_symbols("map")).get());
    std::filesystem::remove(map);
    return std::to_string(code) + (model ? " loaded " : " failed ") +
           std::to_string(linked) +
           (std::filesystem::exists(folder / "victim") ? " followed" : "");
  });
  EXPECT_EQ(result, "3 loaded 3");
}
