// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/core/facts.h"

namespace shflsim::model {
namespace {

struct Way {
  isa::Pipe pipe;
  MathUnit math;
  ReadGroup reads;
};

Way way_of(isa::TimingClass timing) {
  using Class = isa::TimingClass;
  using isa::Pipe;
  switch (timing) {
    case Class::kFloat: return {Pipe::kFmai, MathUnit::kFmai, ReadGroup::kFloat};
    case Class::kMultiply: return {Pipe::kFmai, MathUnit::kMultiply, ReadGroup::kMultiply};
    case Class::kWideMultiply: return {Pipe::kFmai, MathUnit::kWide, ReadGroup::kMultiply};
    case Class::kInteger: return {Pipe::kFxu, MathUnit::kFxu, ReadGroup::kInteger};
    case Class::kHalf: return {Pipe::kFmai, MathUnit::kHalf, ReadGroup::kFloat};
    case Class::kTensor: return {Pipe::kFmai, MathUnit::kTensor, ReadGroup::kFloat};
    case Class::kDouble: return {Pipe::kDouble, MathUnit::kDouble, ReadGroup::kFloat};
    case Class::kUniform:
    case Class::kIssueOnly: return {Pipe::kFrontEnd, MathUnit::kEither, ReadGroup::kFloat};
    case Class::kBranch: return {Pipe::kBranch, MathUnit::kEither, ReadGroup::kFloat};
    case Class::kShuffle: return {Pipe::kShuffle, MathUnit::kEither, ReadGroup::kFloat};
    case Class::kSharedLoad:
    case Class::kSharedStore:
    case Class::kBarrier: return {Pipe::kShared, MathUnit::kEither, ReadGroup::kFloat};
    case Class::kReduction:
    case Class::kSpecialFunction: return {Pipe::kXu, MathUnit::kEither, ReadGroup::kFloat};
    case Class::kSpecialRegister:
    case Class::kConstantLoad: return {Pipe::kSpecial, MathUnit::kEither, ReadGroup::kFloat};
    case Class::kGlobalLoad:
    case Class::kGlobalStore: return {Pipe::kGlobal, MathUnit::kEither, ReadGroup::kFloat};
  }
  return {Pipe::kFrontEnd, MathUnit::kEither, ReadGroup::kFloat};
}

}  // namespace

Facts facts_of(const isa::VoltaInstruction& instruction) {
  using Class = isa::TimingClass;
  const Way way = way_of(instruction.timing);
  Facts facts;
  facts.pipe = way.pipe;
  facts.math = way.math;
  facts.reads = way.reads;
  facts.latency = is_mio(way.pipe) ? isa::Latency::kVariable : isa::Latency::kFixed;
  facts.control = instruction.control;
  facts.footprint = instruction.footprint;
  facts.stall = static_cast<uint8_t>(std::max(1u, instruction.control.stall()));
  facts.yields = !instruction.control.stay();
  facts.is_exit = instruction.is_exit;
  facts.is_block_barrier = instruction.timing == Class::kBarrier;
  facts.is_clock_read = instruction.is_clock_read;
  facts.is_constant_load = instruction.timing == Class::kConstantLoad;
  facts.is_reduction = instruction.timing == Class::kReduction;
  facts.is_guarded = instruction.is_guarded;
  facts.is_store =
      instruction.timing == Class::kSharedStore || instruction.timing == Class::kGlobalStore;
  facts.access_bytes = instruction.access_bytes;
  facts.depbar_mask = instruction.depbar_mask;
  facts.depbar_most = instruction.depbar_most;
  return facts;
}

}  // namespace shflsim::model
