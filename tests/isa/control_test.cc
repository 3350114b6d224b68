// SPDX-License-Identifier: Apache-2.0
#include "isa/codec/control.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace shflsim::isa {
namespace control_test {

constexpr uint32_t kFields = 1u << 21;
constexpr uint8_t kNone = Control::kNoScoreboard;

struct FieldRow {
  uint32_t bits;
  Control control;  ///< issue code, write barrier, read barrier, wait mask, reuse
  const char* trailer;
};

// Slots that compilers emit for sm_50, and their trailers in the notation of NVIDIA's manual.
const FieldRow kFieldTable[] = {
    {0x007E0, {0, kNone, kNone, 0, 0}, ""},
    {0x007F6, {22, kNone, kNone, 0, 0}, "?trans6"},
    {0x00712, {18, 0, kNone, 0, 0}, "&wr=0x0 ?trans2"},
    {0x0071F, {31, 0, kNone, 0, 0}, "&wr=0x0 ?OFF_DECK"},
    {0x00731, {17, 1, kNone, 0, 0}, "&wr=0x1 ?trans1"},
    {0x20FF0, {16, kNone, kNone, 1, 1}, "&req={0} ?floxy2"},
    {0x00FF5, {21, kNone, kNone, 1, 0}, "&req={0} ?trans5"},
    {0x007ED, {13, kNone, kNone, 0, 0}, "?WAIT13_END_GROUP"},
    {0x007FD, {29, kNone, kNone, 0, 0}, "?YIELD6"},
    {0x007F0, {16, kNone, kNone, 0, 0}, "?floxy2"},
    {0x007FF, {31, kNone, kNone, 0, 0}, "?OFF_DECK"},
};

// The manual's name of every code; 0 is the default and has none.
const std::array<const char*, 32> kCodeNames = {
    "",
    "WAIT1_END_GROUP",
    "WAIT2_END_GROUP",
    "WAIT3_END_GROUP",
    "WAIT4_END_GROUP",
    "WAIT5_END_GROUP",
    "WAIT6_END_GROUP",
    "WAIT7_END_GROUP",
    "WAIT8_END_GROUP",
    "WAIT9_END_GROUP",
    "WAIT10_END_GROUP",
    "WAIT11_END_GROUP",
    "WAIT12_END_GROUP",
    "WAIT13_END_GROUP",
    "WAIT14_END_GROUP",
    "WAIT15_END_GROUP",
    "floxy2",
    "trans1",
    "trans2",
    "trans3",
    "trans4",
    "trans5",
    "trans6",
    "trans7",
    "trans8",
    "trans9",
    "trans10",
    "trans11",
    "PIXBAR",
    "YIELD6",
    "YIELD8",
    "OFF_DECK",
};

struct WordRow {
  uint64_t word;
  std::array<uint32_t, 3> fields;
};

// Control words of compiled sm_50 code, taken apart by hand.
const WordRow kWordTable[] = {
    {0x083FC000E3E007F6, {0x007F6, 0x0071F, 0x20FF0}},
    {0x001CFC00E22007F6, {0x007F6, 0x00711, 0x0073F}},
    {0x001F8000FC0007E0, {0x007E0, 0x007E0, 0x007E0}},
    {0x001F8000FFE007FF, {0x007FF, 0x007FF, 0x007E0}},
    {0x003FD000E3E00FF4, {0x00FF4, 0x0071F, 0x00FF4}},
};

TEST(ControlField, SplitsIntoTheFieldsOfTheTable) {
  for (const FieldRow& row : kFieldTable) {
    EXPECT_EQ(control_from_field(row.bits), row.control) << std::hex << row.bits;
    EXPECT_EQ(control_field(row.control), row.bits) << std::hex << row.bits;
  }
}

TEST(ControlField, IsWrittenAsTheManualsTrailer) {
  for (const FieldRow& row : kFieldTable) EXPECT_EQ(trailer_text(row.control), row.trailer);
}

TEST(ControlField, TrailerNamesSeveralWaitsAndTheReadBarrier) {
  EXPECT_EQ(trailer_text({4, 2, 5, 0b101001, 0}), "&req={0,3,5} &rd=0x5 &wr=0x2 ?WAIT4_END_GROUP");
}

TEST(ControlField, AllOf2097152SlotsRoundTrip) {
  uint32_t equal = 0;
  for (uint32_t bits = 0; bits < kFields; ++bits) {
    if (control_field(control_from_field(bits)) == bits) ++equal;
  }
  EXPECT_EQ(equal, 2097152u);
}

TEST(ControlField, BitsAboveTheSlotAreIgnored) {
  EXPECT_EQ(control_from_field(0xFFE00000u | 0x00712u), control_from_field(0x00712u));
}

TEST(ControlField, StallIsTheLowFourBitsAndOnlyCode16IssuesDual) {
  for (uint8_t code = 0; code < 32; ++code) {
    Control control;
    control.issue_code = code;
    EXPECT_EQ(control.stall(), code % 16u);
    EXPECT_EQ(control.stay(), code >= 16);
    EXPECT_EQ(control.dual_issue(), code == 16);
  }
}

TEST(ControlWord, SplitsIntoThreeSlotsAndBack) {
  for (const WordRow& row : kWordTable) {
    std::array<Control, 3> controls;
    for (unsigned k = 0; k < 3; ++k) {
      controls[k] = control_from_word(row.word, k);
      EXPECT_EQ(control_field(controls[k]), row.fields[k]) << std::hex << row.word << " bits " << k;
    }
    EXPECT_EQ(control_word_of(controls[0], controls[1], controls[2]), row.word);
  }
}

TEST(IssueCode, AllOf32NamesGoBothWays) {
  EXPECT_EQ(issue_code_name(0), "");
  for (uint8_t code = 1; code < 32; ++code) {
    EXPECT_EQ(issue_code_name(code), kCodeNames.at(code));
    EXPECT_EQ(issue_code_of(kCodeNames.at(code)), code);
  }
}

TEST(IssueCode, ShortNamesAreTaken) {
  for (int n = 1; n <= 15; ++n) EXPECT_EQ(issue_code_of("W" + std::to_string(n) + "G"), n);
  for (int n = 1; n <= 11; ++n) EXPECT_EQ(issue_code_of("W" + std::to_string(n)), 16 + n);
  EXPECT_EQ(issue_code_of("YIELD"), 29);
  EXPECT_EQ(issue_code_of("YLD"), 29);
  EXPECT_EQ(issue_code_of("YLD8"), 30);
}

TEST(IssueCode, NamesThatStandForNoCodeAreRefused) {
  for (const char* name : {"", "W0", "W12", "W16G", "W0G", "trans0", "trans12", "WAIT16_END_GROUP",
                           "TRANS6", "W", "WG", "W1x", "off_deck"}) {
    EXPECT_EQ(issue_code_of(name), -1) << name;
  }
}

}  // namespace control_test
}  // namespace shflsim::isa
