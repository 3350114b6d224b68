// SPDX-License-Identifier: Apache-2.0
#include "cli/options/timing_options.h"

namespace shflsim::cli {
namespace {

constexpr model::Cycle kMostCycles = uint64_t{1} << 62;

}  // namespace

void CycleLimit::list(OptionList& list, const char* help) {
  list.group("machine", this);
  list.number("max-cycles", &most, 1, kMostCycles, "N", help).standard = "";
}

void TimingOptions::list(OptionList& list) {
  machine.list(list, " (default: the chip of the input's architecture)");
  list.group("machine", this);
  list.number("sms", &sms, 1, kMostSms, "N",
              "SMs of a chip, 1 to 256, that share the grid's blocks and the chip's memory")
      .common("SMs of a chip, 1 to 256");
  list.number("jobs", &jobs, 1, kMostSms, "N",
              "threads that simulate the SMs, 1 to 256; the result does not depend on it. SMs that "
              "clusters, a verdict or a view of instructions keep in step are simulated by one, as "
              "is a trace in a file");
  cycles.list(list,
              "stop each launch after this many cycles; the report says that it is partial (status "
              "3)");
  views.list(list);
}

}  // namespace shflsim::cli
