// SPDX-License-Identifier: Apache-2.0
#include "isa/code/latency.h"

#include "isa/code/sm70_latency.h"
#include "isa/codec/form.h"

namespace shflsim::isa {
namespace {

/// True for single-precision and integer math, whose results have one fixed latency.
bool is_single(Pipe pipe) { return is_math(pipe) && pipe != Pipe::kDouble; }

bool is_sm70(const Instruction& instruction) {
  return family_of(instruction.arch) == Family::kSm70;
}

unsigned register_distance(Pipe reader) {
  if (is_single(reader)) return 6;
  switch (reader) {
    case Pipe::kShuffle:
    case Pipe::kDouble:
    case Pipe::kShared: return 4;
    case Pipe::kXu:
    case Pipe::kGlobal:
    case Pipe::kSpecial: return 2;
    default: return kLongestDistance;
  }
}

}  // namespace

unsigned least_distance(Carrier carrier, Pipe reader) {
  switch (carrier) {
    case Carrier::kRegister: return register_distance(reader);
    case Carrier::kCarry: return is_single(reader) ? 6 : kLongestDistance;
    default: return kLongestDistance;
  }
}

unsigned least_distance(const Instruction& producer, Carrier carrier, const Instruction& reader,
                        bool guards) {
  return is_sm70(producer) ? sm70_distance(producer, carrier, reader, guards)
                           : least_distance(carrier, facts(reader.op).pipe);
}

unsigned usual_latency(Pipe producer) {
  switch (producer) {
    case Pipe::kXu: return 20;
    case Pipe::kDouble: return 48;
    case Pipe::kSpecial: return 24;
    case Pipe::kShuffle:
    case Pipe::kShared: return 28;
    case Pipe::kGlobal: return 200;
    default: return 0;
  }
}

bool is_timed_by_scoreboard(const Instruction& instruction) {
  if (is_sm70(instruction)) return sm70_needs_scoreboard(instruction);
  const OpFacts& of = facts(instruction.op);
  return of.latency == Latency::kVariable || of.pipe == Pipe::kDouble;
}

unsigned result_queue(const Instruction& instruction) {
  if (is_sm70(instruction)) return sm70_queue(instruction);
  switch (facts(instruction.op).pipe) {
    case Pipe::kShuffle:
    case Pipe::kShared: return 1;
    case Pipe::kXu: return 2;
    case Pipe::kGlobal: return 3;
    case Pipe::kDouble: return 4;
    default: return 0;
  }
}

unsigned source_queue(const Instruction& instruction) {
  constexpr unsigned kShared = 1;
  const bool is_late = is_sm70(instruction) && facts(instruction.op).pipe == Pipe::kGlobal;
  return is_late ? kShared : result_queue(instruction);
}

}  // namespace shflsim::isa
