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
      words_{params.words, {}} {}

void AccessPasses::take(unsigned sub_partition, Cycle now, Cycle free) {
  next_[sub_partition] = now + interval_;
  free_ = free;
  was_pass_ = false;
}

namespace {

/// A copy to shared memory has two addresses.
uint32_t places_of(const MioRequest& request) { return request.facts->loads_to_shared ? 2 : 1; }

}  // namespace

void AccessPasses::enter(unsigned sub_partition, const MioRequest& request, MioUnit& unit,
                         uint32_t words, Cycle now) {
  if (spare_.empty()) {
    spare_.push_back(static_cast<uint32_t>(all_.size()));
    all_.emplace_back();
  }
  const uint32_t place = spare_.back();
  spare_.pop_back();
  const uint32_t passes = unit.passes(request);
  const bool is_store = request.is_global_store() && params_.loads != 0;
  const bool may_load = passes == 0 && params_.loads != 0;
  const uint32_t of_load = is_store ? 1 : may_load ? unit.load_passes(request) : 0;
  all_[place] = {request,    &unit,        sub_partition, passes + of_load, words, now,
                 entries_++, of_load != 0, false,         is_store};
  places_.push_back(place);
  for (uint32_t i = 0; i < places_of(request); ++i) place_left_.enter();
  ++waiting_;
  ++(of_load != 0 ? loads_in_front_ : passes != 0 ? sizes_[sub_partition] : passless_);
}

Cycle AccessPasses::words_from(uint32_t words, Cycle now) const {
  uint32_t room = words_.room;
  Cycle from = now;
  for (const auto& [cycle, more] : words_.back) {
    if (room >= std::min(words, params_.words)) break;
    room += more;
    from = std::max(from, cycle);
  }
  return room >= std::min(words, params_.words) ? from : kNever;
}

void AccessPasses::take_words(uint32_t words, Cycle now) {
  for (; !words_.back.empty() && words_.back.front().first <= now; words_.back.pop_front())
    words_.room += words_.back.front().second;
  words_.room -= std::min(words, words_.room);
}

/// The place in the window of what the free server takes next; the window's size if there is none.
size_t AccessPasses::choice(unsigned server) const {
  const uint32_t beside = serving_[1 - server];
  const auto may_go = [&](const Access& each) {
    if (each.is_load) return false;
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
    const Access& access = all_[places_.front()];
    window_.push_back(places_.front());
    places_.pop_front();
    window_left_.enter();
    if (!access.is_load) place_left_.leave(now + params_.place_back, places_of(access.request));
  }
}

/// Takes loads from the window as long as there is room for them.
bool AccessPasses::take_loads(Cycle now) {
  bool any = false;
  for (size_t i = 0; i < window_.size() && loads_.size() < params_.loads;) {
    if (!all_[window_[i]].is_load) {
      ++i;
      continue;
    }
    loads_.push_back(window_[i]);
    place_left_.leave(now + params_.place_back, places_of(all_[window_[i]].request));
    --loads_in_front_;
    remove(i, now);
    any = true;
  }
  return any;
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

/// Takes a pass of one of the two or of a load, which are asked in turn; nullptr if none may have
/// one.
const AccessPasses::Access* AccessPasses::next_pass(Cycle now) {
  fill_window(now);
  reads_.forget(now);
  for (unsigned i = 0; i < serving_.size(); ++i) {
    if (serving_[i] == kNone && !window_.empty()) serve(i, now);
  }
  const bool asks_load = load_first_;
  const Access* const first = asks_load ? pass_of_load(now) : pass_of_two(now);
  if (first != nullptr) return first;
  return asks_load ? pass_of_two(now) : pass_of_load(now);
}

const AccessPasses::Access* AccessPasses::pass_of_two(Cycle now) {
  if (free_ > now) return nullptr;
  for (unsigned i = 0; i < serving_.size(); ++i) {
    uint32_t& place = serving_[(turn_ + i) % serving_.size()];
    if (place == kNone) continue;
    Access& access = all_[place];
    if (access.next > now) continue;
    access.begin(reads_.open_from(now) == now);
    if (leaves_from(access, now) > now) continue;
    turn_ = (turn_ + i + 1) % 2;
    --access.left;
    access.next = now + interval_;
    take(access.sub_partition, now, now + 1);
    was_pass_ = load_first_ = true;
    if (access.left == 0) {
      ended(access, now);
      let_go(std::exchange(place, kNone));
    }
    return &access;
  }
  return nullptr;
}

/// First cycle from `now` on in which the oldest load has a pass; kNever if there is none.
Cycle AccessPasses::load_from(Cycle now) const {
  if (loads_.empty()) return kNever;
  const Access& load = all_[loads_.front()];
  if (load.is_store) return leaves_from(load, std::max({now, load.room}));
  const Cycle banks = load.request.facts->copies_past_l1() ? 0 : free_;
  return leaves_from(load, std::max({now, copied_, banks}));
}

/// Takes a pass of the oldest load, or all cycles of a copy; nullptr if it may not have one.
const AccessPasses::Access* AccessPasses::pass_of_load(Cycle now) {
  if (load_from(now) > now || all_[loads_.front()].is_store) return nullptr;
  Access& load = all_[loads_.front()];
  if (load.request.facts->copies_past_l1()) {
    copied_ = now + std::exchange(load.left, 0);
  } else {
    free_ = now + 1;
    was_pass_ = true;
    load_first_ = false;
    --load.left;
    load.has_begun = true;
  }
  if (load.left == 0) {
    let_go(loads_.front());
    loads_.pop_front();
  }
  return &load;
}

/// The store in front of the loads that leaves now; nullptr if there is none.
const AccessPasses::Access* AccessPasses::leaving_store(Cycle now) {
  if (loads_.empty() || !all_[loads_.front()].is_store) return nullptr;
  Access& store = all_[loads_.front()];
  if (store.room == 0) {
    store.room = store.unit->make_room(store.request, now);
    was_full_ = store.room > now;
  }
  if (load_from(now) > now) return nullptr;
  if (store.words != 0) words_.back.emplace_back(now + params_.words_back, store.words);
  let_go(loads_.front());
  loads_.pop_front();
  return &store;
}

void AccessPasses::ended(const Access& access, Cycle now) {
  free_of_warp(access) = now + interval_;
  --sizes_[access.sub_partition];
  if (access.words != 0) words_.back.emplace_back(now + params_.words_back, access.words);
}

Cycle AccessPasses::due(Cycle now) const {
  Cycle due = places_.empty() ? kNever : window_left_.from(now);
  for (size_t i = 0; passless_ != 0 && i < window_.size(); ++i) {
    const Access& access = all_[window_[i]];
    if (access.left == 0) due = std::min(due, leaves_from(access, now));
  }
  if (loads_in_front_ != 0 && loads_.size() < params_.loads) {
    const auto is_load = [this](uint32_t place) { return all_[place].is_load; };
    if (std::any_of(window_.begin(), window_.end(), is_load)) due = now;
  }
  due = std::min(due, load_from(now));
  for (unsigned i = 0; i < serving_.size(); ++i) {
    if (serving_[i] == kNone) {
      const bool takes_next = choice(i) != window_.size();
      if (takes_next) due = std::min(due, std::max(now, free_));
      continue;
    }
    const Access& access = all_[serving_[i]];
    due = std::min(due, leaves_from(access, std::max({access.next, free_, now})));
  }
  return due;
}

}  // namespace shflsim::model
