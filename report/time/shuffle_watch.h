// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>

#include "model/observers.h"
#include "report/run/metrics.h"
#include "report/time/producers.h"
#include "report/time/verdict_watch.h"

namespace shflsim::report {

/// Observes what only the course of a run shows about its SHFLs: how long they wait in queues,
/// which warps wait for them, and their share of the critical path.
class ShuffleWatch final : public model::Observer {
 public:
  ShuffleWatch();
  /// This observer and those that it uses.
  model::Observer* observer() { return &observers_; }
  WatchedFigures figures(const Run& run) const;

  std::shared_ptr<void> elaborate(const traces::Trace& trace,
                                  const model::RunResult& result) override;
  void warp_started(const model::ResidentWarp& warp, model::Cycle now) override;
  void stood(const model::ResidentWarp& warp, uint32_t index, model::WarpState state,
             model::Cycle from, model::Cycle to) override;
  void issued(const model::ResidentWarp& warp, const model::Issue& issue) override;
  void entered(model::InstructionId id, model::Stage stage, model::Cycle from) override;
  void left_queue(model::InstructionId id, model::Cycle now) override;
  void sources_read(model::InstructionId id, model::Cycle cycle) override;
  void done(model::InstructionId id, model::Cycle result) override;

 private:
  const traces::Trace* trace_ = nullptr;
  std::unique_ptr<Producers> producers_;
  VerdictWatch verdict_;
  model::Observers observers_;
  std::unordered_map<uint64_t, model::Cycle> waiting_;  ///< cycle of issue of SHFLs before unit
  uint64_t served_ = 0;
  uint64_t waited_ = 0;  ///< cycles from issue to unit, summed over the served SHFLs
  uint64_t stalls_ = 0;
};

}  // namespace shflsim::report
