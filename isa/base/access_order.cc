// SPDX-License-Identifier: Apache-2.0
#include "isa/base/access_order.h"

#include <algorithm>
#include <cstddef>

namespace shflsim::isa {
namespace {

constexpr uint64_t kMapBytes = 128;

uint64_t key_of(const AccessOrder::Place& place) {
  return static_cast<uint64_t>(place.kind) << 56 | uint64_t{place.rank} << 32 | place.number;
}

uint32_t& at(std::vector<uint32_t>* clock, uint32_t agent) {
  if (clock->size() <= agent) clock->resize(agent + 1);
  return (*clock)[agent];
}

uint32_t at(const std::vector<uint32_t>& clock, uint32_t agent) {
  return agent < clock.size() ? clock[agent] : 0;
}

void raise(std::vector<uint32_t>* clock, uint32_t agent, uint32_t count) {
  uint32_t& known = at(clock, agent);
  known = std::max(known, count);
}

void take(std::vector<uint32_t>* into, const std::vector<uint32_t>& from) {
  if (into->size() < from.size()) into->resize(from.size());
  for (size_t i = 0; i < from.size(); ++i) (*into)[i] = std::max((*into)[i], from[i]);
}

}  // namespace

const char* text_of(AccessFault fault) {
  switch (fault) {
    case AccessFault::kInUse: return "copies into memory that may still be read";
    case AccessFault::kOverwritten:
      return "overwrites bytes that a copy or a product may still have to read";
    case AccessFault::kNotAwaited:
      return "reaches bytes of a copy that the warp has not waited for";
    case AccessFault::kUnordered: return "reads bytes that another warp may still have to write";
    case AccessFault::kNotFenced:
      return "reads bytes that a warp has written without a fence of the asynchronous proxy";
    case AccessFault::kMapNotFenced:
      return "uses a tensor map that was written without a fence of the tensor maps' proxy";
    case AccessFault::kNotStarted: return "reaches memory of a block that may not have started";
    case AccessFault::kReadAtEnd: return "ends before the warp's copies have read shared memory";
    case AccessFault::kReachedAtEnd:
      return "ends while others may still have to reach the block's shared memory";
    case AccessFault::kNone: break;
  }
  return "";
}

void AccessOrder::Knowledge::take(const Knowledge& other) {
  isa::take(&known, other.known);
  isa::take(&fenced, other.fenced);
}

bool AccessOrder::Knowledge::knows(const Access& access) const {
  return at(known, access.agent) >= access.count;
}

bool AccessOrder::Knowledge::has_fenced(const Access& access) const {
  return at(fenced, access.agent) >= access.count;
}

AccessOrder::AccessOrder(uint32_t blocks, uint32_t warps_per_block, bool follows_maps)
    : warps_(warps_per_block),
      all_(blocks * warps_per_block),
      known_(all_),
      products_(all_),
      copies_(all_),
      loads_(all_),
      follows_maps_(follows_maps) {
  for (uint32_t w = 0; w < all_; ++w) at(&known_[w].known, w) = 1;
}

AccessFault AccessOrder::access(Warp warp, const Bytes& bytes, bool writes) {
  Fault fault = Fault::kNone;
  records_.any_of(bytes, [&](const Access& access) {
    if (access.agent < all_ || knows(warp, access)) return false;
    if (access.writes)
      fault = Fault::kNotAwaited;
    else if (writes)
      fault = Fault::kOverwritten;
    return fault != Fault::kNone;
  });
  const uint32_t agent = number(warp);
  if (bytes.rank != Bytes::kGlobal)
    records_.note({agent, at(known_[agent].known, agent), writes, false, 0}, bytes);
  return fault;
}

/// A read by an asynchronous operation that the warp begins. What loads have brought needs no
/// fence: Triton's products of such loads have none.
AccessFault AccessOrder::read(Warp warp, const Bytes& bytes) const {
  Fault fault = Fault::kNone;
  records_.any_of(bytes, [&](const Access& access) {
    if (!access.writes) return false;
    const bool is_warps = access.agent < all_;
    if (!knows(warp, access))
      fault = is_warps ? Fault::kUnordered : Fault::kNotAwaited;
    else if (is_warps && !known_[number(warp)].has_fenced(access))
      fault = Fault::kNotFenced;
    return fault != Fault::kNone;
  });
  return fault;
}

AccessFault AccessOrder::access_by_product(Warp warp, const Bytes& bytes) {
  const Fault fault = read(warp, bytes);
  records_.note({agent(kProducts, warp), products_[number(warp)] + 1, false, false, 0}, bytes);
  return fault;
}

AccessFault AccessOrder::access_by_copy(Warp warp, const Bytes& bytes) {
  const bool writes = bytes.rank == Bytes::kGlobal;
  const Fault fault = writes ? Fault::kNone : read(warp, bytes);
  Groups& groups = copies_[number(warp)];
  if (!writes) groups.last_read = groups.ended + 1;
  records_.note({agent(kCopies, warp), groups.ended + 1, writes, false, 0}, bytes);
  return fault;
}

AccessFault AccessOrder::copy_from(Warp warp, const Bytes& bytes, unsigned lane) {
  copied_.push_back({lane, bytes, false, false});
  return read(warp, bytes);
}

AccessFault AccessOrder::copy_to(Warp warp, const Bytes& bytes, unsigned lane, bool adds) {
  copied_.push_back({lane, bytes, true, adds});
  return is_in_use(warp, bytes, adds) ? Fault::kInUse : Fault::kNone;
}

void AccessOrder::notify(uint32_t lanes, const Place& barrier) {
  const auto next = static_cast<uint32_t>(kBarriers * all_ + enders_.size());
  const uint32_t agent = enders_.try_emplace(key_of(barrier), next).first->second;
  const uint32_t count = ++at(&places_[key_of(barrier)].known, agent);
  for (const Copied& each : copied_)
    if ((lanes >> each.lane & 1u) != 0 && (!each.writes || each.bytes.rank == barrier.rank))
      records_.note({agent, count, each.writes, each.adds, 0}, each.bytes);
}

AccessFault AccessOrder::load_to(Warp warp, const Bytes& bytes) {
  const bool is_in_use = this->is_in_use(warp, bytes);
  records_.note({agent(kLoads, warp), loads_[number(warp)].part, true, false, 0}, bytes);
  return is_in_use ? Fault::kInUse : Fault::kNone;
}

void AccessOrder::end_loads(Warp warp) {
  Loads& loads = loads_[number(warp)];
  loads.groups.push_back(loads.part++);
}

void AccessOrder::notify_of_loads(Warp warp, const Place& barrier) {
  raise(&places_[key_of(barrier)].known, agent(kLoads, warp), loads_[number(warp)].part++);
}

void AccessOrder::wait_for_products(Warp warp, uint32_t most) {
  const uint32_t ended = products_[number(warp)];
  raise(&known_[number(warp)].known, agent(kProducts, warp), ended - std::min(ended, most));
}

/// One scoreboard counts groups of copies and of loads.
void AccessOrder::wait_for_copies(Warp warp, uint32_t most) {
  const uint32_t ended = copies_[number(warp)].ended;
  raise(&known_[number(warp)].known, agent(kCopies, warp), ended - std::min(ended, most));
  std::vector<uint32_t>& groups = loads_[number(warp)].groups;
  if (groups.size() <= most) return;
  const auto left = groups.end() - static_cast<std::ptrdiff_t>(most);
  raise(&known_[number(warp)].known, agent(kLoads, warp), *(left - 1));
  groups.erase(groups.begin(), left);
}

void AccessOrder::arrive(Warp warp, const Place& place) {
  const uint32_t agent = number(warp);
  places_[key_of(place)].take(known_[agent]);
  ++at(&known_[agent].known, agent);
}

void AccessOrder::pass(Warp warp, const Place& place) {
  const auto there = places_.find(key_of(place));
  if (there != places_.end()) known_[number(warp)].take(there->second);
}

void AccessOrder::fence_proxy(Warp warp) {
  const uint32_t agent = number(warp);
  isa::take(&known_[agent].fenced, known_[agent].known);
  ++at(&known_[agent].known, agent);
}

void AccessOrder::write_words(Warp warp, uint64_t address) {
  if (!follows_maps_) return;
  const uint32_t own = number(warp);
  Words& words = words_[address / kMapBytes];
  words.write = {own, at(known_[own].known, own), true, false, 0};
  words.fences.clear();
}

void AccessOrder::acquire_map(Warp warp, uint64_t address) {
  const auto found = words_.find(address / kMapBytes);
  if (found == words_.end() || !knows(warp, found->second.write)) return;
  const uint32_t own = number(warp);
  found->second.fences.push_back({own, at(known_[own].known, own), false, false, 0});
}

AccessFault AccessOrder::use_map(Warp warp, uint64_t address) const {
  const auto found = words_.find(address / kMapBytes);
  if (found == words_.end()) return Fault::kNone;
  const std::vector<Access>& fences = found->second.fences;
  const bool is_fenced = std::any_of(fences.begin(), fences.end(),
                                     [&](const Access& fence) { return knows(warp, fence); });
  return is_fenced ? Fault::kNone : Fault::kMapNotFenced;
}

bool AccessOrder::has_started(Warp warp, uint32_t rank) const {
  if (rank == warp.rank) return true;
  const std::vector<uint32_t>& known = known_[number(warp)].known;
  for (uint32_t w = rank * warps_; w < (rank + 1) * warps_; ++w)
    if (at(known, w) != 0) return true;
  return false;
}

/// True if others may still reach the block's memory, as far as none of its warps knows.
bool AccessOrder::is_reached_at_end(uint32_t rank) const {
  Knowledge all;
  for (uint32_t w = rank * warps_; w < (rank + 1) * warps_; ++w) all.take(known_[w]);
  return records_.any_of(rank, [&](const Access& access) {
    const bool is_others = access.agent < all_ && access.agent / warps_ != rank;
    return (is_others || access.agent >= kBarriers * all_) && !all.knows(access);
  });
}

AccessFault AccessOrder::end(Warp warp, bool is_last) const {
  const uint32_t known = at(known_[number(warp)].known, agent(kCopies, warp));
  if (known < copies_[number(warp)].last_read) return Fault::kReadAtEnd;
  return is_last && is_reached_at_end(warp.rank) ? Fault::kReachedAtEnd : Fault::kNone;
}

bool AccessOrder::is_in_use(Warp warp, const Bytes& bytes, bool adds) const {
  return records_.any_of(
      bytes, [&](const Access& access) { return !(adds && access.adds) && !knows(warp, access); });
}

}  // namespace shflsim::isa
