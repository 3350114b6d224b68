// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/config/config.h"
#include "runtime/protocol/exec_options.h"

namespace shflsim::runtime {

/// The device as a program sees it: the machine that is modelled, of one architecture.
struct Machine {
  /// Throws InputError for a config that cannot be used.
  Machine(const ExecOptions& options, unsigned architecture);

  unsigned arch;  ///< number of its architecture: 90
  model::ConfigLayers layers;
  std::string name;       ///< of the config: "gh100"
  std::string card_name;  ///< what programs read: that of the card, or of a config of one's own
  uint32_t sms;           ///< SMs that are modelled
  uint64_t clock_mhz = 0;
  uint64_t max_warps = 0;  ///< of an SM, as the following
  uint64_t max_blocks = 0;
  uint64_t barriers = 0;  ///< 0: not counted
  uint64_t registers = 0;
  uint64_t register_unit = 0;
  uint64_t shared_bytes = 0;
  uint64_t shared_unit = 0;
  uint64_t shared_reserved = 0;
  uint64_t l2_bytes = 0;
  uint64_t chip_sms = 0;      ///< SMs of the chip, as its properties tell them
  uint64_t memory_bytes = 0;  ///< device memory of the chip
  uint64_t memory_bus_bits = 0;
  uint64_t memory_clock_khz = 0;

  uint32_t most_shared() const;      ///< bytes of a block, opted in to
  uint64_t most_persisting() const;  ///< bytes of the L2 that can be set aside

  /// Blocks of this shape that an SM holds at a time.
  struct BlockShape {
    uint64_t threads;
    uint64_t registers;
    uint64_t shared_bytes;  ///< static and dynamic
    uint64_t barriers = 0;  ///< of the hardware
  };
  uint64_t blocks_of_sm(const BlockShape& shape) const;
};

}  // namespace shflsim::runtime
