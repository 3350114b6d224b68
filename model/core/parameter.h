// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace shflsim::model {

/// Which numbers of its range a parameter allows.
enum class Step : uint8_t { kOne, kFour, kDoubling };

/// One key of a config, declared once, beside the component that reads it. The values of all
/// shipped components come from configs/*.cfg, so that every value has a source. A component
/// outside the tree may define its value itself, with a source.
struct Parameter {
  std::string key;              ///< "section.name"; the section is the component's name
  uint32_t* number = nullptr;   ///< destination of the value: a number...
  std::string* word = nullptr;  ///< ...or one of `choices`
  uint32_t least = 0;           ///< numbers: smallest and greatest value allowed
  uint32_t most = 0;
  std::string unit;                    ///< "cycles", "lanes", "entries"; "" for words and switches
  std::string help;                    ///< help text, one sentence
  std::vector<std::string> choices;    ///< words: the allowed values
  bool is_file = false;                ///< words: a path is also allowed: a value with '/' or '.'
  Step step = Step::kOne;              ///< numbers: distance of allowed values
  const char* word_instead = nullptr;  ///< numbers: a word instead of a number; stored as kWord
  std::string default_value = "";      ///< value if no config sets it; "": a config must
  std::string default_source = "";     ///< its source: "assumed: ..."

  /// `list.number(...).by_default("4", "assumed: four ports")`
  void by_default(const char* value, const char* source) {
    default_value = value;
    default_source = source;
  }

  static constexpr uint32_t kWord = 0xFFFFFFFFu;

  /// True if a parameter that is a number allows this value.
  bool allows(uint64_t value) const;
  /// True if a parameter that is a word allows this value.
  bool allows(const std::string& value) const;
  /// "1 to 64", "4 to 64 in steps of 4", "a power of two from 1 to 32"; or the words.
  std::string allowed() const;
};

/// True if the value of a parameter that may be a file is a path instead of a shipped name.
bool is_path(const std::string& value);

/// A condition that several values must satisfy together to describe possible hardware.
struct JointRule {
  std::vector<std::string> keys;
  std::function<bool()> holds;  ///< true if the set values satisfy the rule
  std::string expected;         ///< ends the message: "shuffle.cluster = 4 where ..."
};

/// The parameters of a component, which its `list()` adds.
class ParameterList {
 public:
  /// Other steps than one are set on the result: `list.number(...).step = Step::kFour`.
  Parameter& number(const char* key, uint32_t* value, uint32_t least, uint32_t most,
                    const char* unit, const char* help) {
    list_.push_back({key, value, nullptr, least, most, unit, help, {}});
    return list_.back();
  }
  void flag(const char* key, uint32_t* value, const char* help) {
    number(key, value, 0, 1, "0 or 1", help);
  }
  void choice(const char* key, std::string* value, std::vector<std::string> choices,
              const char* help) {
    list_.push_back({key, nullptr, value, 0, 0, "", help, std::move(choices)});
  }
  void file(const char* key, std::string* value, std::vector<std::string> shipped,
            const char* help) {
    choice(key, value, std::move(shipped), help);
    list_.back().is_file = true;
  }
  /// Adds a joint rule. The component must outlive the list.
  void together(std::vector<std::string> keys, std::function<bool()> holds, const char* expected) {
    rules_.push_back({std::move(keys), std::move(holds), expected});
  }
  const std::vector<Parameter>& all() const { return list_; }
  const std::vector<JointRule>& rules() const { return rules_; }

 private:
  std::vector<Parameter> list_;
  std::vector<JointRule> rules_;
};

}  // namespace shflsim::model
