// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace shflsim::isa {

/// Scheduling information that the compiler attaches to one instruction: one 21-bit field of the
/// control word that precedes every three instructions of SPA 5.0 code, bits 125..105 of the
/// 128-bit word on Volta and later (docs/sources.md, "Control words"). Write and read barrier are
/// NVIDIA's words for the scoreboard, SB0 to SB5, that the instruction takes for its result and for
/// its sources.
struct Control {
  static constexpr unsigned kScoreboards = 6;  ///< scoreboards of a warp
  static constexpr uint8_t kNoScoreboard = 7;

  uint8_t issue_code = 0;                 ///< bits 4:0, see below
  uint8_t write_barrier = kNoScoreboard;  ///< bits 7:5, SB released when the result is written
  uint8_t read_barrier = kNoScoreboard;   ///< bits 10:8, SB released when the sources are read
  uint8_t wait_mask = 0;                  ///< bits 16:11, bit n: wait until SBn is clear
  uint8_t reuse = 0;                      ///< bits 20:17, bit 0/1/2: keep operand A/B/C

  /// Cycles before this warp may issue its next instruction. Codes 28 to 31 stand for the
  /// measured intervals of docs/sources.md, "Issue codes", which the model takes from its config.
  unsigned stall() const { return issue_code & 0xF; }
  /// Bit 4 set: stay on this warp ("trans", BOOST); clear: another warp may be preferred.
  bool stay() const { return (issue_code & 0x10) != 0; }
  /// Code 16: the next instruction may issue in the same cycle.
  bool dual_issue() const { return issue_code == 16; }

  bool operator==(const Control& other) const {
    return issue_code == other.issue_code && write_barrier == other.write_barrier &&
           read_barrier == other.read_barrier && wait_mask == other.wait_mask &&
           reuse == other.reuse;
  }
  bool operator!=(const Control& other) const { return !(*this == other); }
};

/// Position and size of the control field in a word of 128 bits.
constexpr unsigned kControlPosition = 105;
constexpr unsigned kControlBits = 21;

/// Converts from and to the control field of 21 bits. Bits above 20 are ignored.
Control control_from_field(uint32_t bits);
uint32_t control_field(const Control& control);

/// The control of the k-th (0..2) instruction in a bundle's control word, and the word itself.
Control control_from_word(uint64_t control_word, unsigned k);
uint64_t control_word_of(const Control& first, const Control& second, const Control& third);

/// Name of a 5-bit issue code in the manual's `?sched` notation: `trans6`, `WAIT13_END_GROUP`,
/// `floxy2` (dual issue), `PIXBAR`, `YIELD6`, `YIELD8`, `OFF_DECK`; "" for code 0, the default.
std::string issue_code_name(uint8_t code);
/// The issue code with this name; also takes the short forms `W6`, `W6G`, and `DRAIN` for the
/// default. -1 if the name is unknown.
int issue_code_of(const std::string& name);

/// The manual's trailer `&req={0,3} &rd=0x1 &wr=0x0 ?trans2`; parts at their default are left out.
std::string trailer_text(const Control& control);

}  // namespace shflsim::isa
