// SPDX-License-Identifier: Apache-2.0
#include "model/observers.h"

#include <algorithm>

namespace shflsim::model {

void Observers::add(Observer* one) {
  if (one != nullptr) all_.push_back(one);
}

Observer* Observers::combined() {
  if (all_.empty()) return nullptr;
  return all_.size() == 1 ? all_.front() : this;
}

bool Observers::follows_instructions() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const Observer* one) { return one->follows_instructions(); });
}

std::shared_ptr<void> Observers::elaborate(const traces::Trace& trace, const RunResult& result) {
  auto made = std::make_shared<std::vector<std::shared_ptr<void>>>();
  for (Observer* one : all_) made->push_back(one->elaborate(trace, result));
  return made;
}

Cycle Observers::next_sample() const {
  Cycle next = kNever;
  for (const Observer* one : all_) next = std::min(next, one->next_sample());
  return next;
}

void Observers::sampled(Cycle end, const std::vector<UnitStats>& units) {
  for (Observer* one : all_) {
    if (one->next_sample() == end) one->sampled(end, units);
  }
}

void Observers::reached(Cycle now) {
  for (Observer* one : all_) one->reached(now);
}

void Observers::block_started(uint32_t block, uint32_t sm, Cycle now) {
  for (Observer* one : all_) one->block_started(block, sm, now);
}

void Observers::block_left(uint32_t block, uint32_t sm, Cycle now) {
  for (Observer* one : all_) one->block_left(block, sm, now);
}

void Observers::warp_started(const ResidentWarp& warp, Cycle now) {
  for (Observer* one : all_) one->warp_started(warp, now);
}

void Observers::warp_left(const ResidentWarp& warp, Cycle now) {
  for (Observer* one : all_) one->warp_left(warp, now);
}

void Observers::stood(const ResidentWarp& warp, uint32_t index, WarpState state, Cycle from,
                      Cycle to) {
  for (Observer* one : all_) one->stood(warp, index, state, from, to);
}

void Observers::issued(const ResidentWarp& warp, const Issue& issue) {
  for (Observer* one : all_) one->issued(warp, issue);
}

void Observers::entered(InstructionId id, Stage stage, Cycle from) {
  for (Observer* one : all_) one->entered(id, stage, from);
}

void Observers::left_queue(InstructionId id, Cycle now) {
  for (Observer* one : all_) one->left_queue(id, now);
}

void Observers::sources_read(InstructionId id, Cycle cycle) {
  for (Observer* one : all_) one->sources_read(id, cycle);
}

void Observers::passes(InstructionId id, Cycle first, uint32_t count, uint32_t interval) {
  for (Observer* one : all_) one->passes(id, first, count, interval);
}

void Observers::done(InstructionId id, Cycle result) {
  for (Observer* one : all_) one->done(id, result);
}

}  // namespace shflsim::model
