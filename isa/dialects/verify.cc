// SPDX-License-Identifier: Apache-2.0
#include "isa/dialects/verify.h"

#include "isa/codec/codec.h"
#include "isa/dialects/listing_text.h"

namespace shflsim::isa {

/// nvdisasm prints "`(name)" for a value that a linker fills in,
/// and does not print the value: any value is accepted there.
bool same_text(const std::string& listed, const std::string& own) {
  const std::string wanted = without_spaces(listed), found = without_spaces(own);
  const size_t open = wanted.find("`(");
  const size_t close = wanted.find(')', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return wanted == found;
  const size_t behind = wanted.size() - close - 1;
  return found.size() >= open + behind && found.compare(0, open, wanted, 0, open) == 0 &&
         found.compare(found.size() - behind, behind, wanted, close + 1, behind) == 0;
}

namespace {

/// Why the text of a decoded instruction does not encode to its word; "" if it does.
std::string encoding_fault(const Instruction& instruction, const std::string& text) {
  try {
    const Encoded encoded = encode(text, instruction.address);
    const unsigned reuse = instruction.control.reuse & 7u;
    if (encoded.word != instruction.word) return "'" + text + "' encodes to another word";
    // Instructions without register operands may use the control field's reuse bits differently.
    return (encoded.reuse & ~reuse) == 0 ? "" : "'" + text + "' encodes to other reuse bits";
  } catch (const SyntaxError& error) {
    return "'" + text + "' does not encode: " + error.what;
  }
}

class Verifier {
 public:
  Verifier(const ListingText& listing, const ListedKernel& kernel, Verification* out)
      : kernel_(kernel), out_(*out), braces_(listing) {}

  void run() {
    for (size_t i = 0; i < kernel_.words.size(); ++i) {
      if (i % 4 != 0) verify_word(i);
    }
  }

 private:
  void differ(size_t i, const std::string& what) {
    out_.differences.push_back({kernel_.word_lines[i], kernel_.name, what});
  }

  void verify_word(size_t i) {
    ++out_.instructions;
    const uint32_t address = static_cast<uint32_t>(i * 8);
    const Control control = kernel_.control_at(i);
    Instruction instruction;
    const std::string problem = decode(kernel_.words[i], address, control, &instruction);
    if (!problem.empty()) {
      braces_.around("", control);
      return differ(i, problem);
    }
    ++out_.decoded;
    const std::string text = text_of(instruction);
    compare_texts(i, kernel_.text_at(address), braces_.around(text, control));
    const std::string fault = encoding_fault(instruction, text);
    if (!fault.empty()) return differ(i, fault);
    ++out_.reencoded;
  }

  void compare_texts(size_t i, const std::string& listed, const std::string& own) {
    if (same_text(listed, own)) {
      ++out_.texts_equal;
    } else {
      differ(i, "reads '" + listed + "'; its word says '" + own + "'");
    }
  }

  const ListedKernel& kernel_;
  Verification& out_;
  Braces braces_;
};

}  // namespace

Verification verify_listing(const SourceText& source) {
  Verification out;
  const ListingText listing = read_listing(source);
  for (const ListedKernel& kernel : listing.kernels) Verifier(listing, kernel, &out).run();
  return out;
}

}  // namespace shflsim::isa
