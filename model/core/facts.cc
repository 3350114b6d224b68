// SPDX-License-Identifier: Apache-2.0
#include "model/core/facts.h"

#include <algorithm>
#include <cstdlib>

namespace shflsim::model {
namespace {

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

ReadGroup read_group_of(isa::Pipe pipe) {
  switch (pipe) {
    case isa::Pipe::kFxu: return ReadGroup::kInteger;
    case isa::Pipe::kMultiply:
    case isa::Pipe::kWideMultiply: return ReadGroup::kMultiply;
    default: return ReadGroup::kFloat;
  }
}

bool is_named(const isa::CodeLine& line, const char* name) {
  return line.pipe == isa::Pipe::kBranch && line.text.find(name) != std::string::npos;
}

/// Behind the operation.
bool names_register(const std::string& text) { return text.find(" R") != std::string::npos; }

/// Of "BSYNC B3".
uint8_t barrier_number(const std::string& text) {
  const unsigned number = static_cast<unsigned>(std::atoi(text.c_str() + text.rfind('B') + 1));
  return static_cast<uint8_t>(number % 16);
}

/// BRA.DIV and BRA.CONV take all lanes or none.
bool parts_lanes(const isa::CodeLine& line) {
  if (is_named(line, "BRA.DIV") || is_named(line, "BRA.CONV")) return false;
  return is_named(line, "BRA") || is_named(line, "BRX") || is_named(line, "EXIT");
}

bool is_jump(const isa::CodeLine& line) {
  return is_named(line, "BRA") || is_named(line, "BRX") || is_named(line, "CALL") ||
         is_named(line, "RET") || is_named(line, "JM");
}

/// Measured: what stands behind BAR in tests/data/h200's branches and shapes.
bool waits_behind_barrier(const isa::CodeLine& line) {
  if (line.pipe != isa::Pipe::kFrontEnd) return false;
  return line.text.find("NOP") != std::string::npos || line.text.find("ULDC") != std::string::npos;
}

/// Of "c[0x3][0x10]"; of "c[0x3][R4+0x10]" the bank alone.
void note_constant(const std::string& text, Facts* facts) {
  const size_t bank = text.find("c[0x");
  if (bank == std::string::npos) return;
  facts->constant_bank = static_cast<uint8_t>(std::strtoul(text.c_str() + bank + 2, nullptr, 16));
  if (facts->is_constant_load) return;
  const size_t offset = text.find("][", bank) + 2;
  facts->has_constant = true;
  facts->indexes_constant = text.compare(offset, 2, "0x") != 0;
  facts->constant_offset = static_cast<uint16_t>(std::strtoul(text.c_str() + offset, nullptr, 16));
}

MatrixProduct matrices_of(const isa::CodeLine& line) {
  const auto names = [&line](const char* name) {
    return line.text.find(name) != std::string::npos;
  };
  if (line.pipe == isa::Pipe::kDouble && names("DMMA")) return MatrixProduct::kDouble;
  if (line.pipe != isa::Pipe::kTensor || !(names("HMMA") || names("IMMA")))
    return MatrixProduct::kNone;
  const bool is_large = names("HMMA.16816") || (names("HMMA.1688") && names(".TF32")) ||
                        names("IMMA.16864") ||
                        (names("IMMA.16832") && !names(".S4") && !names(".U4"));
  return is_large ? MatrixProduct::kLarge : MatrixProduct::kSmall;
}

/// Increments are counted over the lanes first.
bool is_shared_atomic(const isa::CodeLine& line) {
  return line.accesses_shared && line.text.find("ATOMS") != std::string::npos &&
         line.text.find(".POPC.INC") == std::string::npos;
}

/// EXCH takes as long as a load (measured: sync_lds_1).
SharedBarrierStep barrier_step_of(const isa::CodeLine& line) {
  const auto names = [&line](const char* name) {
    return line.text.find(name) != std::string::npos;
  };
  if (names("SYNCS.PHASECHK")) return SharedBarrierStep::kCheck;
  return names("SYNCS.ARRIVE") ? SharedBarrierStep::kArrival : SharedBarrierStep::kNone;
}

Fence fence_of(const std::string& text) {
  const size_t name = text.find("MEMBAR.");
  if (name == std::string::npos) return Fence::kNone;
  if (text.find(".SYS", name) != std::string::npos) return Fence::kSystem;
  return text.find(".GPU", name) != std::string::npos ? Fence::kChip : Fence::kNone;
}

void note_match(const std::string& text, Facts* facts) {
  if (text.find("MATCH") == std::string::npos) return;
  facts->match_words = text.find(".U64") != std::string::npos ? 2 : 1;
  facts->goes_by_value = text.find("MATCH.ANY") != std::string::npos;
}

Facts facts_of(const isa::CodeLine& line, const IssueCodeParams& params) {
  Facts facts;
  facts.pipe = line.pipe;
  facts.reads = read_group_of(line.pipe);
  facts.control = line.control;
  facts.footprint = line.footprint;
  facts.stall = stall_cycles(line.control, params);
  facts.dual_issue = params.codes == "maxwell" && line.control.dual_issue();
  facts.yields = !line.control.stay();
  facts.is_exit = line.is_exit;
  facts.is_block_barrier = line.is_block_barrier;
  facts.is_convergence = is_named(line, "BSYNC");
  if (facts.is_convergence) facts.convergence_barrier = barrier_number(line.text);
  facts.is_indirect = is_named(line, "RET") || is_named(line, "BRX") ||
                      (is_named(line, "CALL") && names_register(line.text));
  facts.waits_behind_barrier = waits_behind_barrier(line);
  facts.parts_lanes = parts_lanes(line);
  facts.accesses_shared = line.accesses_shared;
  facts.is_shared_atomic = is_shared_atomic(line);
  facts.barrier_step = barrier_step_of(line);
  facts.barrier = line.barrier;
  facts.is_clock_read = line.is_clock_read;
  facts.is_constant_load = line.is_constant_load;
  note_constant(line.text, &facts);
  facts.is_reduction = line.is_reduction;
  facts.is_guarded = line.is_guarded;
  facts.goes_by_value = line.is_constant_load;
  if (line.is_reduction) note_match(line.text, &facts);
  facts.syncs_warp = is_named(line, "WARPSYNC");
  facts.syncs_set = facts.syncs_warp && names_register(line.text);
  facts.parts_sets = is_named(line, "WARPSYNC.EXCLUSIVE") || is_named(line, "WARPSYNC.COLLECTIVE");
  facts.ends_set = line.text.find("ENDCOLLECTIVE") != std::string::npos;
  facts.jumps = is_jump(line);
  facts.reduces_at_barrier =
      line.is_block_barrier && line.text.find("BAR.RED") != std::string::npos;
  facts.converts_wide =
      line.pipe == isa::Pipe::kXu && !line.is_reduction && line.footprint.read_count > 1;
  facts.fence = fence_of(line.text);
  facts.matrices = matrices_of(line);
  facts.is_to_uniform =
      line.pipe == isa::Pipe::kSpecial &&
      (line.text.find("S2UR") != std::string::npos || line.text.find("B2R") != std::string::npos);
  facts.is_store = line.is_store;
  facts.access_bytes = line.access_bytes;
  if (line.pipe == isa::Pipe::kGlobal) facts.access = access_facts(line.text, line.is_store);
  facts.depbar_mask = line.depbar_mask;
  facts.depbar_most = line.depbar_most;
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
    const auto same_in_a = [same](const isa::RegisterRead& other) {
      return other.position == 0 && same(other);
    };
    const bool repeats_a = std::any_of(footprint.reads.begin(), read, same_in_a);
    facts->repeats_a = static_cast<uint16_t>(facts->repeats_a | unsigned{repeats_a} << i);
    facts->marks_reuse |= read->reuse;
  }
}

}  // namespace

std::vector<Facts> facts_of(const isa::Code& code, const IssueCodeParams& params) {
  std::vector<Facts> all;
  all.reserve(code.lines.size());
  for (const isa::CodeLine& line : code.lines) {
    all.push_back(facts_of(line, params));
    note_reads(&all.back());
  }
  return all;
}

}  // namespace shflsim::model
