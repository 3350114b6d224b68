// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/path_encoder.h"

#include <algorithm>

namespace shflsim::traces {
namespace {

/// True if the addresses of all executing lanes moved by the same distance.
bool has_moved(const LaneAddresses& before, const LaneAddresses& after, isa::LaneMask lanes) {
  const unsigned first = lowest_lane(lanes);
  AddressExpectation expectation;
  expectation.lanes = before;
  expectation.distance = after[first] - before[first];
  return expectation.holds(after, lanes);
}

/// True if the executing lanes have a common stride per lane, which `stride` receives.
bool is_affine(const LaneAddresses& addresses, isa::LaneMask lanes, uint64_t* stride) {
  const unsigned first = lowest_lane(lanes);
  const isa::LaneMask others = lanes & (lanes - 1);
  if (others == 0) return true;
  const unsigned second = lowest_lane(others);
  const int64_t rise = static_cast<int64_t>(addresses[second] - addresses[first]);
  *stride = static_cast<uint64_t>(rise / static_cast<int64_t>(second - first));
  for (unsigned lane = first; lane < isa::kLanes; ++lane) {
    const bool executes = ((lanes >> lane) & 1u) != 0;
    if (executes && addresses[lane] != addresses[first] + *stride * (lane - first)) return false;
  }
  return true;
}

}  // namespace

const isa::LaneMap& ImmediateMaps::of(uint32_t index, isa::LaneMask executing) {
  Known& last = last_[index];
  if (!last.known || last.map.executing != executing) last.map = code_.map_of(index, executing);
  last.known = true;
  return last.map;
}

void PathEncoder::start(uint32_t warp) {
  out_.clear();
  steps_ = 0;
  run_ = 0;
  path_.start(code_, code_.first_lanes(warp));
  places_.assign(code_.lines.size(), Step::kNone);
  addresses_.clear();
  last_base_ = 0;
  maps_.clear();
}

/// Lines may be added to the code while steps arrive.
void PathEncoder::grow() {
  places_.resize(code_.lines.size(), Step::kNone);
  path_.grow(code_);
}

void PathEncoder::add(uint32_t index, isa::LaneMask lanes, const isa::LaneMap* map,
                      const LaneAddresses* addresses) {
  if (index >= places_.size()) grow();
  unsigned event = index == path_.index() ? 0 : kNewIndex;
  if (lanes != path_.lanes(index)) event |= kNewLanes;
  const isa::LaneMask counted = code_.counted(index, lanes);
  const bool payload_expected =
      lanes == 0 || (code_.lines[index].shuffles ? map_expected(index, *map)
                                                 : addresses_expected(index, counted, addresses));
  if (!payload_expected) event |= kNewPayload;
  if (event != 0) {
    out_.number(run_ << kEventBits | event);
    if ((event & kNewIndex) != 0) out_.difference(uint64_t{index} - path_.index());
    if ((event & kNewLanes) != 0) out_.number(lanes);
    if (!payload_expected && code_.lines[index].shuffles) write_map(index, *map);
    if (!payload_expected && !code_.lines[index].shuffles) {
      write_addresses(index, counted, addresses);
    }
  }
  run_ = event != 0 ? 0 : run_ + 1;
  path_.learn(code_, index, lanes);
  ++steps_;
}

bool PathEncoder::map_expected(uint32_t index, const isa::LaneMap& map) {
  if (code_.lines[index].knows_map) return immediate_maps_.of(index, map.executing) == map;
  return places_[index] != Step::kNone && maps_.maps()[places_[index]] == map;
}

void PathEncoder::write_map(uint32_t index, const isa::LaneMap& map) {
  const size_t known = maps_.maps().size();
  places_[index] = maps_.index_of(map);
  if (places_[index] < known) return out_.number(places_[index] + uint64_t{1});
  out_.number(0);
  for (const uint8_t source : map.source) out_.byte(source);
  out_.word32(map.in_range);
  out_.word32(map.undefined);
}

bool PathEncoder::addresses_expected(uint32_t index, isa::LaneMask lanes,
                                     const LaneAddresses* addresses) {
  if (places_[index] == Step::kNone) return addresses == nullptr;
  AddressExpectation& expected = addresses_[places_[index]];
  if (addresses == nullptr || !expected.holds(*addresses, lanes)) return false;
  expected.move();
  return true;
}

void PathEncoder::write_addresses(uint32_t index, isa::LaneMask lanes,
                                  const LaneAddresses* addresses) {
  if (addresses == nullptr) return out_.byte(static_cast<uint8_t>(AddressForm::kNone));
  const bool is_new = places_[index] == Step::kNone;
  if (is_new) {
    places_[index] = static_cast<uint32_t>(addresses_.size());
    addresses_.emplace_back();
    addresses_.back().lanes.fill(last_base_);
  }
  AddressExpectation& expected = addresses_[places_[index]];
  const unsigned first = lowest_lane(lanes);
  const uint64_t base = (*addresses)[first];
  uint64_t stride = 0;
  const bool moved = has_moved(expected.lanes, *addresses, lanes);
  const AddressForm form = moved                                   ? AddressForm::kMoved
                           : is_affine(*addresses, lanes, &stride) ? AddressForm::kAffine
                                                                   : AddressForm::kList;
  out_.byte(static_cast<uint8_t>(form));
  out_.difference(base - expected.lanes[first] - expected.distance);
  if (form == AddressForm::kAffine) out_.difference(stride);
  if (form == AddressForm::kList) {
    uint64_t before = base;
    for (isa::LaneMask left = lanes & (lanes - 1); left != 0; left &= left - 1) {
      const uint64_t address = (*addresses)[lowest_lane(left)];
      out_.difference(address - before);
      before = address;
    }
  }
  expected.learn(form, base, stride, lanes, *addresses, is_new);
  last_base_ = base;
}

}  // namespace shflsim::traces
