//===- WireScannerTest.cpp - Reader of the protobuf wire format -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Onnx/WireScanner.h"
#include <gtest/gtest.h>

using namespace kiln::import;

static WireError scan(std::vector<uint8_t> bytes,
                      std::vector<WireField> *fields = nullptr) {
  WireScanner scanner(bytes, {0, bytes.size()});
  WireField field;
  while (scanner.next(field))
    if (fields)
      fields->push_back(field);
  return scanner.error();
}

TEST(WireScanner, ReadsEachKindOfField) {
  std::vector<WireField> fields;
  EXPECT_EQ(scan({0x08, 0x96, 0x01, 0x12, 0x02, 'h', 'i', 0x1d, 1, 2, 3, 4, //
                  0x21, 1,    2,    3,    4,    5,   6,   7,    8},
                 &fields),
            WireError::None);
  ASSERT_EQ(fields.size(), 4u);
  EXPECT_EQ(fields[0].value, 150u);
  EXPECT_EQ(fields[1].payload.offset, 5u);
  EXPECT_EQ(fields[1].payload.length, 2u);
  EXPECT_EQ(fields[3].number, 4u);
  EXPECT_EQ(fields[3].whole.length, 9u);
}

TEST(WireScanner, RefusesWhatIsCutOff) {
  EXPECT_EQ(scan({0x08}), WireError::Truncated);
  EXPECT_EQ(scan({0x12, 0x05, 'h'}), WireError::Truncated);
  EXPECT_EQ(scan({0x1d, 1, 2, 3}), WireError::Truncated);
  EXPECT_EQ(scan({0x08, 0x80}), WireError::Truncated);
}

TEST(WireScanner, RefusesWhatIsNoField) {
  EXPECT_EQ(scan({0x00, 0x01}), WireError::Malformed); // field number 0
  EXPECT_EQ(scan({0x0b}), WireError::Malformed);       // a group, which is not supported
  EXPECT_EQ(scan({0x0f}), WireError::Malformed);       // invalid wire type
  EXPECT_EQ(scan({0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}),
            WireError::Malformed); // more than 64 bits
}

TEST(WireScanner, LengthsNearTheLimitDoNotWrap) {
  EXPECT_EQ(scan({0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 'h'}),
            WireError::Truncated);
}
