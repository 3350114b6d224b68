// SPDX-License-Identifier: Apache-2.0
// Addresses of variables, and addresses in registers.
#include <algorithm>

#include "isa/code/launch_layout.h"
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

constexpr Type kWide = {'u', 64};

Term stack_address(Lowering& to, int64_t place, Type type) {
  const Term d = temporary_written(to, width_of(type));
  to.emit("IADD32I", {low(d), to.frame(), number(place)});
  if (type.bits == 64) to.emit("MOV", {high(d), rz()});
  return read(d);
}

Term sum_of_pair(Lowering& to, const Term& address, int64_t added) {
  Operand number;
  number.kind = Operand::Kind::kInteger;
  number.value = added;
  const Term b = to.source(number, kWide);
  const Term sum = temporary_written(to, 2);
  to.emit("IADD", {low(sum), low(address), low(b)}).sets_cc = true;
  to.emit("IADD.X", {high(sum), high(address), high(b)});
  return read(sum);
}

}  // namespace

const Operand& CurrentStatement::address(size_t index) const {
  const Operand& found = operand(index);
  if (found.kind != Operand::Kind::kAddress) {
    fail(found, "no address; expected one such as [a+4]");
  }
  return found;
}

const Variable* CurrentStatement::variable(const std::string& name) const {
  for (const auto* known : {&function_.shared, &function_.local, &module_.constants.variables}) {
    const auto found = known->find(name);
    if (found != known->end()) return &found->second;
  }
  return nullptr;
}

bool Lowering::is_pair(const Operand& operand) const {
  const auto known = ids_.find(operand.name);
  return operand.kind == Operand::Kind::kName && known != ids_.end() &&
         code_.registers[static_cast<size_t>(known->second)].width == 2;
}

/// The address of a .global variable is a constant that the loader fills in.
Term Lowering::global_address(const Operand& at) {
  const Variable& holder = module_.globals.variables.at(at.name);
  const auto& addresses = module_.globals.addresses;  // in the order of their places
  auto each = std::lower_bound(
      addresses.begin(), addresses.end(), size_t{holder.offset},
      [](const Data::Address& address, size_t offset) { return address.offset < offset; });
  for (; each != addresses.end() && each->offset < holder.offset + holder.bytes; ++each) {
    if (module_.globals.variables.count(each->name) == 0 &&
        module_.constants.variables.count(each->name) == 0 && !pointer_to(module_, each->name)) {
      fail(at, "'" + at.name + "' holds the address of '" + each->name +
                   "'; expected a variable or a function whose body the text has");
    }
  }
  const int64_t added = at.kind == Operand::Kind::kName ? at.value : 0;
  const auto index = globals_used_.emplace(at.name, globals_used_.size()).first->second;
  const Term term = temporary_written(*this, 2);
  const int64_t offset = static_cast<int64_t>(index) * 8;
  emit("MOV", {low(term), constant(kAddressBank, offset)});
  emit("MOV", {high(term), constant(kAddressBank, offset + 4)});
  return added == 0 ? read(term) : sum_of_pair(*this, read(term), added);
}

/// The offset of a variable, parameter or function within its address space; nullopt for others.
std::optional<int64_t> CurrentStatement::place_of_name(const std::string& name) const {
  if (const Variable* known = variable(name)) return known->offset;
  const auto parameter = function_.parameters.find(name);
  if (parameter != function_.parameters.end())
    return launch_layout(Arch::kSm50).parameters + int64_t{parameter->second.offset};
  if (const auto pointer = pointer_to(module_, name)) return static_cast<int64_t>(*pointer);
  return std::nullopt;
}

Term Lowering::address_of_name(const Operand& at, Type type) {
  if (at.kind != Operand::Kind::kName || ids_.count(at.name) != 0) return source(at, type);
  if (module_.globals.variables.count(at.name) != 0) {
    const Term found = global_address(at);
    return type.bits == 64 ? found : low(found);
  }
  if (const auto place = place_on_stack(at.name))
    return stack_address(*this, *place + at.value, type);
  const std::optional<int64_t> place = place_of_name(at.name);
  if (!place) return source(at, type);
  Operand value = at;
  value.kind = Operand::Kind::kInteger;
  value.value += *place;
  return source(value, type);
}

Term Lowering::address_term(const Operand& at, const std::string& space) {
  Term term = memory(-1, at.value);
  if (at.name.empty()) return term;
  const bool is_name = ids_.count(at.name) == 0;
  const std::optional<int64_t> place = is_name ? place_on_stack(at.name) : std::nullopt;
  if (place && space == "local") {
    term.id = fixed_register(kStackPointer).id;
    term.offset += *place;
    return term;
  }
  const Variable* known = ids_.count(at.name) == 0 ? variable(at.name) : nullptr;
  if (known != nullptr && !space.empty() && space != "global") {
    term.offset = static_cast<int64_t>(static_cast<uint64_t>(term.offset) + known->offset);
    return term;
  }
  Operand base = at;
  base.kind = Operand::Kind::kName;
  base.value = 0;
  if (space == "global" || space.empty()) {
    const bool is_global =
        ids_.count(at.name) == 0 && module_.globals.variables.count(at.name) != 0;
    term.id = (is_global ? global_address(base) : source(base, kWide)).id;
    term.width = 2;
    return term;
  }
  term.id = source(base, is_pair(base) ? kWide : kWord).id;
  return term;
}

}  // namespace shflsim::isa::ptx
