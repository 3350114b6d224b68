// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/mio/mio_params.h"
#include "model/mio/mio_ports.h"

namespace shflsim::model {

/// Buffer room that a request needs.
inline uint32_t operands_of(const MioRequest& request) {
  return std::max(1u, uint32_t{request.facts->footprint.read_count});
}

/// The registers that a request reads; at least 1.
inline uint32_t registers_of(const MioRequest& request) {
  const isa::Footprint& footprint = request.facts->footprint;
  uint32_t registers = 0;
  for (unsigned i = 0; i < footprint.read_count; ++i) registers += footprint.reads[i].count;
  return std::max(1u, registers);
}

/// A register of a request, by its place among those of all its operands.
struct RegisterAt {
  uint8_t index = 0;
  bool is_first = false;  ///< of its operand
};

/// A store to shared memory reads its data before its address, a SHFL its data first and its lanes
/// last.
inline RegisterAt register_at(const Facts& facts, uint32_t place) {
  const isa::Footprint& footprint = facts.footprint;
  const bool is_store = facts.is_store && facts.pipe == isa::Pipe::kShared;
  const unsigned first = facts.pipe == isa::Pipe::kShuffle ? 1
                         : is_store                        ? 0
                                                           : footprint.read_count;
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const auto& operand = footprint.reads[i < first ? i : footprint.read_count - 1 - (i - first)];
    if (place < operand.count) return {static_cast<uint8_t>(operand.index + place), place == 0};
    place -= operand.count;
  }
  return {0, place == 0};
}

inline bool is_shared_address(const MioRequest& request) {
  const Facts& facts = *request.facts;
  const bool accesses = facts.is_store || facts.footprint.write_count != 0;
  return facts.pipe == isa::Pipe::kShared && accesses && registers_of(request) == 1;
}

/// True for a shuffle or a load that no lane executes.
inline bool is_idle_load(const MioRequest& request) {
  const Facts& facts = *request.facts;
  const bool reads_memory = facts.pipe == isa::Pipe::kShared || facts.pipe == isa::Pipe::kGlobal;
  const bool is_load = reads_memory && !facts.is_store && facts.kind != isa::OpKind::kAtomic;
  return !request.has_lanes && facts.footprint.write_count != 0 &&
         (is_load || facts.pipe == isa::Pipe::kShuffle);
}

/// True for a shuffle of RZ and an access to an address of no register.
inline bool is_empty(const MioRequest& request) {
  const Facts& facts = *request.facts;
  return facts.footprint.read_count == 0 &&
         (facts.pipe == isa::Pipe::kShuffle || is_shared_address(request));
}

/// These, and what no lane executes, have nothing to collect.
inline bool reads_nothing(const MioRequest& request, const MioParams& params) {
  return params.empty_at_once != 0 && (is_empty(request) || is_idle_load(request));
}

/// These, and a read of a special register, lose no cycle where the reader becomes free.
inline bool needs_no_reader(const MioRequest& request, const MioParams& params) {
  const bool is_special = params.empty_at_once != 0 && request.facts->pipe == isa::Pipe::kSpecial &&
                          request.facts->footprint.read_count == 0;
  return is_special || reads_nothing(request, params);
}

/// Words of a lane that a shuffle or a store has read.
inline uint32_t words_of(const MioRequest& request) {
  const Facts& facts = *request.facts;
  if (facts.pipe == isa::Pipe::kShuffle) return 1;
  const isa::Footprint& footprint = facts.footprint;
  const bool is_shared = facts.is_store && facts.pipe == isa::Pipe::kShared;
  const bool stores = (is_shared || request.is_global_store()) && footprint.read_count > 1;
  return stores ? footprint.reads[footprint.read_count - 1].count : 0;
}

/// The address is there a cycle before other operands if it is all that is read and does not wait.
inline bool is_early(const MioRequest& request, const MioParams& params) {
  return is_shared_address(request) && !(request.was_held && params.held_address != 0);
}

/// True if a SHFL has so many operands that it takes a beat more.
inline bool is_split(const MioRequest& request, const MioParams& params) {
  return params.split_operands != 0 && request.facts->pipe == isa::Pipe::kShuffle &&
         request.facts->footprint.read_count >= params.split_operands;
}

/// Registers behind which the first beat of an operation goes that sends each word in a beat of its
/// own: the operands of a split SHFL, the address and the data of a store. 0: one beat has all.
inline uint32_t sent_ahead(const MioRequest& request, const MioParams& params) {
  if (is_split(request, params)) return params.split_operands - 1;
  if (!request.is_global_store()) return words_of(request) > 1 ? 1 : 0;
  const isa::Footprint& footprint = request.facts->footprint;
  return footprint.read_count > 1 ? footprint.reads[0].count : 0;
}

/// The facts above of an instruction, found once for all its requests.
struct ReadPlan {
  const Facts* facts = nullptr;
  uint8_t operands = 1;   ///< operands_of()
  uint8_t registers = 1;  ///< registers_of()
  uint8_t words = 0;      ///< words_of(), where operations take places behind the pipe
  uint8_t ahead = 0;      ///< sent_ahead()
  uint8_t joined = 0;     ///< registers before the last one that are sent with it
  bool splits = false;    ///< is_split()
  bool reads_nothing = false;

  static ReadPlan of(const MioRequest& request, const MioParams& params) {
    const uint32_t words = params.passes.places != 0 ? words_of(request) : 0;
    return {request.facts,
            static_cast<uint8_t>(operands_of(request)),
            static_cast<uint8_t>(registers_of(request)),
            static_cast<uint8_t>(words),
            static_cast<uint8_t>(sent_ahead(request, params)),
            static_cast<uint8_t>(request.facts->pipe == isa::Pipe::kShared ? 1 : 0),
            is_split(request, params),
            params.empty_at_once != 0 && is_empty(request)};
  }
  /// What of the plan holds for a request.
  ReadPlan for_lanes_of(const MioRequest& request, const MioParams& params) const {
    ReadPlan plan = *this;
    plan.reads_nothing = model::reads_nothing(request, params);
    plan.splits &= !plan.reads_nothing;
    if (plan.reads_nothing) plan.ahead = 0;
    return plan;
  }
};

/// The plans of a kernel's instructions, made when they are needed first.
class ReadPlans {
 public:
  const ReadPlan& of(const MioRequest& request, const MioParams& params) {
    const uint32_t index = request.static_index;
    const bool is_known = index < plans_.size() && plans_[index].facts == request.facts;
    return is_known ? plans_[index] : make(request, params);
  }

 private:
  [[gnu::cold]] const ReadPlan& make(const MioRequest& request, const MioParams& params) {
    if (request.static_index >= plans_.size()) plans_.resize(request.static_index + 1);
    return plans_[request.static_index] = ReadPlan::of(request, params);
  }

  std::vector<ReadPlan> plans_;
};

}  // namespace shflsim::model
