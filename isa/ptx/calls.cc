// SPDX-License-Identifier: Apache-2.0
// Calls that stay calls, and what stands on the stack (isa/ptx/frames.h).
#include <algorithm>

#include "isa/ptx/call_graph.h"
#include "isa/ptx/frames.h"
#include "isa/ptx/lowering.h"

namespace shflsim::isa::ptx {
namespace {

constexpr int kCalled = 0;  // R0: a pointer to a function on its way to the call

const Function* function_named(const Module& module, const std::string& name) {
  const auto index = module.devices.find(name);
  return index == module.devices.end() ? nullptr : &module.functions[index->second];
}

std::string size_of_access(Type type) {
  switch (type.bits) {
    case 64: return ".64";
    case 16: return ".U16";
    case 8: return ".U8";
    default: return "";
  }
}

/// What the function or the table says that the call passes.
const Signature& signature_of(const Lowering& to, const Call& call) {
  if (const Function* callee = function_named(to.module(), call.name)) return *callee;
  const Statement* table = table_of_call(to.function().body, call.prototype);
  if (table != nullptr && table->opcode == kCallPrototype) {
    return to.module().signatures[static_cast<size_t>(table->signature)];
  }
  for (const Operand& target : table == nullptr ? std::vector<Operand>{} : table->operands) {
    if (const Function* callee = function_named(to.module(), target.name)) return *callee;
  }
  to.fail(
      "this call is not supported; expected the name of a function whose body the text has, "
      "or a pointer and a .callprototype");
}

/// Stores the words of what is passed to where the callee's frame begins, or loads them from there.
void pass(Lowering& to, const std::string& name, uint32_t offset, bool loads) {
  const auto words = to.function().passed.find(name);
  if (words == to.function().passed.end()) return;
  for (const auto& [place, word] : words->second) {
    Operand held;
    held.name = word.name;
    held.where = to.statement().where;
    const Type type = {'b', std::max(word.type.bits, 32u)};
    Term at;
    at.kind = Term::Kind::kMemory;
    if (to.function().is_device) at.id = to.fixed_register(kStackPointer).id;
    at.offset = offset + place;
    at.beyond = true;
    if (loads) {
      to.emit("LDL" + size_of_access(word.type), {to.destination(held, width_of(type)), at});
    } else {
      to.emit("STL" + size_of_access(word.type), {at, to.source(held, type)});
    }
  }
}

void check(const Lowering& to, const Call& call, const Signature& signature) {
  if (to.function().is_fragment) to.fail("a function is called here; expected this in a kernel");
  if (call.arguments.size() == signature.parameters.size() &&
      call.results.size() == signature.results.size()) {
    return;
  }
  to.fail("the table of this call says " + std::to_string(signature.parameters.size()) +
          " arguments and " + std::to_string(signature.results.size()) + " results");
}

/// Most calls of the text's own functions have been put in place before.
void call(Lowering& to, Modifiers& modifiers) {
  modifiers.take("uni");
  modifiers.finish();
  const Call parts = read_call(to.statement());
  const Signature& signature = signature_of(to, parts);
  check(to, parts, signature);
  to.fixed_register(kStackPointer);
  const auto base = static_cast<uint32_t>(on_stack(signature.result_bytes));
  const std::vector<std::string> parameters = in_order(signature.parameters);
  for (size_t i = 0; i < parameters.size(); ++i) {
    pass(to, parts.arguments[i], base + signature.parameters.at(parameters[i]).offset, false);
  }
  const bool is_by_name = to.module().devices.count(parts.name) != 0;
  if (!is_by_name) {
    Term called = to.fixed_register(kCalled);
    called.written = true;
    const Operand& pointer = to.operand(parts.results.empty() ? 0 : 1);
    to.emit(kPointTo, {called, low(to.source(pointer, {'u', 64}))});
  }
  to.emit("CAL", {}).callee = is_by_name ? parts.name : kByPointer;
  const std::vector<std::string> results = in_order(signature.results);
  for (size_t i = 0; i < results.size(); ++i) {
    pass(to, parts.results[i], signature.results.at(results[i]).offset, true);
  }
}

}  // namespace

void add_calls(LowerTable& table) { table["call"] = call; }

std::optional<int64_t> CurrentStatement::place_on_stack(const std::string& name) const {
  if (!function_.is_device) return std::nullopt;
  for (const auto* known : {&function_.local, &function_.parameters, &function_.results}) {
    const auto found = known->find(name);
    if (found != known->end()) return found->second.offset;
  }
  return std::nullopt;
}

std::optional<uint64_t> pointer_to(const Module& module, const std::string& name) {
  const auto index = module.devices.find(name);
  if (index == module.devices.end()) return std::nullopt;
  return (index->second + 1) * sizeof(uint64_t);
}

/// A function that a pointer says is called by code of its own.
Code code_by_pointer(const Position& where) {
  Code code;
  code.is_called = true;
  code.registers.push_back({"", 1, false});
  code.registers.back().fixed = kCalled;
  Term called;
  called.kind = Term::Kind::kRegister;
  called.id = 0;
  Term from = called;
  from.kind = Term::Kind::kConstant;
  from.bank = kFunctionBank;
  Term to = called;
  to.written = true;
  Line load;
  load.operation = "LDC";
  load.terms = {to, from};
  load.where = where;
  Line jump;
  jump.operation = "JMX";
  jump.terms = {called};
  jump.where = where;
  code.blocks.emplace_back();
  code.blocks[0].lines = {load, jump};
  code.blocks[0].where = where;
  return code;
}

}  // namespace shflsim::isa::ptx
