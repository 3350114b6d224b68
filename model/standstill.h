// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "isa/code/code.h"
#include "model/core/observer.h"

namespace shflsim::model {

/// Tracks what each resident warp waits for, and what is in the queues and units, to report why a
/// run does not advance.
class Standstill final : public Observer {
 public:
  /// A line for each resident warp, then one for each pending instruction; both in the order of the
  /// warps' places.
  std::string text(const isa::Code& code) const;

  void warp_started(const ResidentWarp& warp, Cycle now) override;
  void warp_left(const ResidentWarp& warp, Cycle now) override;
  void stood(const ResidentWarp& warp, uint32_t index, WarpState state, Cycle from,
             Cycle to) override;
  void issued(const ResidentWarp& warp, const Issue& issue) override;
  void entered(InstructionId id, Stage stage, Cycle from) override;
  void done(InstructionId id, Cycle result) override;

 private:
  struct Request {
    uint32_t index = 0;  ///< into Code::lines
    std::map<Stage, Cycle> entered;
    Cycle result = kNever;  ///< kNever: unknown
  };
  struct Warp {
    ResidentWarp who;
    uint32_t last_issued = 0;  ///< into Code::lines
    uint32_t index = 0;
    WarpState state = WarpState::kNoInstruction;
    Cycle since = 0;
    std::map<uint32_t, Request> requests;  ///< by number; some results may be ready
  };

  std::vector<const Warp*> by_place() const;
  std::string place_of(const Request& request, const isa::CodeLine& line) const;

  std::map<uint32_t, Warp> warps_;  ///< by index
  Cycle now_ = 0;                   ///< last cycle for which the events are known
};

}  // namespace shflsim::model
