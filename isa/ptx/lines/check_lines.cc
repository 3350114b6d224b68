// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/check_lines.h"

#include <algorithm>

#include "isa/ptx/lines/line_text.h"
#include "isa/ptx/lines/line_word.h"
#include "isa/ptx/lines/uses.h"

namespace shflsim::isa::ptx {
namespace {

using Kind = Term::Kind;

class LineChecker {
 public:
  explicit LineChecker(const Code& code) : code_(code) {}

  std::string fault() const {
    for (size_t b = 0; b < code_.blocks.size(); ++b) {
      if (std::string fault = fault_of_block(b); !fault.empty()) return fault;
    }
    return "";
  }

 private:
  std::string fault_of_block(size_t b) const {
    const Block& block = code_.blocks[b];
    const std::string name = "block " + std::to_string(b);
    const int count = static_cast<int>(code_.blocks.size());
    for (const int way : {block.taken, block.next}) {
      if (way >= count) return name + " leads to no block";
      if (way == 0) return name + " leads to the entry";
    }
    if ((block.taken >= 0) != (block.guard >= 0)) return name + " has a choice without a guard";
    if (block.guard >= 0 && !is_predicate(block.guard)) return name + " has no predicate as guard";
    for (const Line& line : block.lines) {
      const std::string fault = fault_of_line(line);
      if (!fault.empty()) return "'" + text_of_line(line) + "' in " + name + " " + fault;
    }
    return "";
  }

  bool has_register(int id) const {
    return id >= 0 && id < static_cast<int>(code_.registers.size());
  }
  bool is_predicate(int id) const {
    return has_register(id) && code_.registers[static_cast<size_t>(id)].width == 0;
  }

  std::string fault_of_line(const Line& line) const {
    if (line.guard >= 0 && !is_predicate(line.guard)) return "has no predicate as guard";
    for (const Term& term : line.terms) {
      const std::string fault = fault_of_term(term);
      if (!fault.empty()) return fault;
    }
    return has_form(line) ? "" : "has operands that its operation does not take";
  }

  std::string fault_of_term(const Term& term) const {
    const bool may_name = term.is(Kind::kMemory) || term.is(Kind::kConstant);
    if (term.is(Kind::kRegister) ? term.id < 0 : term.id >= 0 && !may_name) {
      return "has an operand that is and is not a register";
    }
    if (term.written && !term.is(Kind::kRegister)) return "writes what is no register";
    if (term.id < 0) return "";
    if (!has_register(term.id)) return "names a register that there is not";
    const unsigned words = code_.registers[static_cast<size_t>(term.id)].width;
    const bool fits = (term.width == 0) == (words == 0) && term.part + term.width <= words;
    return fits ? "" : "names more of a register than there is";
  }

  const Code& code_;
};

}  // namespace

std::string fault_in(const Code& code) { return LineChecker(code).fault(); }

/// Registers of the text may be read before they are written, but those that passes add may not.
/// Pairs are not checked: liveness is by register, and several blocks can write their words.
std::string fault_in_uses(const Code& code) {
  std::vector<Ids> live;
  try {
    live = live_on_entry(code, {});
  } catch (const NoRoom&) {
    return "";
  }
  for (const int id : live.front()) {
    const VirtualRegister& each = code.registers[static_cast<size_t>(id)];
    const bool comes_from_outside = !each.name.empty() || each.keep || each.fixed >= 0;
    if (!comes_from_outside && each.width <= 1)
      return "v" + std::to_string(id) + " is read before it is written";
  }
  return "";
}

}  // namespace shflsim::isa::ptx
