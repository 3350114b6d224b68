// SPDX-License-Identifier: Apache-2.0
#include "model/register_file/register_file.h"

#include <algorithm>

namespace shflsim::model {
namespace {

uint16_t tag_of(const isa::RegisterRead& read, unsigned warp) {
  return static_cast<uint16_t>(warp << 8 | read.index);
}

bool is_repeated(const isa::Footprint& footprint, unsigned read) {
  const uint8_t index = footprint.reads[read].index;
  const auto same = [index](const isa::RegisterRead& other) { return other.index == index; };
  return std::any_of(footprint.reads.begin(), footprint.reads.begin() + read, same);
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
  out.choice("register_file.late_reads", &late_reads, {"wait", "freeze"},
             "instructions wait for their banks, or issue stands still behind late reads");
  out.number("register_file.reuse_entries", &reuse_entries, 0, 8, "entries",
             "registers that the reuse cache keeps for one operand slot");
  out.choice("register_file.reuse_by", &reuse_by, {"slot", "bank_and_slot"},
             "reuse entries belong to an operand slot, or one to each bank and slot");
  out.flag("register_file.duplicates", &duplicates,
           "a register in two slots of one instruction is read twice");
  for (size_t group = 0; group < slack.size(); ++group) {
    for (size_t slot = 0; slot < slack[group].size(); ++slot)
      out.number(kSlackKeys[group][slot], &slack[group][slot], 0, 16, "cycles",
                 "an operand may be read so much later than the first before issue stands still");
  }
}

RegisterFile::RegisterFile(const sc_core::sc_module_name& name, const RegisterFileParams& params)
    : sc_module(name), params_(params), banks_(params.banks) {
  const size_t entries = params.reuse_by == "slot" ? params.reuse_entries : params.banks;
  for (auto& slot : reuse_) slot.resize(params.reuse_entries == 0 ? 0 : entries);
}

bool RegisterFile::accepts(const isa::Footprint& footprint, Cycle now) const {
  return accepts_from(footprint, now) == now;
}

Cycle RegisterFile::accepts_from(const isa::Footprint& footprint, Cycle now) const {
  if (freezes()) return now;
  Cycle from = now;
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const Cycle free = bank_free_[footprint.reads[i].index % banks_];
    if (free > from + params_.backlog) from = free - params_.backlog;
  }
  return from;
}

RegisterFile::Read RegisterFile::read(const Facts& facts, unsigned warp, Cycle now) {
  const Needed reads = needed(facts.footprint, warp);
  reads_ += static_cast<uint64_t>(__builtin_popcount(reads));
  return freezes() ? read_in_order(facts, reads, now) : read_by_bank(facts.footprint, reads, now);
}

RegisterFile::Needed RegisterFile::needed(const isa::Footprint& footprint, unsigned warp) {
  Needed reads = 0;
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const bool again = params_.duplicates == 0 && is_repeated(footprint, i);
    if (!again) reads |= 1u << i;
  }
  if (reuse_.front().empty()) return reads;
  if (params_.reuse_by == "bank_and_slot") return reads & ~kept_by_bank(footprint, warp);
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const bool wanted = (reads >> i & 1u) != 0;
    if (wanted && take_reuse(footprint.reads[i], warp)) reads &= ~(1u << i);
  }
  return reads;
}

/// The reads that find their register kept. Every read of a bank and slot replaces what is kept
/// there: by its own register where it is marked, else by nothing.
RegisterFile::Needed RegisterFile::kept_by_bank(const isa::Footprint& footprint, unsigned warp) {
  Needed kept = 0;
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const isa::RegisterRead& read = footprint.reads[i];
    const bool has_slot = read.slot < kSlots;
    if (has_slot && reuse_[read.slot][read.index % banks_].tag == tag_of(read, warp)) {
      kept |= 1u << i;
      ++reuse_hits_;
    }
  }
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const isa::RegisterRead& read = footprint.reads[i];
    if (read.slot >= kSlots) continue;
    reuse_[read.slot][read.index % banks_].tag = read.reuse ? tag_of(read, warp) : Entry{}.tag;
  }
  return kept;
}

/// True where the operand is still kept. A kept operand stays only while it is marked again.
bool RegisterFile::take_reuse(const isa::RegisterRead& read, unsigned warp) {
  if (read.slot >= kSlots) return false;
  auto& entries = reuse_[read.slot];
  const uint16_t tag = tag_of(read, warp);
  const auto found =
      std::find_if(entries.begin(), entries.end(), [tag](const Entry& e) { return e.tag == tag; });
  const bool hit = found != entries.end();
  if (hit) ++reuse_hits_;
  if (hit && !read.reuse) found->tag = Entry{}.tag;
  if (!read.reuse) return hit;
  // The oldest entry makes room, or the entry that was hit moves to the front.
  std::rotate(entries.begin(), hit ? found : entries.end() - 1, hit ? found + 1 : entries.end());
  entries.front().tag = tag;
  return hit;
}

RegisterFile::Read RegisterFile::read_by_bank(const isa::Footprint& footprint, Needed reads,
                                              Cycle now) {
  std::array<uint32_t, kMostBanks> count{};
  for (unsigned i = 0; i < footprint.read_count; ++i)
    count[footprint.reads[i].index % banks_] += reads >> i & 1u;
  Read result{now + 1, 0};
  for (unsigned bank = 0; bank < banks_; ++bank) {
    if (count[bank] == 0) continue;
    const uint32_t cycles = (count[bank] + params_.ports - 1) / params_.ports;
    bank_free_[bank] = std::max(bank_free_[bank], now) + cycles;
    result.done = std::max(result.done, bank_free_[bank]);
    result.conflicts = std::max(result.conflicts, cycles - 1);
  }
  return result;
}

RegisterFile::Read RegisterFile::read_in_order(const Facts& facts, Needed reads, Cycle now) {
  const auto& slack = params_.slack[static_cast<size_t>(facts.reads)];
  const Cycle first = now + 1;
  Read result{first, 0};
  for (unsigned i = 0; i < facts.footprint.read_count; ++i) {
    if ((reads >> i & 1u) == 0) continue;
    const isa::RegisterRead& read = facts.footprint.reads[i];
    Cycle& free = bank_free_[read.index % banks_];
    const Cycle cycle = std::max(first, free);
    free = cycle + 1;
    const uint32_t late = static_cast<uint32_t>(cycle - first);
    const uint32_t allowed = slack[std::min<size_t>(read.slot, kSlots - 1)];
    result.done = std::max(result.done, cycle + 1);
    result.conflicts = std::max(result.conflicts, late);
    if (late > allowed) result.freeze = std::max(result.freeze, late - allowed);
  }
  return result;
}

}  // namespace shflsim::model
