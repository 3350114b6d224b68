// SPDX-License-Identifier: Apache-2.0
#include "model/core/facts.h"

#include <algorithm>
#include <string_view>

#include "isa/form.h"

namespace shflsim::model {
namespace {

constexpr uint8_t kSrClockLow = 0x50;  // maxwell_isa.md 3.1

uint8_t stall_cycles(const isa::Control& control, const IssueCodeParams& params) {
  const bool named = params.codes == "maxwell";
  switch (named ? control.issue_code : 0) {
    case 28: return static_cast<uint8_t>(params.pixbar);
    case 29: return static_cast<uint8_t>(params.yield6);
    case 30: return static_cast<uint8_t>(params.yield8);
    case 31: return static_cast<uint8_t>(params.off_deck);
    default: return static_cast<uint8_t>(std::max(1u, control.stall()));
  }
}

bool reads_clock(const isa::Instruction& instruction) {
  const bool reads_special = instruction.op == isa::Op::kS2R || instruction.op == isa::Op::kCS2R;
  return reads_special && instruction[isa::Role::kA].index == kSrClockLow;
}

/// From the size modifier: .U8 .S8 .U16 .S16, none for 32 bits, .64, .128.
uint8_t access_bytes(const isa::Instruction& instruction) {
  const std::string_view name = isa::mod_names(isa::Mod::k_size)[instruction[isa::Mod::k_size]];
  if (name.find("128") != std::string_view::npos) return 16;
  if (name.find("64") != std::string_view::npos) return 8;
  if (name.find("16") != std::string_view::npos) return 2;
  return name.find('8') != std::string_view::npos ? 1 : 4;
}

MathUnit math_unit_of(isa::Pipe pipe) {
  switch (pipe) {
    case isa::Pipe::kFmai: return MathUnit::kFmai;
    case isa::Pipe::kFxu: return MathUnit::kFxu;
    case isa::Pipe::kDouble: return MathUnit::kDouble;
    default: return MathUnit::kEither;
  }
}

Facts facts_of(const isa::Instruction& instruction, const IssueCodeParams& params) {
  const isa::OpFacts& op = isa::facts(instruction.op);
  Facts facts;
  facts.op = instruction.op;
  facts.pipe = op.pipe;
  facts.latency = op.latency;
  facts.math = math_unit_of(op.pipe);
  facts.reads = op.pipe == isa::Pipe::kFxu ? ReadGroup::kInteger : ReadGroup::kFloat;
  facts.control = instruction.control;
  facts.footprint = isa::footprint(instruction);
  facts.stall = stall_cycles(instruction.control, params);
  facts.dual_issue = params.codes == "maxwell" && instruction.control.dual_issue();
  facts.yields = !instruction.control.stay();
  facts.is_exit = instruction.op == isa::Op::kEXIT;
  facts.is_block_barrier = instruction.op == isa::Op::kBAR;
  facts.is_constant_load = instruction.op == isa::Op::kLDC;
  facts.is_guarded = instruction.has_guard();
  facts.is_clock_read = reads_clock(instruction);
  facts.is_store = is_mio(op.pipe) && facts.footprint.write_count == 0 &&
                   facts.footprint.predicates_written == 0;
  facts.access_bytes = access_bytes(instruction);
  if (instruction.op == isa::Op::kDEPBAR) {
    facts.depbar_mask = static_cast<uint8_t>(1u << instruction[isa::Mod::k_sb]);
    facts.depbar_most = static_cast<uint8_t>(instruction[isa::Role::kC].value);
  }
  return facts;
}

void note_reads(Facts* facts) {
  const isa::Footprint& footprint = facts->footprint;
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const auto read = footprint.reads.begin() + i;
    const auto same = [read](const isa::RegisterRead& other) { return other.index == read->index; };
    const bool is_repeated = std::any_of(footprint.reads.begin(), read, same);
    facts->repeated_reads =
        static_cast<uint16_t>(facts->repeated_reads | unsigned{is_repeated} << i);
    const auto same_in_slot_a = [same](const isa::RegisterRead& other) {
      return other.slot == 0 && same(other);
    };
    const bool repeats_slot_a = std::any_of(footprint.reads.begin(), read, same_in_slot_a);
    facts->repeats_slot_a =
        static_cast<uint16_t>(facts->repeats_slot_a | unsigned{repeats_slot_a} << i);
    facts->marks_reuse |= read->reuse;
  }
}

}  // namespace

std::vector<Facts> facts_of(const traces::Trace& trace, const IssueCodeParams& params) {
  std::vector<Facts> all;
  all.reserve(trace.program.code.size());
  for (const isa::VoltaInstruction& instruction : trace.volta) all.push_back(facts_of(instruction));
  if (trace.volta.empty()) {
    for (const isa::Instruction& instruction : trace.program.code)
      all.push_back(facts_of(instruction, params));
  }
  for (Facts& facts : all) note_reads(&facts);
  return all;
}

bool is_mio(isa::Pipe pipe) {
  switch (pipe) {
    case isa::Pipe::kXu:
    case isa::Pipe::kShuffle:
    case isa::Pipe::kShared:
    case isa::Pipe::kGlobal:
    case isa::Pipe::kSpecial: return true;
    default: return false;
  }
}

}  // namespace shflsim::model
