// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/line_record.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "isa/codec.h"
#include "isa/operation.h"

namespace shflsim::traces {
namespace {

using isa::CodeLine;
using isa::Footprint;

constexpr uint64_t kMostControl = 0x1FFFFF;  ///< a control field has 21 bits

/// An operation of each class of version 1, by the class's number: the others of the class take the
/// same pipe in the same way.
constexpr const char* kVersion1Classes[] = {
    "FFMA", "IMAD", "IADD3", "HFMA2", "DFMA", "UMOV", "NOP", "BRA",       "SHFL", "LDS",
    "STS",  "MUFU", "BAR",   "S2R",   "LDC",  "LDG",  "STG", "IMAD.WIDE", "HMMA", "REDUX"};

/// The flags of a line, bit by bit; version 1 has the first seven.
std::array<bool*, 12> flags_of(CodeLine* line) {
  return {&line->is_guarded,
          &line->is_clock_read,
          &line->is_exit,
          &line->shuffle.index_is_register,
          &line->shuffle.clamp_is_register,
          &line->footprint.reads_carry,
          &line->footprint.writes_carry,
          &line->is_block_barrier,
          &line->accesses_shared,
          &line->is_constant_load,
          &line->is_reduction,
          &line->is_store};
}
constexpr size_t kVersion1Flags = 7;

uint64_t packed_flags(CodeLine line) {
  const auto flags = flags_of(&line);
  uint64_t bits = 0;
  for (size_t i = 0; i < flags.size(); ++i) bits |= uint64_t{*flags[i]} << i;
  return bits;
}

void set_flags(uint64_t bits, size_t count, CodeLine* line) {
  const auto flags = flags_of(line);
  for (size_t i = 0; i < count; ++i) *flags[i] = (bits >> i & 1u) != 0;
}

void write_footprint(const Footprint& footprint, ByteWriter* out) {
  out->number(footprint.read_count);
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    out->byte(footprint.reads[i].index);
    out->number(footprint.reads[i].position | (footprint.reads[i].reuse ? 4u : 0u));
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
    const auto read = static_cast<uint8_t>(in->number_upto(7, "an operand position"));
    footprint->reads[i].position = read & 3u;
    footprint->reads[i].reuse = (read & 4u) != 0;
  }
  footprint->operand_count =
      static_cast<uint8_t>(in->number_upto(Footprint::kMostReads, "a number of operands"));
  footprint->first_write = in->byte();
  footprint->write_count = static_cast<uint8_t>(
      in->number_upto(uint64_t{255} - footprint->first_write, "a number of results"));
  footprint->predicates_read = static_cast<uint8_t>(in->number_upto(127, "predicates"));
  footprint->predicates_written = static_cast<uint8_t>(in->number_upto(127, "predicates"));
}

isa::Control read_control(ByteReader* in) {
  return isa::control_from_field(
      static_cast<uint32_t>(in->number_upto(kMostControl, "a control field")));
}

void read_rest(ByteReader* in, CodeLine* line) {
  read_footprint(in, &line->footprint);
  line->target = static_cast<int64_t>(in->difference());
  line->shuffle.mode = static_cast<isa::ShuffleMode>(in->number_upto(3, "a shuffle mode"));
  line->shuffle.index = in->small("a shuffle's index");
  line->shuffle.clamp = in->small("a shuffle's clamp");
  line->address_register = static_cast<int>(static_cast<int64_t>(in->difference()));
  line->access_bytes = static_cast<uint8_t>(in->number_upto(16, "an access size"));
  if (line->access_bytes == 0) in->place().fail("damaged: an access of no bytes");
  if (line->is_block_barrier) line->barrier = isa::barrier_operands(line->text);
  line->depbar_mask = static_cast<uint8_t>(in->number_upto(63, "a scoreboard mask"));
  line->depbar_most = in->byte();
}

}  // namespace

void write_word(const CodeLine& line, ByteWriter* out) {
  isa::Instruction instruction;
  isa::decode(line.word, line.address, line.control, &instruction);
  out->word64(line.word);
  out->number(isa::control_field(line.control));
  out->text(line.text == isa::text_of(instruction) ? "" : line.text);
}

CodeLine read_word(uint32_t address, ByteReader* in) {
  const uint64_t word = in->word64();
  const isa::Control control = read_control(in);
  isa::Instruction instruction;
  const std::string problem = isa::decode(word, address, control, &instruction);
  if (!problem.empty()) in->place().fail("damaged: " + problem);
  const std::string text = in->text();
  return isa::code_line(instruction, text.empty() ? isa::text_of(instruction) : text);
}

std::vector<isa::Pipe> pipes_of(const std::vector<CodeLine>& lines) {
  std::set<isa::Pipe> pipes;
  for (const CodeLine& line : lines) pipes.insert(line.pipe);
  return {pipes.begin(), pipes.end()};
}

void write_pipes(const std::vector<CodeLine>& lines, ByteWriter* out) {
  const std::vector<isa::Pipe> pipes = pipes_of(lines);
  out->number(pipes.size());
  for (const isa::Pipe pipe : pipes) out->text(isa::pipe_name(pipe));
}

std::vector<isa::Pipe> read_pipes(ByteReader* in) {
  std::vector<isa::Pipe> pipes;
  for (uint64_t left = in->number_upto(isa::kPipes, "a number of pipes"); left > 0; --left) {
    const std::string name = in->text();
    unsigned pipe = 0;
    while (pipe < isa::kPipes && name != isa::pipe_name(static_cast<isa::Pipe>(pipe))) ++pipe;
    if (pipe == isa::kPipes) in->place().fail("names the pipe '" + name + "', which is not known");
    pipes.push_back(static_cast<isa::Pipe>(pipe));
  }
  return pipes;
}

void write_line(const CodeLine& line, const std::vector<isa::Pipe>& pipes, ByteWriter* out) {
  const auto pipe = std::find(pipes.begin(), pipes.end(), line.pipe);
  out->text(line.text);
  out->number(static_cast<uint64_t>(pipe - pipes.begin()));
  out->number(isa::control_field(line.control));
  out->number(packed_flags(line));
  write_footprint(line.footprint, out);
  out->difference(static_cast<uint64_t>(line.target));
  out->number(static_cast<uint64_t>(line.shuffle.mode));
  out->number(line.shuffle.index);
  out->number(line.shuffle.clamp);
  out->difference(static_cast<uint64_t>(int64_t{line.address_register}));
  out->number(line.access_bytes);
  out->number(line.depbar_mask);
  out->byte(line.depbar_most);
}

CodeLine read_line(uint32_t address, const std::vector<isa::Pipe>& pipes, ByteReader* in) {
  CodeLine line;
  line.address = address;
  line.text = in->text();
  const uint64_t pipe = in->small("a pipe");
  if (pipe >= pipes.size()) in->place().fail("damaged: a pipe that the list does not have");
  line.pipe = pipes[pipe];
  line.control = read_control(in);
  constexpr size_t kFlags = std::tuple_size_v<decltype(flags_of(nullptr))>;
  set_flags(in->number_upto((1u << kFlags) - 1, "flags of an instruction"), kFlags, &line);
  read_rest(in, &line);
  return line;
}

CodeLine read_line_of_version_1(uint32_t address, ByteReader* in) {
  CodeLine line;
  line.address = address;
  line.text = in->text();
  const uint64_t number = in->number_upto(std::size(kVersion1Classes) - 1, "a timing class");
  isa::set_operation(isa::operation_named(isa::Family::kVolta, kVersion1Classes[number]), &line);
  line.control = read_control(in);
  set_flags(in->byte(), kVersion1Flags, &line);
  read_rest(in, &line);
  return line;
}

}  // namespace shflsim::traces
