// SPDX-License-Identifier: Apache-2.0
#include "model/register_file/register_file.h"

#include <algorithm>

namespace shflsim::model {

RegisterFile::RegisterFile(const sc_core::sc_module_name& name, const RegisterFileParams& params)
    : sc_module(name), params_(params) {
  for (auto& slot : reuse_) slot.resize(params.reuse_entries);
}

bool RegisterFile::accepts(const isa::Footprint& footprint, Cycle now) const {
  return accepts_from(footprint, now) == now;
}

Cycle RegisterFile::accepts_from(const isa::Footprint& footprint, Cycle now) const {
  Cycle from = now;
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const Cycle free = bank_free_[footprint.reads[i].index % params_.banks];
    if (free > from + params_.backlog) from = free - params_.backlog;
  }
  return from;
}

RegisterFile::Read RegisterFile::read(const isa::Footprint& footprint, unsigned warp, bool is_math,
                                      Cycle now) {
  const BankReads reads = bank_reads(footprint, warp, is_math);
  Read result{now + 1, 0};
  for (unsigned bank = 0; bank < params_.banks; ++bank) {
    if (reads[bank] == 0) continue;
    const uint32_t cycles = (reads[bank] + params_.ports - 1) / params_.ports;
    bank_free_[bank] = std::max(bank_free_[bank], now) + cycles;
    result.done = std::max(result.done, bank_free_[bank]);
    result.conflicts = std::max(result.conflicts, cycles - 1);
  }
  return result;
}

RegisterFile::BankReads RegisterFile::bank_reads(const isa::Footprint& footprint, unsigned warp,
                                                 bool is_math) {
  BankReads reads{};
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const isa::RegisterRead& read = footprint.reads[i];
    const auto same = [&read](const isa::RegisterRead& other) { return other.index == read.index; };
    if (std::any_of(footprint.reads.begin(), footprint.reads.begin() + i, same)) continue;
    if (is_math && take_reuse(read, warp)) continue;
    ++reads[read.index % params_.banks];
    ++reads_;
  }
  return reads;
}

/// True where the operand is still kept. A kept operand stays only while it is marked again.
bool RegisterFile::take_reuse(const isa::RegisterRead& read, unsigned warp) {
  if (read.slot >= kSlots || params_.reuse_entries == 0) return false;
  auto& entries = reuse_[read.slot];
  const uint16_t tag = static_cast<uint16_t>(warp << 8 | read.index);
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

}  // namespace shflsim::model
