// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace shflsim::isa {

/// Tells which accesses to a cluster's shared memory are certainly over before a copy writes there.
/// Agents are the warps, the copies that a warp has begun from shared memory, and the products of a
/// group of warps. Each agent has a counter; a warp knows a value of each agent's counter (a vector
/// clock). A warp that arrives at a barrier adds its clock to the barrier's, and a warp that passes
/// the barrier takes over the barrier's clock. The order in which warps are executed is not used.
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
  /// A place where warps synchronize: a barrier of a block (0 to 15), the cluster's barrier, a
  /// barrier in shared memory at an offset, or a fence.
  struct Place {
    enum class Kind : uint8_t { kNamed, kCluster, kShared, kFence } kind;
    uint32_t rank;
    uint32_t number;
  };

  void access(Warp warp, const Bytes& bytes);
  /// An access by a product of the warp's group, or by a copy that the warp begins.
  void access_by_product(Warp warp, const Bytes& bytes);
  void access_by_copy(Warp warp, const Bytes& bytes);
  /// The warp ends a group of products (copies), or waits until at most that many are pending.
  void end_products(Warp warp) { ++products_[number(warp)]; }
  void end_copies(Warp warp) { ++copies_[number(warp)]; }
  void wait_for_products(Warp warp, uint32_t most);
  void wait_for_copies(Warp warp, uint32_t most);

  void arrive(Warp warp, const Place& place);
  void pass(Warp warp, const Place& place);

  /// True if a copy that the warp begins may overwrite bytes that others may still have to read.
  bool is_in_use(Warp warp, const Bytes& bytes) const;

 private:
  using Clock = std::vector<uint32_t>;    ///< by agent
  static constexpr unsigned kPiece = 16;  ///< bytes; accesses are recorded with this granularity

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
  /// For each piece, the agents that accessed it and their counters at the last access.
  std::unordered_map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> pieces_;
};

}  // namespace shflsim::isa
