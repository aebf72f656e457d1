//===- NpyTest.cpp --------------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/npy.h"
#include "TestPackage.h"
#include <cstring>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln::test;

using NpyPtr = std::unique_ptr<kiln_npy, decltype(&kiln_npy_free)>;

static std::string npy(const std::string &dict, const std::string &data,
                       char version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {version, 0, char(dict.size() & 255), char(dict.size() >> 8)};
  if (version > 1)
    bytes += std::string(2, '\0');
  return bytes + dict + data;
}

static std::string dict(const std::string &descr, const std::string &shape,
                        const char *fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }";
}

class Npy : public testing::Test {
protected:
  NpyPtr read(const std::string &bytes) {
    writeFile(folder / "a.npy", bytes);
    kiln_npy *array = nullptr;
    status = own(kiln_npy_read((folder / "a.npy").c_str(), &array));
    return {array, kiln_npy_free};
  }
  unsigned code(const std::string &bytes) {
    read(bytes);
    return kiln_status_code(status.get());
  }
  TempFolder folder;
  StatusPtr status = own(nullptr);
};

TEST_F(Npy, RoundTripOfEveryType) {
  for (unsigned d = 0; d <= KILN_DTYPE_BOOL; ++d) {
    auto dtype = static_cast<kiln_dtype>(d);
    int64_t shape[] = {2, 3};
    size_t size = 6 * kiln_dtype_size(dtype);
    std::string data(size, '\0');
    for (size_t i = 0; i < size; ++i)
      data[i] = char(dtype == KILN_DTYPE_BOOL ? i & 1 : i);
    kiln_tensor t = {nullptr, data.data(), size, dtype, 2, shape, KILN_MEMORY_HOST};
    std::string path = folder / "t.npy";
    ASSERT_FALSE(own(kiln_npy_write(path.c_str(), &t)));
    kiln_npy *raw = nullptr;
    ASSERT_FALSE(own(kiln_npy_read(path.c_str(), &raw)));
    NpyPtr array(raw, kiln_npy_free);
    const kiln_tensor *back = kiln_npy_tensor(raw);
    EXPECT_EQ(back->dtype, dtype);
    EXPECT_EQ(back->rank, 2u);
    EXPECT_EQ(back->shape[1], 3);
    EXPECT_EQ(std::string((char *)back->data, back->size), data);
    EXPECT_EQ((readFile(path).size() - size) % 64, 0u);
  }
  EXPECT_EQ(listFolder(folder.path).size(), 1u);
}

TEST_F(Npy, ContentsInMemory) {
  std::string bytes = npy(dict("<f4", "(2,)"), std::string(8, 'x'));
  kiln_npy *raw = nullptr;
  ASSERT_FALSE(own(kiln_npy_parse("x.npz: a.npy", bytes.data(), bytes.size(), &raw)));
  NpyPtr array(raw, kiln_npy_free);
  const kiln_tensor *tensor = kiln_npy_tensor(raw);
  EXPECT_EQ(std::string((char *)tensor->data, tensor->size), std::string(8, 'x'));
  for (size_t size = 0; size < bytes.size(); ++size) {
    StatusPtr failed = own(kiln_npy_parse("x.npz: a.npy", bytes.data(), size, &raw));
    EXPECT_EQ(kiln_status_code(failed.get()), 611u) << size;
    EXPECT_EQ(std::string(kiln_status_get(failed.get(), KILN_STATUS_WHERE)),
              "x.npz: a.npy");
  }
}

TEST_F(Npy, ScalarAndEmpty) {
  auto scalar = read(npy(dict("<f4", "()"), std::string(4, 'x')));
  ASSERT_TRUE(scalar);
  EXPECT_EQ(kiln_npy_tensor(scalar.get())->rank, 0u);
  auto empty = read(npy(dict("<f4", "(0, 3)"), ""));
  ASSERT_TRUE(empty);
  EXPECT_EQ(kiln_npy_tensor(empty.get())->size, 0u);
  kiln_tensor t = *kiln_npy_tensor(scalar.get());
  ASSERT_FALSE(own(kiln_npy_write((folder / "s.npy").c_str(), &t)));
  EXPECT_NE(readFile(folder / "s.npy").find("'shape': ()"), std::string::npos);
}

TEST_F(Npy, FortranOrderBecomesRowMajor) {
  // [[0, 1, 2], [3, 4, 5]] in column-major order.
  std::string data = {0, 3, 1, 4, 2, 5};
  auto a = read(npy(dict("|u1", "(2, 3)", "True"), data));
  ASSERT_TRUE(a);
  EXPECT_EQ(std::memcmp(kiln_npy_tensor(a.get())->data, "\0\1\2\3\4\5", 6), 0);
}

TEST_F(Npy, KeysInAnyOrderAndVersions) {
  std::string other = "{\"shape\": (2,), \"fortran_order\": False, \"descr\": \"|i1\"}\n";
  for (char version : {1, 2, 3})
    EXPECT_TRUE(read(npy(other, "ab", version))) << int(version);
}

TEST_F(Npy, MalformedFiles) {
  std::string good = npy(dict("<f4", "(2,)"), std::string(8, 'x'));
  EXPECT_EQ(code(good), 0u);
  for (size_t n = 0; n < good.size(); ++n)
    EXPECT_EQ(code(good.substr(0, n)), 611u) << n;
  EXPECT_EQ(code(good + "x"), 611u);
  EXPECT_EQ(code(npy(dict("<f4", "(2,)"), "12345678", 9)), 611u);
  EXPECT_EQ(code(npy(dict(">f4", "(2,)"), "12345678")), 611u);
  EXPECT_EQ(code(npy(dict("|O", "(2,)"), "12345678")), 611u);
  EXPECT_EQ(code(npy(dict("<f4", "(-2,)"), "12345678")), 611u);
  EXPECT_EQ(code(npy(dict("<f4", "(2"), "12345678")), 611u);
  EXPECT_EQ(code(npy(dict("<f4", "(99999999999999999999,)"), "")), 611u);
  EXPECT_EQ(code(npy(dict("<f4", "(4294967296, 4294967296)"), "")), 611u);
  EXPECT_EQ(code(npy(dict("<f4", "(1,1,1,1,1,1,1,1,2)"), "12345678")), 611u);
  EXPECT_EQ(code(npy("{'descr': '<f4'}", "")), 611u);
  EXPECT_EQ(code(npy("[1]", "")), 611u);
  EXPECT_EQ(code(npy("{'descr': '<f4', 'x': 1}", "")), 611u);
}

TEST_F(Npy, MessageNamesFileAndSizes) {
  read(npy(dict("<f4", "(2,)"), "1234"));
  std::string text = kiln_status_message(status.get());
  EXPECT_NE(text.find("a.npy"), std::string::npos) << text;
  EXPECT_NE(text.find("expected 8 bytes, found 4 bytes"), std::string::npos) << text;
}

TEST_F(Npy, FilesThatCannotBeRead) {
  kiln_npy *array = nullptr;
  EXPECT_EQ(
      kiln_status_code(own(kiln_npy_read((folder / "none.npy").c_str(), &array)).get()),
      2u);
  EXPECT_EQ(kiln_status_code(own(kiln_npy_read(folder.path.c_str(), &array)).get()), 2u);
  mkfifo((folder / "pipe").c_str(), 0600);
  EXPECT_EQ(kiln_status_code(own(kiln_npy_read((folder / "pipe").c_str(), &array)).get()),
            2u);
}

TEST_F(Npy, OutputsThatCannotBeWritten) {
  FloatTensor t("x", {4});
  kiln_tensor tensor = t.tensor();
  auto write = [&](const std::string &path) {
    return kiln_status_code(own(kiln_npy_write(path.c_str(), &tensor)).get());
  };
  EXPECT_EQ(write(folder / "no/such/folder.npy"), 3u);
  EXPECT_EQ(write(folder.path), 3u);
  EXPECT_EQ(write("/dev/full"), 701u);
  EXPECT_EQ(write("/dev/null"), 0u);
}

TEST_F(Npy, FileSizeLimitIsAnErrorNotASignal) {
  FloatTensor t("x", {100000});
  kiln_tensor tensor = t.tensor();
  writeFile(folder / "y.npy", "old");
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = {4096, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  StatusPtr failed = own(kiln_npy_write((folder / "y.npy").c_str(), &tensor));
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(kiln_status_code(failed.get()), 701u);
  EXPECT_EQ(kiln_status_exit_code(failed.get()), 4);
  EXPECT_EQ(readFile(folder / "y.npy"), "old");
  EXPECT_EQ(listFolder(folder.path), std::vector<std::string>{"y.npy"});
}
