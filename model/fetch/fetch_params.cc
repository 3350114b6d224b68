// SPDX-License-Identifier: Apache-2.0
#include "model/fetch/fetch_params.h"

namespace shflsim::model {

void FetchParams::list(ParameterList& out) {
  out.number("fetch.latency", &latency, 0, 256, "cycles",
             "a warp's start to its first instruction in the buffer");
  out.number("fetch.branch_latency", &branch_latency, 1, 256, "cycles",
             "a taken branch's issue to the issue at its target, where the L0 has it");
  out.number("fetch.buffer", &buffer, 0, 7, "instructions",
             "that a warp's fetch runs ahead of its issue");
  out.flag("fetch.warm", &warm,
           "a kernel's first lines are in every cache when it starts, as after a launch");
  out.number("fetch.line_bytes", &line_bytes, 32, 1024, "bytes", "line of the L0 and the L1");
  out.number("fetch.l0_bytes", &l0_bytes, 1024, 1048576, "bytes",
             "instruction cache of a sub-partition, fully associative, first in, first out");
  out.number("fetch.l0_latency", &l0_latency, 0, 1024, "cycles",
             "that a miss of the L0 adds where the L1 has the line");
  out.number("fetch.stream", &stream, 1, 16, "lines",
             "that a miss of the L0 brings: its own and those that follow");
  out.number("fetch.ahead", &ahead, 0, 16, "lines",
             "as far ahead, each line that a warp runs into brings one more");
  out.number("fetch.l1_bytes", &l1_bytes, 1024, 16777216, "bytes", "instruction cache of the SM");
  out.number("fetch.l1_ways", &l1_ways, 1, 64, "lines", "of a set of the L1");
  out.number("fetch.l1_interval", &l1_interval, 0, 64, "cycles",
             "from one line that the L1 delivers to the next");
  out.number("fetch.l1_latency", &l1_latency, 0, 4096, "cycles",
             "that a miss of the L1 adds where the L1.5 has the line");
  out.number("fetch.l15_bytes", &l15_bytes, 0, 16777216, "bytes",
             "cache between L1 and L2; 0: none");
  out.number("fetch.l15_ways", &l15_ways, 1, 64, "blocks", "of a set of the L1.5");
  out.number("fetch.l15_lines", &l15_lines, 1, 16, "lines", "in a block of the L1.5");
  out.together(
      {"fetch.l15_bytes", "fetch.l15_lines", "fetch.line_bytes"},
      [this] { return l15_bytes == 0 || l15_bytes >= l15_lines * line_bytes; },
      "no L1.5, or one of at least a block: fetch.l15_lines * fetch.line_bytes");
  out.number("fetch.l15_stream", &l15_stream, 1, 16, "blocks",
             "that a miss of the L1.5 brings; each block asked for brings one more, as far ahead");
  out.number("fetch.l15_interval", &l15_interval, 0, 256, "cycles",
             "from one line that the L1.5 delivers to the next");
  out.number("fetch.l15_latency", &l15_latency, 0, 4096, "cycles",
             "that a miss of the L1.5 adds: the chip's L2 has the line");
  out.number("fetch.launch_bytes", &launch_bytes, 0, 16777216, "bytes",
             "of a kernel that its launch brings into the L1.5");
}

}  // namespace shflsim::model
