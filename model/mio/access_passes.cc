// SPDX-License-Identifier: Apache-2.0
#include "model/mio/access_passes.h"

#include <algorithm>

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
  places_.push_back({request, &unit, sub_partition, unit.passes(request), words, now, entries_++});
  place_left_.enter();
  if (places_.back().left != 0) ++sizes_[sub_partition];
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
  const Access& other = serving_[1 - server];
  const auto may_go = [&](const Access& each) {
    if (each.left == 0 || other.left == 0) return each.left != 0;
    return each.request.has_lanes ? !each.is_of_warp(other) : each.number < other.number;
  };
  return static_cast<size_t>(std::find_if(window_.begin(), window_.end(), may_go) -
                             window_.begin());
}

void AccessPasses::fill_window(Cycle now) {
  while (!places_.empty() && window_left_.from(now) <= now) {
    window_.push_back(places_.front());
    places_.pop_front();
    window_left_.enter();
    place_left_.leave(now + params_.place_back);
  }
}

void AccessPasses::remove(size_t place, Cycle now) {
  window_.erase(window_.begin() + static_cast<std::ptrdiff_t>(place));
  window_left_.leave(now + params_.window_back);
}

/// Takes from the window what can be served.
void AccessPasses::serve(Cycle now) {
  for (unsigned i = 0; i < serving_.size(); ++i) {
    if (serving_[i].left != 0) continue;
    const size_t place = choice(i);
    if (place == window_.size()) continue;
    serving_[i] = window_[place];
    serving_[i].next = std::max(now, free_of_warp(serving_[i]));
    remove(place, now);
  }
}

/// Takes a pass of one of the two; nullptr if neither may have one.
AccessPasses::Access* AccessPasses::next_pass(Cycle now) {
  fill_window(now);
  serve(now);
  if (free_ > now) return nullptr;
  for (unsigned i = 0; i < serving_.size(); ++i) {
    Access& access = serving_[(turn_ + i) % serving_.size()];
    if (access.left == 0 || access.next > now) continue;
    if (access.unit->free_for(access.request, access.sub_partition, now) > now) continue;
    turn_ = (turn_ + i + 1) % 2;
    --access.left;
    access.next = now + interval_;
    take(access.sub_partition, now, now + 1);
    was_pass_ = true;
    if (access.left == 0) ended(access, now);
    return &access;
  }
  return nullptr;
}

void AccessPasses::ended(const Access& access, Cycle now) {
  free_of_warp(access) = now + interval_;
  --sizes_[access.sub_partition];
  if (access.words != 0) words_back_.emplace_back(now + params_.words_back, access.words);
}

Cycle& AccessPasses::free_of_warp(const Access& access) {
  std::vector<Cycle>& warps = warps_[access.sub_partition];
  if (access.request.slot >= warps.size()) warps.resize(access.request.slot + 1);
  return warps[access.request.slot];
}

Cycle AccessPasses::due(Cycle now) const {
  Cycle due = places_.empty() ? kNever : window_left_.from(now);
  for (const Access& access : window_)
    if (access.left == 0) due = std::min(due, leaves_from(access, now));
  for (unsigned i = 0; i < serving_.size(); ++i) {
    const Access& access = serving_[i];
    const bool takes_next = access.left == 0 && choice(i) != window_.size();
    if (takes_next) due = std::min(due, std::max(now, free_));
    if (access.left == 0) continue;
    const Cycle from = std::max({access.next, free_, now});
    due = std::min(due, access.unit->free_for(access.request, access.sub_partition, from));
  }
  return due;
}

}  // namespace shflsim::model
