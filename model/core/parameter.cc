// SPDX-License-Identifier: Apache-2.0
#include "model/core/parameter.h"

#include <algorithm>

namespace shflsim::model {
namespace {

constexpr uint32_t kFour = 4;

}  // namespace

bool Parameter::allows(uint64_t value) const {
  if (value < least || value > most) return false;
  switch (step) {
    case Step::kFour: return value % kFour == 0;
    case Step::kDoubling: return (value & (value - 1)) == 0;
    default: return true;
  }
}

bool Parameter::allows(const std::string& value) const {
  return (is_file && is_path(value)) ||
         std::find(choices.begin(), choices.end(), value) != choices.end();
}

bool is_path(const std::string& value) { return value.find_first_of("./") != std::string::npos; }

std::string Parameter::allowed() const {
  if (!choices.empty() || is_file) {
    std::string words;
    for (const std::string& choice : choices) words += (words.empty() ? "" : ", ") + choice;
    return words + (is_file ? ", a file" : "");
  }
  std::string range = std::to_string(least) + " to " + std::to_string(most);
  switch (step) {
    case Step::kFour: return range + " in steps of 4";
    case Step::kDoubling: return "a power of two from " + range;
    default: return word_instead == nullptr ? range : range + ", or " + word_instead;
  }
}

}  // namespace shflsim::model
