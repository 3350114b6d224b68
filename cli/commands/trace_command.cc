// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/trace_command.h"

namespace shflsim::cli {
namespace {

const std::vector<Command>& trace_verbs() {
  static const std::vector<Command> all = {kTraceRecord, kTraceInfo, kTraceDump, kTraceConvert};
  return all;
}

}  // namespace

const Command kTrace = {
    "trace",
    "record, convert and print traces",
    "shflsim trace VERB [arguments]; shflsim trace VERB --help: details",
    "  shflsim trace record traces/scan_inclusive.sass --reg Rsum=1.0 -o scan.shft\n"
    "  shflsim run scan.shft\n",
    nullptr,
    trace_verbs};

}  // namespace shflsim::cli
