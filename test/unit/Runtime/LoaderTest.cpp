//===- LoaderTest.cpp -----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages that are damaged, of another kind, or from a newer version.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "runtime/base/chunk_hash.h"
#include "runtime/package/format.h"
#include <cstring>
#include <gtest/gtest.h>
#include <sys/stat.h>

using namespace kiln::test;
using namespace kiln::rt;
namespace format = kiln::rt::format;

class Loader : public testing::Test {
protected:
  void SetUp() override {
    writeModel(path, scaleModel());
    good = readFile(path);
    std::memcpy(&header, good.data(), sizeof header);
    sections.resize(header.sectionCount);
    std::memcpy(sections.data(), good.data() + sizeof header,
                sections.size() * sizeof(format::Section));
  }

  unsigned load(const std::string &bytes, bool weights = false) {
    writeFile(path, bytes);
    kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
    options.trust_weights = !weights;
    return loadCode(path, &options);
  }

  /// Returns the package with the modified header and table, and a matching hash.
  std::string sealed() {
    std::memset(header.digest, 0, sizeof header.digest);
    Sha256 hash;
    hash.update(&header, sizeof header);
    hash.update(sections.data(), sections.size() * sizeof(format::Section));
    Sha256Digest digest = hash.finish();
    std::memcpy(header.digest, digest.data(), sizeof header.digest);
    std::string bytes = good;
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, sections.data(),
                sections.size() * sizeof(format::Section));
    return bytes;
  }

  TempFolder folder;
  std::string path = folder / "m.kiln";
  std::string good;
  format::Header header;
  std::vector<format::Section> sections;
};

TEST_F(Loader, Good) {
  EXPECT_EQ(load(good, true), 0u);
  EXPECT_EQ(load(sealed(), true), 0u);
  EXPECT_FALSE(own(kiln_package_validity(path.c_str())));
  EXPECT_FALSE(own(kiln_package_check(path.c_str())));
}

TEST_F(Loader, TruncatedAnywhere) {
  for (size_t n = 0; n < good.size(); n += n < 512 ? 1 : 997) {
    unsigned code = load(good.substr(0, n));
    EXPECT_EQ(code, n == 0 ? 500u : 502u) << n;
  }
  EXPECT_EQ(load(good.substr(0, good.size() - 1)), 502u);
  EXPECT_EQ(load(good + "x"), 502u);
}

TEST_F(Loader, ChangedByteInEachSection) {
  for (const format::Section &s : sections) {
    for (uint64_t at : {uint64_t(0), s.size / 2, s.size - 1}) {
      std::string bytes = good;
      bytes[s.offset + at] ^= 0x10;
      EXPECT_EQ(load(bytes, true), 503u) << s.type << " at " << at;
      // A caller that trusts the weights does not check them.
      EXPECT_EQ(load(bytes, false), s.type == format::Weights ? 0u : 503u);
    }
  }
}

TEST_F(Loader, ChangedByteInHeaderAndTable) {
  size_t end = sizeof header + sections.size() * sizeof(format::Section);
  for (size_t i = 0; i < end; ++i) {
    std::string bytes = good;
    bytes[i] ^= 1;
    unsigned code = load(bytes);
    EXPECT_TRUE(code >= 500 && code <= 504) << i << ": " << code;
  }
}

TEST_F(Loader, NotAPackage) {
  EXPECT_EQ(load("\x08\x07\x12\x07pytorch, an ONNX file"), 500u);
  EXPECT_EQ(loadCode(folder / "missing.kiln"), 2u);
  EXPECT_EQ(loadCode(folder.path), 2u);
  mkfifo((folder / "pipe").c_str(), 0600);
  EXPECT_EQ(loadCode(folder / "pipe"), 2u);
}

TEST_F(Loader, FutureVersion) {
  header.version = format::ranksVersion + 1;
  writeFile(path, sealed());
  kiln_model *model = nullptr;
  StatusPtr status = own(kiln_model_load(path.c_str(), nullptr, &model));
  EXPECT_EQ(kiln_status_code(status.get()), 501u);
  EXPECT_STREQ(kiln_status_get(status.get(), KILN_STATUS_FOUND),
               ("version " + std::to_string(format::ranksVersion + 1)).c_str());
  EXPECT_EQ(kiln_status_code(own(kiln_package_validity(path.c_str())).get()), 501u);
}

TEST_F(Loader, MalformedTables) {
  auto code = [&](auto change) {
    auto headerBefore = header;
    auto sectionsBefore = sections;
    change();
    unsigned result = load(sealed());
    header = headerBefore, sections = sectionsBefore;
    return result;
  };
  EXPECT_EQ(code([&] { sections[1].offset = sections[0].offset; }), 504u);
  EXPECT_EQ(code([&] { sections[0].offset = 0; }), 504u);
  EXPECT_EQ(code([&] { sections[1].offset += 1; }), 504u);
  EXPECT_EQ(code([&] { sections[1].alignment = 3; }), 504u);
  EXPECT_EQ(code([&] { sections[1].alignment = 0; }), 504u);
  EXPECT_EQ(code([&] { sections[2].alignment = 64; }), 504u);
  EXPECT_EQ(code([&] { sections[3].size = good.size(); }), 504u);
  EXPECT_EQ(code([&] { sections[3].size = UINT64_MAX; }), 504u);
  EXPECT_EQ(code([&] { sections[3].offset = UINT64_MAX - 4095; }), 504u);
  EXPECT_EQ(code([&] { sections[2].type = format::Plan; }), 504u);
  EXPECT_EQ(code([&] { sections[2].type = 99; }), 504u);
  EXPECT_EQ(code([&] { sections[0].type = 99 | format::optionalSection; }),
            504u); // the provenance is missing in that case
  EXPECT_EQ(code([&] { sections[2].index = 1; }), 504u);
  EXPECT_EQ(code([&] { sections[1].index = 1; }), 504u);
  EXPECT_EQ(code([&] { header.sectionCount = 1u << 30; }), 504u);
  EXPECT_EQ(code([&] { header.flags = 1; }), 504u);
  EXPECT_EQ(code([&] { header.headerSize = 32; }), 504u);
}

TEST_F(Loader, PlanOfRandomBytes) {
  format::Section &plan = sections[1];
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string bytes = good;
    unsigned state = seed;
    for (int i = 0; i < 8; ++i) {
      state = state * 1664525u + 1013904223u;
      bytes[plan.offset + (state >> 8) % plan.size] = char(state >> 24);
    }
    Sha256Digest digest = chunkHash(bytes.data() + plan.offset, plan.size);
    std::memcpy(plan.hash, digest.data(), digest.size());
    std::string keep = good;
    good = bytes;
    unsigned code = load(sealed());
    good = keep;
    EXPECT_TRUE(code == 0 || (code >= 505 && code <= 511)) << code;
  }
}

TEST_F(Loader, MissingCpuFeaturesAreNamed) {
  auto contents = scaleModel();
  contents.plan.targets[0]->features = {"sse2", "warp-drive", "amx-future"};
  writeModel(path, contents);
  for (bool header : {false, true}) {
    kiln_model *model = nullptr;
    StatusPtr status = own(header ? kiln_package_validity(path.c_str())
                                  : kiln_model_load(path.c_str(), nullptr, &model));
    EXPECT_EQ(kiln_status_code(status.get()), 510u);
    std::string text = kiln_status_message(status.get());
    EXPECT_NE(text.find("warp-drive, amx-future"), std::string::npos) << text;
    EXPECT_EQ(text.find("sse2"), std::string::npos) << text;
  }
  // It can be inspected, but not run.
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.inspect_only = 1;
  kiln_model *model = nullptr;
  ASSERT_FALSE(own(kiln_model_load(path.c_str(), &options, &model)));
  EXPECT_STREQ(kiln_model_target(model, 0)->missing, "warp-drive, amx-future");
  kiln_session *session = nullptr;
  EXPECT_EQ(kiln_status_code(own(kiln_session_create(model, nullptr, &session)).get()),
            512u);
  kiln_model_release(model);
}

TEST_F(Loader, BestTargetIsChosen) {
  auto contents = scaleModel();
  auto add = [&](const char *name, std::vector<std::string> features) {
    kiln::fb::TargetT t;
    t.name = name, t.features = std::move(features), t.image = 1;
    contents.plan.targets.push_back(std::make_unique<kiln::fb::TargetT>(t));
    for (auto &k : contents.plan.kernels)
      k->entries.push_back(k->entries[0]);
    for (auto &s : contents.plan.steps)
      if (s->kind == kiln::fb::StepKind::Launch)
        s->grids.push_back(s->grids[0]);
  };
  contents.hostImages.push_back(testImage());
  add("better", {"sse", "sse2"});
  add("best-but-absent", {"sse", "sse2", "warp-drive"});
  writeModel(path, contents);
  ModelPtr model = loadModel(path);
  ASSERT_TRUE(model);
  EXPECT_FALSE(kiln_model_target(model.get(), 0)->selected);
  EXPECT_TRUE(kiln_model_target(model.get(), 1)->selected);
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.target = "test";
  EXPECT_EQ(loadCode(path, &options), 0u);
  options.target = "best-but-absent";
  EXPECT_EQ(loadCode(path, &options), 510u);
  options.target = "unheard-of";
  EXPECT_EQ(loadCode(path, &options), 511u);
}

TEST_F(Loader, DefectivePlansDoNotLoad) {
  auto contents = scaleModel();
  contents.plan.buffers[3]->above.clear();
  writeModel(path, contents);
  EXPECT_EQ(loadCode(path), 507u);
  contents.plan.steps[0]->kernel = 77;
  writeModel(path, contents);
  EXPECT_EQ(loadCode(path), 506u);
  EXPECT_EQ(kiln_status_code(own(kiln_package_check(path.c_str())).get()), 506u);
}

TEST_F(Loader, Infos) {
  ModelPtr model = loadModel(path);
  ASSERT_TRUE(model);
  kiln_model *m = model.get();
  ASSERT_EQ(kiln_model_input_count(m), 1u);
  ASSERT_EQ(kiln_model_output_count(m), 2u);
  const kiln_tensor_info *x = kiln_model_input(m, 0);
  EXPECT_STREQ(x->name, "x");
  EXPECT_EQ(x->dtype, KILN_DTYPE_F32);
  ASSERT_EQ(x->rank, 2u);
  EXPECT_STREQ(x->dims[1].expr, "seq");
  EXPECT_EQ(x->dims[1].min, 1);
  EXPECT_EQ(x->dims[1].max, 256);
  EXPECT_EQ(kiln_model_input(m, 1), nullptr);
  ASSERT_EQ(kiln_model_symbol_count(m), 2u);
  EXPECT_STREQ(kiln_model_symbol(m, 0)->name, "batch");
  ASSERT_EQ(kiln_model_arena_count(m), 5u);
  const kiln_arena_info *act = kiln_model_arena(m, 3);
  EXPECT_EQ(act->kind, KILN_ARENA_ACTIVATIONS);
  EXPECT_STREQ(act->formula, "64*((4*batch*seq) ceildiv 64) + 4*batch*seq");
  EXPECT_EQ(act->max_bytes, 8192u);
  int64_t values[] = {2, 5};
  uint64_t bytes = 0;
  ASSERT_FALSE(own(kiln_model_arena_bytes(m, 3, values, &bytes)));
  EXPECT_EQ(bytes, 64u + 40u);
  ASSERT_EQ(kiln_model_step_count(m), 5u);
  EXPECT_STREQ(kiln_model_step(m, 0)->kernel, "scale");
  EXPECT_STREQ(kiln_model_step(m, 0)->nodes[0], "node0");
  EXPECT_STREQ(kiln_model_step(m, 3)->kernel, "copy");
  kiln_step_cost cost;
  ASSERT_FALSE(own(kiln_model_step_cost(m, 0, values, &cost)));
  EXPECT_EQ(cost.tasks, 2);
  size_t length = 0;
  EXPECT_STREQ(kiln_model_provenance(m, &length), "{\"test\": true}");
  EXPECT_EQ(length, 14u);
  EXPECT_EQ(kiln_model_file_bytes(m), good.size());
  EXPECT_STREQ(kiln_model_path(m), path.c_str());
}

TEST_F(Loader, Misuse) {
  kiln_model *model = nullptr;
  EXPECT_EQ(kiln_status_code(own(kiln_model_load(nullptr, nullptr, &model)).get()), 1u);
  kiln_model_options zero{};
  EXPECT_EQ(loadCode(path, &zero), 1u);
  kiln_model_release(nullptr);
}
