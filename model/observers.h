// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "model/core/observer.h"

namespace shflsim::model {

/// Several observers of one run, called in the order in which they were added.
class Observers final : public Observer {
 public:
  /// `one` must live until the run is over; nullptr adds none.
  void add(Observer* one);
  /// The observer to pass to a run: this object, the only observer, or nullptr without any.
  Observer* combined();

  bool follows_instructions() const override;
  std::shared_ptr<void> elaborate(const traces::Trace& trace, const RunResult& result) override;
  Cycle next_sample() const override;
  void sampled(Cycle end, const std::vector<UnitStats>& units) override;
  void reached(Cycle now) override;
  void block_started(uint32_t block, uint32_t sm, Cycle now) override;
  void block_left(uint32_t block, uint32_t sm, Cycle now) override;
  void warp_started(const ResidentWarp& warp, Cycle now) override;
  void warp_left(const ResidentWarp& warp, Cycle now) override;
  void stood(const ResidentWarp& warp, uint32_t index, WarpState state, Cycle from,
             Cycle to) override;
  void issued(const ResidentWarp& warp, const Issue& issue) override;
  void entered(InstructionId id, Stage stage, Cycle from) override;
  void left_queue(InstructionId id, Cycle now) override;
  void sources_read(InstructionId id, Cycle cycle) override;
  void passes(InstructionId id, Cycle first, uint32_t count, uint32_t interval) override;
  void done(InstructionId id, Cycle result) override;

 private:
  std::vector<Observer*> all_;
};

}  // namespace shflsim::model
