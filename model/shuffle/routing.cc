// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/routing.h"

#include <algorithm>
#include <map>

namespace shflsim::model {

Schedule serialise_groups(const std::vector<Request>& requests, unsigned width,
                          const RequestValue& group) {
  std::map<unsigned, std::vector<uint8_t>> sources_of;
  Schedule schedule;
  for (const Request& request : requests) {
    const unsigned g = group(request);
    std::vector<uint8_t>& sources = sources_of[g];
    const auto found = std::find(sources.begin(), sources.end(), request.source);
    const auto rank = static_cast<unsigned>(found - sources.begin());
    if (found == sources.end()) sources.push_back(request.source);
    schedule.pass(rank / width).deliver(request.lane, request.source, g * width + rank % width);
  }
  return schedule;
}

std::vector<std::vector<Request>> batches_by_setting(const std::vector<Request>& requests,
                                                     const RequestValue& setting) {
  std::map<unsigned, std::vector<Request>> by_setting;
  for (const Request& request : requests) by_setting[setting(request)].push_back(request);
  std::vector<std::vector<Request>> batches;
  batches.reserve(by_setting.size());
  for (const auto& [value, batch] : by_setting) batches.push_back(batch);
  if (batches.empty()) batches.emplace_back();
  return batches;
}

Schedule pass_per_batch(const std::vector<std::vector<Request>>& batches,
                        const RequestValue& port) {
  Schedule schedule;
  for (size_t index = 0; index < batches.size(); ++index) {
    Pass& pass = schedule.pass(index);
    for (const Request& request : batches[index]) {
      pass.deliver(request.lane, request.source, port(request));
    }
  }
  return schedule;
}

std::string stage_port_name(unsigned port, unsigned lanes) {
  return "stage " + std::to_string(port / lanes) + " link " + std::to_string(port % lanes);
}

unsigned log2_of(unsigned power) {
  unsigned bits = 0;
  while ((1u << bits) < power) ++bits;
  return bits;
}

}  // namespace shflsim::model
