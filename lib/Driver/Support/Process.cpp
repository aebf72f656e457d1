//===- Process.cpp - End of a command -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"
#include "Report.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Usage.h"
#include "llvm/Support/raw_ostream.h"
#include <system_error>

using namespace kiln;
using namespace kiln::driver;

int driver::finishProcess(int status) {
  llvm::outs().flush();
  std::error_code ec = llvm::outs().error();
  llvm::outs().clear_error();
  if (!ec || ec == std::errc::broken_pipe)
    return status;
  bool full = ec == std::errc::no_space_on_device;
  return report(makeError({full ? ErrorCode::DiskFull : ErrorCode::OutputNotWritable,
                           "stdout", "cannot be written", "an output that takes the text",
                           ec.message(), "redirect it elsewhere"}));
}
