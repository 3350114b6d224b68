// SPDX-License-Identifier: Apache-2.0
#include "model/shared_memory/shared_memory.h"

#include <algorithm>
#include <array>

namespace shflsim::model {
namespace {

constexpr uint32_t kBankBytes = 4;

/// The most lanes that are served together. Two parts of a wide access need no more than 32 words
/// if each address is that of two lanes.
unsigned lanes_together(uint32_t bytes) {
  return bytes <= 2 * kBankBytes ? isa::kLanes : isa::kLanes / 2;
}

/// True if each of the lanes has the address of the lane with this bit of its number inverted, or
/// if that lane takes no part.
bool share_addresses(const traces::LaneAddresses& addresses, isa::LaneMask lanes, unsigned bit) {
  for (isa::LaneMask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    const unsigned other = lane ^ bit;
    if ((lanes >> other & 1u) != 0 && addresses[lane] != addresses[other]) return false;
  }
  return true;
}

/// The distinct words that lanes access, by bank.
class WordsOfBanks {
 public:
  explicit WordsOfBanks(uint32_t banks) : banks_(banks) { first_.fill(kNone); }

  void add(uint64_t word) {
    const unsigned bank = bank_of(word);
    for (unsigned each = first_[bank]; each != kNone; each = next_[each])
      if (words_[each] == word) return;
    words_[count_] = word;
    next_[count_] = first_[bank];
    first_[bank] = static_cast<uint8_t>(count_++);
    most_ = std::max<uint32_t>(most_, ++load_[bank]);
  }
  /// Words in the bank that has the most.
  uint32_t most() const { return most_; }

 private:
  static constexpr unsigned kMost = 2 * isa::kLanes;  // one more for each lane that is not aligned
  static constexpr uint8_t kNone = kMost;

  unsigned bank_of(uint64_t word) const {
    const bool is_power = (banks_ & (banks_ - 1)) == 0;
    return static_cast<unsigned>(is_power ? word & (banks_ - 1) : word % banks_);
  }

  const uint32_t banks_;
  std::array<uint64_t, kMost> words_;
  std::array<uint8_t, kMost> next_;  ///< by word: another word of its bank
  std::array<uint8_t, 32> first_;    ///< by bank: a word
  std::array<uint8_t, 32> load_{};   ///< by bank: number of words
  unsigned count_ = 0;
  uint32_t most_ = 0;
};

/// Wavefronts for one group of lanes that are served together.
uint32_t group_wavefronts(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                          uint32_t bytes, uint32_t banks) {
  WordsOfBanks words(banks);
  for (isa::LaneMask left = lanes; left != 0; left &= left - 1) {
    const uint64_t first = addresses[static_cast<unsigned>(__builtin_ctz(left))];
    const uint64_t last = (first + bytes - 1) / kBankBytes;
    for (uint64_t word = first / kBankBytes; word <= last; ++word) words.add(word);
  }
  return words.most();
}

/// The greatest number of lanes on one address; 0 without lanes.
uint32_t most_on_one(const traces::LaneAddresses& addresses, isa::LaneMask lanes) {
  std::array<uint32_t, isa::kLanes> on_word{};  // by the first lane on the word
  for (isa::LaneMask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    unsigned first = 0;
    while ((lanes >> first & 1u) == 0 || addresses[first] != addresses[lane]) ++first;
    ++on_word[first];
  }
  return *std::max_element(on_word.begin(), on_word.end());
}

}  // namespace

SharedMemory::SharedMemory(const sc_core::sc_module_name& name, const SharedMemoryParams& params)
    : Unit(name), pipe("pipe"), params_(params) {}

Cycle SharedMemory::free_from(unsigned /*sub_partition*/, Cycle now) const {
  return std::max(now, pipe->free());
}

Cycle SharedMemory::free_for(const MioRequest& request, unsigned sub_partition, Cycle now) const {
  const Cycle from = free_from(sub_partition, now);
  const bool is_step = isa::is_of_shared_barrier(request.facts->kind);
  return is_step ? std::max(from, step_free_[sub_partition]) : from;
}

MioCompletion SharedMemory::start(unsigned sub_partition, const MioRequest& request, Cycle now) {
  if (watch != nullptr) watch->passes(sub_partition, request, now, request.wavefronts, 1);
  if (request.facts->fences_block) {
    pipe->hold(now + 1);
    return {now + params_.fence_latency};
  }
  if (request.facts->accesses_shared) {  // a barrier uses the path, but no bank
    count(request.wavefronts);
    SharedMemoryCounts& counts = counts_[request.static_index];
    counts.shared_wavefronts += request.wavefronts;
    counts.shared_conflicts += request.wavefronts - 1;
  }
  const StepTime more = time_of(request.facts->kind);
  MioCompletion completion;
  const uint32_t registers = request.facts->footprint.write_count;
  const bool loads = more.latency == 0 && !request.facts->is_shared_atomic();
  if (loads) completion.beats = std::max(1u, std::min(registers, request.wavefronts));
  // A matrix comes with its own pass; the words of a lane come when all passes are over.
  const bool loads_matrices = request.facts->kind == isa::OpKind::kMatrixLoad;
  const uint32_t behind = std::min(registers, loads_matrices ? 1 : completion.beats);
  const uint32_t loaded = loads ? params_.loaded_beat * behind : more.latency;
  const uint32_t latency = request.facts->is_store ? 1 : params_.latency + loaded;
  pipe->hold(now + std::max(request.wavefronts, more.interval));
  step_free_[sub_partition] = std::max(step_free_[sub_partition], now + more.apart);
  const Cycle updated = update(sub_partition, request, now);
  completion.result = pipe->deliver(updated + request.wavefronts - 1 + latency, behind);
  return completion;
}

SharedMemory::StepTime SharedMemory::time_of(isa::OpKind kind) const {
  switch (kind) {
    case isa::OpKind::kSharedArrival:
      return {params_.arrival_latency, params_.arrival_interval, params_.arrival_apart};
    case isa::OpKind::kSharedCheck:
      return {params_.check_latency, params_.check_interval, params_.check_apart};
    case isa::OpKind::kSharedBarrier:
      return {params_.exchange_latency, params_.exchange_interval, 0};
    default: return {0, 1, 0};
  }
}

/// When all lanes of an atomic have had their turn. Each register of its result comes a cycle
/// earlier.
Cycle SharedMemory::update(unsigned sub_partition, const MioRequest& request, Cycle now) {
  const Facts& facts = *request.facts;
  if (!facts.is_shared_atomic() || request.payload == MioRequest::kNone) return now;
  const Cycle lane = facts.access.swaps ? params_.swap_lane : params_.atomic_lane;
  const Cycle time = lane * request.payload;
  Cycle& free = updated_[sub_partition % kAtomicParts];
  free = std::max(free, now) + time;
  return free - std::min<Cycle>(facts.footprint.write_count, time);
}

uint32_t SharedMemory::turns(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                             uint32_t bytes, bool spins) const {
  const unsigned together = isa::kLanes * kBankBytes / std::max<uint32_t>(bytes, kBankBytes);
  uint32_t sum = 0;
  for (unsigned lane = 0; lane < isa::kLanes; lane += together) {
    const isa::LaneMask part = lanes & isa::kAllLanes >> (isa::kLanes - together) << lane;
    const uint32_t most = most_on_one(addresses, part);
    sum += spins ? std::min(most, 1u) : most;
  }
  return sum;
}

uint32_t SharedMemory::wavefronts(const traces::LaneAddresses& addresses, isa::LaneMask lanes,
                                  uint32_t bytes, bool loads) const {
  const unsigned together = lanes_together(bytes);
  const isa::LaneMask part = (1u << together / 2) - 1;
  uint32_t sum = 0;
  for (unsigned lane = 0; lane < isa::kLanes; lane += together) {
    const isa::LaneMask low = lanes & part << lane;
    const isa::LaneMask high = lanes & part << (lane + together / 2);
    const bool is_one =
        bytes <= kBankBytes || (loads && (share_addresses(addresses, low | high, 1) ||
                                          share_addresses(addresses, low | high, 2)));
    sum += group_wavefronts(addresses, is_one ? low | high : low, bytes, params_.banks);
    if (!is_one) sum += group_wavefronts(addresses, high, bytes, params_.banks);
  }
  return std::max(1u, sum);
}

}  // namespace shflsim::model
