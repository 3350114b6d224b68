// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "isa/code/code.h"
#include "model/core/observer.h"

namespace shflsim::report {

/// A warp instruction that has issued.
struct Issued {
  model::InstructionId id;
  uint32_t index = 0;  ///< into Code::lines
  model::Cycle cycle = 0;
};

/// Finds the instruction that a warp waits for. The model only counts scoreboards and queue
/// entries; the instruction is found from the issued instructions.
class Producers {
 public:
  explicit Producers(const isa::Code& code) : code_(code) {}

  void warp_started(const model::ResidentWarp& warp);
  void issued(const model::ResidentWarp& warp, const model::Issue& issue);
  void left_queue(model::InstructionId id);
  void sources_read(model::InstructionId id, model::Cycle cycle);
  void done(model::InstructionId id, model::Cycle result);

  /// The instruction that a wait before line `index` was for. Call it when the wait has ended and
  /// before a later issue. Among the warp's own instructions it is the one that is done last; among
  /// those of other warps, the one that arrived last at the barrier, took the issue slot or the
  /// pipe, or left the queue.
  std::optional<Issued> of(const model::ResidentWarp& warp, uint32_t index,
                           model::WarpState state) const;
  /// The last instruction of the warp.
  std::optional<Issued> last_of(uint32_t warp) const;

 private:
  /// An instruction for whose result or source reads a warp may still wait.
  struct Pending {
    Issued issued;
    model::Cycle read = 0;
    model::Cycle result = 0;
  };
  struct Warp {
    model::ResidentWarp who;
    std::optional<Issued> last;
    std::vector<Pending> pending;  ///< in the order of their issue
  };
  struct SubPartition {
    std::optional<Issued> last;  ///< last instruction issued
    std::map<isa::Pipe, Issued> last_on;
    std::optional<Issued> left_queue;
  };
  using Place = std::pair<uint32_t, uint32_t>;  ///< SM, sub-partition

  static Place place_of(const model::ResidentWarp& warp) { return {warp.sm, warp.sub_partition}; }
  static std::optional<Issued> last_on(const SubPartition& part, isa::Pipe pipe);
  Pending* pending_of(model::InstructionId id);
  std::optional<Issued> on_scoreboard(const Warp& warp, uint32_t index) const;
  model::Cycle holds_until(const Pending& earlier, const isa::CodeLine& line) const;

  const isa::Code& code_;
  std::vector<Warp> warps_;  ///< by ResidentWarp::index
  std::map<Place, SubPartition> sub_partitions_;
  std::map<uint32_t, Issued> last_at_barrier_;  ///< by block
};

}  // namespace shflsim::report
