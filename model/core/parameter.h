// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shflsim::model {

/// One key of a config: declared once, beside the component that reads it. Its value comes from
/// configs/*.cfg alone (there are no built-in defaults), so that every value has a source.
struct Parameter {
  std::string key;              ///< "section.name"; the section is the component's name
  uint32_t* number = nullptr;   ///< where the value goes: a number...
  std::string* word = nullptr;  ///< ...or one of `choices`
  uint32_t least = 0;           ///< numbers: smallest and greatest value allowed
  uint32_t most = 0;
  std::string unit;                  ///< "cycles", "lanes", "entries"; "" for words and switches
  std::string help;                  ///< one sentence
  std::vector<std::string> choices;  ///< words: the values allowed
};

/// Parameters of a component, which its `list()` adds.
class ParameterList {
 public:
  void number(const char* key, uint32_t* value, uint32_t least, uint32_t most, const char* unit,
              const char* help) {
    list_.push_back({key, value, nullptr, least, most, unit, help, {}});
  }
  void flag(const char* key, uint32_t* value, const char* help) {
    number(key, value, 0, 1, "0 or 1", help);
  }
  void choice(const char* key, std::string* value, std::vector<std::string> choices,
              const char* help) {
    list_.push_back({key, nullptr, value, 0, 0, "", help, std::move(choices)});
  }
  const std::vector<Parameter>& all() const { return list_; }

 private:
  std::vector<Parameter> list_;
};

}  // namespace shflsim::model
