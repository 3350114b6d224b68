// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::isa {

/// What a file says of one kernel. What it leaves open has no value.
struct KernelSummary {
  std::string kernel;
  std::string architecture;   ///< sm_52 of a cubin, compute_52 of PTX; "" where the file is silent
  std::string form = "text";  ///< "text", "ELF" or "PTX"
  std::string compression;    ///< compression of a fat binary's entry: "", "LZ4" or "zstd"
  /// Includes the padding behind the last instruction; for PTX, counts the lowered code.
  std::optional<uint64_t> instructions;
  std::optional<uint64_t> registers;       ///< registers of a thread
  std::optional<uint64_t> shared_bytes;    ///< static shared memory, as ptxas -v counts it
  std::optional<uint64_t> local_bytes;     ///< local memory of a thread
  std::optional<uint64_t> barriers;        ///< block barriers: the highest number plus 1
  std::optional<uint64_t> parameter_base;  ///< where the arguments begin in constant bank 0
  std::optional<std::vector<uint32_t>> parameters;  ///< bytes of each argument
  std::string use;                                  ///< "executed", "timed", or only "listed"
  std::vector<Fault> faults;  ///< why it can only be listed, where it was meant to be used
};

}  // namespace shflsim::isa
