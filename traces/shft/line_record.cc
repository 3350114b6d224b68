// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/line_record.h"

#include <algorithm>
#include <array>
#include <set>
#include <type_traits>

#include "isa/codec/codec.h"
#include "isa/codec/form.h"

namespace shflsim::traces {
namespace {

using isa::CodeLine;
using isa::Footprint;

constexpr uint64_t kMostControl = 0x1FFFFF;  ///< a control field has 21 bits

/// The flags of a line, in the order of their bits.
std::array<bool*, 17> flags_of(CodeLine* line) {
  return {&line->is_guarded,
          &line->is_clock_read,
          &line->shuffle.index_is_register,
          &line->shuffle.clamp_is_register,
          &line->footprint.reads_carry,
          &line->footprint.writes_carry,
          &line->accesses_shared,
          &line->is_store,
          &line->access.is_local,
          &line->constant.exists,
          &line->constant.is_indexed,
          &line->matches_any,
          &line->converts_wide,
          &line->parts_sets,
          &line->barrier.stops,
          &line->barrier.reduces,
          &line->barrier.in_registers};
}

/// Calls `f` with each number of a line, its greatest value and its name.
template <class Line, class F>
void for_each_number(Line& line, F f) {
  f(line.branch, uint64_t{12}, "a kind of branch");
  f(line.convergence_barrier, uint64_t{15}, "a convergence barrier");
  f(line.constant.bank, uint64_t{31}, "a constant bank");
  f(line.constant.offset, uint64_t{0xFFFF}, "an offset in a constant bank");
  f(line.fence, uint64_t{2}, "a fence");
  f(line.matrices, uint64_t{3}, "a product of matrices");
  f(line.match_words, uint64_t{2}, "the registers of a MATCH");
  f(line.access.kind, uint64_t{4}, "a kind of access");
  f(line.access_bytes, uint64_t{32}, "an access size");
  f(line.barrier.number, uint64_t{15}, "a barrier");
  f(line.barrier.threads, uint64_t{0xFFF}, "the threads of a barrier");
  f(line.scoreboard_wait.mask, uint64_t{63}, "a scoreboard mask");
  f(line.scoreboard_wait.most, uint64_t{255}, "a number of operations");
  f(line.shuffle.mode, uint64_t{3}, "a shuffle mode");
  f(line.shuffle.index, uint64_t{0xFFFFFFFF}, "a shuffle's index");
  f(line.shuffle.clamp, uint64_t{0xFFFFFFFF}, "a shuffle's clamp");
}

uint64_t packed_flags(CodeLine line) {
  const auto flags = flags_of(&line);
  uint64_t bits = 0;
  for (size_t i = 0; i < flags.size(); ++i) bits |= uint64_t{*flags[i]} << i;
  return bits;
}

void set_flags(uint64_t bits, CodeLine* line) {
  const auto flags = flags_of(line);
  for (size_t i = 0; i < flags.size(); ++i) *flags[i] = (bits >> i & 1u) != 0;
}

void write_footprint(const Footprint& footprint, ByteWriter* out) {
  out->number(footprint.read_count);
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    out->byte(footprint.reads[i].index);
    out->number(footprint.reads[i].count);
    out->number(footprint.reads[i].position | (footprint.reads[i].reuse ? 4u : 0u));
  }
  out->byte(footprint.first_write);
  out->number(footprint.write_count);
  out->number(footprint.predicates_read);
  out->number(footprint.predicates_written);
}

isa::RegisterRead read_register(ByteReader* in) {
  isa::RegisterRead read;
  read.index = in->byte();
  read.count = static_cast<uint8_t>(
      in->number_upto(uint64_t{255} - read.index, "the registers of an operand"));
  const auto position = static_cast<uint8_t>(in->number_upto(7, "an operand position"));
  read.position = position & 3u;
  read.reuse = (position & 4u) != 0;
  return read;
}

void read_footprint(ByteReader* in, Footprint* footprint) {
  footprint->read_count =
      static_cast<uint8_t>(in->number_upto(Footprint::kMostReads, "a number of operands"));
  for (unsigned i = 0; i < footprint->read_count; ++i) footprint->reads[i] = read_register(in);
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

/// Reads an operation by its name in the family's opcode table; none if the name is "".
void read_operation(isa::Family family, ByteReader* in, CodeLine* line) {
  const std::string name = in->text();
  if (name.empty()) return;
  const bool is_maxwell = family == isa::Family::kMaxwell;
  auto op = static_cast<unsigned>(is_maxwell ? isa::Op{} : isa::Op::kFirstSm70Op);
  const auto end = static_cast<unsigned>(is_maxwell ? isa::Op::kFirstSm70Op : isa::Op::kCount);
  while (op < end && name != isa::facts(static_cast<isa::Op>(op)).name) ++op;
  if (op == end) in->place().fail("names the operation '" + name + "', which is not known");
  isa::set_operation(static_cast<isa::Op>(op), line);
}

isa::Instruction decoded(isa::Arch arch, const isa::Word& word, uint32_t address,
                         const isa::Control& control, std::string* problem) {
  isa::Instruction instruction;
  *problem = isa::family_of(arch) == isa::Family::kMaxwell
                 ? isa::decode(word.low, address, control, &instruction)
                 : isa::decode(arch, word, address, &instruction);
  return instruction;
}

}  // namespace

void write_word(isa::Arch arch, const CodeLine& line, ByteWriter* out) {
  std::string problem;
  const isa::Instruction instruction =
      decoded(arch, line.word, line.address, line.control, &problem);
  out->word64(line.word.low);
  if (isa::family_of(arch) == isa::Family::kMaxwell) {
    out->number(isa::control_field(line.control));
  } else {
    out->word64(line.word.high);
  }
  out->text(line.text == isa::text_of(instruction) ? "" : line.text);
}

CodeLine read_word(isa::Arch arch, uint32_t address, ByteReader* in) {
  isa::Word word(in->word64());
  isa::Control control;
  if (isa::family_of(arch) == isa::Family::kMaxwell) {
    control = read_control(in);
  } else {
    word.high = in->word64();
  }
  std::string problem;
  const isa::Instruction instruction = decoded(arch, word, address, control, &problem);
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
  out->text(line.name);
  out->text(line.modifiers);
  out->text(line.op == isa::Op::kCount ? "" : isa::facts(line.op).name);
  out->number(static_cast<uint64_t>(pipe - pipes.begin()));
  out->number(isa::control_field(line.control));
  out->number(packed_flags(line));
  write_footprint(line.footprint, out);
  out->difference(static_cast<uint64_t>(line.target));
  out->difference(static_cast<uint64_t>(int64_t{line.address_register}));
  for_each_number(line, [out](auto value, uint64_t /*most*/, const char* /*what*/) {
    out->number(static_cast<uint64_t>(value));
  });
}

CodeLine read_line(isa::Family family, uint32_t address, const std::vector<isa::Pipe>& pipes,
                   ByteReader* in) {
  CodeLine line;
  line.address = address;
  line.text = in->text();
  line.name = in->text();
  line.modifiers = in->text();
  read_operation(family, in, &line);
  const uint64_t pipe = in->small("a pipe");
  if (pipe >= pipes.size()) in->place().fail("damaged: a pipe that the list does not have");
  line.pipe = pipes[pipe];
  line.control = read_control(in);
  constexpr size_t kFlags = std::tuple_size_v<decltype(flags_of(nullptr))>;
  set_flags(in->number_upto((1u << kFlags) - 1, "flags of an instruction"), &line);
  read_footprint(in, &line.footprint);
  line.target = static_cast<int64_t>(in->difference());
  line.address_register = static_cast<int>(static_cast<int64_t>(in->difference()));
  for_each_number(line, [in](auto& value, uint64_t most, const char* what) {
    value = static_cast<std::remove_reference_t<decltype(value)>>(in->number_upto(most, what));
  });
  if (line.access_bytes == 0) in->place().fail("damaged: an access of no bytes");
  return line;
}

}  // namespace shflsim::traces
