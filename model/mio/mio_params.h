// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/core/parameter.h"

namespace shflsim::model {

struct MioParams {
  uint32_t queue_depth = 0;
  uint32_t global_depth = 0;
  uint32_t issue_latency = 0;
  uint32_t collect_base = 0;
  uint32_t collect_operand = 0;
  uint32_t read_release = 0;
  uint32_t global_release = 0;
  std::string arbitration;  ///< "per_unit" or "shared_pipe"
  uint32_t port_wait = 0;
  uint32_t beat_interval = 0;
  uint32_t split_operands = 0;
  uint32_t buffer_operands = 0;

  void list(ParameterList& out) {
    out.number("mio.queue_depth", &queue_depth, 1, 256, "entries",
               "instructions that a sub-partition's queue holds");
    out.number("mio.global_depth", &global_depth, 1, 256, "entries",
               "of these, global-memory instructions at most");
    out.number("mio.issue_latency", &issue_latency, 0, 64, "cycles",
               "issue to the head of an empty queue");
    out.number("mio.collect_base", &collect_base, 0, 64, "cycles",
               "collecting an instruction's operands: fixed part (per_unit)");
    out.number("mio.collect_operand", &collect_operand, 0, 64, "cycles",
               "collecting an instruction's operands: for each register operand");
    out.number("mio.read_release", &read_release, 0, 64, "cycles",
               "operands collected to the release of the read scoreboard");
    out.number("mio.global_release", &global_release, 0, 64, "cycles",
               "shared pipe: a global-memory instruction's beat to that release");
    out.choice("mio.arbitration", &arbitration, {"per_unit", "shared_pipe"},
               "the units are granted each by itself, or one pipe leads to all of them");
    out.number("mio.port_wait", &port_wait, 0, 64, "cycles",
               "shared pipe: an operand waits so long for a bank that math instructions read");
    out.number("mio.beat_interval", &beat_interval, 1, 64, "cycles",
               "shared pipe: from one beat of a sub-partition to its next");
    out.number("mio.split_operands", &split_operands, 0, 8, "operands",
               "shared pipe: a SHFL with so many register operands takes one beat more; 0: none");
    out.number("mio.buffer_operands", &buffer_operands, 0, 64, "registers",
               "shared pipe: shared memory's operands that wait while the next ones are read");
  }
};

}  // namespace shflsim::model
