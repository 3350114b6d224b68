// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/core/cycle.h"

namespace shflsim::model {

/// The channels of the DRAM. Each has an equal share of the bandwidth, and is refreshed in turn.
/// Reads pass in order. A channel collects what the L2 writes back and then writes it together, so
/// that reads wait for a long time now and then (measured: tests/data/h200/2026-11-30,
/// dram_writes.csv: a tenth of the loads takes more than 1,070 cycles, 1,472 while a third of the
/// bandwidth is written, and 1,268 while as much is read).
class DramChannels {
 public:
  struct Params {
    uint64_t bytes_per_cycle = 1;  ///< of all channels
    Cycle refresh = 0;
    Cycle refresh_interval = 0;
    uint64_t collected = 0;  ///< bytes that are written together
  };

  /// The channels have collected different amounts at the start.
  DramChannels(const Params& params, size_t channels)
      : params_(params), free_(channels), waiting_(channels) {
    for (size_t i = 0; i < channels; ++i) waiting_[i] = i * params.collected / channels;
  }

  /// The channels in turn, for accesses whose addresses are not known.
  size_t next() {
    turn_ = (turn_ + 1) % free_.size();
    return turn_;
  }
  /// Transfers bytes that were requested at `now`; returns the cycle in which they start. A request
  /// that leaves later delays no others.
  Cycle pass(size_t channel, uint64_t bytes, Cycle now, Cycle leaves) {
    const Cycle interval = params_.refresh_interval;
    uint64_t start = std::max(now * params_.bytes_per_cycle, free_[channel]);
    if (interval != 0) {
      const Cycle turn = channel * interval / free_.size();
      const Cycle since = (start / params_.bytes_per_cycle + turn) % interval;
      if (since < params_.refresh) start += (params_.refresh - since) * params_.bytes_per_cycle;
    }
    free_[channel] = start + bytes * free_.size();
    return std::max(leaves, (start + params_.bytes_per_cycle - 1) / params_.bytes_per_cycle);
  }
  /// Writes bytes of lines whose addresses are not known.
  void write(uint64_t bytes, Cycle now) {
    if (bytes == 0) return;
    const size_t channel = next();
    waiting_[channel] += bytes;
    if (waiting_[channel] >= params_.collected)
      pass(channel, std::exchange(waiting_[channel], 0), now, now);
  }

 private:
  const Params params_;
  std::vector<uint64_t> free_;     ///< when a channel is free, in bytes that could have passed
  std::vector<uint64_t> waiting_;  ///< bytes that a channel has to write
  size_t turn_ = 0;                ///< the last channel that next() chose
};

}  // namespace shflsim::model
