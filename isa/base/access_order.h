// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isa/base/access_records.h"

namespace shflsim::isa {

/// What is wrong with an access.
enum class AccessFault : uint8_t {
  kNone,
  kInUse,         ///< an asynchronous write of bytes that others may still have to reach
  kOverwritten,   ///< a write of bytes that a copy or a product may still have to read
  kNotAwaited,    ///< bytes of a copy that the warp does not know to be over
  kUnordered,     ///< a copy or a product reads what another warp may still have to write
  kNotFenced,     ///< a copy or a product reads what was written without a proxy fence
  kMapNotFenced,  ///< a tensor map that has changed without a fence of its proxy
  kNotStarted,    ///< memory of a block that may not have started
  kReadAtEnd,     ///< the warp ends before its copies have read
  kReachedAtEnd   ///< the block ends before others have reached its memory
};

/// The fault as a sentence about the instruction.
const char* text_of(AccessFault fault);

/// Tells which accesses to a cluster's shared memory are certainly over before others that are
/// asynchronous, or that meet asynchronous ones. Agents are the warps; the copies that a warp's
/// groups end; the products of a group of warps; loads that bypass the registers; and the copies
/// that a barrier in shared memory ends. Each agent has a counter; a warp knows a value of each
/// agent's counter (a vector clock). A warp that arrives at a barrier adds its clock to the
/// barrier's, and a warp that passes the barrier takes over the barrier's clock. The order in which
/// warps are executed is not used. Copies and products see writes of warps only after a proxy
/// fence, so there is a second clock, which includes only writes before such fences.
class AccessOrder {
 public:
  /// `follows_maps`: the code uses tensor maps.
  AccessOrder(uint32_t blocks, uint32_t warps_per_block, bool follows_maps = false);

  struct Warp {
    uint32_t rank;  ///< of its block
    uint32_t warp;  ///< in its block
  };
  using Bytes = AccessedBytes;
  using Fault = AccessFault;
  /// A place where warps synchronize: a barrier of a block (0 to 15), the cluster's barrier, a
  /// barrier in shared memory at an offset, or a fence.
  struct Place {
    enum class Kind : uint8_t { kNamed, kCluster, kShared, kFence } kind;
    uint32_t rank;
    uint32_t number;
  };

  /// An access by a warp itself; of those to global memory only copies are kept.
  Fault access(Warp warp, const Bytes& bytes, bool writes = false);
  /// A read by a product of the warp's group, or by a copy of the warp's next group, which writes
  /// if the bytes are of global memory.
  Fault access_by_product(Warp warp, const Bytes& bytes);
  Fault access_by_copy(Warp warp, const Bytes& bytes);
  /// A lane's copy that a barrier ends: `notify` says which.
  Fault copy_from(Warp warp, const Bytes& bytes, unsigned lane);
  Fault copy_to(Warp warp, const Bytes& bytes, unsigned lane, bool adds = false);
  void notify(uint32_t lanes, const Place& barrier);
  void forget_copies() { copied_.clear(); }
  /// A copy to shared memory that a group of loads ends, or a barrier.
  Fault load_to(Warp warp, const Bytes& bytes);
  /// The warp ends a group of products (copies, loads), or waits until at most that many are
  /// pending.
  void end_products(Warp warp) { ++products_[number(warp)]; }
  void end_copies(Warp warp) { ++copies_[number(warp)].ended; }
  void end_loads(Warp warp);
  void wait_for_products(Warp warp, uint32_t most);
  void wait_for_copies(Warp warp, uint32_t most);
  void notify_of_loads(Warp warp, const Place& barrier);

  void arrive(Warp warp, const Place& place);
  void pass(Warp warp, const Place& place);
  void fence_proxy(Warp warp);
  /// A warp writes words of global memory, which may be tensor maps; a fence of the maps' proxy;
  /// and the use of a map.
  void write_words(Warp warp, uint64_t address);
  void acquire_map(Warp warp, uint64_t address);
  Fault use_map(Warp warp, uint64_t address) const;
  /// Another block's memory is about to be reached.
  bool has_started(Warp warp, uint32_t rank) const;
  /// The warp has ended, maybe as the last one of its block.
  Fault end(Warp warp, bool is_last) const;

  /// True if a copy that the warp begins may overwrite bytes that others may still have to reach.
  bool is_in_use(Warp warp, const Bytes& bytes, bool adds = false) const;
  /// True if accesses to global memory matter.
  bool follows_global() const { return follows_maps_ || records_.has_global(); }

 private:
  using Access = AccessRecords::Access;
  /// What a warp, or a barrier, knows of each agent; and what of that a proxy fence has passed.
  struct Knowledge {
    using Clock = std::vector<uint32_t>;
    Clock known, fenced;
    void take(const Knowledge& other);
    bool knows(const Access& access) const;
    bool has_fenced(const Access& access) const;
  };
  /// A warp's groups of copies.
  struct Groups {
    uint32_t ended = 0;
    uint32_t last_read = 0;  ///< the last one that read shared memory
  };
  /// A warp's loads: the part that is ended next, and the parts at whose ends groups ended.
  struct Loads {
    uint32_t part = 1;
    std::vector<uint32_t> groups;
  };
  /// 128 bytes of global memory that a warp has written, and later fences.
  struct Words {
    Access write;
    std::vector<Access> fences;
  };
  struct Copied {
    unsigned lane;
    Bytes bytes;
    bool writes, adds;
  };

  uint32_t number(Warp warp) const { return warp.rank * warps_ + warp.warp; }
  enum Agent : uint8_t { kWarp, kCopies, kProducts, kLoads, kBarriers };
  /// The agent of a warp, or of a group of warps for products.
  uint32_t agent(Agent kind, Warp warp) const {
    return kind * all_ + number(kind == kProducts ? Warp{warp.rank, warp.warp / 4 * 4} : warp);
  }
  bool knows(Warp warp, const Access& access) const {
    return access.agent == number(warp) || known_[number(warp)].knows(access);
  }
  Fault read(Warp warp, const Bytes& bytes) const;
  bool is_reached_at_end(uint32_t rank) const;

  const uint32_t warps_;            ///< of a block
  const uint32_t all_;              ///< warps
  std::vector<Knowledge> known_;    ///< by warp
  std::vector<uint32_t> products_;  ///< groups that the warp has ended
  std::vector<Groups> copies_;
  std::vector<Loads> loads_;
  std::vector<Copied> copied_;  ///< by copies whose barrier is not yet known
  std::unordered_map<uint64_t, Knowledge> places_;
  std::unordered_map<uint64_t, uint32_t> enders_;  ///< agents: copies that a barrier ends
  AccessRecords records_;
  std::unordered_map<uint64_t, Words> words_;  ///< by address / 128
  const bool follows_maps_;
};

}  // namespace shflsim::isa
