// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "isa/codec/form.h"

namespace shflsim::isa::ptx {

/// Values of modifiers, in the order of isa/codec/modifiers.inc.
namespace value {
/// Values of Mod::k_icmp and k_fcmp. kNumbers: neither operand is NaN.
enum Relation : uint8_t {
  kLess = 1,
  kEqual,
  kLessOrEqual,
  kGreater,
  kNotEqual,
  kGreaterOrEqual,
  kNumbers
};
/// Values of Mod::k_logic; k_bool_ and k_bool2 do not have the last one.
enum Logic : uint8_t { kAnd, kOr, kXor, kPassB };
/// Values of Mod::k_atom.
enum Atomic : uint8_t { kAdd, kMin, kMax, kAtomicAnd = 5, kAtomicOr, kAtomicXor };
/// Values of Mod::k_size.
enum Size : uint8_t { kU8, kS8, kU16, kS16, k32, k64, k128 };
/// Values of Mod::k_ito and k_ifrom.
enum Integer : uint8_t {
  kIntegerU8,
  kIntegerU16,
  kIntegerU32,
  kIntegerS8 = 4,
  kIntegerS16,
  kIntegerS32
};
constexpr uint8_t kUnsigned = 0;        ///< value of Mod::k_unsigned_: ".U32"
constexpr uint8_t kTestZero = 2;        ///< value of Mod::k_ptest: ".Z"
constexpr uint8_t kTestNotZero = 3;     ///< value of Mod::k_ptest: ".NZ"
constexpr uint8_t kPairUnsigned = 2;    ///< value of Mod::k_funnel: ".U64"
constexpr uint8_t kPairSigned = 3;      ///< value of Mod::k_funnel: ".S64"
constexpr uint8_t kAddLowerFactor = 4;  ///< value of Mod::k_xmode: ".CBCC"
}  // namespace value

/// Lines that are not instructions yet.
enum class Pseudo : uint8_t {
  kNone,
  kFrame,    ///< moves the address of the function's frame to a register (isa/ptx/lines/frames.h)
  kReceive,  ///< receives a function's arguments (isa/ptx/lines/convention.h)
  kMeet,     ///< bar.warp.sync: no access crosses it, and it becomes no instruction
};

/// An operation of SPA 5.0 with its modifiers: "XMAD.PSL.CBCC". Each text is parsed once, and
/// operations with the same text are equal.
class Operation {
 public:
  /// A row of the opcode table that has the operation, and the bits that the operation sets.
  struct Row {
    const Form* form = nullptr;
    Word word;
    size_t operands = 0;  ///< index of the row's first token after the operation
    struct Modifier {
      const isa::Token* token = nullptr;
      uint8_t value = 0;
    };
    std::vector<Modifier> modifiers;
  };

  Operation() = default;
  Operation(const char* text);         // NOLINT(google-explicit-constructor)
  Operation(const std::string& text);  // NOLINT(google-explicit-constructor)
  Operation(Pseudo pseudo);            // NOLINT(google-explicit-constructor)

  bool operator==(const Operation& other) const { return entry_ == other.entry_; }
  bool operator!=(const Operation& other) const { return entry_ != other.entry_; }
  bool operator==(Pseudo pseudo) const { return entry_->pseudo == pseudo; }
  bool operator!=(Pseudo pseudo) const { return entry_->pseudo != pseudo; }

  /// kCount if the line is not an instruction.
  Op op() const { return entry_->op; }
  /// True if the operation has a 32-bit immediate: "IADD32I".
  bool is_long() const { return entry_->is_long; }
  /// The modifier's value; none if the operation has no such modifier.
  std::optional<uint8_t> value(Mod mod) const;
  bool is(Mod mod, uint8_t value) const { return this->value(mod) == value; }
  /// True if the modifier's value has a name, such as ".X".
  bool has(Mod mod) const;
  /// True for this operation, with a short immediate, and these modifiers only.
  bool is_exactly(Op op, std::initializer_list<std::pair<Mod, uint8_t>> modifiers = {}) const;

  /// The operation with another value of one of its modifiers.
  Operation with(Mod mod, uint8_t value) const;
  /// The operation with another name and these modifiers; none if it does not exist.
  std::optional<Operation> renamed(const std::string& name) const;
  /// The operation with a 32-bit immediate; none if it does not exist.
  std::optional<Operation> lengthened() const;

  /// A unique number of the operation.
  int64_t number() const { return entry_->number; }
  const std::string& text() const { return entry_->text; }
  const std::vector<Row>& rows() const { return entry_->rows; }

 private:
  struct Entry {
    std::string text;
    int64_t number = 0;
    Op op = Op::kCount;
    bool is_long = false;
    Pseudo pseudo = Pseudo::kNone;
    std::vector<Row> rows;  ///< rows of the opcode table; none if the operation is not in it
  };
  static Entry read(const std::string& text);
  static const Entry* found(const std::string& text);
  static const Entry kNothing;

  const Entry* entry_ = &kNothing;
};

}  // namespace shflsim::isa::ptx
