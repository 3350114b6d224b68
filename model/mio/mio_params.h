// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/core/parameter.h"
#include "model/mio/mio_ports.h"
#include "model/mio/pass_params.h"

namespace shflsim::model {

struct MioParams {
  uint32_t queue_depth = 0;
  uint32_t global_depth = 0;
  uint32_t place_back = 0;
  uint32_t barriers_apart = 0;
  uint32_t specials_apart = 0;
  uint32_t issue_latency = 0;
  uint32_t stops = 0;
  uint32_t collect_base = 0;
  uint32_t collect_operand = 0;
  uint32_t handover = 0;
  uint32_t held_address = 0;
  uint32_t empty_at_once = 0;
  uint32_t read_release = 0;
  uint32_t global_release = 0;
  uint32_t store_release = 0;
  uint32_t generic_release = 0;
  std::string arbitration;  ///< "per_unit" or "shared_pipe"
  uint32_t port = 0;
  uint32_t beat_interval = 0;
  uint32_t split_operands = 0;
  uint32_t shuffle_patience = 0;
  uint32_t buffer_operands = 0;
  PassParams passes;

  /// Issue stops for this number of cycles after `now`: the request stops if it is still on its way
  /// to the operand reader.
  void delay(MioRequest* request, Cycle now, Cycle cycles) const {
    if (request->issued + request->late + issue_latency > now) request->late += cycles;
  }

  void list(ParameterList& out) {
    out.number("mio.queue_depth", &queue_depth, 1, 256, "entries",
               "entries of a sub-partition's MIO queue");
    out.number("mio.global_depth", &global_depth, 1, 256, "entries",
               "entries of the MIO queue that global-memory instructions may occupy");
    out.number("mio.place_back", &place_back, 0, 64, "cycles",
               "time from the first read for the head of the queue until its entry is free");
    out.flag("mio.barriers_apart", &barriers_apart,
             "1: shared pipe: operations on barriers in shared memory do not wait in the queue");
    out.flag(
        "mio.specials_apart", &specials_apart,
        "1: shared pipe: S2UR and reads of SR_CgaCtaId wait neither in the queue nor for the pipe");
    out.number("mio.issue_latency", &issue_latency, 0, 64, "cycles",
               "time from issue to the head of an empty queue");
    out.flag("mio.stops", &stops,
             "1: shared pipe: if issue stops for late operands, what is on its way to the reader "
             "stops, too");
    out.number("mio.collect_base", &collect_base, 0, 64, "cycles",
               "time to collect the operands of an instruction: fixed part (per_unit)");
    out.number("mio.collect_operand", &collect_operand, 0, 64, "cycles",
               "time to collect the operands of an instruction: for each register");
    out.number("mio.handover", &handover, 0, 64, "cycles",
               "shared pipe: what an instruction loses that arrives as the reader gets free");
    out.flag("mio.held_address", &held_address,
             "1: shared pipe: the address of a load from shared memory is not there a cycle early "
             "if a barrier held the load until its issue");
    out.flag("mio.empty_at_once", &empty_at_once,
             "1: shared pipe: shuffles and loads of no register or no lane pass the reader");
    out.number("mio.read_release", &read_release, 0, 64, "cycles",
               "time from the collection of the operands to the release of the read scoreboard");
    out.number("mio.global_release", &global_release, 0, 64, "cycles",
               "shared pipe: the same from the beat of a global-memory instruction on");
    out.number("mio.store_release", &store_release, 0, 64, "cycles",
               "mio.global_release: further time of stores that do not wait for a place");
    out.number("mio.generic_release", &generic_release, 0, 4096, "cycles",
               "mio.global_release: further time of an atomic with a generic address");
    list_pipe(out);
  }
  /// Of the shared pipe.
  void list_pipe(ParameterList& out) {
    out.choice(
        "mio.arbitration", &arbitration, {"per_unit", "shared_pipe"},
        "per_unit: each unit is arbitrated by itself; shared_pipe: one pipe leads to all units");
    out.number("mio.port", &port, 0, 64, "cycles",
               "shared pipe: time from the collection of a register to the cycle in which its bank "
               "reads it; math instructions wait for that. 0: the bank reads it besides");
    out.number("mio.beat_interval", &beat_interval, 1, 64, "cycles",
               "shared pipe: time between two beats of a sub-partition");
    out.number(
        "mio.split_operands", &split_operands, 0, 8, "operands",
        "shared pipe: a SHFL with this many register operands takes one beat more; 0: never");
    out.number(
        "mio.shuffle_patience", &shuffle_patience, 0, 64, "cycles",
        "shared pipe: time for which a shuffle lets other loads and stores of shared memory, "
        "and loads of global memory, go first; of equal ones the sub-partition goes first "
        "that had its last beat before the others. 0: all have turns");
    out.number("mio.buffer_operands", &buffer_operands, 0, 64, "registers",
               "shared pipe: operands of shared memory that wait while the next ones are read");
    passes.list(out);
  }
};

}  // namespace shflsim::model
