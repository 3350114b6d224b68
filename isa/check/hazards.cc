// SPDX-License-Identifier: Apache-2.0
#include "isa/check/hazards.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/form.h"

namespace shflsim::isa {
namespace {

// maxwell_isa.md 4.2: the least distances that ptxas keeps on sm_50.
constexpr int kMathToMath = 6;
constexpr int kMathToShared = 4;  // and to the shuffle unit
constexpr int kMathToMemory = 2;  // and to conversions and special functions
constexpr int kToPredicate = 13;
constexpr int kCarryToChain = 6;
constexpr int kBarrierVisible = 2;

bool is_math(Pipe pipe) {
  return pipe == Pipe::kFmaiFxu || pipe == Pipe::kFmai || pipe == Pipe::kFxu;
}

bool is_fixed_math(const Instruction& instruction) {
  return is_math(facts(instruction.op).pipe) && facts(instruction.op).latency == Latency::kFixed;
}

bool is_variable(const Instruction& instruction) {
  return facts(instruction.op).latency == Latency::kVariable;
}

int register_distance(const Instruction& reader) {
  const Pipe pipe = facts(reader.op).pipe;
  if (is_math(pipe)) return kMathToMath;
  return pipe == Pipe::kShuffle || pipe == Pipe::kShared ? kMathToShared : kMathToMemory;
}

/// Results come back in order within a queue: shuffles with shared memory, special functions with
/// conversions (maxwell_isa.md 2.3), and loads, on whose order ptxas relies as well. 0: in no
/// order.
int queue_of(const Instruction& instruction) {
  switch (facts(instruction.op).pipe) {
    case Pipe::kShuffle:
    case Pipe::kShared: return 1;
    case Pipe::kXu: return 2;
    case Pipe::kGlobal: return 3;
    default: return 0;
  }
}

/// Cycles until the warp's next instruction (maxwell_isa.md 2.2, rounded down).
int interval_of(const Control& control) {
  static constexpr int kMeasured[] = {15, 6, 8, 12};
  if (control.dual_issue()) return 0;
  if (control.issue_code >= 28) return kMeasured[control.issue_code - 28];
  return std::max(1, static_cast<int>(control.stall()));
}

std::string name_and_place(const Program& program, uint32_t index) {
  const Instruction& instruction = program.code[index];
  return fmt::format("{} at 0x{:04x}", facts(instruction.op).name, instruction.address);
}

template <class F>
void for_each_bit(unsigned mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctz(mask)));
}

}  // namespace

template <class F>
void Hazards::for_each_write(F f) {
  for (Write& write : registers_) f(write);
  for (Write& write : predicates_) f(write);
  f(carry_);
}

void Hazards::complete(const Flight& flight) {
  const int queue = queue_of(program_->code[flight.index]);
  for_each_write([&](Write& write) {
    const bool before = write.sequence < flight.sequence && queue != 0 &&
                        queue_of(program_->code[write.index]) == queue;
    if (write.any && (write.sequence == flight.sequence || before)) write.pending = false;
  });
}

/// All but the last `still_flying` instructions that hold the barrier have delivered.
void Hazards::arrive(uint8_t barrier, size_t still_flying) {
  std::vector<Flight> holders;
  for (const Flight& flight : flights_) {
    if (flight.barrier == barrier) holders.push_back(flight);
  }
  const size_t done = holders.size() > still_flying ? holders.size() - still_flying : 0;
  for (size_t i = 0; i < done; ++i) {
    complete(holders[i]);
    flights_.erase(std::find_if(flights_.begin(), flights_.end(), [&](const Flight& flight) {
      return flight.sequence == holders[i].sequence;
    }));
  }
}

void Hazards::wait(const Instruction& instruction, std::string* problem) {
  for_each_bit(instruction.control.wait_mask, [&](unsigned barrier) {
    for (const Flight& flight : flights_) {
      if (flight.barrier != barrier || now_ - flight.issued >= kBarrierVisible) continue;
      *problem = fmt::format("waits for SB{} {} cycle behind the {} that sets it; expected {}",
                             barrier, now_ - flight.issued, name_and_place(*program_, flight.index),
                             kBarrierVisible);
    }
    arrive(static_cast<uint8_t>(barrier), 0);
  });
}

std::string Hazards::read_problem(const Write& write, const Instruction& reader,
                                  const std::string& name, int distance) const {
  if (write.pending) {
    const uint8_t barrier = program_->code[write.index].control.write_barrier;
    const std::string expected = barrier == Control::kNoBarrier
                                     ? "a write barrier there and a wait for it"
                                     : fmt::format("a wait for SB{}", barrier);
    return fmt::format("reads {} before the {} has delivered it; expected {}", name,
                       name_and_place(*program_, write.index), expected);
  }
  const bool fixed = write.any && is_fixed_math(program_->code[write.index]);
  if (!fixed || now_ - write.issued >= distance) return "";
  return fmt::format("reads {} {} cycles after the {} on its way to {}; expected {} at least", name,
                     now_ - write.issued, name_and_place(*program_, write.index),
                     facts(reader.op).name, distance);
}

std::string Hazards::check_reads(const Instruction& instruction, const Footprint& footprint,
                                 LaneMask lanes) const {
  std::string problem;
  const auto check = [&](const Write& write, const std::string& name, int distance) {
    if (!problem.empty() || (write.lanes & lanes) == 0) return;
    problem = read_problem(write, instruction, name, distance);
  };
  for (unsigned i = 0; i < footprint.read_count; ++i) {
    const uint8_t index = footprint.reads[i].index;
    check(registers_[index], fmt::format("R{}", index), register_distance(instruction));
  }
  for_each_bit(footprint.predicates_read, [&](unsigned index) {
    check(predicates_[index], fmt::format("P{}", index), kToPredicate);
  });
  if (footprint.reads_carry) check(carry_, "CC", kCarryToChain);
  return problem;
}

void Hazards::note_writes(uint32_t index, const Instruction& instruction,
                          const Footprint& footprint, LaneMask lanes) {
  const bool variable = is_variable(instruction);
  if (variable && instruction.control.write_barrier != Control::kNoBarrier) {
    flights_.push_back({instruction.control.write_barrier, index, now_, sequence_});
  }
  if (lanes == 0) return;
  const Write write = {variable, true, index, now_, sequence_, lanes};
  for (unsigned i = 0; i < footprint.write_count; ++i) {
    registers_[footprint.first_write + i] = write;
  }
  for_each_bit(footprint.predicates_written, [&](unsigned p) { predicates_[p] = write; });
  if (footprint.writes_carry) carry_ = write;
}

std::string Hazards::step(uint32_t index, LaneMask lanes) {
  const Instruction& instruction = program_->code[index];
  const Footprint read_and_written = footprint(instruction);
  std::string problem;
  ++sequence_;
  wait(instruction, &problem);
  // Which results a DEPBAR leaves on their way is not looked into: all count as delivered.
  for (uint8_t barrier = 0; instruction.op == Op::kDEPBAR && barrier < 6; ++barrier) {
    arrive(barrier, 0);
  }
  if (problem.empty()) problem = check_reads(instruction, read_and_written, lanes);
  note_writes(index, instruction, read_and_written, lanes);
  now_ += interval_of(instruction.control);
  return problem;
}

}  // namespace shflsim::isa
