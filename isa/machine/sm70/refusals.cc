// SPDX-License-Identifier: Apache-2.0
// What the machine has no part for: refused by name, with the reason, before anything runs.
#include "isa/codec/form.h"
#include "isa/machine/operations.h"

namespace shflsim::isa {
namespace {

std::string because(const Instruction& instruction, const char* what) {
  return std::string(facts(instruction.op).name) + ", " + what + ",";
}

std::string bulk_copy(const Instruction& instruction) {
  return because(instruction, "an operation of the tensor memory accelerator");
}
std::string cluster(const Instruction& instruction) {
  return because(instruction, "an operation of a cluster of blocks");
}
std::string group_product(const Instruction& instruction) {
  return because(instruction, "an operation of four warps on matrices in shared memory");
}
std::string tensor_memory(const Instruction& instruction) {
  return because(instruction, "an operation on the tensor cores' own memory");
}
std::string multicast(const Instruction& instruction) {
  return because(instruction, "an access to the memories of several GPUs");
}

}  // namespace

void add_volta_refusals(OperationTable& table) {
  for (const Op op :
       {Op::kVolta_UTMACCTL, Op::kVolta_UTMACMDFLUSH, Op::kVolta_UTMALDG, Op::kVolta_UTMAPF,
        Op::kVolta_UTMAREDG, Op::kVolta_UTMASTG, Op::kVolta_UBLKCP, Op::kVolta_UBLKRED}) {
    entry(table, op).refuse = bulk_copy;
  }
  for (const Op op : {Op::kVolta_HGMMA, Op::kVolta_IGMMA, Op::kVolta_QGMMA, Op::kVolta_WARPGROUP})
    entry(table, op).refuse = group_product;
  for (const Op op : {Op::kVolta_LDTM, Op::kVolta_STTM, Op::kVolta_UTCCP, Op::kVolta_UTCSHIFT})
    entry(table, op).refuse = tensor_memory;
  for (const Op op : {Op::kVolta_STAS, Op::kVolta_REDAS}) entry(table, op).refuse = cluster;
  entry(table, Op::kVolta_UCGABAR).refuse = cluster;
  entry(table, Op::kVolta_LDGMC).refuse = multicast;
}

}  // namespace shflsim::isa
