// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/lines/operation.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include "isa/base/text_cursor.h"

namespace shflsim::isa::ptx {
namespace {

constexpr const char* kLongSuffix = "32I";

const char* name_of(const Operation::Row::Modifier& modifier) {
  return mod_names(modifier.token->names)[modifier.value];
}

/// Matches an operation's text against a row.
class RowReader {
 public:
  RowReader(const Form& form, std::string_view text) : text_(text) {
    row_.form = &form;
    row_.word = form.pattern;
  }

  std::optional<Operation::Row> read() {
    for (const isa::Token& token : row_.form->tokens) {
      if (token.type == isa::Token::Type::kLiteral) {
        if (!take(std::string_view(token.literal).substr(0, token.literal.find(' ')))) return {};
      } else if (token.type != isa::Token::Type::kModifier || is_behind_) {
        break;
      } else if (!take_modifier(token)) {
        return {};
      }
      ++row_.operands;
      if (token.literal.find(' ') != std::string::npos) is_behind_ = true;
    }
    const bool is_other = !((row_.word ^ row_.form->pattern) & row_.form->mask).none();
    if (!text_.empty() || is_other) return {};
    return row_;
  }

 private:
  bool starts_with(std::string_view name) const {
    const bool is_there = text_.substr(0, name.size()) == name;
    const std::string_view rest = text_.substr(std::min(name.size(), text_.size()));
    return is_there && (name.empty() || rest.empty() || !is_word(rest[0]) || !is_word(name.back()));
  }

  bool take(std::string_view literal) {
    if (!starts_with(literal)) return false;
    text_.remove_prefix(literal.size());
    return true;
  }

  /// Takes the longest of the modifier's names at this place.
  bool take_modifier(const isa::Token& token) {
    const std::vector<const char*>& names = mod_names(token.names);
    std::optional<size_t> best;
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == nullptr || !starts_with(names[i])) continue;
      if (!best || std::strlen(names[i]) > std::strlen(names[*best])) best = i;
    }
    if (!best) return false;
    text_.remove_prefix(std::strlen(names[*best]));
    row_.word = with_value(token, row_.word, *best);
    row_.modifiers.push_back({&token, static_cast<uint8_t>(*best)});
    return true;
  }

  std::string_view text_;
  Operation::Row row_;
  bool is_behind_ = false;  ///< the operation's name has been read
};

}  // namespace

const Operation::Entry Operation::kNothing;

Operation::Entry Operation::read(const std::string& text) {
  const FormTable& table = form_table(Arch::kSm50);
  Entry entry;
  entry.text = text;
  const auto rows = table.by_name.find(leading_name(text));
  if (rows == table.by_name.end()) return entry;
  entry.op = table.forms[rows->second.front()].op;
  for (const uint16_t row : rows->second) {
    std::optional<Row> found = RowReader(table.forms[row], text).read();
    if (found) entry.rows.push_back(std::move(*found));
  }
  if (entry.rows.empty()) return entry;
  const Form& first = *entry.rows.front().form;
  entry.op = first.op;
  entry.is_long = std::strcmp(first.letter, kLongSuffix) == 0;
  return entry;
}

const Operation::Entry* Operation::found(const std::string& text) {
  static std::mutex mutex;
  static std::unordered_map<std::string, Entry> entries;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto known = entries.find(text);
  if (known != entries.end()) return &known->second;
  Entry& entry = entries.emplace(text, read(text)).first->second;
  entry.number = static_cast<int64_t>(entries.size());
  return &entry;
}

Operation::Operation(const char* text) : entry_(found(text)) {}

Operation::Operation(const std::string& text) : entry_(found(text)) {}

Operation::Operation(Pseudo pseudo) {
  static const Entry kFrameEntry = {"$frame", 0, Op::kCount, false, Pseudo::kFrame, {}};
  static const Entry kReceiveEntry = {"$receive", 0, Op::kCount, false, Pseudo::kReceive, {}};
  static const Entry kMeetEntry = {"$meet", 0, Op::kCount, false, Pseudo::kMeet, {}};
  switch (pseudo) {
    case Pseudo::kNone: break;
    case Pseudo::kFrame: entry_ = &kFrameEntry; break;
    case Pseudo::kReceive: entry_ = &kReceiveEntry; break;
    case Pseudo::kMeet: entry_ = &kMeetEntry; break;
  }
}

std::optional<uint8_t> Operation::value(Mod mod) const {
  if (entry_->rows.empty()) return std::nullopt;
  for (const Row::Modifier& each : entry_->rows.front().modifiers) {
    if (each.token->mod == mod) return each.value;
  }
  return std::nullopt;
}

bool Operation::has(Mod mod) const {
  if (entry_->rows.empty()) return false;
  const std::vector<Row::Modifier>& modifiers = entry_->rows.front().modifiers;
  return std::any_of(modifiers.begin(), modifiers.end(), [mod](const Row::Modifier& each) {
    return each.token->mod == mod && *name_of(each) != '\0';
  });
}

bool Operation::is_exactly(Op op, std::initializer_list<std::pair<Mod, uint8_t>> modifiers) const {
  if (entry_->op != op || entry_->is_long || entry_->rows.empty()) return false;
  const std::vector<Row::Modifier>& own = entry_->rows.front().modifiers;
  const auto named = std::count_if(
      own.begin(), own.end(), [](const Row::Modifier& each) { return *name_of(each) != '\0'; });
  return static_cast<size_t>(named) == modifiers.size() &&
         std::all_of(modifiers.begin(), modifiers.end(),
                     [this](const auto& each) { return is(each.first, each.second); });
}

Operation Operation::with(Mod mod, uint8_t value) const {
  std::string text;
  const Row& row = entry_->rows.front();
  auto own = row.modifiers.begin();
  for (size_t i = 0; i < row.operands; ++i) {
    const isa::Token& token = row.form->tokens[i];
    if (token.type == isa::Token::Type::kLiteral) {
      text += token.literal.substr(0, token.literal.find(' '));
    } else {
      const uint8_t old = (own++)->value;
      text += mod_names(token.names)[token.mod == mod ? value : old];
    }
  }
  return text;
}

std::optional<Operation> Operation::renamed(const std::string& name) const {
  const Operation found = name + text().substr(leading_name(text()).size());
  return found.rows().empty() ? std::nullopt : std::optional<Operation>(found);
}

std::optional<Operation> Operation::lengthened() const {
  return renamed(std::string(leading_name(text())) + kLongSuffix);
}

}  // namespace shflsim::isa::ptx
