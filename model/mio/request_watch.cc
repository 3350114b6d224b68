// SPDX-License-Identifier: Apache-2.0
#include "model/mio/request_watch.h"

#include <cassert>

namespace shflsim::model {

void RequestWatch::sent(const ResidentWarp& warp, InstructionId id, uint32_t index, Cycle now) {
  const bool is_new =
      on_their_way_.emplace(Key{warp.sub_partition, warp.slot, index, now}, id).second;
  assert(is_new && "a warp issues a line of its code once a cycle");
  static_cast<void>(is_new);
}

void RequestWatch::entered(unsigned sub_partition, const MioRequest& request, Stage stage,
                           Cycle from) const {
  observer_.entered(id_of(sub_partition, request), stage, from);
}

void RequestWatch::left_queue(unsigned sub_partition, const MioRequest& request, Cycle now) const {
  observer_.left_queue(id_of(sub_partition, request), now);
}

void RequestWatch::sources_read(unsigned sub_partition, const MioRequest& request,
                                Cycle cycle) const {
  observer_.sources_read(id_of(sub_partition, request), cycle);
}

void RequestWatch::granted(unsigned sub_partition, const MioRequest& request, const MioHead& next,
                           Cycle now) const {
  entered(sub_partition, request, Stage::kUnit, now);
  left_queue(sub_partition, request, now);
  came_to_head(sub_partition, next, now);
}

void RequestWatch::came_to_head(unsigned sub_partition, const MioHead& head, Cycle now) const {
  if (head.request == nullptr) return;
  entered(sub_partition, *head.request, Stage::kOperands, now);
  entered(sub_partition, *head.request, Stage::kReady, head.ready);
}

void RequestWatch::passes(unsigned sub_partition, const MioRequest& request, Cycle first,
                          uint32_t count, uint32_t interval) const {
  observer_.passes(id_of(sub_partition, request), first, count, interval);
}

void RequestWatch::done(unsigned sub_partition, const MioRequest& request, Cycle result) {
  const auto found = on_their_way_.find(key_of(sub_partition, request));
  assert(found != on_their_way_.end() && "only what was sent is done");
  observer_.done(found->second, result);
  on_their_way_.erase(found);
}

}  // namespace shflsim::model
