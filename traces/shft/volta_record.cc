// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/volta_record.h"

namespace shflsim::traces {
namespace {

using isa::Footprint;
using isa::VoltaInstruction;

enum Flags : uint8_t {
  kGuarded = 1,
  kClockRead = 2,
  kExit = 4,
  kIndexRegister = 8,
  kClampRegister = 16,
  kReadsCarry = 32,
  kWritesCarry = 64,
};

unsigned flag(bool is_set, unsigned value) { return is_set ? value : 0; }

uint8_t flags_of(const VoltaInstruction& instruction) {
  return static_cast<uint8_t>(flag(instruction.is_guarded, kGuarded) |
                              flag(instruction.is_clock_read, kClockRead) |
                              flag(instruction.is_exit, kExit) |
                              flag(instruction.shuffle.index_is_register, kIndexRegister) |
                              flag(instruction.shuffle.clamp_is_register, kClampRegister) |
                              flag(instruction.footprint.reads_carry, kReadsCarry) |
                              flag(instruction.footprint.writes_carry, kWritesCarry));
}

void set_flags(uint8_t flags, VoltaInstruction* instruction) {
  instruction->is_guarded = (flags & kGuarded) != 0;
  instruction->is_clock_read = (flags & kClockRead) != 0;
  instruction->is_exit = (flags & kExit) != 0;
  instruction->shuffle.index_is_register = (flags & kIndexRegister) != 0;
  instruction->shuffle.clamp_is_register = (flags & kClampRegister) != 0;
  instruction->footprint.reads_carry = (flags & kReadsCarry) != 0;
  instruction->footprint.writes_carry = (flags & kWritesCarry) != 0;
}

void write_footprint(const Footprint& footprint, ByteWriter* out) {
  out->number(footprint.read_count);
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    out->byte(footprint.reads[i].index);
    out->number(footprint.reads[i].slot | (footprint.reads[i].reuse ? 4u : 0u));
  }
  out->number(footprint.operand_count);
  out->byte(footprint.first_write);
  out->number(footprint.write_count);
  out->number(footprint.predicates_read);
  out->number(footprint.predicates_written);
}

void read_footprint(ByteReader* in, Footprint* footprint) {
  footprint->read_count =
      static_cast<uint8_t>(in->number_upto(Footprint::kMostReads, "a number of operands"));
  for (unsigned i = 0; i < footprint->read_count; ++i) {
    footprint->reads[i].index = in->byte();
    const auto slot = static_cast<uint8_t>(in->number_upto(7, "an operand slot"));
    footprint->reads[i].slot = slot & 3u;
    footprint->reads[i].reuse = (slot & 4u) != 0;
  }
  footprint->operand_count =
      static_cast<uint8_t>(in->number_upto(Footprint::kMostReads, "a number of operands"));
  footprint->first_write = in->byte();
  footprint->write_count = static_cast<uint8_t>(
      in->number_upto(uint64_t{255} - footprint->first_write, "a number of results"));
  footprint->predicates_read = static_cast<uint8_t>(in->number_upto(127, "predicates"));
  footprint->predicates_written = static_cast<uint8_t>(in->number_upto(127, "predicates"));
}

}  // namespace

void write_volta(const VoltaInstruction& instruction, ByteWriter* out) {
  out->text(instruction.text);
  out->number(static_cast<uint64_t>(instruction.timing));
  out->number(isa::slot_of(instruction.control));
  out->byte(flags_of(instruction));
  write_footprint(instruction.footprint, out);
  out->difference(static_cast<uint64_t>(instruction.target));
  out->number(static_cast<uint64_t>(instruction.shuffle.mode));
  out->number(instruction.shuffle.index);
  out->number(instruction.shuffle.clamp);
  out->difference(static_cast<uint64_t>(int64_t{instruction.address_register}));
  out->number(instruction.access_bytes);
  out->number(instruction.depbar_mask);
  out->byte(instruction.depbar_most);
}

VoltaInstruction read_volta(uint32_t address, ByteReader* in) {
  VoltaInstruction instruction;
  instruction.address = address;
  instruction.text = in->text();
  constexpr auto kLastClass = static_cast<uint64_t>(isa::TimingClass::kReduction);
  instruction.timing = static_cast<isa::TimingClass>(in->number_upto(kLastClass, "a timing class"));
  instruction.control =
      isa::control_from_slot(static_cast<uint32_t>(in->number_upto(0x1FFFFF, "a control slot")));
  set_flags(in->byte(), &instruction);
  read_footprint(in, &instruction.footprint);
  instruction.target = static_cast<int64_t>(in->difference());
  instruction.shuffle.mode = static_cast<isa::ShuffleMode>(in->number_upto(3, "a shuffle mode"));
  instruction.shuffle.index = in->small("a shuffle's index");
  instruction.shuffle.clamp = in->small("a shuffle's clamp");
  instruction.address_register = static_cast<int>(static_cast<int64_t>(in->difference()));
  instruction.access_bytes = static_cast<uint8_t>(in->number_upto(16, "an access size"));
  if (instruction.access_bytes == 0) in->place().fail("damaged: an access of no bytes");
  instruction.depbar_mask = static_cast<uint8_t>(in->number_upto(63, "a scoreboard mask"));
  instruction.depbar_most = in->byte();
  return instruction;
}

}  // namespace shflsim::traces
