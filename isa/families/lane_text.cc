// SPDX-License-Identifier: Apache-2.0
#include "isa/families/lane_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"

namespace shflsim::isa {
namespace {

bool is_separator(char c) { return c == ',' || std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Splits a text at the separators outside brackets and quotes.
class Splitter {
 public:
  explicit Splitter(const std::string& text) : text_(text) {}

  std::vector<LaneToken> tokens() {
    for (size_t at = 0; at < text_.size(); ++at) take(at);
    end_token();
    return std::move(tokens_);
  }

 private:
  void take(size_t at) {
    const char c = text_[at];
    if (c == '"') quoted_ = !quoted_;
    const bool opens_call = c == '(' && tokens_.empty() && depth_ == 0 && !token_.empty();
    const bool closes_call = c == ')' && depth_ == 0 && called_;
    if (!quoted_ && (opens_call || closes_call || (depth_ == 0 && is_separator(c)))) {
      called_ = called_ || opens_call;
      end_token();
      return;
    }
    if (!quoted_ && (c == '[' || c == '(')) ++depth_;
    if (!quoted_ && (c == ']' || c == ')') && depth_ > 0) --depth_;
    if (depth_ > 0 && std::isspace(static_cast<unsigned char>(c)) != 0) return;
    if (token_.empty()) column_ = static_cast<unsigned>(at) + 1;
    token_ += c;
  }
  void end_token() {
    if (!token_.empty()) tokens_.push_back({token_, column_});
    token_.clear();
  }

  const std::string& text_;
  std::vector<LaneToken> tokens_;
  std::string token_;
  unsigned column_ = 1;
  unsigned depth_ = 0;
  bool quoted_ = false;
  bool called_ = false;
};

}  // namespace

LaneText::LaneText(const std::string& text) : text_(text), tokens_(Splitter(text).tokens()) {
  if (tokens_.empty())
    throw InputError("no instruction; expected one such as v_readlane_b32 s0, v1, 3");
}

const LaneToken& LaneText::operand(size_t index) const {
  if (index >= operands()) expect(index + 1, index + 1);
  return tokens_[index + 1];
}

void LaneText::expect(size_t least, size_t most) const {
  if (operands() < least) {
    reject({"", static_cast<unsigned>(text_.size()) + 1},
           fmt::format("{} operands of {}; expected {}", operands(), operation(), least));
  }
  if (operands() > most)
    reject(tokens_[most + 1], fmt::format("'{}' behind {} operands of {}; expected no more",
                                          tokens_[most + 1].text, most, operation()));
}

void LaneText::reject(const LaneToken& token, const std::string& what) const {
  throw InputError({"'" + text_ + "'", 1, token.column}, what);
}

void LaneText::reject_operation(const std::vector<std::string>& known) const {
  reject("'" + operation() + "' is no operation of lanes here" + suggestion(operation(), known));
}

uint32_t LaneText::number(const LaneToken& token, uint32_t least, uint32_t most) const {
  const std::optional<uint64_t> value = whole_number(token.text);
  if (!value || *value < least || *value > most)
    reject(token, fmt::format("'{}'; expected a number from {} to {}", token.text, least, most));
  return static_cast<uint32_t>(*value);
}

std::optional<uint32_t> LaneText::keyed(const LaneToken& token, const std::string& key,
                                        uint32_t least, uint32_t most) const {
  if (token.text.rfind(key + ":", 0) != 0) return std::nullopt;
  const auto at = static_cast<unsigned>(key.size()) + 1;
  return number({token.text.substr(at), token.column + at}, least, most);
}

std::optional<std::vector<uint32_t>> LaneText::keyed_list(const LaneToken& token,
                                                          const std::string& key, size_t count,
                                                          uint32_t most) const {
  if (token.text.rfind(key + ":[", 0) != 0 || token.text.back() != ']') return std::nullopt;
  const size_t begin = key.size() + 2;
  std::istringstream items(token.text.substr(begin, token.text.size() - begin - 1));
  std::vector<uint32_t> numbers;
  for (std::string item; std::getline(items, item, ',');)
    numbers.push_back(number({item, token.column}, 0, most));
  if (numbers.size() != count)
    reject(token, fmt::format("{} numbers of {}; expected {}", numbers.size(), key, count));
  return numbers;
}

uint32_t LaneText::register_number(const LaneToken& token, const std::string& letter,
                                   uint32_t most) const {
  if (token.text.rfind(letter, 0) == 0) {
    const std::optional<uint64_t> value = whole_number(token.text.substr(letter.size()));
    if (value && *value <= most) return static_cast<uint32_t>(*value);
  }
  reject(token, fmt::format("'{}'; expected a register from {}0 to {}{}", token.text, letter,
                            letter, most));
}

std::vector<uint32_t> LaneText::values(const LaneToken& token, const LaneContext& context) const {
  const auto known = context.registers.find(token.text);
  if (known != context.registers.end()) return known->second;
  const bool begins_number = std::isdigit(static_cast<unsigned char>(token.text[0])) != 0;
  if (begins_number || token.text.rfind("lane", 0) == 0)
    return lane_values(token.text, context.lanes, "'" + text_ + "'");
  reject(token, fmt::format("{0} is not known; expected its lanes' values as --values, such as "
                            "--values '{0}=lane^1'",
                            token.text));
}

uint32_t LaneText::uniform(const LaneToken& token, const LaneContext& context) const {
  const std::vector<uint32_t> all = values(token, context);
  if (std::any_of(all.begin(), all.end(), [&](uint32_t value) { return value != all[0]; }))
    reject(token, "'" + token.text + "' differs from lane to lane; expected one value for all");
  return all[0];
}

}  // namespace shflsim::isa
