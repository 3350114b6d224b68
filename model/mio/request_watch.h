// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <tuple>

#include "model/core/observer.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// Reports to the observer where the requests of an SM are. It exists only in an observed run, and
/// finds the instruction of a request itself: requests carry no data for it. Its functions are
/// cold, so that the compiler arranges their callers for runs without an observer.
class RequestWatch {
 public:
  explicit RequestWatch(Observer& observer) : observer_(observer) {}

  Observer& observer() const { return observer_; }

  /// The instruction issues at `now` to the MIO: line `index` of the code.
  [[gnu::cold]] void sent(const ResidentWarp& warp, InstructionId id, uint32_t index, Cycle now);

  [[gnu::cold]] void entered(unsigned sub_partition, const MioRequest& request, Stage stage,
                             Cycle from) const;
  [[gnu::cold]] void left_queue(unsigned sub_partition, const MioRequest& request, Cycle now) const;
  [[gnu::cold]] void sources_read(unsigned sub_partition, const MioRequest& request,
                                  Cycle cycle) const;
  /// The unit accepts the head of the queue; `next` is the new head, if any.
  [[gnu::cold]] void granted(unsigned sub_partition, const MioRequest& request, const MioHead& next,
                             Cycle now) const;
  /// Does nothing if the queue is empty.
  [[gnu::cold]] void came_to_head(unsigned sub_partition, const MioHead& head, Cycle now) const;
  [[gnu::cold]] void passes(unsigned sub_partition, const MioRequest& request, Cycle first,
                            uint32_t count, uint32_t interval) const;
  [[gnu::cold]] void done(unsigned sub_partition, const MioRequest& request, Cycle result);

 private:
  /// Sub-partition, slot, line of the code and issue.
  using Key = std::tuple<unsigned, uint32_t, uint32_t, Cycle>;
  static Key key_of(unsigned sub_partition, const MioRequest& request) {
    return {sub_partition, request.slot, request.static_index, request.issued};
  }
  InstructionId id_of(unsigned sub_partition, const MioRequest& request) const {
    return on_their_way_.at(key_of(sub_partition, request));
  }

  Observer& observer_;
  std::map<Key, InstructionId> on_their_way_;
};

}  // namespace shflsim::model
