// SPDX-License-Identifier: Apache-2.0
// Operations that the machine does not support: refused with the reason before execution.
#include "isa/codec/form.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

std::string because(const Instruction& instruction, const char* what) {
  return std::string(facts(instruction.op).name) + ", " + what + ",";
}

std::string tensor_memory(const Instruction& instruction) {
  return because(instruction, "an operation on the tensor cores' own memory");
}
std::string commits(const Instruction& instruction) {
  return because(instruction, "which tells a barrier of products in the tensor cores' own memory");
}
std::string allocates(const Instruction& instruction) {
  return because(instruction, "an allocation of the tensor cores' own memory");
}
std::string few_bits(const Instruction& instruction) {
  return because(instruction, "a product of floats of 8 bits and fewer by a warp");
}
std::string multicast(const Instruction& instruction) {
  return because(instruction, "an access to the memories of several GPUs");
}

}  // namespace

void add_sm70_refusals(OperationTable& table) {
  for (const Op op : {Op::kSm70_LDTM, Op::kSm70_STTM, Op::kSm70_UTCCP, Op::kSm70_UTCSHIFT})
    entry(table, op).refuse = tensor_memory;
  entry(table, Op::kSm70_UTCBAR).refuse = commits;
  for (const Op op : {Op::kSm70_UTCATOMSWS, Op::kSm70_UVIRTCOUNT})
    entry(table, op).refuse = allocates;
  entry(table, Op::kSm70_QMMA).refuse = few_bits;
  entry(table, Op::kSm70_LDGMC).refuse = multicast;
}

}  // namespace shflsim::isa
