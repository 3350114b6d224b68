// SPDX-License-Identifier: Apache-2.0
#include "traces/shft/path_decoder.h"

#include <algorithm>

namespace shflsim::traces {

uint32_t ReadMaps::compute(uint32_t index, isa::LaneMask executing) {
  last_[index] = {true, executing, table_.index_of(code_.map_of(index, executing))};
  return last_[index].map;
}

void PathDecoder::start(ByteReader in, uint64_t steps, uint32_t warp) {
  in_ = in;
  left_ = steps;
  path_.start(code_, code_.first_lanes(warp));
  places_.assign(code_.lines.size(), Step::kNone);
  addresses_.clear();
  last_base_ = 0;
  segment_maps_.clear();
  read_head();
}

void PathDecoder::read_head() {
  if (in_.at_end()) {
    run_ = left_;
    event_ = 0;
    return;
  }
  const uint64_t head = in_.number();
  run_ = head >> kEventBits;
  event_ = head & ((1u << kEventBits) - 1);
  if (event_ == 0 || run_ >= left_) in_.place().fail("damaged: an event that no step is left for");
}

void PathDecoder::read(WarpTrace* part) {
  ++part_;
  while (left_ != 0 && !full(*part)) {
    read_expected(part);
    if (left_ == 0 || full(*part)) return;
    read_event(part);
    read_head();
  }
}

void PathDecoder::read_expected(WarpTrace* part) {
  const size_t before = part->steps.size();
  const size_t most = before + std::min<uint64_t>(run_, kPartSteps - before);
  part->steps.resize(most);
  size_t at = before;
  for (; at != most && part->addresses.size() < kPartRows; ++at) {
    const uint32_t index = path_.index();
    if (index >= code_.lines.size())
      in_.place().fail("damaged: a step behind the last instruction");
    const isa::LaneMask lanes = path_.lanes(index);
    part->steps[at] = {index, lanes, expected_payload(index, lanes, part)};
    path_.confirm();
  }
  part->steps.resize(at);
  run_ -= at - before;
  left_ -= at - before;
}

void PathDecoder::read_event(WarpTrace* part) {
  const uint64_t moved = (event_ & kNewIndex) != 0 ? in_.difference() : 0;
  const uint64_t index = path_.index() + moved;
  if (index >= code_.lines.size())
    in_.place().fail("damaged: a step at instruction " + std::to_string(index) + " of " +
                     std::to_string(code_.lines.size()));
  Step step;
  step.index = static_cast<uint32_t>(index);
  step.lanes = (event_ & kNewLanes) != 0 ? in_.small("a lane mask") : path_.lanes(step.index);
  step.payload = (event_ & kNewPayload) != 0 ? read_payload(step.index, step.lanes, part)
                                             : expected_payload(step.index, step.lanes, part);
  path_.learn(code_, step.index, step.lanes);
  part->steps.push_back(step);
  --left_;
}

uint32_t PathDecoder::expected_payload(uint32_t index, isa::LaneMask lanes, WarpTrace* part) {
  if (lanes == 0) return Step::kNone;
  if (code_.lines[index].shuffles) return expected_map(index, lanes);
  if (places_[index] == Step::kNone) return Step::kNone;
  Access& access = addresses_[places_[index]];
  if (access.expected.distance != 0) {
    access.part = 0;
    access.expected.move();
  }
  return row_of(&access, part);
}

uint32_t PathDecoder::expected_map(uint32_t index, isa::LaneMask lanes) {
  if (code_.lines[index].knows_map) return maps_.immediate(index, lanes);
  const uint32_t place = places_[index];
  if (place == Step::kNone || maps_.all()[segment_maps_[place]].executing != lanes)
    in_.place().fail("damaged: a SHFL without its lane map");
  return segment_maps_[place];
}

uint32_t PathDecoder::read_payload(uint32_t index, isa::LaneMask lanes, WarpTrace* part) {
  if (lanes == 0) in_.place().fail("damaged: lanes of a step that no lane executes");
  if (code_.lines[index].shuffles) return read_map(index, lanes);
  return read_addresses(index, code_.counted(index, lanes), part);
}

uint32_t PathDecoder::read_map(uint32_t index, isa::LaneMask lanes) {
  const uint64_t known = in_.number_upto(segment_maps_.size(), "the number of a lane map");
  if (known == 0) {
    isa::LaneMap map;
    for (uint8_t& source : map.source)
      source = static_cast<uint8_t>(in_.number_upto(isa::kLanes - 1, "a source lane"));
    map.executing = lanes;
    map.in_range = in_.word32();
    map.undefined = in_.word32();
    segment_maps_.push_back(maps_.number_of(map));
  }
  places_[index] = static_cast<uint32_t>(known == 0 ? segment_maps_.size() - 1 : known - 1);
  const uint32_t map = segment_maps_[places_[index]];
  if (maps_.all()[map].executing != lanes)
    in_.place().fail("damaged: the lane map of other executing lanes");
  return map;
}

uint32_t PathDecoder::read_addresses(uint32_t index, isa::LaneMask lanes, WarpTrace* part) {
  constexpr auto kLastForm = static_cast<uint64_t>(AddressForm::kList);
  const auto form = static_cast<AddressForm>(in_.number_upto(kLastForm, "a form of addresses"));
  if (form == AddressForm::kNone) return Step::kNone;
  const bool is_new = places_[index] == Step::kNone;
  if (is_new) {
    places_[index] = static_cast<uint32_t>(addresses_.size());
    addresses_.emplace_back();
    addresses_.back().expected.lanes.fill(last_base_);
  }
  Access& access = addresses_[places_[index]];
  AddressExpectation& expected = access.expected;
  const uint64_t base = in_.difference() + expected.lanes[lowest_lane(lanes)] + expected.distance;
  const uint64_t stride = form == AddressForm::kAffine ? in_.difference() : 0;
  LaneAddresses listed{};
  if (form == AddressForm::kList) {
    uint64_t before = base;
    listed[lowest_lane(lanes)] = base;
    for (isa::LaneMask left = lanes & (lanes - 1); left != 0; left &= left - 1)
      before = listed[lowest_lane(left)] = before + in_.difference();
  }
  expected.learn(form, base, stride, lanes, listed, is_new);
  last_base_ = base;
  access.part = 0;
  return row_of(&access, part);
}

/// Stores equal addresses of one instruction once per part.
uint32_t PathDecoder::row_of(Access* access, WarpTrace* part) const {
  if (access->part != part_) {
    access->row = part->addresses.size();
    access->part = part_;
    part->addresses.push_back(access->expected.lanes);
  }
  return static_cast<uint32_t>(access->row);
}

}  // namespace shflsim::traces
