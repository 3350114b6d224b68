// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "model/core/kept_cycle.h"
#include "model/core/module.h"
#include "model/mio/mio_ports.h"
#include "model/mio/request_watch.h"
#include "model/register_file/bank_use.h"

namespace shflsim::model {

/// Moves requests from the queues of the sub-partitions to the units.
class MioArbiter : public Module, public MioHeads {
 public:
  const char* section() const override { return "mio"; }

  using UnitPort = sc_core::sc_port<MioUnit, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  std::array<UnitPort, isa::kPipes> unit;  ///< by isa::Pipe; MIO pipes bound
  // By sub-partition.
  std::array<sc_core::sc_port<MioSource>, kSubPartitions> queue;
  std::array<sc_core::sc_port<MioReturn>, kSubPartitions> back;
  std::array<sc_core::sc_port<BankUse>, kSubPartitions> banks;  ///< register file banks

  RequestWatch* watch = nullptr;  ///< nullptr without an observer

  /// Cycles before `end` in which it read operands for the sub-partition's queue.
  virtual uint64_t collected(unsigned /*sub_partition*/, Cycle /*end*/) const { return 0; }
  /// First cycle in which something may start.
  Cycle due() const { return due_.get(); }
  void keep_due_at(Cycle* place) { due_.keep_at(place); }
  /// Starts what can start at `now`; returns true if anything started.
  bool evaluate(Cycle now) { return due() > now ? false : evaluate_due(now); }

 protected:
  using Module::Module;
  /// Evaluates a cycle in which something is due; sets `due_` to the next such cycle.
  virtual bool evaluate_due(Cycle now) = 0;

  MioUnit& unit_of(const MioRequest& request) const {
    return *units_[static_cast<size_t>(request.facts->pipe)];
  }

  MioSource& queue_of(unsigned sub_partition) const { return *queues_[sub_partition]; }
  MioReturn& back_to(unsigned sub_partition) const { return *backs_[sub_partition]; }

  /// Looks the ports up once, because they are used often.
  void end_of_elaboration() override {
    for (unsigned s = 0; s < kSubPartitions; ++s) {
      queues_[s] = queue[s].operator->();
      backs_[s] = back[s].operator->();
    }
    for (size_t i = 0; i < unit.size(); ++i) {
      if (unit[i].size() != 0) units_[i] = unit[i].operator->();
    }
  }

  std::array<MioHead, kSubPartitions> heads_;
  KeptCycle due_;

 private:
  std::array<MioUnit*, isa::kPipes> units_{};
  std::array<MioSource*, kSubPartitions> queues_{};
  std::array<MioReturn*, kSubPartitions> backs_{};
};

}  // namespace shflsim::model
