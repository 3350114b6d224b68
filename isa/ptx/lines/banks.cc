// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/banks.h"

#include "isa/ptx/lines/operations.h"

namespace shflsim::isa::ptx {

SharedReads::SharedReads(const Code& code)
    : others_(code.registers.size()), numbers_(code.registers.size(), -1) {
  for (const Block& block : code.blocks) {
    for (const Line& line : block.lines) {
      if (is_math(line)) add(reads_of(line));
    }
  }
}

void SharedReads::add(const std::vector<Read>& reads) {
  for (const Read& a : reads) {
    for (const Read& b : reads) {
      if (a.id == b.id) continue;
      others_[static_cast<size_t>(a.id)].push_back({b.id, (b.part + kBanks - a.part) % kBanks});
    }
  }
}

std::vector<SharedReads::Read> SharedReads::reads_of(const Line& line) {
  std::vector<Read> reads;
  for (const Term& term : line.terms) {
    if (!term.is(Term::Kind::kRegister) || term.written) continue;
    for (unsigned i = 0; i < term.width; ++i) reads.push_back({term.id, term.part + i});
  }
  return reads;
}

void SharedReads::place(int id, unsigned number) {
  numbers_[static_cast<size_t>(id)] = static_cast<int>(number);
}

Collisions SharedReads::collisions(int id) const {
  Collisions found{};
  for (const Other& other : others_[static_cast<size_t>(id)]) {
    const int number = numbers_[static_cast<size_t>(other.id)];
    if (number >= 0) ++found[(static_cast<unsigned>(number) + other.shift) % kBanks];
  }
  return found;
}

}  // namespace shflsim::isa::ptx
