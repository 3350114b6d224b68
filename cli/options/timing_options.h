// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/options/machine_choice.h"
#include "cli/options/view_options.h"
#include "model/core/run_result.h"

namespace shflsim::cli {

constexpr unsigned kMostSms = 256;

/// `--max-cycles`: the number of cycles after which a run is stopped.
struct CycleLimit : OptionGroup {
  model::Cycle most = model::kNever;

  void list(OptionList& list, const char* help);
};

/// How `run` times launches, and what it shows.
struct TimingOptions : OptionGroup {
  MachineChoice machine;
  unsigned sms = 1;
  unsigned jobs = 1;  ///< threads that simulate the SMs
  CycleLimit cycles;
  ViewOptions views;

  void list(OptionList& list);
};

}  // namespace shflsim::cli
