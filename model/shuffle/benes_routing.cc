// SPDX-License-Identifier: Apache-2.0
#include "model/shuffle/benes_routing.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace shflsim::model {
namespace {

/// Completes the permutation: lanes without a request read the sources that no request reads.
std::vector<unsigned> full_permutation(const std::vector<Request>& requests, unsigned lanes) {
  std::vector<unsigned> source_of(lanes, lanes);
  std::vector<bool> read(lanes);
  for (const Request& request : requests) {
    source_of[request.lane] = request.source;
    read[request.source] = true;
  }
  unsigned next = 0;
  for (unsigned& source : source_of) {
    if (source < lanes) continue;
    while (read[next]) ++next;
    source = next++;
  }
  return source_of;
}

/// Splits the values between the halves of the network that differ in `bit`: of two values that are
/// `bit` apart before the outer stages, or must be after them, each half takes one. `in` and `out`
/// are the places of the values before and after these stages; returns the half of each value.
std::vector<bool> split(const std::vector<unsigned>& in, const std::vector<unsigned>& out,
                        unsigned bit) {
  const auto lanes = static_cast<unsigned>(in.size());
  std::vector<unsigned> at_in(lanes);
  std::vector<unsigned> at_out(lanes);
  for (unsigned value = 0; value < lanes; ++value) {
    at_in[in[value]] = value;
    at_out[out[value]] = value;
  }
  std::vector<bool> half(lanes);
  std::vector<bool> done(lanes);
  for (unsigned start = 0; start < lanes; ++start) {
    const bool start_half = (out[start] & bit) != 0;
    for (unsigned value = start; !done[value]; value = at_in[in[at_out[out[value] ^ bit]] ^ bit]) {
      const unsigned mate = at_out[out[value] ^ bit];
      half[value] = start_half;
      half[mate] = !start_half;
      done[value] = done[mate] = true;
    }
  }
  return half;
}

void place(std::vector<unsigned>* places, const std::vector<bool>& half, unsigned bit) {
  for (size_t value = 0; value < places->size(); ++value) {
    unsigned& at = (*places)[value];
    at = half[value] ? at | bit : at & ~bit;
  }
}

constexpr size_t kUnset = ~size_t{0};

/// The places of the values, by place, after a stage of switches between places `distance` apart.
std::vector<size_t> self_routed(const std::vector<size_t>& values,
                                const std::vector<Request>& requests, unsigned distance) {
  std::vector<size_t> moved = values;
  for (unsigned place = 0; place < values.size(); ++place) {
    const unsigned other = place | distance;
    if (other == place) continue;
    const bool by_upper = values[place] != kUnset;
    const size_t decides = by_upper ? values[place] : values[other];
    if (decides == kUnset) continue;
    const bool wants_lower = (requests[decides].lane & distance) != 0;
    if (wants_lower == by_upper) std::swap(moved[place], moved[other]);
  }
  return moved;
}

}  // namespace

unsigned looping_cycles(unsigned lanes) { return lanes - 1; }

std::map<size_t, std::vector<unsigned>> self_routed_paths(const std::vector<Request>& requests,
                                                          unsigned lanes) {
  std::vector<size_t> values(lanes, kUnset);
  for (size_t index = 0; index < requests.size(); ++index) values[requests[index].source] = index;
  std::map<size_t, std::vector<unsigned>> paths;
  for (const unsigned distance : benes_distances(lanes)) {
    values = self_routed(values, requests, distance);
    for (unsigned place = 0; place < lanes; ++place) {
      if (values[place] != kUnset) paths[values[place]].push_back(place);
    }
  }
  for (size_t index = 0; index < requests.size(); ++index) {
    if (paths[index].back() != requests[index].lane) paths.erase(index);
  }
  return paths;
}

unsigned benes_stages(unsigned lanes) { return 2 * log2_of(lanes) - 1; }

std::vector<std::vector<unsigned>> benes_paths(const std::vector<Request>& requests,
                                               unsigned lanes) {
  const unsigned stages = benes_stages(lanes);
  std::vector<unsigned> in = full_permutation(requests, lanes);  // values: their destinations
  std::vector<unsigned> out(lanes);
  std::iota(out.begin(), out.end(), 0u);

  std::vector<std::vector<unsigned>> behind(stages);  // by value: places after each stage
  behind[stages - 1] = out;
  for (unsigned stage = 0; stage < stages / 2; ++stage) {
    const unsigned bit = lanes >> (stage + 1);
    const std::vector<bool> half = split(in, out, bit);
    place(&in, half, bit);
    place(&out, half, bit);
    behind[stage] = in;
    behind[stages - 2 - stage] = out;
  }
  std::vector<std::vector<unsigned>> paths;
  paths.reserve(requests.size());
  for (const Request& request : requests) {
    std::vector<unsigned> path;
    path.reserve(behind.size());
    for (const std::vector<unsigned>& places : behind) path.push_back(places[request.lane]);
    paths.push_back(path);
  }
  return paths;
}

std::vector<std::vector<Request>> partial_permutations(const std::vector<Request>& requests) {
  std::vector<std::vector<Request>> parts(1);
  std::array<unsigned, 256> readers{};
  for (const Request& request : requests) {
    const unsigned part = readers[request.source]++;
    parts.resize(std::max<size_t>(parts.size(), part + 1));
    parts[part].push_back(request);
  }
  return parts;
}

}  // namespace shflsim::model
