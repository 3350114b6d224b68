// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/base/input_error.h"

namespace shflsim::isa {

/// A file's information about one kernel. Members that the file does not give have no value.
struct KernelSummary {
  std::string kernel;
  std::string architecture;   ///< sm_52 for a cubin, compute_52 for PTX; "" if unknown
  std::string form = "text";  ///< "text", "ELF" or "PTX"
  std::string compression;    ///< compression of a fat binary's entry: "", "LZ4" or "zstd"
  /// Includes the padding after the last instruction; for PTX, counts the lowered code.
  std::optional<uint64_t> instructions;
  std::optional<uint64_t> registers;                ///< registers of a thread
  std::optional<uint64_t> shared_bytes;             ///< static shared memory, as ptxas -v counts it
  std::optional<uint64_t> local_bytes;              ///< local memory of a thread
  std::optional<uint64_t> barriers;                 ///< block barriers: the highest number plus 1
  std::optional<uint64_t> parameter_base;           ///< offset of the arguments in constant bank 0
  std::optional<std::vector<uint32_t>> parameters;  ///< bytes of each argument
  std::string use;                                  ///< "executed", or only "listed"
  std::vector<Fault> faults;                        ///< why it can only be listed
};

}  // namespace shflsim::isa
