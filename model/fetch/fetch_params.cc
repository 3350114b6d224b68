// SPDX-License-Identifier: Apache-2.0
#include "model/fetch/fetch_params.h"

namespace shflsim::model {

void FetchParams::list(ParameterList& out) {
  out.number("fetch.latency", &latency, 0, 256, "cycles",
             "time from the start of a warp to its first instruction in the buffer");
  out.number("fetch.branch_latency", &branch_latency, 1, 256, "cycles",
             "time from the issue of a taken branch to the issue at its target, if the target is "
             "in the L0");
  out.number("fetch.second_line", &second_line, 0, 64, "cycles",
             "least time from the first issue after a jump to an issue from the next line");
  out.number("fetch.buffer", &buffer, 0, 7, "instructions",
             "instructions that a warp's fetch runs ahead of issue");
  out.flag("fetch.warm", &warm,
           "1: the first lines of the kernel are in every cache when it starts");
  out.flag("fetch.warm_l0", &warm_l0,
           "1: with fetch.warm, in the L0s, too; 0: the launch finds these empty");
  out.number("fetch.line_bytes", &line_bytes, 32, 1024, "bytes", "line size of the L0 and the L1");
  out.number("fetch.l0_bytes", &l0_bytes, 1024, 1048576, "bytes",
             "L0 instruction cache of a sub-partition, fully associative, first in first out");
  out.number("fetch.l0_latency", &l0_latency, 0, 1024, "cycles",
             "latency added by an L0 miss that hits in the L1");
  out.number("fetch.stream", &stream, 1, 16, "lines",
             "lines fetched by an L0 miss: the missing line and the lines after it");
  out.number("fetch.ahead", &ahead, 0, 16, "lines",
             "largest prefetch distance: each line that a warp enters prefetches one more line, up "
             "to this distance");
  out.number("fetch.l1_bytes", &l1_bytes, 1024, 16777216, "bytes",
             "L1 instruction cache of the SM");
  out.number("fetch.l1_ways", &l1_ways, 1, 64, "lines", "associativity of the L1");
  out.number("fetch.l1_interval", &l1_interval, 0, 64, "cycles",
             "time between two lines that the L1 delivers");
  out.number("fetch.l1_latency", &l1_latency, 0, 4096, "cycles",
             "latency added by an L1 miss that hits in the L1.5");
  list_far(out);
}

void FetchParams::list_far(ParameterList& out) {
  out.number("fetch.l15_bytes", &l15_bytes, 0, 16777216, "bytes",
             "L1.5 instruction cache, between L1 and L2; 0: there is none");
  out.number("fetch.l15_ways", &l15_ways, 1, 64, "blocks", "associativity of the L1.5");
  out.number("fetch.l15_lines", &l15_lines, 1, 16, "lines", "lines in a block of the L1.5");
  out.together(
      {"fetch.l15_bytes", "fetch.l15_lines", "fetch.line_bytes"},
      [this] { return l15_bytes == 0 || l15_bytes >= l15_lines * line_bytes; },
      "no L1.5, or one of at least a block: fetch.l15_lines * fetch.line_bytes");
  out.number("fetch.l15_stream", &l15_stream, 1, 16, "blocks",
             "blocks fetched by an L1.5 miss; each requested block prefetches one more, up to this "
             "distance");
  out.number("fetch.l15_interval", &l15_interval, 0, 256, "cycles",
             "time between two lines that the L1.5 delivers");
  out.number("fetch.l15_latency", &l15_latency, 0, 4096, "cycles",
             "latency added by an L1.5 miss, which hits in the L2");
  out.number("fetch.launch_bytes", &launch_bytes, 0, 16777216, "bytes",
             "bytes of the kernel's code that the launch loads into the L1.5");
  out.number("fetch.launch_latency", &launch_latency, 0, 4096, "cycles",
             "time from the start of the launch until this code is available, if the L2 has no "
             "data of the launch");
}

}  // namespace shflsim::model
