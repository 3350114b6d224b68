// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/manual_checks.h"

#include <algorithm>
#include <array>
#include <bitset>

#include "isa/base/text_cursor.h"
#include "isa/code/footprint.h"

namespace shflsim::isa {
namespace {

using Registers = std::bitset<256>;

Registers written_by(const Instruction& instruction) {
  const Footprint of = footprint(instruction);
  Registers registers;
  for (unsigned i = 0; i < of.write_count && of.first_write + i < kRZ; ++i)
    registers.set(of.first_write + i);
  return registers;
}

/// True if threads may continue elsewhere than after the operation or at its target.
bool leads_anywhere(Op op) {
  constexpr Op kOps[] = {Op::kCAL, Op::kJCAL, Op::kPRET, Op::kRET, Op::kBRX,
                         Op::kJMX, Op::kJMP,  Op::kPCNT, Op::kCONT};
  return std::find(std::begin(kOps), std::end(kOps), op) != std::end(kOps);
}

/// The first instruction of the loop that the instruction ends; -1 for none. Sets `any` if threads
/// may continue anywhere.
int loop_ended_by(const Program& program, size_t index, bool* any) {
  const Instruction& instruction = program.code[index];
  *any |= leads_anywhere(instruction.op);
  for (const Operand& operand : instruction.operands) {
    if (!operand.is(Operand::Kind::kTarget)) continue;
    const int target = program.index_at(operand.value);
    if (target > static_cast<int>(index)) continue;
    *any |= target < 0 || instruction.op != Op::kBRA;
    return target;
  }
  return -1;
}

/// For each instruction a number n: only the first n instructions may have been executed before it.
/// Before an instruction in a loop, all instructions of the loop may have been executed.
std::vector<size_t> may_precede(const Program& program) {
  const size_t count = program.code.size();
  std::vector<size_t> loop_end(count);  // ends of the loops that begin at each instruction
  bool any = false;
  for (size_t i = 0; i < count; ++i) {
    const int begin = loop_ended_by(program, i, &any);
    if (begin >= 0) loop_end[static_cast<size_t>(begin)] = i + 1;
  }
  if (any) return std::vector<size_t>(count, count);
  size_t end = 0;
  for (size_t i = 0; i < count; ++i) {
    end = std::max({end, loop_end[i], i});
    loop_end[i] = end;
  }
  return loop_end;
}

/// The last occurrence of the name as a whole word in the text; npos if there is none.
size_t place_of(const std::string& name, const std::string& text) {
  for (size_t at = text.rfind(name); at != std::string::npos;
       at = at == 0 ? std::string::npos : text.rfind(name, at - 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const bool ends = at + name.size() == text.size() || !is_word(text[at + name.size()]);
    if (begins && ends) return at;
  }
  return std::string::npos;
}

uint8_t bit(uint8_t scoreboard) {
  return scoreboard == Control::kNoScoreboard ? uint8_t{0} : static_cast<uint8_t>(1u << scoreboard);
}

std::string named(uint8_t scoreboards) {
  std::string text;
  for (unsigned i = 0; i < 6; ++i) {
    if ((scoreboards >> i & 1u) != 0) text += (text.empty() ? "SB" : ", SB") + std::to_string(i);
  }
  return text;
}

std::string numbers(uint8_t scoreboards) {
  std::string text = "{";
  for (unsigned i = 0; i < 6; ++i) {
    if ((scoreboards >> i & 1u) != 0) text += (text.size() == 1 ? "" : ",") + std::to_string(i);
  }
  return text + "}";
}

}  // namespace

std::vector<Program::UnwrittenRead> unwritten_reads(const Program& program,
                                                    const std::vector<ManualLine>& lines) {
  std::array<std::string, 256> names;
  for (const auto& [name, index] : program.symbols) names[index] = name;
  std::vector<Registers> written(1);  // by the first 0, 1, 2, ... instructions
  for (const Instruction& each : program.code) written.push_back(written.back() | written_by(each));
  const std::vector<size_t> before = may_precede(program);
  std::vector<Program::UnwrittenRead> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Footprint of = footprint(program.code[i]);
    of.for_each_read([&](unsigned read) {
      std::string& name = names[read];
      if (name.empty() || written[before[i]].test(read)) return;
      const size_t at = place_of(name, lines[i].text);
      if (at == std::string::npos) return;
      found.push_back({name, lines[i].at(at)});
      name.clear();  // further reads are the same fault
    });
  }
  return found;
}

std::vector<std::string> lost_waits(const Program& program, const std::vector<ManualLine>& lines) {
  uint8_t set = 0;
  uint8_t waited = 0;
  for (const Instruction& each : program.code) {
    set = static_cast<uint8_t>(set | bit(each.control.write_barrier) |
                               bit(each.control.read_barrier));
    waited = static_cast<uint8_t>(waited | each.control.wait_mask);
  }
  const uint8_t not_waited = static_cast<uint8_t>(set & ~waited);
  std::vector<std::string> warnings;
  for (size_t i = 0; i < lines.size(); ++i) {
    const uint8_t lost = static_cast<uint8_t>(program.code[i].control.wait_mask & ~set);
    if (lost == 0) continue;
    std::string what = "warning: waits for " + named(lost) + ", which nothing sets";
    if (not_waited != 0)
      what += ", and nothing waits for " + named(not_waited) +
              "; did you mean &req=" + numbers(not_waited) + "? A number behind &req is a mask";
    const size_t at = lines[i].text.find("&req");
    warnings.push_back(Fault{lines[i].at(at == std::string::npos ? 0 : at), what}.line());
  }
  return warnings;
}

}  // namespace shflsim::isa
