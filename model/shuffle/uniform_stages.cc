// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/uniform_stages.h"

namespace shflsim::model {
namespace {

/// The place of the value of `source` after `stage`.
unsigned position(UniformMove move, unsigned source, unsigned setting, unsigned stage,
                  unsigned lanes) {
  const unsigned moved = setting & ((2u << stage) - 1);
  return move == UniformMove::kRotate ? (source + moved) % lanes : source ^ moved;
}

}  // namespace

unsigned uniform_setting(UniformMove move, const Request& request, unsigned lanes) {
  return move == UniformMove::kRotate ? (lanes + request.lane - request.source) % lanes
                                      : unsigned{request.lane} ^ request.source;
}

Schedule uniform_passes(UniformMove move, const std::vector<Request>& requests, unsigned lanes) {
  const auto setting_of = [&](const Request& request) {
    return uniform_setting(move, request, lanes);
  };
  const auto batches = batches_by_setting(requests, setting_of);
  if (requests.empty()) return {};

  const unsigned stages = log2_of(lanes);
  const unsigned first_setting = setting_of(batches[0].front());
  Schedule schedule;
  for (size_t index = 0; index < batches.size(); ++index) {
    Pass& pass = schedule.pass(index);
    const unsigned setting = setting_of(batches[index].front());
    const auto differing = [&] {
      return static_cast<unsigned>(__builtin_ctz(setting ^ first_setting));
    };
    const unsigned port_stage = index == 0 ? stages - 1 : differing();
    for (const Request& request : batches[index]) {
      const auto link = [&](unsigned stage) {
        return stage * lanes + position(move, request.source, setting, stage, lanes);
      };
      for (unsigned stage = 0; stage < stages; ++stage) pass.carry(link(stage), request.source);
      pass.deliver(request.lane, request.source, link(port_stage));
    }
  }
  return schedule;
}

}  // namespace shflsim::model
