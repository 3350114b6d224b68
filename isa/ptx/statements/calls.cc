// SPDX-License-Identifier: Apache-2.0
// Calls that are not inlined, and variables on the stack (isa/ptx/lines/frames.h).
#include <algorithm>
#include <map>
#include <set>

#include "isa/ptx/lines/convention.h"
#include "isa/ptx/lines/frames.h"
#include "isa/ptx/statements/lowering.h"

namespace shflsim::isa::ptx {
namespace {

Operand named(const Lowering& to, const std::string& name) {
  Operand operand;
  operand.name = name;
  operand.where = to.statement().where;
  return operand;
}

using Words = std::map<int64_t, PassedWord>;

Words words_of(const Lowering& to, const std::string& name) {
  const auto words = to.function().passed.find(name);
  return words == to.function().passed.end() ? Words{} : words->second;
}

constexpr int64_t kWordBytes = sizeof(uint32_t);

Term through(Term term, int64_t word) {
  term.through = static_cast<uint8_t>(register_of_word(static_cast<uint32_t>(word)));
  return term;
}

/// The registers that a call or a return passes: each holds a word, or as many smaller numbers as
/// fit.
class RegistersPassed {
 public:
  explicit RegistersPassed(Lowering* to) : to_(*to) {}

  /// Adds the words of a variable, which begins at `offset` in the passed bytes.
  void add(const Words& words, int64_t offset, bool written) {
    for (const auto& [place, word] : words) {
      const Type type = {'b', std::max(word.type.bits, 32u)};
      const Operand named = ptx::named(to_, word.name);
      const Term held = written ? to_.destination(named, width_of(type)) : to_.source(named, type);
      const int64_t at = offset + place;
      if (type.bits == 64) add({high(held), 0, 32}, at / kWordBytes + 1);
      add({type.bits == 64 ? low(held) : held, static_cast<unsigned>(at % kWordBytes * 8),
           std::min(word.type.bits, 32u)},
          at / kWordBytes);
    }
  }

  std::vector<Term> read() const {
    std::vector<Term> terms;
    for (const auto& [word, pieces] : pieces_) {
      const bool is_whole = pieces.size() == 1 && pieces[0].shift == 0;
      terms.push_back(through(is_whole ? pieces[0].held : joined(pieces), word));
    }
    return terms;
  }

  /// The terms that receive the words. After the call, part() extracts the variables from them.
  std::vector<Term> written() {
    std::vector<Term> terms;
    for (const auto& [word, pieces] : pieces_) {
      const bool is_whole = pieces.size() == 1 && pieces[0].shift == 0;
      whole_[word] = is_whole ? pieces[0].held : temporary_written(to_);
      terms.push_back(through(whole_[word], word));
    }
    return terms;
  }
  void part() const {
    for (const auto& [word, pieces] : pieces_) {
      for (const Piece& piece : pieces) {
        const Term& whole = whole_.at(word);
        if (whole.id == piece.held.id) continue;
        to_.emit("SHR.U32", {piece.held, ptx::read(whole), number(piece.shift)});
      }
    }
  }

 private:
  struct Piece {
    Term held;
    unsigned shift = 0;
    unsigned bits = 32;
  };

  void add(const Piece& piece, int64_t word) { pieces_[word].push_back(piece); }

  Term joined(const std::vector<Piece>& pieces) const {
    Term all = rz();
    for (const Piece& piece : pieces) {
      const Term more = temporary_written(to_);
      to_.emit("BFI", {more, piece.held, number(piece.bits << 8 | piece.shift), all});
      all = ptx::read(more);
    }
    return all;
  }

  Lowering& to_;
  std::map<int64_t, std::vector<Piece>> pieces_;  ///< by word
  std::map<int64_t, Term> whole_;
};

/// A word on the stack; if `beyond`, its offset is relative to the end of the frame.
Term on_stack_at(Lowering& to, int64_t offset, bool beyond) {
  Term at = memory(to.fixed_register(kStackPointer).id, offset);
  at.beyond = beyond;
  return at;
}

std::string access(const char* operation, Type type) {
  const char* const sizes[] = {".U8", ".U16", "", ".64"};
  return operation + std::string(sizes[type.bits == 64 ? 3 : type.bits / 16]);
}

/// Stores words that do not fit into registers at the begin of the callee's frame, or loads them.
void pass_on_stack(Lowering& to, const Words& words, int64_t offset, bool loads) {
  for (const auto& [place, word] : words) {
    const Type type = {'b', std::max(word.type.bits, 32u)};
    const Operand held = named(to, word.name);
    const Term at = on_stack_at(to, offset + place, true);
    if (loads) {
      to.emit(access("LDL", word.type), {to.destination(held, width_of(type)), at});
    } else {
      to.emit(access("STL", word.type), {at, to.source(held, type)});
    }
  }
}

/// The words of a function's own arguments or results that are passed in registers but kept in
/// its frame: all of them or none.
std::set<int64_t> words_in_frame(const Lowering& to,
                                 const std::map<std::string, Variable>& variables) {
  std::set<int64_t> words;
  for (const auto& [name, variable] : variables) {
    if (to.function().in_memory.count(name) == 0 || !is_in_registers(variable)) continue;
    const int64_t end = int64_t{variable.offset} + variable.bytes;
    for (int64_t word = variable.offset / kWordBytes; word * kWordBytes < end; ++word) {
      words.insert(word);
    }
  }
  return words;
}

void receive(Lowering& to, Modifiers& modifiers) {
  modifiers.finish();
  RegistersPassed passed(&to);
  for (const auto& [name, variable] : to.function().parameters) {
    passed.add(words_of(to, name), variable.offset, true);
  }
  std::vector<Term> terms = passed.written();
  std::vector<std::vector<Term>> stores;
  const auto base = static_cast<int64_t>(on_stack(to.function().result_bytes));
  for (const int64_t word : words_in_frame(to, to.function().parameters)) {
    const Term held = temporary_written(to);
    terms.push_back(through(held, word));
    stores.push_back({on_stack_at(to, base + word * kWordBytes, false), read(held)});
  }
  to.emit(Pseudo::kReceive, terms);
  passed.part();
  for (const std::vector<Term>& store : stores) to.emit("STL", store);
}

void check(const Lowering& to, const Call& call, const Signature& signature) {
  if (to.function().is_fragment) to.fail("a function is called here; expected this in a kernel");
  if (call.arguments.size() == signature.parameters.size() &&
      call.results.size() == signature.results.size()) {
    return;
  }
  const bool is_of_driver = driver_function_named(call.name) != nullptr;
  to.fail((is_of_driver ? "'" + call.name + "' takes " : "the table of this call says ") +
          std::to_string(signature.parameters.size()) + " arguments and " +
          std::to_string(signature.results.size()) + " results");
}

/// Loads the address of the function that the pointer names from the bank of functions.
Term begin_named(Lowering& to, const Operand& pointer) {
  Term from = low(to.source(pointer, {'u', 64}));
  from.kind = Term::Kind::kConstant;
  from.bank = kFunctionBank;
  const Term begin = temporary_written(to);
  to.emit("LDC", {begin, from});
  return read(begin);
}

const Signature& known_signature(const Lowering& to, const Call& call) {
  const Signature* known = signature_of(to.module(), to.function().body, call);
  if (known != nullptr) return *known;
  to.fail(
      "this call is not supported; expected the name of a function whose body the text has, "
      "or a pointer and a .callprototype");
}

/// Lowers a call. Most calls of the text's own functions have been inlined before.
void call(Lowering& to, Modifiers& modifiers) {
  modifiers.take("uni");
  modifiers.finish();
  const Call parts = read_call(to.statement());
  const Signature& signature = known_signature(to, parts);
  check(to, parts, signature);
  to.fixed_register(kStackPointer);
  const bool is_by_name =
      to.module().devices.count(parts.name) != 0 || driver_function_named(parts.name) != nullptr;
  std::vector<Term> terms;
  if (!is_by_name) terms.push_back(begin_named(to, to.operand(parts.results.empty() ? 0 : 1)));
  RegistersPassed there(&to);
  const auto base = static_cast<int64_t>(on_stack(signature.result_bytes));
  size_t at = 0;
  for (const std::string& name : in_order(signature.parameters)) {
    const Variable& variable = signature.parameters.at(name);
    const Words words = words_of(to, parts.arguments[at++]);
    if (is_in_registers(variable)) {
      there.add(words, variable.offset, false);
    } else {
      pass_on_stack(to, words, base + variable.offset, false);
    }
  }
  RegistersPassed back(&to);
  at = 0;
  for (const std::string& name : in_order(signature.results)) {
    const Variable& variable = signature.results.at(name);
    if (is_in_registers(variable)) back.add(words_of(to, parts.results[at]), variable.offset, true);
    ++at;
  }
  for (const std::vector<Term>& more : {there.read(), back.written()}) {
    terms.insert(terms.end(), more.begin(), more.end());
  }
  to.emit("CAL", terms).callee = is_by_name ? parts.name : kByPointer;
  back.part();
  at = 0;
  for (const std::string& name : in_order(signature.results)) {
    const Variable& variable = signature.results.at(name);
    const Words words = words_of(to, parts.results[at++]);
    if (!is_in_registers(variable)) pass_on_stack(to, words, variable.offset, true);
  }
}

}  // namespace

void return_results(Lowering& to) {
  RegistersPassed passed(&to);
  for (const auto& [name, variable] : to.function().results) {
    passed.add(words_of(to, name), variable.offset, false);
  }
  std::vector<Term> terms = passed.read();
  for (const int64_t word : words_in_frame(to, to.function().results)) {
    const Term held = temporary_written(to);
    to.emit("LDL", {held, on_stack_at(to, word * kWordBytes, false)});
    terms.push_back(through(read(held), word));
  }
  to.emit("RET", terms);
}

void add_calls(LowerTable& table) {
  table["call"] = call;
  table[kReceive] = receive;
}

std::optional<int64_t> CurrentStatement::place_on_stack(const std::string& name) const {
  if (!function_.is_device) return std::nullopt;
  const auto base = static_cast<int64_t>(on_stack(function_.result_bytes));
  for (const auto* known : {&function_.local, &function_.parameters, &function_.results}) {
    const auto found = known->find(name);
    if (found == known->end()) continue;
    return found->second.offset + (known == &function_.parameters ? base : 0);
  }
  return std::nullopt;
}

std::optional<uint64_t> pointer_to(const Module& module, const std::string& name) {
  const auto index = module.devices.find(name);
  if (index == module.devices.end()) return std::nullopt;
  return (index->second + 1) * sizeof(uint64_t);
}

}  // namespace shflsim::isa::ptx
