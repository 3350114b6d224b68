// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "isa/codec/arch.h"

namespace shflsim::isa {

/// Where an architecture's code expects the values that the driver passes to a launch: byte offsets
/// in constant bank 0; and the sizes of shared memory. Source: code of ptxas 12.8 and 13.0 and its
/// cubins (EIATTR_PARAM_CBANK); special registers of PTX: what ptxas 13.0 reads for them.
struct LaunchLayout {
  /// Static shared memory of a block (CUDA C++ Programming Guide, "Technical Specifications").
  static constexpr uint32_t kMostStaticShared = 48 * 1024;
  /// The greatest shared memory of a block on any architecture.
  static constexpr uint32_t kMostShared = 227 * 1024;
  static constexpr uint32_t kNowhere = ~0u;
  /// Generic address of the kernel's arguments, outside all buffers (this project's choice).
  static constexpr uint64_t kArgumentsAddress = uint64_t{0x7e00} << 32;

  uint32_t parameters;      ///< the kernel's arguments
  uint32_t block;           ///< block size x, y, z
  uint32_t grid;            ///< grid size x, y, z
  uint32_t stack;           ///< stack pointer, R1's first value
  uint32_t dynamic_shared;  ///< bytes of dynamic shared memory
  uint32_t shared_window;   ///< base of generic addresses of shared memory, and of local memory:
  uint32_t local_window;    ///< 32 bits, 64 from sm_70 on; from sm_90 on SR_SWINHI has the first
  uint32_t constants;       ///< generic address of constant bank 3, 64 bits
  uint32_t descriptor;      ///< 64-bit descriptor of global memory, which execution ignores
  /// Words of the address of the grid's workspace, %envreg1 (upper) and %envreg2 (lower), which a
  /// cooperative launch has.
  uint32_t workspace_high;
  uint32_t workspace_low;
  bool runs_clusters;        ///< launches in clusters can be executed
  uint32_t reserved_shared;  ///< reserved shared memory before a block's own, bytes
  uint32_t most_shared;  ///< greatest shared memory of a block, static and dynamic (the same table)
  /// Offset of the arguments' generic address, 64 bits. The address points `arguments_offset` bytes
  /// before the arguments.
  uint32_t arguments = kNowhere;
  uint32_t arguments_offset = 0;
  uint32_t grid_id = kNowhere;        ///< %gridid, 64 bits
  uint32_t sm_count = kNowhere;       ///< %nsmid
  uint32_t graph = kNowhere;          ///< %current_graph_exec, 64 bits
  uint32_t reserved_size = kNowhere;  ///< shared memory that the driver reserves, of SR_SMEMSZ
  uint32_t reserved_end = kNowhere;   ///< %reserved_smem_offset_end; behind it _offset_1
  uint32_t shared_limit = kNowhere;   ///< least value of %aggr_smem_size and SR_SMEMSZ
  /// Offsets of what code reads of clusters: whether there are any, sizes in x, y and z, their
  /// reciprocals, clusters of the grid in x, y and z, and blocks of a cluster.
  struct Clusters {
    uint32_t flag = kNowhere;
    uint32_t sizes = kNowhere;
    uint32_t reciprocals = kNowhere;
    uint32_t numbers = kNowhere;
    uint32_t count = kNowhere;
  };
  Clusters clusters;
  uint32_t warps = 0;  ///< %nwarpid, the most resident warps of an SM (CUDA C++ Programming Guide,
                       ///< "Technical Specifications"); 0: ptxas writes it as a number
  /// Whether fence.proxy.alias orders the chip alone (1) or the system too (0).
  uint32_t alias_fence = kNowhere;
  uint32_t environment_end = kNowhere;  ///< %envreg16 to 31; kNowhere: behind %envreg15
};

const LaunchLayout& launch_layout(Arch arch);

}  // namespace shflsim::isa
