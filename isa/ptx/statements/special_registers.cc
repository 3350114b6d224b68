// SPDX-License-Identifier: Apache-2.0
// Special registers as operands.
#include "isa/ptx/statements/special_registers.h"

#include <algorithm>
#include <iterator>

#include "isa/code/launch_layout.h"

namespace shflsim::isa::ptx {
namespace {

/// The source of a special register: a name for S2R, of which BFE may extract a part, or the offset
/// of a word of constant bank 0 that the driver fills (0x8: threads per block, 0x14: blocks per
/// grid), or a number. The upper word of a 64-bit register has a name of its own.
struct Special {
  const char* name = nullptr;
  int64_t offset = 0;
  int64_t part = 0;  ///< for BFE, as in ptxas' code: length in bits 15:8, first bit in 7:0
  const char* upper = nullptr;
  int64_t number = 0;  ///< the value itself; 0: none
};

const std::map<std::string, Special>& special_registers() {
  static const std::map<std::string, Special> table = {
      {"%tid.x", {"SR_TID.X"}},
      {"%tid.y", {"SR_TID.Y"}},
      {"%tid.z", {"SR_TID.Z"}},
      {"%ctaid.x", {"SR_CTAID.X"}},
      {"%ctaid.y", {"SR_CTAID.Y"}},
      {"%ctaid.z", {"SR_CTAID.Z"}},
      {"%laneid", {"SR_LANEID"}},
      {"%lanemask_eq", {"SR_EQMASK"}},
      {"%lanemask_lt", {"SR_LTMASK"}},
      {"%lanemask_le", {"SR_LEMASK"}},
      {"%lanemask_gt", {"SR_GTMASK"}},
      {"%lanemask_ge", {"SR_GEMASK"}},
      {"%warpid", {"SR_VIRTID", 0, 0x608}},
      {"%smid", {"SR_VIRTID", 0, 0x914}},
      // resident warps of an SM of sm_50 (CUDA C++ Programming Guide, "Technical Specifications")
      {"%nwarpid", {nullptr, 0, 0, nullptr, 64}},
      {"%total_smem_size", {"SR_SMEMSZ"}},
      {"%dynamic_smem_size", {nullptr, launch_layout(Arch::kSm50).dynamic_shared}},
      {"%clock", {"SR_CLOCKLO"}},
      {"%clock_hi", {"SR_CLOCKHI"}},
      {"%clock64", {"SR_CLOCKLO", 0, 0, "SR_CLOCKHI"}},
      {"%globaltimer", {"SR_GLOBALTIMERLO", 0, 0, "SR_GLOBALTIMERHI"}},
      {"%globaltimer_lo", {"SR_GLOBALTIMERLO"}},
      {"%globaltimer_hi", {"SR_GLOBALTIMERHI"}},
      {"%ntid.x", {nullptr, 0x8}},
      {"%ntid.y", {nullptr, 0xc}},
      {"%ntid.z", {nullptr, 0x10}},
      {"%nctaid.x", {nullptr, 0x14}},
      {"%nctaid.y", {nullptr, 0x18}},
      {"%nctaid.z", {nullptr, 0x1c}},
  };
  return table;
}

/// True for special registers of PTX that are not in the table; a '*' at the end matches any rest.
bool is_not_modelled(const std::string& name) {
  static const char* const kNames[] = {
      "%nsmid",    "%gridid",         "%pm*",
      "%envreg*",  "%aggr_smem_size", "%reserved_smem_*",
      "%cluster*", "%ncluster*",      "%is_explicit_cluster",
  };
  return std::any_of(std::begin(kNames), std::end(kNames), [&name](const std::string& known) {
    return known.back() == '*' ? name.compare(0, known.size() - 1, known, 0, known.size() - 1) == 0
                               : name == known;
  });
}

[[noreturn]] void fail_unknown(const Lowering& to, const Operand& from) {
  if (is_not_modelled(from.name))
    to.fail(from, "the special register '" + from.name +
                      "' is not supported in PTX; expected a cubin, or code without it");
  std::vector<std::string> known;
  for (const auto& [name, where] : special_registers()) known.push_back(name);
  for (const auto& [name, declaration] : to.function().registers) known.push_back(name);
  const std::string nearest = nearest_name(from.name, known);
  to.fail(from,
          "no register '" + from.name + "'" +
              (nearest.empty() ? "; expected one that .reg declares, %tid.x, %laneid or their like"
                               : "; did you mean '" + nearest + "'?"));
}

/// The special register that an operand names; nullptr if it names none.
const Special* special_named(Lowering& to, const Operand& from, Type type) {
  const bool is_declared = to.function().registers.count(from.name) != 0;
  if (from.kind != Operand::Kind::kName || from.name[0] != '%' || from.value != 0 || is_declared)
    return nullptr;
  const auto found = special_registers().find(from.name);
  if (found == special_registers().end()) {
    // Without declarations a name such as %r1 may be an ordinary register.
    if (!to.function().declares_registers) return nullptr;
    fail_unknown(to, from);
  }
  if (type.bits == 64 && found->second.upper == nullptr)
    to.fail(from, "'" + from.name + "' holds 32 bits; expected mov.u32");
  return &found->second;
}

void read_word(Lowering& to, const Special& special, const Term& word) {
  if (special.number != 0) {
    to.emit("MOV32I", {word, number(special.number)});
    return;
  }
  if (special.name == nullptr) {
    to.emit("MOV", {word, constant(0, special.offset)});
    return;
  }
  if (special.part == 0) {
    to.emit("S2R", {word, ptx::special(special.name)});
    return;
  }
  const Term whole = temporary_written(to, 1);
  to.emit("S2R", {whole, ptx::special(special.name)});
  to.emit("BFE.U32", {word, read(whole), number(special.part)});
}

void read_special(Lowering& to, const Special& special, Type type, const Term& d) {
  if (type.bits == 64) {
    to.emit("S2R", {low(d), ptx::special(special.name)});
    to.emit("S2R", {high(d), ptx::special(special.upper)});
    return;
  }
  if (type.bits == 32) return read_word(to, special, d);
  const Term word = temporary_written(to, 1);
  read_word(to, special, word);
  to.emit("LOP.AND", {d, read(word), number(0xffff)});
}

}  // namespace

std::optional<Term> special_value(Lowering& to, const Operand& from, Type type) {
  const Special* const special = special_named(to, from, type);
  if (special == nullptr) return std::nullopt;
  const Term value = temporary_written(to, width_of(type));
  read_special(to, *special, type, value);
  return read(value);
}

bool move_special(Lowering& to, Type type) {
  const Special* const special = special_named(to, to.operand(1), type);
  if (special == nullptr) return false;
  read_special(to, *special, type, to.destination(to.operand(0), width_of(type)));
  return true;
}

std::optional<std::vector<Term>> special_vector(Lowering& to, const Operand& from) {
  const std::string& name = from.name;
  if (name != "%tid" && name != "%ntid" && name != "%ctaid" && name != "%nctaid")
    return std::nullopt;
  std::vector<Term> elements;
  for (const char* const element : {".x", ".y", ".z"}) {
    const Term word = temporary_written(to, 1);
    read_word(to, special_registers().at(name + element), word);
    elements.push_back(read(word));
  }
  elements.push_back(rz());
  return elements;
}

}  // namespace shflsim::isa::ptx
