// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "isa/base/faults.h"
#include "isa/ptx/lines/lines.h"
#include "isa/ptx/lines/terms.h"
#include "isa/ptx/statements/lower.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

constexpr Type kWord = {'u', 32};
constexpr int64_t kAllMembers = 0xFFFFFFFF;  ///< the membermask of a whole warp

/// The parts of an instruction's name after the first dot. Parts that are not taken are an
/// error.
class Modifiers {
 public:
  explicit Modifiers(const Statement& statement) : statement_(statement) {}

  /// Takes the part with this name; false if there is none.
  bool take(const std::string& name);
  /// Takes the first part that is among the names; "" if none is.
  std::string take_one_of(const std::vector<std::string>& names);
  /// Takes the next part that names a type. Throws InputError if there is none.
  Type take_type();
  /// Throws InputError for a part that was not taken.
  void finish() const;

 private:
  const Statement& statement_;
  std::set<size_t> taken_;
  std::vector<std::string> known_;
};

/// The statement that is being lowered; reports its errors.
class CurrentStatement {
 public:
  CurrentStatement(const Module& module, const Function& function,
                   std::vector<std::string>* warnings)
      : module_(module), function_(function), warnings_(warnings) {}

  const Module& module() const { return module_; }
  const Function& function() const { return function_; }
  const Statement& statement() const { return *statement_; }
  void warn(const std::string& what);
  [[noreturn]] void fail(const Operand& operand, const std::string& what) const;
  [[noreturn]] void fail(const std::string& what) const;
  /// Throws InputError unless the statement has that many operands.
  void expect_operands(size_t least, size_t most) const;
  const Operand& operand(size_t index) const { return statement_->operands[index]; }
  /// The statement's guard predicate.
  Operand guard() const;
  /// The labels in the .branchtargets directive that an operand names.
  const std::vector<Operand>& targets_of(const Operand& table) const;
  /// The statement's operand with this index; throws InputError if it is not an address.
  const Operand& address(size_t index) const;
  /// The offset of a variable, an argument or a result of a called function in its frame.
  std::optional<int64_t> place_on_stack(const std::string& name) const;

 protected:
  const Variable* variable(const std::string& name) const;
  std::optional<int64_t> place_of_name(const std::string& name) const;

  const Module& module_;
  const Function& function_;
  const Statement* statement_ = nullptr;

 private:
  std::vector<std::string>* warnings_;
};

/// Lowers one function from PTX to lines: keeps its names and the block that is being written.
class Lowering : public CurrentStatement {
 public:
  Lowering(const Module& module, const Function& function, UsedGlobals* globals,
           std::vector<std::string>* warnings)
      : CurrentStatement(module, function, warnings), globals_used_(*globals) {}
  Code run();

  /// Adds a line to the current block, under the statement's guard.
  Line& emit(const Operation& operation, std::vector<Term> terms);

  /// Makes a register without a name. `width` as in VirtualRegister.
  Term temporary(uint8_t width = 1);
  /// A virtual register that has this hardware register exclusively.
  Term fixed_register(int number);
  /// A register with the address of the function's frame.
  Term frame();
  /// The register, pair or predicate that the operand names, as a destination. "_" is RZ or PT.
  Term destination(const Operand& operand, uint8_t width);
  Term destination_named(const std::string& name, const Operand& at, uint8_t width);
  /// The operand in a register; numbers are moved to a temporary register.
  Term source(const Operand& operand, Type type);
  /// The operand as a 20-bit immediate if it is a number that fits, else source().
  Term short_source(const Operand& operand, Type type);
  /// A source predicate with its "!".
  Term predicate(const Operand& operand);
  /// True if the operand is a number, or a register that only ever has one number as its value.
  bool is_number(const Operand& operand, Type type, uint64_t* value) const;

  /// The operand's address for an access to the space ("" for generic addresses).
  Term address_term(const Operand& at, const std::string& space);
  /// The address that a name means: the value of a register, or the address of a variable.
  Term address_of_name(const Operand& at, Type type);
  /// True if the operand is a 64-bit register.
  bool is_pair(const Operand& operand) const;

  /// Branches to a label: by the statement's guard, or all threads.
  void branch(const Operand& label, bool uniform);
  /// Branches to the label with this index in a table: brx.idx.
  void branch_by(const Operand& index, const Operand& table);
  /// Ends the threads, or returns from a function.
  void end();

 private:
  Term global_address(const Operand& at);
  void find_labels();
  int block_of_label(const Operand& label) const;
  int id_of(const std::string& name, const Operand& at, uint8_t width);
  int declare(const std::string& name, uint8_t width);
  void check_width(int id, const Operand& at, uint8_t width) const;
  int new_block();
  void start_block(int block);
  void go_on_in(int block);
  Code in_source_order();
  void lower_statement(const Statement& statement);
  Term number_in_register(uint64_t value, uint8_t width);

  Code code_;
  Faults faults_;  ///< faults of statements
  int block_ = 0;
  bool keeps_order_ = false;   ///< accesses of the current statement keep their order
  std::vector<int> sequence_;  ///< blocks in the order of the text
  std::map<std::string, int> ids_;
  std::map<std::string, int> labels_;  ///< blocks
  UsedGlobals& globals_used_;
  std::map<int, int> fixed_;                  ///< virtual registers, by hardware register
  Term frame_;                                ///< made by the first call of frame()
  std::map<std::string, Operand> constants_;  ///< registers that are only set to one number
};

inline uint8_t width_of(Type type) { return type.kind == 'p' ? 0 : type.bits == 64 ? 2 : 1; }

/// The membermask that an operand gives: a number or a register.
Term members_of(Lowering& to, const Operand& operand);
/// A temporary register as a destination.
Term temporary_written(Lowering& to, uint8_t width = 1);
/// d = from, for one register or a pair.
void move(Lowering& to, const Term& d, const Term& from);
/// The operand extended to 32 bits from a smaller type.
Term extended(Lowering& to, const Operand& operand, Type type);

/// Operand 0 = a / b, or operand 0 = the root of operand 1, by the special function unit.
void divide_roughly(Lowering& to, const Term& a, const Term& b, const std::string& ftz);
void take_rough_root(Lowering& to);
/// Operand 0 = `operation` (MUFU.RCP or RSQ) of operand 1; only the upper word of a double.
void take_seed(Lowering& to, const std::string& operation, Type type);

constexpr int kStackPointer = 1;  ///< R1, as in the code of ptxas

/// Returns from the function, with the results where the caller expects them.
void return_results(Lowering& to);

/// How one instruction is lowered.
using Lower = void (*)(Lowering&, Modifiers&);
using LowerTable = std::map<std::string, Lower>;
void add_arithmetic(LowerTable& table);
void add_multiplication(LowerTable& table);
void add_logic(LowerTable& table);
void add_conversion(LowerTable& table);
void add_memory(LowerTable& table);
void add_control(LowerTable& table);
void add_bits(LowerTable& table);
void add_comparison(LowerTable& table);
void add_division(LowerTable& table);
void add_special_functions(LowerTable& table);
void add_atomics(LowerTable& table);
void add_synchronisation(LowerTable& table);
void add_library(LowerTable& table);
void add_video(LowerTable& table);
void add_calls(LowerTable& table);
void add_halves(LowerTable& table);
/// Prefix of the names of table entries for .f16 and .f16x2.
constexpr const char* kOfHalves = "$half_";

}  // namespace shflsim::isa::ptx
