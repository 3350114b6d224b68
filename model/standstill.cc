// SPDX-License-Identifier: Apache-2.0
#include "model/standstill.h"

#include <algorithm>
#include <tuple>

namespace shflsim::model {
namespace {

std::string name_of(const ResidentWarp& who) {
  return "block " + std::to_string(who.block) + " warp " + std::to_string(who.warp);
}

std::string cycle(Cycle cycle) { return "cycle " + std::to_string(cycle); }

}  // namespace

void Standstill::warp_started(const ResidentWarp& warp, Cycle now) {
  Warp& its = warps_[warp.index];
  its.who = warp;
  its.since = now;
}

void Standstill::warp_left(const ResidentWarp& warp, Cycle /*now*/) { warps_.erase(warp.index); }

void Standstill::stood(const ResidentWarp& warp, uint32_t index, WarpState state, Cycle from,
                       Cycle to) {
  Warp& its = warps_[warp.index];
  if (its.state != state || its.index != index) its.since = from;
  its.index = index;
  its.state = state;
  now_ = std::max(now_, to);
}

void Standstill::issued(const ResidentWarp& warp, const Issue& issue) {
  Warp& its = warps_[warp.index];
  its.last_issued = issue.index;
  for (auto request = its.requests.begin(); request != its.requests.end();)
    request = request->second.result <= issue.cycle ? its.requests.erase(request) : ++request;
}

void Standstill::entered(InstructionId id, Stage stage, Cycle from) {
  Warp& its = warps_[id.warp];
  Request& request = its.requests[id.number];
  if (request.entered.empty()) request.index = its.last_issued;
  request.entered[stage] = from;
}

void Standstill::done(InstructionId id, Cycle result) {
  const auto request = warps_[id.warp].requests.find(id.number);
  if (request != warps_[id.warp].requests.end()) request->second.result = result;
}

std::vector<const Standstill::Warp*> Standstill::by_place() const {
  std::vector<const Warp*> all;
  for (const auto& [index, warp] : warps_) all.push_back(&warp);
  std::sort(all.begin(), all.end(), [](const Warp* a, const Warp* b) {
    return std::tie(a->who.sm, a->who.sub_partition, a->who.slot) <
           std::tie(b->who.sm, b->who.sub_partition, b->who.slot);
  });
  return all;
}

std::string Standstill::place_of(const Request& request, const isa::CodeLine& line) const {
  const auto last = std::find_if(request.entered.rbegin(), request.entered.rend(),
                                 [this](const auto& stage) { return stage.second <= now_; });
  const Stage stage = last == request.entered.rend() ? Stage::kQueue : last->first;
  const std::string unit = isa::pipe_name(line.pipe);
  std::string text;
  switch (stage) {
    case Stage::kQueue: text = "in the queue"; break;
    case Stage::kOperands: text = "collects its operands"; break;
    case Stage::kReady: text = "waits for the " + unit + " unit"; break;
    case Stage::kUnit: text = "in the " + unit + " unit"; break;
  }
  text += " since " + cycle(request.entered.at(stage));
  return request.result == kNever ? text : text + ", done in " + cycle(request.result);
}

std::string Standstill::text(const isa::Code& code) const {
  std::string warps;
  std::string requests;
  for (const Warp* warp : by_place()) {
    const std::string name = name_of(warp->who);
    warps += name + ": " + warp_state_name(warp->state) + " before " +
             code.lines[warp->index].text + ", since " + cycle(warp->since) + "\n";
    for (const auto& [number, request] : warp->requests) {
      if (request.result <= now_) continue;
      const isa::CodeLine& line = code.lines[request.index];
      requests += "SM " + std::to_string(warp->who.sm) + " sub-partition " +
                  std::to_string(warp->who.sub_partition) + ", " + name + ", " + line.text + ": " +
                  place_of(request, line) + "\n";
    }
  }
  if (requests.empty()) return warps + "queues and units are empty\n";
  return warps + "in the queues and units:\n" + requests;
}

}  // namespace shflsim::model
