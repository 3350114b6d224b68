// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembly/data_sections.h"
#include "isa/codec/instruction.h"
#include "isa/dialects/source.h"

namespace shflsim::isa {

/// An instruction's text in the listing, and its position in the file.
struct ListedText {
  std::string text;
  unsigned line = 0;
  unsigned column = 0;
};

/// One kernel of a listing, not decoded.
struct ListedKernel {
  std::string name;
  unsigned line = 0;
  unsigned registers = 0;       ///< 0 if the listing does not say
  std::vector<uint64_t> words;  ///< from address 0 on, including control words
  std::vector<unsigned> word_lines;
  std::map<uint32_t, ListedText> texts;  ///< by address
  std::map<std::string, uint32_t> labels;

  Control control_at(size_t word) const;
  /// The text at `address` with its labels replaced by addresses; "" if there is none.
  std::string text_at(uint32_t address) const;
};

struct ListingText {
  std::vector<ListedKernel> kernels;
  bool has_braces = false;  ///< pairs that issue together are in braces, as nvdisasm prints them
  DataSections data;
};

/// Parses a listing. Throws InputError if it is not one: an address out of order, an
/// instruction without a word, a kernel of SPA 5.0 whose words do not come in fours.
ListingText read_listing(const SourceText& source, Family family = Family::kMaxwell);

/// The braces that a listing puts around a pair of instructions that issue together.
class Braces {
 public:
  explicit Braces(const ListingText& listing) : printed_(listing.has_braces) {}
  /// To be called with the texts of one kernel in order.
  std::string around(const std::string& text, const Control& control);

 private:
  bool printed_;
  bool open_ = false;
};

/// The text without white space, semicolons and annotations (*...*), for the comparison of
/// listings.
std::string without_spaces(std::string_view text);

}  // namespace shflsim::isa
