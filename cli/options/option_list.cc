// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_list.h"

#include <algorithm>
#include <iterator>

#include "cli/options/spec.h"
#include "isa/base/input_error.h"

namespace shflsim::cli {
Strings words_of(const OptionGroup& group) {
  Strings words;
  for (const GivenOption& option : group.given)
    words.push_back(option.name + (option.value.empty() ? "" : " " + option.value));
  return words;
}

void refuse(const OptionGroup& group, const std::string& because) {
  if (!group.given.empty()) throw InputError(group.given.front().name + " with " + because);
}

Option& OptionList::add(
    const char* name, const void* member, const char* shown, std::string help,
    std::function<void(const std::string& text, const std::string& option)> take) {
  Option& option = options_.emplace_back();
  option.group = title_;
  option.name = name;
  option.value = shown;
  option.help = std::move(help);
  option.its = group_;
  option.member = member;
  option.take = std::move(take);
  return option;
}

Option& OptionList::argument(const char* name, std::string* value, const char* shown,
                             std::string help) {
  Option& option = text(name, value, shown, std::move(help)).required();
  option.is_argument = true;
  option.group = kArguments;
  return option;
}

Option& OptionList::argument(const char* name, std::optional<std::string>* value, const char* shown,
                             std::string help) {
  Option& option = text(name, value, shown, std::move(help));
  option.is_argument = true;
  option.group = kArguments;
  return option;
}

Option& OptionList::arguments(const char* name, Strings* values, const char* shown,
                              std::string help) {
  Option& option = texts(name, values, shown, std::move(help)).required();
  option.is_argument = true;
  option.group = kArguments;
  return option;
}

Option& OptionList::flag(const char* name, bool* value, std::string help) {
  return add(name, value, "", std::move(help),
             [value](const std::string&, const std::string&) { *value = true; });
}

Option& OptionList::text(const char* name, std::string* value, const char* shown,
                         std::string help) {
  Option& option = add(name, value, shown, std::move(help),
                       [value](const std::string& text, const std::string&) { *value = text; });
  option.standard = *value;
  return option;
}

Option& OptionList::text(const char* name, std::optional<std::string>* value, const char* shown,
                         std::string help) {
  return add(name, value, shown, std::move(help),
             [value](const std::string& text, const std::string&) { *value = text; });
}

Option& OptionList::texts(const char* name, Strings* values, const char* shown, std::string help) {
  Option& option =
      add(name, values, shown, std::move(help),
          [values](const std::string& text, const std::string&) { values->push_back(text); });
  option.repeats = true;
  return option;
}

// NOLINTBEGIN(performance-unnecessary-value-param,readability-function-size)
Option& OptionList::number_option(const char* name, const void* member, uint64_t least,
                                  uint64_t most, const char* shown, std::string help,
                                  std::function<void(uint64_t)> set) {
  return add(name, member, shown, std::move(help),
             [least, most, set](const std::string& text, const std::string& option) {
               set(read_number(text, least, most, option));
             });
}

Option& OptionList::choice_option(const char* name, const void* member, Strings words,
                                  const char* shown, std::string help,
                                  std::function<void(size_t)> set) {
  return add(name, member, shown, std::move(help),
             [words, set](const std::string& text, const std::string& option) {
               const auto found = std::find(words.begin(), words.end(), text);
               if (found == words.end())
                 throw InputError(option + " '" + text + "'" + suggestion(text, words));
               set(static_cast<size_t>(found - words.begin()));
             });
}
// NOLINTEND(performance-unnecessary-value-param,readability-function-size)

void OptionList::excludes(const void* a, std::initializer_list<const void*> others,
                          std::string text) {
  rules_.push_back({a, others, nullptr, false, std::move(text)});
}

void OptionList::excludes_group(const void* a, const OptionGroup& group, std::string text) {
  rules_.push_back({a, {}, &group, false, std::move(text)});
}

void OptionList::needs(const void* a, std::initializer_list<const void*> others, std::string text) {
  rules_.push_back({a, others, nullptr, true, std::move(text)});
}

std::vector<Option> OptionList::by_group() const {
  Strings titles = {kArguments};
  for (const Option& option : options_) {
    if (std::find(titles.begin(), titles.end(), option.group) == titles.end())
      titles.push_back(option.group);
  }
  std::vector<Option> sorted;
  for (const std::string& title : titles) {
    std::copy_if(options_.begin(), options_.end(), std::back_inserter(sorted),
                 [&title](const Option& option) { return option.group == title; });
  }
  return sorted;
}

const Option* OptionList::named(const std::string& word) const {
  for (const Option& option : options_) {
    if (word == "--" + option.name) return &option;
  }
  return nullptr;
}

}  // namespace shflsim::cli
