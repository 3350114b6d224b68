// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/config/config.h"
#include "runtime/protocol/exec_options.h"

namespace shflsim::runtime {

/// The device that a program sees: the modelled machine of one architecture.
struct Machine {
  /// Throws InputError for an invalid config.
  Machine(const ExecOptions& options, unsigned architecture);

  unsigned arch;  ///< architecture number: 90
  model::ConfigLayers layers;
  std::string name;       ///< of the config: "gh100"
  std::string card_name;  ///< name that programs read: of the card, or of the user's config
  uint32_t sms;           ///< modelled SMs
  uint64_t clock_mhz = 0;
  uint64_t max_warps = 0;  ///< per SM, like the following
  uint64_t max_blocks = 0;
  uint64_t barriers = 0;  ///< 0: not counted
  uint64_t registers = 0;
  uint64_t register_unit = 0;
  uint64_t shared_bytes = 0;
  uint64_t shared_unit = 0;
  uint64_t shared_reserved = 0;
  uint64_t l2_bytes = 0;
  uint64_t chip_sms = 0;      ///< SMs that the device's properties state
  uint64_t memory_bytes = 0;  ///< device memory of the chip
  uint64_t memory_bus_bits = 0;
  uint64_t memory_clock_khz = 0;

  uint32_t most_shared() const;      ///< bytes per block, if opted in
  uint64_t most_persisting() const;  ///< bytes of L2 that can be set aside

  /// The number of blocks of this shape that fit on an SM.
  struct BlockShape {
    uint64_t threads;
    uint64_t registers;
    uint64_t shared_bytes;  ///< static and dynamic
    uint64_t barriers = 0;  ///< hardware barriers
  };
  uint64_t blocks_of_sm(const BlockShape& shape) const;
};

}  // namespace shflsim::runtime
