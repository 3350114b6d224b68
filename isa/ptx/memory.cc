// SPDX-License-Identifier: Apache-2.0
// Loads and stores, and the addresses of variables.
#include "isa/machine/launch_layout.h"
#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {
namespace {

/// Which memory an access goes to, and of what type it is.
struct Access {
  std::string space;  ///< "" for a generic address
  Type type;
  unsigned count = 1;  ///< elements of .v2 and .v4
};

/// ".cg" as LDG and STG print it; policies that only advise a cache are left out.
std::string cache_suffix(Modifiers& modifiers) {
  const std::string cache = modifiers.take_one_of({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  modifiers.take("nc");
  if (cache == "cg") return ".CG";
  return cache == "cv" ? ".CV" : "";
}

Access read_access(Lowering& to, Modifiers& modifiers, std::string* cache) {
  Access access;
  modifiers.take_one_of({"volatile", "weak", "relaxed"});
  modifiers.take_one_of({"cta", "gpu", "sys"});
  access.space = modifiers.take_one_of({"global", "shared", "param", "local", "const"});
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
  const bool is_variable = to.module().constants.variables.count(address.name) != 0;
  if (space == "param" || is_variable || address.name.empty()) {
    return constant_word(to, address, space, 0);
  }
  Term term = to.address_term(address, "const");
  term.kind = Term::Kind::kConstant;
  return term;
}

/// A value loaded into a wider register is extended.
void extend_upper(Lowering& to, const Term& d, Type type) {
  if (type.is_signed()) {
    Term lower = low(d);
    lower.written = false;
    to.emit("SHR", {high(d), lower, number(31)});
  } else {
    to.emit("MOV", {high(d), rz()});
  }
}

Term loaded_register(Lowering& to, const Operand& result, Type type, bool* extends) {
  *extends = width_of(type) == 1 && to.is_pair(result);
  return to.destination(result, *extends ? 2 : width_of(type));
}

void load_constant(Lowering& to, const Operand& result, const Operand& address,
                   const Access& access) {
  bool extends = false;
  const Term from = constant_operand(to, address, access.space);
  const Term d = loaded_register(to, result, access.type, &extends);
  if (from.kind == Term::Kind::kConstant || access.type.bits < 32) {
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

void ld(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  std::string cache;
  const Access access = read_access(to, modifiers, &cache);
  Operand element = to.address(1);
  const std::vector<Operand> results = elements_of(to, to.operand(0), access);
  const bool from_constants = access.space == "param" || access.space == "const";
  const std::string operation =
      operation_of(access.space, true) + (access.space == "global" ? cache : "");
  // A vector's address may lie in one of the registers that it is loaded into.
  std::vector<std::pair<Term, Term>> moves;
  for (const Operand& result : results) {
    if (from_constants) {
      load_constant(to, result, element, access);
    } else {
      bool extends = false;
      const Term from = to.address_term(element, access.space);
      const Term d = loaded_register(to, result, access.type, &extends);
      const bool clobbers = d.is_register() && d.id == from.id && &result != &results.back();
      Term loaded = clobbers ? to.temporary(d.width) : d;
      loaded.written = true;
      to.emit(operation + size_suffix(access.type), {extends ? low(loaded) : loaded, from});
      if (extends) extend_upper(to, loaded, access.type);
      if (clobbers) moves.emplace_back(d, loaded);
    }
    element.value += access.type.bits / 8;
  }
  for (auto& [d, loaded] : moves) {
    loaded.written = false;
    move(to, d, loaded);
  }
}

void st(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  std::string cache;
  const Access access = read_access(to, modifiers, &cache);
  if (access.space == "param" || access.space == "const") {
    to.fail("a store to ." + access.space +
            " is not supported; expected .global, .shared or .local");
  }
  const std::vector<Operand> values = elements_of(to, to.operand(1), access);
  Operand element = to.address(0);
  const std::string operation =
      operation_of(access.space, false) + (access.space == "global" && cache == ".CG" ? cache : "");
  for (const Operand& value : values) {
    const bool is_wide = width_of(access.type) == 1 && to.is_pair(value);
    const Type held = is_wide ? Type{'b', 64} : access.type;
    const Term stored = to.source(value, held);
    to.emit(operation + size_suffix(access.type),
            {to.address_term(element, access.space), is_wide ? low(stored) : stored});
    element.value += access.type.bits / 8;
  }
}

/// Asks a cache for a line: nothing that code could see.
void prefetch(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(1, 1);
  modifiers.take_one_of({"global", "local"});
  modifiers.take_one_of({"L1", "L2"});
  modifiers.finish();
  to.address(0);
}

/// A word of constant bank 0 that holds the window of a space in generic addresses.
std::string window_of(Lowering& to, Modifiers& modifiers) {
  const std::string space = modifiers.take_one_of({"global", "shared", "local"});
  if (space.empty()) {
    to.fail("'" + to.statement().opcode +
            "' of this space is not supported; expected .global, .shared or .local");
  }
  return space == "global" ? "" : space == "shared" ? "c[0x0][0x0]" : "c[0x0][0x4]";
}

/// Addresses of global memory are the same in the generic space; the others lie in a window.
void cvta(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  const bool back = modifiers.take("to");
  const std::string window = window_of(to, modifiers);
  const Type type = modifiers.take_type();
  modifiers.finish();
  const Term a = to.address_of_name(to.operand(1), type);
  const Term d = to.destination(to.operand(0), width_of(type));
  if (window.empty()) return move(to, d, a);
  if (!back) {
    to.emit("IADD", {low(d), low(a), text(window)});
  } else {
    to.emit("IADD", {low(d), low(a), negated(text(window))});
  }
  if (type.bits == 64) to.emit("MOV", {high(d), back ? rz() : high(a)});
}

/// Windows are 16 MiB; what lies in none of them is global memory.
void isspacep(Lowering& to, Modifiers& modifiers) {
  to.expect_operands(2, 2);
  if (modifiers.take("const")) {
    modifiers.finish();
    to.emit("PSETP.AND.AND", {to.destination(to.operand(0), 0), pt(), text("!PT"), pt(), pt()});
    return;
  }
  const std::string window = window_of(to, modifiers);
  modifiers.finish();
  const Term a = to.source(to.operand(1), {'u', 64});
  Term page = to.temporary();
  page.written = true;
  to.emit("LOP32I.AND", {page, low(a), number(0xFF000000)});
  page.written = false;
  Term inside = to.temporary(0);
  const auto test = [&](const std::string& base, const Term& so_far) {
    inside.written = true;
    to.emit("ISETP.EQ.U32.AND", {inside, pt(), page, text(base), so_far});
    inside.written = false;
  };
  Term narrow = to.temporary(0);
  narrow.written = true;
  to.emit("ISETP.EQ.U32.AND", {narrow, pt(), high(a), rz(), pt()});
  narrow.written = false;
  const Term p = to.destination(to.operand(0), 0);
  if (!window.empty()) {
    test(window, narrow);
    to.emit("PSETP.AND.AND", {p, pt(), inside, pt(), pt()});
    return;
  }
  test("c[0x0][0x0]", narrow);
  Term in_shared = inside;
  inside = to.temporary(0);
  test("c[0x0][0x4]", narrow);
  in_shared.before = inside.before = "!";
  to.emit("PSETP.AND.AND", {p, pt(), in_shared, inside, pt()});
}

}  // namespace

void add_memory(LowerTable& table) {
  table["ld"] = ld;
  table["ldu"] = ld;
  table["st"] = st;
  table["prefetch"] = prefetch;
  table["cvta"] = cvta;
  table["isspacep"] = isspacep;
}

}  // namespace shflsim::isa::ptx
