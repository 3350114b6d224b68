// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>
#include <set>
#include <vector>

#include "model/core/observer.h"
#include "report/run/bins.h"
#include "report/run/columns.h"

namespace shflsim::report {

/// A whole run on one screen: one line per warp; each letter stands for a number of cycles and
/// shows the state in which the warp spent most of them.
class Overview final : public model::Observer {
 public:
  void stood(const model::ResidentWarp& warp, uint32_t index, model::WarpState state,
             model::Cycle from, model::Cycle to) override;
  std::shared_ptr<void> elaborate(const traces::Trace& trace,
                                  const model::RunResult& result) override;
  void issued(const model::ResidentWarp& warp, const model::Issue& issue) override;

  void write(std::ostream& out, const Run& run) const;

 private:
  void write_warp(std::ostream& out, size_t warp, model::Cycle end, model::Cycle cell,
                  std::set<char>* marks) const;
  void write_hint(std::ostream& out, model::Cycle end) const;

  static constexpr uint32_t kMostWarps = 32;  ///< most warps with a line

  struct Row {
    model::Cycle begin = model::kNever;
    model::Cycle end = 0;
    Bins states = Bins(model::kWarpStates);
  };

  const traces::Trace* trace_ = nullptr;
  std::vector<Row> rows_;  ///< by warp
  Bins shuffles_ = Bins(1);
};

}  // namespace shflsim::report
