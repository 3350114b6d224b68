// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace shflsim::isa {

/// Which accesses to the shared memory of a cluster are certainly over before a copy writes there.
/// Agents are the warps, the copies that a warp has begun from shared memory, and the products of a
/// group of warps. An agent counts; a warp knows how far each agent has come, and tells what it
/// knows where it arrives at a barrier: those that pass the barrier behind it know it too (vector
/// clocks). The order in which the machine happens to execute warps says nothing.
class AccessOrder {
 public:
  AccessOrder(uint32_t blocks, uint32_t warps_per_block);

  struct Warp {
    uint32_t rank;  ///< of its block
    uint32_t warp;  ///< in its block
  };
  /// Bytes of a block's shared memory.
  struct Bytes {
    uint32_t rank;
    uint64_t offset;
    uint64_t count;
  };
  /// A place where warps meet: a barrier of a block (0 to 15), that of the cluster, a barrier in
  /// shared memory at an offset, or all that fences order.
  struct Place {
    enum class Kind : uint8_t { kNamed, kCluster, kShared, kFence } kind;
    uint32_t rank;
    uint32_t number;
  };

  void access(Warp warp, const Bytes& bytes);
  /// By a product of the warp's group, or by a copy that the warp begins.
  void access_by_product(Warp warp, const Bytes& bytes);
  void access_by_copy(Warp warp, const Bytes& bytes);
  /// The warp ends a group of products (copies), or waits until at most that many are pending.
  void end_products(Warp warp) { ++products_[number(warp)]; }
  void end_copies(Warp warp) { ++copies_[number(warp)]; }
  void wait_for_products(Warp warp, uint32_t most);
  void wait_for_copies(Warp warp, uint32_t most);

  void arrive(Warp warp, const Place& place);
  void pass(Warp warp, const Place& place);

  /// Whether a copy that the warp begins may write bytes that somebody may still have to read.
  bool is_in_use(Warp warp, const Bytes& bytes) const;

 private:
  using Clock = std::vector<uint32_t>;    ///< by agent
  static constexpr unsigned kPiece = 16;  ///< bytes that are told apart

  uint32_t number(Warp warp) const { return warp.rank * warps_ + warp.warp; }
  uint32_t copier(Warp warp) const { return all_ + number(warp); }
  uint32_t multiplier(Warp warp) const { return 2 * all_ + number({warp.rank, warp.warp / 4 * 4}); }
  void note(uint32_t agent, uint32_t count, const Bytes& bytes);

  const uint32_t warps_;            ///< of a block
  const uint32_t all_;              ///< warps
  std::vector<Clock> known_;        ///< by warp
  std::vector<uint32_t> products_;  ///< groups that the warp has ended
  std::vector<uint32_t> copies_;
  std::unordered_map<uint64_t, Clock> places_;
  /// By piece: agents, and how far they had come when they reached it last.
  std::unordered_map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> pieces_;
};

}  // namespace shflsim::isa
