//===- ProgramsTest.cpp ---------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packages with several programs: required agreement, and shared state.
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/runtime.hpp"
#include "runtime/model/model.h"
#include <functional>
#include <gtest/gtest.h>

using namespace kiln::test;
using namespace kiln::rt;

static Plan programPlan(const kiln::package::PackageContents &contents,
                        const char *name) {
  Plan plan = statePlan(contents);
  plan.name = name;
  Status valid = validatePlan(surroundings(contents), "test", plan);
  EXPECT_TRUE(valid.ok()) << valid.message();
  return plan;
}

struct ProgramDefect {
  const char *name;
  Code::ID code;
  const char *message; ///< part of it
  std::function<void(Plan &)> plant;
};

static const ProgramDefect programDefects[] = {
    {"NoName", Code::PlanInvalid, "a program has no name",
     [](Plan &p) { p.name.clear(); }},
    {"NameTwice", Code::PlanInvalid, "two programs have one name",
     [](Plan &p) { p.name = "prefill"; }},
    {"Targets", Code::PlanInvalid, "its targets are not those of the first",
     [](Plan &p) { p.targets[0].name += "x"; }},
    {"Arenas", Code::PlanInvalid, "its arenas are not those of the first",
     [](Plan &p) { p.arenas.pop_back(); }},
    {"Range", Code::PlanInvalid, "has two ranges", [](Plan &p) { --p.symbols[0].max; }},
    {"States", Code::PlanInvalid, "its states are not those of the first",
     [](Plan &p) { p.states.pop_back(); }},
    {"StateName", Code::PlanInvalid, "is another one in the first program",
     [](Plan &p) { p.states[0].name = "other"; }},
    {"StateType", Code::PlanInvalid, "is another one in the first program",
     [](Plan &p) { p.states[0].dtype = KILN_DTYPE_F16; }},
    {"Lengths", Code::PlanInvalid, "its sequences are not those of the first",
     [](Plan &p) { p.sequences->lengths = 0; }},
    {"NoLengths", Code::PlanInvalid, "its sequences are not those of the first",
     [](Plan &p) { p.sequences.reset(); }},
    {"Ring", Code::PlanInvalid, "its sequences are not those of the first",
     [](Plan &p) { p.sequences->ring = 12; }},
    {"Window", Code::PlanInvalid, "its sequences are not those of the first",
     [](Plan &p) { p.sequences->window = 5; }},
    {"Place", Code::PlanMemory, "lies elsewhere in another program",
     [](Plan &p) { p.buffers[StatePlan::lengths].above.clear(); }},
    {"Dims", Code::PlanMemory, "lies elsewhere in another program",
     [](Plan &p) { p.states[0].dims[1] = p.outputs[0].dims[1]; }},
    {"Capacity", Code::PlanMemory, "another capacity in another program",
     [](Plan &p) { p.sequences->capacity = p.sequences->added; }},
};

class Programs : public testing::TestWithParam<ProgramDefect> {};

TEST_P(Programs, Refuses) {
  auto contents = scaleModel();
  Plan first = programPlan(contents, "prefill"), second = programPlan(contents, "decode");
  GetParam().plant(second);
  const Plan *plans[] = {&first, &second};
  Status status = checkPrograms(plans, "test");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.code(), GetParam().code) << status.message();
  EXPECT_NE(std::string(status.message()).find(GetParam().message), std::string::npos)
      << status.message();
}

INSTANTIATE_TEST_SUITE_P(Defects, Programs, testing::ValuesIn(programDefects),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Programs, Accepts) {
  auto contents = scaleModel();
  Plan first = programPlan(contents, "prefill"), second = programPlan(contents, "decode");
  const Plan *plans[] = {&first, &second};
  Status status = checkPrograms(plans, "test");
  EXPECT_TRUE(status.ok()) << status.message();
}

/// Returns a package with two programs that add to one state.
static std::string twoPrograms(const TempFolder &folder) {
  auto contents = stateModel(), other = stateModel();
  contents.plan.name = "one";
  other.plan.name = "two";
  contents.otherPlans.push_back(std::move(other.plan));
  writeModel(folder / "m.kiln", contents);
  return folder / "m.kiln";
}

static float total(Session session, float x) {
  return *session.run({{"x", &x, {1}}})[0].as<float>();
}

TEST(Programs, ShareStateInOneSession) {
  TempFolder folder;
  Model model(twoPrograms(folder));
  Session session(model), two = session.entry("two");
  EXPECT_EQ(total(session, 1), 1);
  EXPECT_EQ(total(two, 10), 11);
  EXPECT_EQ(total(session.entry("one"), 100), 111);
  ASSERT_EQ(kiln_session_reset_state(two.get()), nullptr);
  EXPECT_EQ(total(session, 2), 2);
  Session elsewhere(model.entry("two"));
  EXPECT_EQ(total(elsewhere, 5), 5);
  EXPECT_EQ(total(two, 1), 3);
}

TEST(Programs, RunByName) {
  TempFolder folder;
  ModelPtr model = loadModel(twoPrograms(folder));
  EXPECT_EQ(kiln_model_entry_count(model.get()), 2u);
  EXPECT_STREQ(kiln_model_entry_name(model.get(), 1), "two");
  EXPECT_EQ(kiln_model_entry_name(model.get(), 2), nullptr);
  SessionPtr session = makeSession(model.get());
  FloatTensor x("x", {1}), y("total", {1});
  x.data = {3};
  kiln_tensor in = x.tensor(), out = y.tensor();
  ASSERT_EQ(kiln_session_run_entry(session.get(), "two", &in, 1, &out, 1), nullptr);
  ASSERT_EQ(kiln_session_run_entry(session.get(), "one", &in, 1, &out, 1), nullptr);
  EXPECT_EQ(y.data[0], 6);
  StatusPtr unknown =
      own(kiln_session_run_entry(session.get(), "main", &in, 1, &out, 1));
  ASSERT_TRUE(unknown);
  EXPECT_NE(std::string(kiln_status_message(unknown.get())).find("expected one, two"),
            std::string::npos);
  EXPECT_EQ(kiln_status_code(unknown.get()), 619u);
}

TEST(Programs, ViewsAreReleasedWithTheirModel) {
  TempFolder folder;
  kiln_model *view = nullptr;
  {
    ModelPtr model = loadModel(twoPrograms(folder));
    ASSERT_EQ(kiln_model_entry(model.get(), "two", &view), nullptr);
    kiln_model_retain(view);
  }
  EXPECT_STREQ(kiln_model_current_entry(view), "two");
  kiln_model_release(view);
}

TEST(Programs, OnlyOneIsMain) {
  TempFolder folder;
  writeModel(folder / "m.kiln", stateModel());
  Session session{Model(folder / "m.kiln")};
  EXPECT_EQ(total(session.entry("main"), 4), 4);
}
