//===- NvtxLibraryTest.cpp ----------------------------------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Repeats NvtxTest with NVTX's own library, found by name. A separate program, since the
// loader reads LD_LIBRARY_PATH at start.
//
//===----------------------------------------------------------------------===//
#include "GpuModels.h"
#include <gtest/gtest.h>

using namespace kiln::test;

TEST(NvtxLibrary, IsFoundByName) {
  TempFolder folder;
  isolated({{"FAKE_NVTX_LOG", folder / "log"}}, [&] {
    writeModel(folder / "m.kiln", withGpu(stateModel()));
    ModelPtr model = loadModel(folder / "m.kiln");
    kiln_session_options options = onGpu();
    SessionPtr session = makeSession(model.get(), &options);
    FloatTensor x("x", {1}), total("total", {1});
    kiln_tensor in = x.tensor(), out = total.tensor();
    EXPECT_FALSE(own(kiln_session_run(session.get(), &in, 1, &out, 1)));
  });
  EXPECT_EQ(readFile(folder / "log"), folder / "m.kiln" + "\n");
}
