// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/values.h"

namespace shflsim::isa::ptx {

Values::Values(const Code& code, const Slots& slots, const Definitions& definitions,
               const DominatorTree& dominators)
    : code_(code),
      slots_(slots),
      definitions_(definitions),
      dominators_(dominators),
      values_(static_cast<size_t>(slots.count()), -1),
      valid_in_(static_cast<size_t>(slots.count()), -1) {}

int Values::fresh() {
  known_.emplace_back();
  return static_cast<int>(known_.size()) - 1;
}

int Values::fresh(const Value& value) {
  known_.push_back(value);
  return static_cast<int>(known_.size()) - 1;
}

int Values::of_number(uint32_t number) {
  const auto [at, is_new] = numbers_.emplace(number, -1);
  if (is_new) known_[static_cast<size_t>(at->second = fresh())].number = number;
  return at->second;
}

int Values::of_constant(const Term& constant) {
  const auto [at, is_new] = constants_.emplace(std::pair(constant.bank, constant.offset), -1);
  if (is_new) known_[static_cast<size_t>(at->second = fresh())].constant = constant;
  return at->second;
}

size_t Values::HashOfKey::operator()(const Key& key) const {
  constexpr uint64_t kPrime = 0x100000001B3;  // FNV-1a
  uint64_t hash = 0xCBF29CE484222325;
  for (const int64_t part : key) hash = (hash ^ static_cast<uint64_t>(part)) * kPrime;
  return hash;
}

int Values::of_expression(Key key, int result, const Value& value) {
  key.push_back(result);
  const auto [at, is_new] = expressions_.emplace(key, 0);
  if (is_new) {
    at->second = fresh();
    known_.back() = value;
    scopes_.back().expressions.push_back(std::move(key));
  }
  return at->second;
}

int Values::in(int slot) {
  const auto at = static_cast<size_t>(slot);
  const bool holds = definitions_.is_single(slot) || valid_in_[at] == scopes_.back().path;
  if (!holds || values_[at] < 0) change(slot, fresh());
  return values_[at];
}

void Values::change(int slot, int value) {
  const auto at = static_cast<size_t>(slot);
  scopes_.back().before.push_back({slot, values_[at], valid_in_[at]});
  values_[at] = value;
  valid_in_[at] = scopes_.back().path;
}

void Values::set(int slot, int value, int block) {
  change(slot, value);
  if (definitions_.is_single(slot)) hold(slot, value, block);
}

/// Notes that the slot holds the value. The first slot to hold a value represents it.
void Values::hold(int slot, int value, int block) {
  if (holders_.emplace(value, slot).second) scopes_.back().holders.push_back(value);
  const int id = slots_.id_of(slot);
  if (code_.registers[static_cast<size_t>(id)].width != 2) return;
  const int first = slots_.first(id);
  const int other = slot == first ? first + 1 : first;
  const Spot spot = definitions_.of(other);
  const bool is_set = definitions_.is_single(other) && values_[static_cast<size_t>(other)] >= 0 &&
                      (spot.block == block || dominators_.dominates(spot.block, block));
  if (!is_set) return;
  const auto low = static_cast<size_t>(first);
  const std::pair<int, int> pair = {values_[low], values_[low + 1]};
  if (pairs_.emplace(pair, id).second) scopes_.back().pairs.push_back(pair);
}

int Values::holder(int value) const { return found(holders_, value); }

int Values::pair_holder(int low, int high) const { return found(pairs_, {low, high}); }

void Values::enter(int block, bool goes_on) {
  const int path = goes_on ? scopes_.back().path : block;
  scopes_.emplace_back();
  scopes_.back().path = path;
}

void Values::leave() {
  for (const Key& key : scopes_.back().expressions) expressions_.erase(key);
  for (const int value : scopes_.back().holders) holders_.erase(value);
  for (const std::pair<int, int>& pair : scopes_.back().pairs) pairs_.erase(pair);
  for (auto each = scopes_.back().before.rbegin(); each != scopes_.back().before.rend(); ++each) {
    if (definitions_.is_single(each->slot)) continue;
    values_[static_cast<size_t>(each->slot)] = each->value;
    valid_in_[static_cast<size_t>(each->slot)] = each->valid_in;
  }
  scopes_.pop_back();
}

}  // namespace shflsim::isa::ptx
