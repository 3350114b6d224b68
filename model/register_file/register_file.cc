// SPDX-License-Identifier: Apache-2.0
#include "model/register_file/register_file.h"

#include <algorithm>

namespace shflsim::model {
namespace {

uint16_t tag_of(const BankRead& read, unsigned warp) {
  return static_cast<uint16_t>(warp << 8 | read.index);
}

constexpr const char* kSlackKeys[3][3] = {
    {"register_file.slack_float_a", "register_file.slack_float_b", "register_file.slack_float_c"},
    {"register_file.slack_multiply_a", "register_file.slack_multiply_b",
     "register_file.slack_multiply_c"},
    {"register_file.slack_integer_a", "register_file.slack_integer_b",
     "register_file.slack_integer_c"},
};

}  // namespace

void RegisterFileParams::list(ParameterList& out) {
  out.number("register_file.banks", &banks, 1, 16, "banks",
             "register banks of a sub-partition; bank = register mod banks");
  out.number("register_file.ports", &ports, 1, 4, "reads per cycle",
             "read ports of a bank, each 32 lanes wide");
  out.number("register_file.backlog", &backlog, 0, 16, "cycles",
             "reads that a bank may be behind while the next instruction issues");
  out.number(
      "register_file.write_distance", &write_distance, 0, 32, "cycles",
      "math that issues so long before a result of SHFL or shared memory comes keeps it from "
      "its bank; 0: never");
  out.choice("register_file.late_reads", &late_reads, {"wait", "freeze"},
             "instructions wait for their banks, or issue stands still behind late reads");
  out.number("register_file.reuse_entries", &reuse_entries, 0, 8, "entries",
             "registers that the reuse cache keeps for one operand position");
  out.choice("register_file.reuse_by", &reuse_by, {"slot", "bank_and_slot"},
             "reuse entries belong to an operand position, or one to each bank and position");
  out.choice(
      "register_file.duplicates", &duplicates, {"once", "slot_a", "twice"},
      "a register in two positions of one instruction is read once, once where one of them is "
      "position A, or twice");
  out.choice("register_file.wide_operands", &wide_operands, {"each", "once"},
             "each register of a wide operand of a math instruction takes its bank's port, or the "
             "first one alone, but both of the addend of a 64-bit product");
  for (size_t group = 0; group < slack.size(); ++group) {
    for (size_t position = 0; position < slack[group].size(); ++position)
      out.number(kSlackKeys[group][position], &slack[group][position], 0, 16, "cycles",
                 "an operand may be read so much later than the first before issue stands still");
  }
}

RegisterFile::RegisterFile(const sc_core::sc_module_name& name, const RegisterFileParams& params)
    : Module(name),
      params_(params),
      banks_(params.banks),
      freezes_(params.late_reads == "freeze"),
      reuse_by_bank_(params.reuse_by == "bank_and_slot"),
      reads_once_(params.duplicates == "once"),
      reads_a_once_(params.duplicates == "slot_a") {
  for (size_t i = 0; i < bank_of_.size(); ++i) bank_of_[i] = static_cast<uint8_t>(i % banks_);
  const size_t entries = reuse_by_bank_ ? params.banks : params.reuse_entries;
  for (auto& kept : reuse_) kept.resize(params.reuse_entries == 0 ? 0 : entries);
}

RegisterFile::Plan RegisterFile::plan(const Facts& facts) const {
  std::array<uint32_t, kMostBanks> count{};
  Plan plan;
  const Needed reads = distinct(facts);
  for (unsigned i = 0; i < facts.bank_reads.count; ++i) {
    const unsigned bank = bank_of_[facts.bank_reads.reads[i].index];
    plan.banks = static_cast<uint16_t>(plan.banks | 1u << bank);
    count[bank] += reads >> i & 1u;
  }
  for (unsigned bank = 0; bank < banks_; ++bank) {
    const uint32_t cycles = cycles_of(count[bank]);
    plan.cycles |= uint64_t{cycles} << (4 * bank);
    if (cycles != 0) plan.conflicts = std::max(plan.conflicts, static_cast<uint8_t>(cycles - 1));
  }
  plan.is_plain = !facts.bank_reads.marks_reuse && !freezes_;
  return plan;
}

uint16_t RegisterFile::find_banks_behind(Cycle now) const {
  unsigned behind = 0;
  for (unsigned bank = 0; bank < banks_; ++bank) {
    if (bank_free_[bank] > now + params_.backlog) behind |= 1u << bank;
  }
  return static_cast<uint16_t>(behind);
}

Cycle RegisterFile::find_accepts_from(uint16_t banks, Cycle now) const {
  for (unsigned bank = 0; bank < banks_; ++bank) {
    const bool reads = (banks >> bank & 1u) != 0;
    if (reads && bank_free_[bank] > now + params_.backlog) now = bank_free_[bank] - params_.backlog;
  }
  return now;
}

RegisterFile::Read RegisterFile::look_up(const Facts& facts, unsigned warp, Cycle now) {
  const Needed reads = needed(facts, warp);
  return freezes_ ? read_in_order(facts, reads, now) : read_by_bank(facts.bank_reads, reads, now);
}

/// The reads of an instruction less those that share another's.
RegisterFile::Needed RegisterFile::distinct(const Facts& facts) const {
  Needed reads = (1u << facts.bank_reads.count) - 1;
  if (reads_once_) reads &= ~Needed{facts.bank_reads.repeated};
  if (reads_a_once_) reads &= ~Needed{facts.bank_reads.repeats_a};
  return reads;
}

RegisterFile::Needed RegisterFile::needed(const Facts& facts, unsigned warp) {
  const Needed reads = distinct(facts);
  const bool may_reuse = keeps_reuse_ || facts.bank_reads.marks_reuse;
  if (!may_reuse || reuse_.front().empty()) return reads;
  keeps_reuse_ = true;
  if (reuse_by_bank_) return reads & ~kept_by_bank(facts.bank_reads, warp);
  return reads & ~kept_by_position(facts.bank_reads, reads, warp);
}

/// The reads that find their register kept. Every read of a bank and position replaces what is kept
/// there: by its own register where it is marked, else by nothing.
RegisterFile::Needed RegisterFile::kept_by_bank(const BankReads& own, unsigned warp) {
  Needed kept = 0;
  for (unsigned i = 0; i < own.count; ++i) {
    const BankRead& read = own.reads[i];
    const bool has_position = read.position < kPositions;
    if (has_position && reuse_[read.position][bank_of_[read.index]].tag == tag_of(read, warp))
      kept |= 1u << i;
  }
  for (unsigned i = 0; i < own.count; ++i) {
    const BankRead& read = own.reads[i];
    if (read.position >= kPositions) continue;
    reuse_[read.position][bank_of_[read.index]].tag = read.reuse ? tag_of(read, warp) : Entry{}.tag;
  }
  return kept;
}

RegisterFile::Needed RegisterFile::kept_by_position(const BankReads& own, Needed reads,
                                                    unsigned warp) {
  Needed kept = 0;
  for (unsigned i = 0; i < own.count; ++i) {
    const bool wanted = (reads >> i & 1u) != 0;
    if (wanted && take_reuse(own.reads[i], warp)) kept |= 1u << i;
  }
  return kept;
}

/// True where the operand is still kept. A kept operand stays only while it is marked again.
bool RegisterFile::take_reuse(const BankRead& read, unsigned warp) {
  if (read.position >= kPositions) return false;
  auto& entries = reuse_[read.position];
  const uint16_t tag = tag_of(read, warp);
  const auto found =
      std::find_if(entries.begin(), entries.end(), [tag](const Entry& e) { return e.tag == tag; });
  const bool hit = found != entries.end();
  if (hit && !read.reuse) found->tag = Entry{}.tag;
  if (!read.reuse) return hit;
  // The oldest entry makes room, or the entry that was hit moves to the front.
  std::rotate(entries.begin(), hit ? found : entries.end() - 1, hit ? found + 1 : entries.end());
  entries.front().tag = tag;
  return hit;
}

RegisterFile::Read RegisterFile::read_by_bank(const BankReads& own, Needed reads, Cycle now) {
  std::array<uint32_t, kMostBanks> count{};
  for (; reads != 0; reads &= reads - 1)
    ++count[bank_of_[own.reads[static_cast<size_t>(__builtin_ctz(reads))].index]];
  Read result{now + 1, 0};
  for (unsigned bank = 0; bank < banks_; ++bank) {
    if (count[bank] == 0) continue;
    const uint32_t cycles = cycles_of(count[bank]);
    bank_free_[bank] = std::max(bank_free_[bank], now) + cycles;
    result.done = std::max(result.done, bank_free_[bank]);
    result.conflicts = std::max(result.conflicts, cycles - 1);
  }
  last_free_ = std::max(last_free_, result.done);
  return result;
}

RegisterFile::Read RegisterFile::read_in_order(const Facts& facts, Needed reads, Cycle now) {
  const auto& slack = params_.slack[static_cast<size_t>(facts.reads)];
  const Cycle first = now + 1;
  Read result{first, 0};
  // Their registers are read while they hold their pipe, in nobody's way (matrices.csv, two warps).
  if (facts.matrices != MatrixProduct::kNone) return result;
  for (unsigned i = 0; i < facts.bank_reads.count; ++i) {
    if ((reads >> i & 1u) == 0) continue;
    const BankRead& read = facts.bank_reads.reads[i];
    Cycle& free = bank_free_[bank_of_[read.index]];
    const Cycle cycle = std::max(first, free);
    free = cycle + 1;
    const uint32_t late = static_cast<uint32_t>(cycle - first);
    const uint32_t allowed = slack[std::min<size_t>(read.position, kPositions - 1)];
    result.done = std::max(result.done, cycle + 1);
    result.conflicts = std::max(result.conflicts, late);
    if (late > allowed) result.freeze = std::max(result.freeze, late - allowed);
  }
  return result;
}

}  // namespace shflsim::model
