// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/verify_words.h"

#include "isa/codec/codec.h"
#include "isa/dialects/sm70_listing.h"
#include "isa/dialects/word_table.h"

namespace shflsim::isa {
namespace {

/// Checks words of sm_70 and later, whose text does not show control bits and hidden fields.
class WordVerifier {
 public:
  WordVerifier(Arch arch, Verification* out) : arch_(arch), out_(*out) {}

  void verify(const ListedWord& listed) {
    ++out_.instructions;
    Instruction instruction;
    const std::string problem = decode(arch_, listed.word, listed.address, &instruction);
    if (!problem.empty()) return differ(listed, problem);
    ++out_.decoded;
    const std::string text = text_of(instruction);
    if (same_text(listed.text, text)) {
      ++out_.texts_equal;
    } else {
      differ(listed, "reads '" + listed.text + "'; its word says '" + text + "'");
    }
    const std::string fault = fault_of(instruction, text);
    if (!fault.empty()) return differ(listed, fault);
    ++out_.reencoded;
  }

 private:
  std::string fault_of(const Instruction& instruction, const std::string& text) const {
    if (encode(instruction) != instruction.word) return "its fields encode to another word";
    try {
      const Encoded encoded = encode(arch_, text, instruction.address);
      const Word other = (encoded.word ^ instruction.word) & said_bits(instruction);
      if (!other.none()) return "'" + text + "' encodes to another word";
      const unsigned reuse = instruction.control.reuse;
      return (encoded.reuse & ~reuse) == 0 ? "" : "'" + text + "' encodes to other reuse bits";
    } catch (const SyntaxError& error) {
      return "'" + text + "' does not encode: " + error.what;
    }
  }

  void differ(const ListedWord& listed, const std::string& what) {
    out_.differences.push_back({listed.line, listed.kernel, what});
  }

  const Arch arch_;
  Verification& out_;
};

Verification verify_all(const std::vector<ListedWord>& words, Arch arch) {
  Verification out;
  for (const ListedWord& word : words) WordVerifier(word.arch.value_or(arch), &out).verify(word);
  return out;
}

}  // namespace

bool has_long_words(const SourceText& source) {
  return is_word_table(source) || sm70_arch(source).has_value();
}

Verification verify_words(const SourceText& source, std::optional<Arch> arch) {
  if (is_word_table(source)) return verify_all(table_words(source), table_arch(source, arch));
  const std::optional<Arch> listed = sm70_arch(source);
  if (!listed)
    throw InputError({source.file}, "is no listing of sm_70 or later, nor a table of words");
  return verify_all(sm70_words(source), *listed);
}

}  // namespace shflsim::isa
