// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>

#include "model/mio/mio_arbiter.h"
#include "model/mio/mio_params.h"

namespace shflsim::model {

/// Grants each unit separately to the heads of the queues, one request per unit and cycle, round
/// robin over the sub-partitions. The head collects its operands in the queue.
class UnitArbiter final : public MioArbiter {
 public:
  UnitArbiter(const sc_core::sc_module_name& name, const MioParams& params)
      : MioArbiter(name), read_release_(params.read_release) {
    head_due_.fill(kNever);
  }

  const char* kind() const override { return "UnitArbiter"; }
  const char* hardware() const override { return "arbiter in front of each shared unit"; }

  void head_came(unsigned sub_partition, const MioHead& head, Cycle now) override;
  void came_apart(unsigned, const MioRequest&, Cycle) override { assert(false); }

 private:
  void end_of_elaboration() override;
  bool evaluate_due(Cycle now) override;
  void grant(unsigned sub_partition, Cycle now);
  void note_head(unsigned sub_partition, const MioHead& head, Cycle now);

  const Cycle read_release_;
  std::array<Cycle, kSubPartitions> head_due_;        ///< first cycle in which the head may start
  std::array<MioUnit*, kSubPartitions> head_unit_{};  ///< unit that the head needs...
  std::array<const Cycle*, kSubPartitions> head_free_{};  ///< ...and its kept_free()
  /// By isa::Pipe and sub-partition: MioUnit::kept_free(), looked up once.
  std::array<std::array<const Cycle*, kSubPartitions>, isa::kPipes> kept_free_{};
  unsigned first_ = 0;
};

}  // namespace shflsim::model
