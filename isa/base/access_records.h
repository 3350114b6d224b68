// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace shflsim::isa {

/// Bytes of a block's shared memory, or of global memory.
struct AccessedBytes {
  static constexpr uint32_t kGlobal = ~0u;  ///< in place of a rank: global memory

  uint32_t rank;  ///< of the block
  uint64_t offset;
  uint64_t count;
};

/// Who has accessed which bytes, and when last by his own count.
class AccessRecords {
 public:
  struct Access {
    uint32_t agent;
    uint32_t count;
    bool writes;
    bool adds;       ///< a reduction: those may meet
    uint16_t bytes;  ///< of the piece, a bit each
  };

  /// Replaces what the same agent has done to these bytes in the same way.
  void note(Access access, const AccessedBytes& bytes);

  /// True if f(access) is true for any access to any of the bytes.
  template <class F>
  bool any_of(const AccessedBytes& bytes, F f) const {
    for (uint64_t piece = bytes.offset / kPiece; piece <= last_of(bytes); ++piece) {
      const auto found = pieces_.find(key_of(bytes.rank, piece));
      if (found == pieces_.end()) continue;
      const uint16_t wanted = in_piece(bytes, piece);
      for (const Access& access : found->second)
        if ((access.bytes & wanted) != 0 && f(access)) return true;
    }
    return false;
  }
  /// The same of all accesses to a block's memory.
  template <class F>
  bool any_of(uint32_t rank, F f) const {
    for (const auto& [key, accesses] : pieces_) {
      if (key >> kRankBit != rank) continue;
      for (const Access& access : accesses)
        if (f(access)) return true;
    }
    return false;
  }
  /// True if anybody has accessed global memory.
  bool has_global() const { return has_global_; }

 private:
  static constexpr unsigned kPiece = 16;
  static constexpr unsigned kRankBit = 56;

  static uint64_t key_of(uint32_t rank, uint64_t piece) {
    return uint64_t{rank} << kRankBit | piece;
  }
  static uint64_t last_of(const AccessedBytes& bytes) {
    return (bytes.offset + bytes.count - 1) / kPiece;
  }
  static uint16_t in_piece(const AccessedBytes& bytes, uint64_t piece);

  std::unordered_map<uint64_t, std::vector<Access>> pieces_;
  bool has_global_ = false;
};

}  // namespace shflsim::isa
