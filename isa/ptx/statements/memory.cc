// SPDX-License-Identifier: Apache-2.0
// Loads and stores, and the addresses of variables.
#include "isa/code/launch_layout.h"
#include "isa/ptx/statements/vector_access.h"

namespace shflsim::isa::ptx {
namespace {

/// The address space, type and other modifiers of an access.
struct Access {
  std::string space;  ///< "" for a generic address
  Type type;
  unsigned count = 1;  ///< elements of .v2 and .v4
  std::string fence;   ///< MEMBAR for .acquire (after the load) or .release (before the store)
};

/// The cache operator as LDG and STG print it, such as ".CG"; mere hints are left out.
std::string cache_suffix(Modifiers& modifiers) {
  const std::string cache = modifiers.take_one_of({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  modifiers.take("nc");
  if (cache == "cg") return ".CG";
  return cache == "cv" ? ".CV" : "";
}

/// Takes hints for the eviction and prefetch of cache lines; code cannot observe their effect.
void take_advice(Modifiers& modifiers) {
  modifiers.take_one_of({"L1::evict_normal", "L1::evict_unchanged", "L1::evict_first",
                         "L1::evict_last", "L1::no_allocate"});
  modifiers.take_one_of({"L2::evict_normal", "L2::evict_first", "L2::evict_last"});
  modifiers.take_one_of({"L2::64B", "L2::128B", "L2::256B"});
}

Access read_access(Lowering& to, Modifiers& modifiers, const Operand& at, std::string* cache) {
  Access access;
  const bool orders = modifiers.take("acquire") || modifiers.take("release");
  modifiers.take_one_of({"volatile", "weak", "relaxed"});
  const std::string scope = modifiers.take_one_of({"cta", "cluster", "gpu", "sys"});
  if (orders) {
    access.fence = scope == "cta" ? "MEMBAR.CTA" : scope == "sys" ? "MEMBAR.SYS" : "MEMBAR.GL";
  }
  access.space = modifiers.take_one_of({"global", "shared", "param", "local", "const"});
  if (modifiers.take("shared::cta")) access.space = "shared";
  if (modifiers.take("param::entry")) access.space = "param";
  if (modifiers.take("param::func")) access.space = "param";
  if (access.space == "param" && to.place_on_stack(at.name)) access.space = "local";
  take_advice(modifiers);
  *cache = cache_suffix(modifiers);
  const std::string vector = modifiers.take_one_of({"v2", "v4"});
  access.count = vector.empty() ? 1 : static_cast<unsigned>(vector[1] - '0');
  access.type = modifiers.take_type();
  modifiers.finish();
  if (access.type.kind == 'p')
    to.fail("a predicate cannot stand in memory; expected a number's type");
  return access;
}

std::string size_suffix(Type type) {
  switch (type.bits) {
    case 64: return ".64";
    case 32: return "";
    case 16: return type.is_signed() ? ".S16" : ".U16";
    default: return type.is_signed() ? ".S8" : ".U8";
  }
}

/// The elements of a vector operand, or the operand itself.
std::vector<Operand> elements_of(Lowering& to, const Operand& operand, const Access& access) {
  const bool is_vector = operand.kind == Operand::Kind::kVector;
  const size_t count = is_vector ? operand.elements.size() : 1;
  if (count != access.count) {
    to.fail(operand,
            std::to_string(count) + " registers; expected " + std::to_string(access.count));
  }
  return is_vector ? operand.elements : std::vector<Operand>{operand};
}

/// A word of the kernel's parameters, or of the constants of the file.
Term constant_word(Lowering& to, const Operand& address, const std::string& space, int64_t offset) {
  const bool is_parameter = space == "param";
  const std::map<std::string, Variable>& known =
      is_parameter ? to.function().parameters : to.module().constants.variables;
  const auto found = known.find(address.name);
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const auto& [name, variable] : known) names.push_back(name);
    to.fail(address, "no parameter '" + address.name + "'" + suggestion(address.name, names));
  }
  const int64_t base = is_parameter ? launch_layout(Arch::kSm50).parameters : 0;
  return constant(is_parameter ? 0 : kConstantBank,
                  base + found->second.offset + address.value + offset);
}

/// The address of a load from a constant bank: known, or in a register.
Term constant_operand(Lowering& to, const Operand& address, const std::string& space) {
  const bool is_parameter = space == "param";
  const bool is_variable = to.module().constants.variables.count(address.name) != 0;
  const bool is_register = to.function().registers.count(address.name) != 0;
  if ((is_parameter ? !is_register : is_variable) || address.name.empty()) {
    return constant_word(to, address, space, 0);
  }
  Term term = to.address_term(address, "const");
  term.kind = Term::Kind::kConstant;
  if (is_parameter) term.bank = 0;
  return term;
}

void load_constant(Lowering& to, const Operand& result, const Operand& address,
                   const Access& access) {
  bool extends = false;
  const Term from = constant_operand(to, address, access.space);
  const Term d = loaded_register(to, result, access.type, &extends);
  if (from.is_register() || access.type.bits < 32) {
    to.emit("LDC" + size_suffix(access.type), {extends ? low(d) : d, from});
  } else {
    to.emit("MOV", {low(d), from});
    if (access.type.bits == 64) {
      to.emit("MOV", {high(d), constant_word(to, address, access.space, 4)});
    }
  }
  if (extends) extend_upper(to, d, access.type);
}

std::string operation_of(const std::string& space, bool loads) {
  const std::string stem = loads ? "LD" : "ST";
  if (space == "global") return stem + "G.E";
  if (space == "shared") return stem + "S";
  return space == "local" ? stem + "L" : stem + ".E";
}

void load_one(Lowering& to, const std::string& operation, Type type, const Operand& result,
              const Term& from) {
  bool extends = false;
  const Term d = loaded_register(to, result, type, &extends);
  to.emit(operation + size_suffix(type), {extends ? low(d) : d, from});
  if (extends) extend_upper(to, d, type);
}

void fence(Lowering& to, const Access& access) {
  if (!access.fence.empty()) to.emit(access.fence, {});
}

void ld(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  std::string cache;
  Operand element = to.address(1);
  const Access access = read_access(to, modifiers, element, &cache);
  const std::vector<Operand> results = elements_of(to, to.operand(0), access);
  const bool from_constants = access.space == "param" || access.space == "const";
  const std::string operation =
      operation_of(access.space, true) + (access.space == "global" ? cache : "");
  if (!from_constants && is_one_access(access.type, results.size())) {
    load_vector(to, operation, access.type, results, to.address_term(element, access.space));
    return fence(to, access);
  }
  for (const Operand& result : results) {
    if (from_constants) {
      load_constant(to, result, element, access);
    } else {
      load_one(to, operation, access.type, result, to.address_term(element, access.space));
    }
    element.value += access.type.bits / 8;
  }
  fence(to, access);
}

void st(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  std::string cache;
  const Access access = read_access(to, modifiers, to.address(0), &cache);
  if (access.space == "param" || access.space == "const") {
    to.fail("a store to ." + access.space +
            " is not supported; expected .global, .shared or .local");
  }
  const std::vector<Operand> values = elements_of(to, to.operand(1), access);
  Operand element = to.address(0);
  const std::string operation =
      operation_of(access.space, false) + (access.space == "global" && cache == ".CG" ? cache : "");
  fence(to, access);
  if (is_one_access(access.type, values.size())) {
    return store_vector(to, operation, access.type, values, to.address_term(element, access.space));
  }
  for (const Operand& value : values) {
    const bool is_wide = width_of(access.type) == 1 && to.is_pair(value);
    const Type held = is_wide ? Type{'b', 64} : access.type;
    const Term stored = to.source(value, held);
    to.emit(operation + size_suffix(access.type),
            {to.address_term(element, access.space), is_wide ? low(stored) : stored});
    element.value += access.type.bits / 8;
  }
}

/// Lowers prefetch to nothing, since code cannot observe its effect.
void prefetch(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(1, 1);
  modifiers.take_one_of({"global", "local"});
  modifiers.take_one_of({"L1", "L2", "L1::evict_normal", "L2::evict_last", "L2::evict_normal"});
  modifiers.finish();
  to.address(0);
}

const Term kSharedWindow = constant(0, 0x0);
const Term kLocalWindow = constant(0, 0x4);

/// The word of constant bank 0 with the base of the space's window in generic addresses; RZ for
/// global memory, which has none.
Term window_of(Lowering& to, Modifiers& modifiers) {
  const std::string space = modifiers.take_one_of({"global", "shared", "local"});
  if (space.empty()) {
    to.fail("'" + to.statement().opcode +
            "' of this space is not supported; expected .global, .shared or .local");
  }
  return space == "global" ? rz() : space == "shared" ? kSharedWindow : kLocalWindow;
}

/// Lowers cvta: addresses of global memory equal generic ones; other spaces have a window.
void cvta(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const bool back = modifiers.take("to");
  if (modifiers.take("param")) {
    to.fail(
        "'cvta' of .param is not supported: SPA 5.0 has no generic addresses of parameters; "
        "expected ld.param of what 'mov' gives");
  }
  const Term window = window_of(to, modifiers);
  const Type type = modifiers.take_type();
  modifiers.finish();
  const Term a = to.address_of_name(to.operand(1), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  if (window.is(Term::Kind::kZero)) return move(to, d, a);
  to.emit("IADD", {low(d), low(a), back ? negated(window) : window});
  if (type.bits == 64) to.emit("MOV", {high(d), back ? rz() : high(a)});
}

/// Lowers isspacep: windows have 16 MiB; addresses outside of them are in global memory.
void isspacep(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  if (modifiers.take("const")) {
    modifiers.finish();
    to.emit("PSETP.AND.AND", {to.destination(to.operand(0), 0), pt(), truth(false), pt(), pt()});
    return;
  }
  const Term window = window_of(to, modifiers);
  modifiers.finish();
  const Term a = to.source(to.operand(1), {'u', 64});
  const Term page = temporary_written(to);
  to.emit("LOP32I.AND", {page, low(a), number(0xFF000000)});
  const Term inside = temporary_written(to, 0);
  const Term narrow = temporary_written(to, 0);
  const auto test = [&](const Term& result, const Term& base) {
    to.emit("ISETP.EQ.U32.AND", {result, pt(), read(page), base, read(narrow)});
  };
  to.emit("ISETP.EQ.U32.AND", {narrow, pt(), high(a), rz(), pt()});
  const Term p = to.destination(to.operand(0), 0);
  if (!window.is(Term::Kind::kZero)) {
    test(inside, window);
    to.emit("PSETP.AND.AND", {p, pt(), read(inside), pt(), pt()});
    return;
  }
  test(inside, kSharedWindow);
  const Term in_local = temporary_written(to, 0);
  test(in_local, kLocalWindow);
  to.emit("PSETP.AND.AND", {p, pt(), negated(read(inside)), negated(read(in_local)), pt()});
}

}  // namespace

void add_memory(LowerTable& table) {
  table["ld"] = ld;
  table["ldu"] = ld;
  table["st"] = st;
  table["prefetch"] = prefetch;
  table["prefetchu"] = prefetch;
  table["cvta"] = cvta;
  table["isspacep"] = isspacep;
}

}  // namespace shflsim::isa::ptx
