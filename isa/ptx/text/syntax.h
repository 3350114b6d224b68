// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/base/input_error.h"
#include "isa/dialects/source.h"

namespace shflsim::isa::ptx {

/// An operand in the text.
struct Operand {
  enum class Kind : uint8_t {
    kName,       ///< register, variable + value, label, special register; `second` after a '|'
    kInteger,    ///< `value`
    kFloat,      ///< `real`
    kFloatBits,  ///< `value`
    kAddress,    ///< [name + value], name may be empty
    kVector,     ///< {name, name...}
  };
  Kind kind = Kind::kName;
  std::string name;
  std::string second;
  std::string part;     ///< part that a video instruction's operand selects: "b2", "h1"
  bool negate = false;  ///< '!' before a predicate
  int64_t value = 0;
  double real = 0;
  std::vector<Operand> elements;
  Position where;
};

/// An instruction or a label.
struct Statement {
  std::string label;  ///< if not empty, this is only a label
  std::string guard;
  bool guard_negate = false;
  std::string opcode;              ///< "shfl"
  std::vector<std::string> parts;  ///< "sync", "up", "b32"
  std::vector<Operand> operands;
  int signature = -1;  ///< .callprototype: index into the module's signatures
  Position where;
};

/// Replaces the names in the statement: labels, registers, variables.
void rename(Statement& statement, const std::map<std::string, std::string>& names);

/// Calls `visit` with every name that the statement uses.
void for_each_name(const Statement& statement,
                   const std::function<void(const std::string&)>& visit);

/// A scalar type: 'u', 's', 'b', 'f' and its bits; 'p' and 1 for a predicate; 0 bits for none.
struct Type {
  char kind = 'b';
  unsigned bits = 0;
  bool is_float() const { return kind == 'f'; }
  bool is_signed() const { return kind == 's'; }
};
/// The type with this name, without the dot ("u32", "pred"); 0 bits if there is none.
Type type_named(const std::string& name);

/// The bits of a number operand; a float has `bits` bits.
uint64_t bits_of(const Operand& number, unsigned bits);

/// A parameter or a variable, with its offset in its bank or memory.
struct Variable {
  Type type;
  uint32_t offset = 0;
  uint32_t bytes = 0;  ///< 0: dynamic shared memory, whose size the launch gives
  uint32_t alignment = 1;
  bool is_register = false;  ///< a function's parameter in .reg
};

/// The variables of one state space of a file, .const or .global, and their initial values.
struct Data {
  /// Bytes that hold the address of a variable or function plus a number, or one byte of that
  /// address.
  struct Address {
    size_t offset = 0;
    std::string name;
    int64_t addend = 0;
    size_t size = sizeof(uint64_t);
    unsigned shift = 0;  ///< number of bits by which the address is shifted to the right
    bool is_generic = false;
  };
  std::map<std::string, Variable> variables;
  std::vector<uint8_t> bytes;
  std::vector<Address> addresses;
};

/// The arguments and results of a function's calls, by name.
struct Signature {
  std::map<std::string, Variable> parameters;
  std::map<std::string, Variable> results;
  uint32_t parameter_bytes = 0;
  uint32_t result_bytes = 0;
};

/// A word that a call passes: its type, and the register that holds it.
struct PassedWord {
  Type type;
  std::string name;
};

/// A kernel, a function, or a piece of code that is outside of functions.
struct Function : Signature {
  std::string name;
  bool is_fragment = false;
  bool is_device = false;                 ///< .func: called by kernels, not a kernel
  std::set<std::string> call_parameters;  ///< .param within the body: words that calls pass
  /// .func: arguments and results that are in its frame.
  std::set<std::string> in_memory;
  /// Words of arguments and results that are in registers, by name and offset.
  std::map<std::string, std::map<int64_t, PassedWord>> passed;
  std::map<std::string, Variable> shared;
  std::map<std::string, Variable> local;
  bool declares_registers = false;  ///< has .reg, even if the code does not use the registers
  /// Registers that .reg declares; for a kernel or a .func only those that its code names.
  std::map<std::string, Type> registers;
  std::vector<Statement> body;
  uint32_t shared_bytes = 0;
  uint32_t local_bytes = 0;
  uint32_t most_threads = 0;  ///< of a block, by .maxntid or .reqntid; 0: not given
};

/// The directive after the label of a table of brx.idx: its operands are labels.
constexpr const char* kBranchTargets = ".branchtargets";
/// The directives after the label that a call by pointer names: its signature, or the functions
/// that it may reach.
constexpr const char* kCallPrototype = ".callprototype";
constexpr const char* kCallTargets = ".calltargets";
inline bool is_table(const Statement& statement) {
  return statement.opcode == kBranchTargets || statement.opcode == kCallPrototype ||
         statement.opcode == kCallTargets;
}

/// A PTX text: its head, variables and functions.
struct Module {
  std::string file;
  unsigned version = 0;  ///< 10 times .version's major number plus its minor one; 0: not given
  unsigned target = 0;   ///< 50 for sm_50; 0: not given
  Data constants;        ///< .const
  Data globals;          ///< .global
  std::vector<Function> functions;
  std::map<std::string, size_t> devices;  ///< indices of functions that can be called, by name
  std::vector<Signature> signatures;      ///< signatures that .callprototype declares
};

/// Parses a PTX text. Statements with unknown opcodes keep no operands. Throws InputError if the
/// text is not PTX, and for directives that are not supported.
Module parse(const SourceText& source, bool (*is_opcode)(const std::string& name));

}  // namespace shflsim::isa::ptx
