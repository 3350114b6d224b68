// SPDX-License-Identifier: Apache-2.0
#include "cli/watched_run.h"

#include "model/run.h"

namespace shflsim::cli {

model::RunResult watched_run(const traces::Trace& trace, const model::ConfigLayers& layers,
                             unsigned sms, const ViewFiles::Shown& shown) {
  model::Observers observers;
  shown.add_observers(&observers);
  return model::run(trace, layers, sms, observers.combined());
}

}  // namespace shflsim::cli
