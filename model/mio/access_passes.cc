// SPDX-License-Identifier: Apache-2.0
#include "model/mio/access_passes.h"

#include <algorithm>
#include <utility>

namespace shflsim::model {

AccessPasses::AccessPasses(const PassParams& params, uint32_t interval)
    : params_(params),
      interval_(interval),
      place_left_(std::max(1u, params.places)),
      window_left_(std::max(1u, params.window)),
      words_(params.words) {}

void AccessPasses::take(unsigned sub_partition, Cycle now, Cycle free) {
  next_[sub_partition] = now + interval_;
  free_ = free;
  was_pass_ = false;
}

void AccessPasses::enter(unsigned sub_partition, const MioRequest& request, MioUnit& unit,
                         uint32_t words, Cycle now) {
  if (spare_.empty()) {
    spare_.push_back(static_cast<uint32_t>(all_.size()));
    all_.emplace_back();
  }
  const uint32_t place = spare_.back();
  spare_.pop_back();
  const uint32_t passes = unit.passes(request);
  all_[place] = {request, &unit, sub_partition, passes, words, now, entries_++};
  places_.push_back(place);
  place_left_.enter();
  ++waiting_;
  ++(passes != 0 ? sizes_[sub_partition] : passless_);
}

Cycle AccessPasses::words_from(uint32_t words, Cycle now) const {
  uint32_t room = words_;
  Cycle from = now;
  for (const auto& [cycle, more] : words_back_) {
    if (room >= std::min(words, params_.words)) break;
    room += more;
    from = std::max(from, cycle);
  }
  return room >= std::min(words, params_.words) ? from : kNever;
}

void AccessPasses::take_words(uint32_t words, Cycle now) {
  for (; !words_back_.empty() && words_back_.front().first <= now; words_back_.pop_front())
    words_ += words_back_.front().second;
  words_ -= std::min(words, words_);
}

/// The place in the window of what the free server takes next; the window's size if there is none.
size_t AccessPasses::choice(unsigned server) const {
  const uint32_t beside = serving_[1 - server];
  const auto may_go = [&](const Access& each) {
    if (each.left == 0 || beside == kNone) return each.left != 0;
    const Access& other = all_[beside];
    return each.request.has_lanes ? !each.is_of_warp(other) : each.number < other.number;
  };
  size_t place = 0;
  while (place != window_.size() && !may_go(all_[window_[place]])) ++place;
  return place;
}

void AccessPasses::move_into_window(Cycle now) {
  while (!places_.empty() && window_left_.from(now) <= now) {
    window_.push_back(places_.front());
    places_.pop_front();
    window_left_.enter();
    place_left_.leave(now + params_.place_back);
  }
}

void AccessPasses::remove(size_t place, Cycle now) {
  for (; place + 1 != window_.size(); ++place) window_[place] = window_[place + 1];
  window_.pop_back();
  window_left_.leave(now + params_.window_back);
}

/// Takes from the window what can be served.
void AccessPasses::serve(unsigned server, Cycle now) {
  const size_t place = choice(server);
  if (place == window_.size()) return;
  serving_[server] = window_[place];
  Access& access = all_[window_[place]];
  access.next = std::max(now, free_of_warp(access));
  remove(place, now);
}

/// Takes a pass of one of the two; nullptr if neither may have one.
const AccessPasses::Access* AccessPasses::next_pass(Cycle now) {
  fill_window(now);
  for (unsigned i = 0; i < serving_.size(); ++i) {
    if (serving_[i] == kNone && !window_.empty()) serve(i, now);
  }
  if (free_ > now) return nullptr;
  for (unsigned i = 0; i < serving_.size(); ++i) {
    uint32_t& place = serving_[(turn_ + i) % serving_.size()];
    if (place == kNone) continue;
    Access& access = all_[place];
    if (access.next > now) continue;
    if (access.unit->free_for(access.request, access.sub_partition, now) > now) continue;
    turn_ = (turn_ + i + 1) % 2;
    --access.left;
    access.next = now + interval_;
    take(access.sub_partition, now, now + 1);
    was_pass_ = true;
    if (access.left == 0) {
      ended(access, now);
      let_go(std::exchange(place, kNone));
    }
    return &access;
  }
  return nullptr;
}

void AccessPasses::ended(const Access& access, Cycle now) {
  free_of_warp(access) = now + interval_;
  --sizes_[access.sub_partition];
  if (access.words != 0) words_back_.emplace_back(now + params_.words_back, access.words);
}

Cycle AccessPasses::due(Cycle now) const {
  Cycle due = places_.empty() ? kNever : window_left_.from(now);
  for (size_t i = 0; passless_ != 0 && i < window_.size(); ++i) {
    const Access& access = all_[window_[i]];
    if (access.left == 0) due = std::min(due, leaves_from(access, now));
  }
  for (unsigned i = 0; i < serving_.size(); ++i) {
    if (serving_[i] == kNone) {
      const bool takes_next = choice(i) != window_.size();
      if (takes_next) due = std::min(due, std::max(now, free_));
      continue;
    }
    const Access& access = all_[serving_[i]];
    const Cycle from = std::max({access.next, free_, now});
    due = std::min(due, access.unit->free_for(access.request, access.sub_partition, from));
  }
  return due;
}

}  // namespace shflsim::model
