// SPDX-License-Identifier: Apache-2.0
#include "model/core/facts.h"

#include <algorithm>

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

/// Fences of the block's own memory (measured: tests/data/h200/2026-11-28/engine.csv,
/// fence_behind_stores; they wait for room in the MIO queue in samples_hopper*.csv.gz).
bool fences_block(const isa::LineFacts& line) {
  if (line.op == isa::Op::kSm70_FENCE) return true;
  return line.op == isa::Op::kSm70_MEMBAR && line.fence == Fence::kNone;
}

using isa::Branch;

bool parts_lanes(Branch branch) {
  return branch == Branch::kJump || branch == Branch::kIndirectJump || branch == Branch::kExit;
}

bool is_indirect(Branch branch) {
  return branch == Branch::kReturn || branch == Branch::kIndirectJump ||
         branch == Branch::kIndirectCall;
}

bool is_jump(Branch branch) {
  switch (branch) {
    case Branch::kJump:
    case Branch::kWarpJump:
    case Branch::kIndirectJump:
    case Branch::kFarJump:
    case Branch::kCall:
    case Branch::kIndirectCall:
    case Branch::kReturn: return true;
    default: return false;
  }
}

/// Beside MIO and branch instructions (measured: instructions after BAR in the kernels `branches`
/// and `shapes` of tests/data/h200, and in samples_hopper*.csv.gz of 2026-11-28: warps wait at
/// UMOV, ULDC and VOTEU, at no other uniform instruction).
bool waits_behind_barrier(const isa::LineFacts& line) {
  return line.kind == isa::OpKind::kNop || line.kind == isa::OpKind::kUniformLoad ||
         line.op == isa::Op::kSm70_UMOV || line.op == isa::Op::kSm70_VOTEU;
}

/// The number of registers of the operand that are read one by one.
unsigned single_reads(const isa::LineFacts& line, const isa::RegisterRead& read, WideReads wide) {
  constexpr uint8_t kAddend = 2;
  const bool is_long_addend = line.pipe == isa::Pipe::kWideMultiply && read.position == kAddend;
  return wide == WideReads::kEach || is_long_addend ? read.count : 1u;
}

void add_read(const BankRead& read, BankReads* out) {
  if (out->count == BankReads::kMost) return;
  const auto begin = out->reads.begin();
  const auto end = begin + out->count;
  const auto same = [&read](const BankRead& other) { return other.index == read.index; };
  const unsigned bit = 1u << out->count;
  if (std::any_of(begin, end, same)) out->repeated = static_cast<uint16_t>(out->repeated | bit);
  out->marks_reuse |= read.reuse;
  out->reads[out->count++] = read;
}

Facts facts_of(const isa::LineFacts& line, const IssueCodeParams& params, WideReads wide) {
  Facts facts;
  static_cast<isa::LineFacts&>(facts) = line;
  facts.bank_reads = bank_reads(line, wide);
  facts.bits = register_bits(line.footprint);
  facts.stall = stall_cycles(line.control, params);
  facts.dual_issue = params.codes == "maxwell" && line.control.dual_issue();
  facts.yields = !line.control.stay();
  facts.fences_block = fences_block(line);
  if (facts.fences_block) facts.pipe = isa::Pipe::kShared;
  facts.meets_group = line.op == isa::Op::kSm70_WARPGROUP && line.scoreboard_wait.mask == 0;
  facts.waits_behind_barrier =
      waits_behind_barrier(line) || facts.meets_group || line.group_product.columns != 0;
  facts.lets_others_run = line.op == isa::Op::kSm70_YIELD;
  facts.loads_to_shared = line.op == isa::Op::kSm70_LDGSTS;
  facts.ends_loads = line.op == isa::Op::kSm70_LDGDEPBAR;
  facts.is_long = is_waited_long(facts);
  facts.sleeps = line.op == isa::Op::kSm70_NANOSLEEP;
  facts.may_be_held =
      line.kind == isa::OpKind::kClusterBarrier || line.kind == isa::OpKind::kSharedCheck;
  facts.parts_lanes = parts_lanes(line.branch);
  facts.jumps = is_jump(line.branch);
  facts.is_indirect = is_indirect(line.branch);
  facts.goes_by_value = line.matches_any || line.is_constant_load();
  return facts;
}

}  // namespace

bool is_waited_long(const Facts& facts) {
  return facts.pipe == isa::Pipe::kGlobal || facts.ends_loads || facts.fences_block ||
         facts.kind == isa::OpKind::kBulkCommit || facts.kind == isa::OpKind::kBulkCopy ||
         isa::is_of_shared_barrier(facts.kind);
}

BankReads bank_reads(const isa::LineFacts& line, WideReads wide) {
  BankReads out;
  for (unsigned i = 0; i < line.footprint.read_count; ++i) {
    const isa::RegisterRead& read = line.footprint.reads[i];
    for (unsigned each = 0; each < single_reads(line, read, wide); ++each)
      add_read({static_cast<uint8_t>(read.index + each), read.position, read.reuse}, &out);
  }
  return out;
}

RegisterBits register_bits(const isa::Footprint& footprint) {
  constexpr unsigned kBits = 64;
  constexpr unsigned kFirstPredicate = 56;
  constexpr unsigned kCarry = 55;
  RegisterBits bits;
  footprint.for_each_read([&](unsigned index) { bits.reads |= uint64_t{1} << index % kBits; });
  for (unsigned i = 0; i < footprint.write_count; ++i)
    bits.writes |= uint64_t{1} << (footprint.first_write + i) % kBits;
  bits.writes |= uint64_t{footprint.predicates_written} << kFirstPredicate;
  bits.writes |= uint64_t{footprint.writes_carry} << kCarry;
  bits.uses = bits.reads | bits.writes | uint64_t{footprint.predicates_read} << kFirstPredicate |
              uint64_t{footprint.reads_carry} << kCarry;
  return bits;
}

namespace {

bool is_limit(const isa::CodeLine& line) {
  return line.op == isa::Op::kSm70_NANOSLEEP && line.modifiers.find(".SYNCS") != std::string::npos;
}

/// The nanoseconds of NANOSLEEP.SYNCS; 0 if they are in a register.
uint32_t limit_of(const isa::CodeLine& line) {
  const size_t at = line.text.rfind(" 0x");
  constexpr int kHexadecimal = 16;
  return at == std::string::npos
             ? 0
             : static_cast<uint32_t>(std::stoul(line.text.substr(at + 1), nullptr, kHexadecimal));
}

/// The limit of a wait is in the instruction behind TRYWAIT. ptxas may test the phase once before
/// the loop: then the limit is behind the branch to the loop.
void mark_limits(const isa::Code& code, std::vector<Facts>* all) {
  constexpr size_t kNear = 12;  // instructions
  const auto& lines = code.lines;
  const auto is_limited = [&lines](size_t i) {
    return i + 1 < lines.size() && lines[i].kind == isa::OpKind::kSharedCheck &&
           is_limit(lines[i + 1]);
  };
  const auto is_limited_near = [&](int64_t address) {
    const auto is_before = [](const isa::CodeLine& line, int64_t at) { return line.address < at; };
    const auto from = std::lower_bound(lines.begin(), lines.end(), address, is_before);
    const auto first = static_cast<size_t>(from - lines.begin());
    bool found = false;
    for (size_t i = first; i < first + kNear; ++i) found = found || is_limited(i);
    return found;
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].kind != isa::OpKind::kSharedCheck) continue;
    if (is_limited(i)) (*all)[i].limit = limit_of(lines[i + 1]);
    const auto end = lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), i + kNear));
    const auto branch = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(i), end,
                                     [](const isa::CodeLine& line) { return line.target >= 0; });
    (*all)[i].has_limit = is_limited(i) || (branch != end && is_limited_near(branch->target));
  }
}

/// Marks what a warp issues between TRYWAIT and the first instruction that needs its answer.
void mark_passes(std::vector<Facts>* all) {
  for (size_t i = 0; i < all->size(); ++i) {
    Facts& check = (*all)[i];
    if (check.kind != isa::OpKind::kSharedCheck) continue;
    while (i + check.passes + 1 < all->size() && passes_check(check, (*all)[i + check.passes + 1]))
      ++check.passes;
    (*all)[i + check.passes].passes_wait = check.passes != 0;
  }
}

}  // namespace

std::vector<Facts> facts_of(const isa::Code& code, const IssueCodeParams& params, WideReads wide) {
  std::vector<Facts> all;
  all.reserve(code.lines.size());
  for (const isa::CodeLine& line : code.lines) {
    all.push_back(facts_of(line, params, wide));
    all.back().changes_registers = line.op == isa::Op::kSm70_USETMAXREG;
    all.back().gets_registers = line.modifiers.find("ALLOC") != std::string::npos &&
                                line.modifiers.find("DEALLOC") == std::string::npos;
    all.back().empties_l1 = line.name == "CCTL" && line.modifiers == ".IVALL";
  }
  mark_limits(code, &all);
  mark_passes(&all);
  return all;
}

}  // namespace shflsim::model
