//===- OutputFilesTest.cpp - Files that are replaced atomically -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Support/OutputFiles.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Clock.h"
#include "kiln/Support/Console.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Units.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace kiln;
namespace fs = llvm::sys::fs;

namespace {
class OutputFilesTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("kiln-output-files", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string at(const std::string &name) { return (folder + "/" + name).str(); }
  std::string contents(const std::string &path) {
    auto file = llvm::MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : "(none)";
  }
  size_t fileCount() {
    size_t count = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error))
      ++count;
    return count;
  }
  static Diagnosis problemOf(llvm::Error error) {
    EXPECT_TRUE(bool(error));
    return error ? takeDiagnosis(std::move(error)) : Diagnosis();
  }

  llvm::SmallString<128> folder;
};

TEST_F(OutputFilesTest, WritesAWholeFile) {
  ASSERT_FALSE(bool(writeAtomically(at("a"), "one")));
  EXPECT_EQ(contents(at("a")), "one");
  ASSERT_FALSE(bool(writeAtomically(at("a"), {"two, ", "three"})));
  EXPECT_EQ(contents(at("a")), "two, three");
  ASSERT_FALSE(bool(writeAtomically(at("a"), "")));
  EXPECT_EQ(contents(at("a")), "");
  EXPECT_EQ(fileCount(), 1u) << "nothing temporary is left";
}

TEST_F(OutputFilesTest, AFileThatCannotBeWrittenLeavesTheOldOne) {
  ASSERT_FALSE(fs::create_directory(at("folder")));
  Diagnosis problem = problemOf(writeAtomically(at("folder"), "text"));
  EXPECT_EQ(problem.code, ErrorCode::OutputNotWritable);
  EXPECT_EQ(problem.where, at("folder"));
  EXPECT_EQ(fileCount(), 1u) << "nothing temporary is left";
  EXPECT_EQ(problemOf(writeAtomically(at("none/file"), "text")).code,
            ErrorCode::OutputNotWritable);
}

TEST_F(OutputFilesTest, FullDisksAreAnErrorOfTheirOwn) {
  for (int code : {ENOSPC, EFBIG, EDQUOT}) {
    Diagnosis problem =
        problemOf(cannotWrite("out.txt", std::error_code(code, std::generic_category())));
    EXPECT_EQ(problem.code, ErrorCode::DiskFull) << code;
    EXPECT_EQ(problem.where, "out.txt");
  }
  for (int code : {EACCES, EROFS, EISDIR})
    EXPECT_EQ(
        problemOf(cannotWrite("out.txt", std::error_code(code, std::generic_category())))
            .code,
        ErrorCode::OutputNotWritable)
        << code;
}

TEST_F(OutputFilesTest, OutputsAreCheckedBeforeTheWork) {
  EXPECT_FALSE(bool(checkOutput(at("new"))));
  ASSERT_FALSE(bool(writeAtomically(at("old"), "text")));
  EXPECT_FALSE(bool(checkOutput(at("old"))));
  EXPECT_EQ(contents(at("old")), "text") << "checking writes nothing";
  EXPECT_EQ(fileCount(), 1u);
  EXPECT_FALSE(bool(checkOutput("/dev/null")));
  EXPECT_FALSE(bool(checkOutput("a-file-of-this-folder"))) << "without a folder";
}

TEST_F(OutputFilesTest, FoldersAreNoOutputs) {
  Diagnosis problem = problemOf(checkOutput(folder));
  EXPECT_EQ(problem.code, ErrorCode::OutputNotWritable);
  EXPECT_EQ(problem.what, "the output is a folder");
  problem = problemOf(checkOutput(at("none/file")));
  EXPECT_EQ(problem.what, "the folder of the output is missing");
  EXPECT_NE(problem.found.find(at("none")), std::string::npos);
}

/// In a child process that drops privileges, as root may write everywhere.
TEST_F(OutputFilesTest, FoldersMustBeWritable) {
  GTEST_FLAG_SET(death_test_style, "fast");
  ASSERT_FALSE(fs::setPermissions(folder, fs::all_read | fs::all_exe));
  EXPECT_EXIT(
      {
        if (geteuid() == 0 && setuid(65534) != 0)
          _exit(1);
        llvm::errs() << takeDiagnosis(checkOutput(at("file"))).str();
        _exit(0);
      },
      testing::ExitedWithCode(0), "KILN-E0003: .*the output cannot be created");
  ASSERT_FALSE(fs::setPermissions(folder, fs::all_all));
}

/// The runtime's writer and writeAtomically use the same names of temporary files.
TEST_F(OutputFilesTest, ProtectedOutputsLoseTheirTemporaryFiles) {
  std::string temporary = at("out") + "." + std::to_string(getpid()) + "-0.tmp";
  std::string other = at("out") + "." + std::to_string(getpid() + 1) + "-0.tmp";
  protectOutput(at("out"));
  for (const std::string &path : {at("out"), temporary, other})
    ASSERT_FALSE(bool(writeAtomically(path, "text")));
  removeProtectedOutputs();
  EXPECT_EQ(contents(temporary), "(none)");
  EXPECT_EQ(contents(at("out")), "text") << "the output itself stays";
  EXPECT_EQ(contents(other), "text") << "another process writes it";
}

/// A process can protect a limited number of outputs; more do no harm.
TEST_F(OutputFilesTest, ManyOutputsAreProtectedAsFarAsThereIsRoom) {
  for (int i = 0; i < 100; ++i)
    protectOutput(at("many" + std::to_string(i)));
  protectOutput(at(std::string(10000, 'x')));
  removeProtectedOutputs();
}

TEST_F(OutputFilesTest, TemporaryFilesLastAsLongAsTheirObject) {
  std::string path;
  {
    TemporaryFile file = llvm::cantFail(TemporaryFile::create("kiln"));
    path = file.getPath();
    EXPECT_TRUE(fs::exists(path));
    EXPECT_EQ(llvm::sys::path::extension(path), ".kiln");
    TemporaryFile moved = std::move(file);
    EXPECT_EQ(moved.getPath(), path);
    EXPECT_TRUE(fs::exists(path));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(OutputFilesTest, AssigningATemporaryFileRemovesTheOldOne) {
  TemporaryFile file = llvm::cantFail(TemporaryFile::create("kiln"));
  std::string first = file.getPath();
  file = llvm::cantFail(TemporaryFile::create("kiln"));
  EXPECT_NE(file.getPath(), first);
  EXPECT_FALSE(fs::exists(first));
  EXPECT_TRUE(fs::exists(file.getPath()));
  file = TemporaryFile();
  EXPECT_TRUE(file.getPath().empty());
}

//===----------------------------------------------------------------------===//
// Units, clock and console
//===----------------------------------------------------------------------===//

TEST(UnitsTest, BytesHaveThreeDigits) {
  EXPECT_EQ(formatBytes(0), "0 B");
  EXPECT_EQ(formatBytes(1023), "1023 B");
  EXPECT_EQ(formatBytes(1024), "1.00 KiB");
  EXPECT_EQ(formatBytes(1536), "1.50 KiB");
  EXPECT_EQ(formatBytes(10240), "10.0 KiB");
  EXPECT_EQ(formatBytes(102400), "100 KiB");
  EXPECT_EQ(formatBytes(1023 * 1024), "1023 KiB");
  EXPECT_EQ(formatBytes(uint64_t(24) << 30), "24.0 GiB");
  EXPECT_EQ(formatBytes(~uint64_t(0)), "16384 PiB");
}

TEST(UnitsTest, SecondsHaveTheirUnit) {
  EXPECT_EQ(formatSeconds(0), "0.00 us");
  EXPECT_EQ(formatSeconds(840e-6), "840 us");
  EXPECT_EQ(formatSeconds(1e-3), "1.00 ms");
  EXPECT_EQ(formatSeconds(0.0123), "12.3 ms");
  EXPECT_EQ(formatSeconds(0.9999), "1000 ms");
  EXPECT_EQ(formatSeconds(1), "1.00 s");
  EXPECT_EQ(formatSeconds(3600), "3600.00 s");
}

TEST(UnitsTest, CountsHaveTheirPrefix) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(1000), "1.00 K");
  EXPECT_EQ(formatCount(1.234e9), "1.23 G");
  EXPECT_EQ(formatCount(9.999e5), "1000 K");
  EXPECT_EQ(formatCount(5e18), "5000 P");
}

TEST(ClockTest, TimeGoesOn) {
  double before = now();
  usleep(2000);
  EXPECT_GE(now(), before + 0.002);
}

TEST(ConsoleTest, QuietTextGoesNowhere) {
  EXPECT_FALSE(isQuiet());
  testing::internal::CaptureStdout();
  text() << "loud ";
  setQuiet(true);
  EXPECT_TRUE(isQuiet());
  text() << "quiet ";
  setQuiet(false);
  text() << "again";
  llvm::outs().flush();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "loud again");
}
} // namespace
