// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/core/sorted_queue.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// Loads of a sub-partition whose data come from the DRAM. Only at the expected cycle it is known
/// whether the data are late. Copies to shared memory do not wait (assumed: few are late).
class AwaitedResults {
 public:
  static bool holds(const MioRequest& request, const MioCompletion& completion) {
    return completion.fill.slice != AwaitedFill::kNone && !request.facts->loads_to_shared;
  }
  void wait(const MioRequest& request, const MioCompletion& completion) {
    waiting_.push({completion.result, request, completion});
  }
  /// First cycle in which a result may come.
  Cycle due() const { return waiting_.next(); }
  /// Calls `come` with the results that have arrived. `lateness`: cycles by which data are late.
  template <class Lateness, class Come>
  void decide(Cycle now, Lateness lateness, Come come) {
    while (waiting_.next() <= now) {
      Result each = waiting_.front();
      waiting_.pop();
      each.cycle = each.completion.result + lateness(each.completion.fill);
      if (each.cycle > now) {
        waiting_.push(each);
        continue;
      }
      each.completion.result = now;
      come(each.request, each.completion);
    }
  }

 private:
  struct Result {
    Cycle cycle = 0;  ///< in which the data come, as far as known
    MioRequest request;
    MioCompletion completion;
  };

  SortedQueue<Result> waiting_;
};

}  // namespace shflsim::model
