// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shflsim::cli {

using Strings = std::vector<std::string>;

/// An option that the user gave.
struct GivenOption {
  std::string name;   ///< "--grid"
  std::string value;  ///< "4,2"; "" for a flag
  size_t place = 0;   ///< index of the option within its group
};

/// Options that belong together. Base of all structs of options, which have typed members with
/// default values, and `void list(OptionList& list)`, which declares an option for each member.
struct OptionGroup {
  std::vector<GivenOption> given;  ///< by the user, in the order of declarations
};
/// The options of the group that the user gave, one text each: "--grid 4,2".
Strings words_of(const OptionGroup& group);
/// Throws InputError "--grid with " + `because` for the first option of the group that the user
/// gave.
void refuse(const OptionGroup& group, const std::string& because);

/// The declaration of an option or argument of a command.
struct Option {
  std::string group;  ///< heading in the help: "launch"
  std::string name;   ///< "kernel"
  std::string value;  ///< "FILE"; "" for a flag
  std::string help;
  std::string brief;         ///< text in the short help, if it is shorter
  std::string standard;      ///< the default, for the help
  char letter = 0;           ///< 'o' of -o
  bool is_argument = false;  ///< identified by its position
  bool is_required = false;
  bool repeats = false;
  bool is_optional = false;  ///< the value is optional and follows an =
  bool is_common = false;    ///< part of the short help
  bool asks = false;         ///< asks about the program: no other option is checked
  bool stays_here = false;   ///< not part of the calls that this call makes (OptionList::call)
  OptionGroup* its = nullptr;
  const void* member = nullptr;
  /// Sets the member. Throws InputError that begins with `option`, "--grid".
  std::function<void(const std::string& text, const std::string& option)> take;

  /// Modifiers of a declaration: `list.text(...).common()`.
  Option& common(std::string its_brief = "") {
    is_common = true;
    brief = std::move(its_brief);
    return *this;
  }
  Option& required() { return is_required = true, *this; }
  Option& here_only() { return stays_here = true, *this; }
  Option& short_form(char its_letter) { return letter = its_letter, *this; }
  /// The name in messages: "--grid", or "FILE" for an argument.
  std::string shown() const { return is_argument ? value : "--" + name; }
};

/// Options that exclude or need one another; options are named by their members.
struct OptionRule {
  const void* option;
  std::vector<const void*> others;
  const OptionGroup* group;
  bool is_needed;  ///< true: one of the options is needed; false: none may be given
  std::string text;
};

/// The words after `--` are stored in `words` instead of being arguments, if the user gives `flag`
/// or if `flag` is nullptr.
struct WordsBehindDashes {
  const void* flag = nullptr;
  Strings* words = nullptr;
};

/// The options of a command. The struct that holds an option's value declares the option; the
/// parser stores the value there (cli/options/option_parser.h). Structs must outlive the parsing.
class OptionList {
 public:
  static constexpr const char* kArguments = "arguments";  ///< heading of the arguments

  /// Sets the heading and the struct of the options that are declared next.
  void group(const char* title, OptionGroup* group) {
    title_ = title;
    group_ = group;
  }

  /// Adds a required argument, at the next position.
  Option& argument(const char* name, std::string* value, const char* shown, std::string help);
  /// Adds an optional argument.
  Option& argument(const char* name, std::optional<std::string>* value, const char* shown,
                   std::string help);
  /// Adds one or more arguments.
  Option& arguments(const char* name, Strings* values, const char* shown, std::string help);

  Option& flag(const char* name, bool* value, std::string help);
  Option& text(const char* name, std::string* value, const char* shown, std::string help);
  Option& text(const char* name, std::optional<std::string>* value, const char* shown,
               std::string help);
  /// Adds a repeatable option.
  Option& texts(const char* name, Strings* values, const char* shown, std::string help);
  /// Adds an option that is a whole number; its default in the help is the member's value.
  // The texts are taken by value and moved.
  // NOLINTBEGIN(performance-unnecessary-value-param)
  template <class Number>
  Option& number(const char* name, Number* value, uint64_t least, uint64_t most, const char* shown,
                 std::string help) {
    Option& option =
        number_option(name, value, least, most, shown, std::move(help),
                      [value](uint64_t number) { *value = static_cast<Number>(number); });
    option.standard = std::to_string(*value);
    return option;
  }
  template <class Number>
  Option& number(const char* name, std::optional<Number>* value, uint64_t least, uint64_t most,
                 const char* shown, std::string help) {
    return number_option(name, value, least, most, shown, std::move(help),
                         [value](uint64_t number) { *value = static_cast<Number>(number); });
  }
  /// Adds an option with a fixed set of words, which stand for the enumerators in their order.
  template <class Enum>
  Option& choice(const char* name, Enum* value, Strings words, const char* shown,
                 std::string help) {
    const std::string standard = words.at(static_cast<size_t>(*value));
    Option& option = choice_option(name, value, std::move(words), shown, std::move(help),
                                   [value](size_t index) { *value = static_cast<Enum>(index); });
    option.standard = standard;
    return option;
  }
  template <class Enum>
  Option& choice(const char* name, std::optional<Enum>* value, Strings words, const char* shown,
                 std::string help) {
    return choice_option(name, value, std::move(words), shown, std::move(help),
                         [value](size_t index) { *value = static_cast<Enum>(index); });
  }
  /// Adds any other option: `read(text, "--grid")` returns the value or throws InputError.
  template <class Member, class Read>
  Option& value(const char* name, Member* member, const char* shown, std::string help, Read read) {
    return add(name, member, shown, std::move(help),
               [member, read](const std::string& text, const std::string& option) {
                 *member = read(text, option);
               });
  }
  // NOLINTEND(performance-unnecessary-value-param)
  /// Adds an option that sets more than one value.
  Option& add(const char* name, const void* member, const char* shown, std::string help,
              std::function<void(const std::string& text, const std::string& option)> take);

  /// `a` and the others exclude each other; options are named by their members. Without `text` the
  /// message is "--a and --b both given; expected one of them", else "--b with --a" and the text.
  void excludes(const void* a, std::initializer_list<const void*> others, std::string text = "");
  /// `a` excludes all options of a group.
  void excludes_group(const void* a, const OptionGroup& group, std::string text);
  /// `a` needs one of the others; otherwise the message is "--a without --b" and the text.
  void needs(const void* a, std::initializer_list<const void*> others,
             std::string text = "; expected one of them");
  void words_behind_dashes(const void* flag, Strings* words) { behind_dashes_ = {flag, words}; }
  /// Collects the words of the whole call in order, except those of options marked here_only().
  void call(Strings* words) { call_ = words; }

  const std::vector<Option>& options() const { return options_; }
  const std::vector<OptionRule>& rules() const { return rules_; }
  const WordsBehindDashes& words_behind_dashes() const { return behind_dashes_; }
  Strings* call() const { return call_; }
  /// The options by group: the arguments, then the groups in the order of their first declaration.
  std::vector<Option> by_group() const;
  /// The option for "--name", nullptr if there is none.
  const Option* named(const std::string& word) const;

 private:
  Option& number_option(const char* name, const void* member, uint64_t least, uint64_t most,
                        const char* shown, std::string help, std::function<void(uint64_t)> set);
  Option& choice_option(const char* name, const void* member, Strings words, const char* shown,
                        std::string help, std::function<void(size_t)> set);

  std::vector<Option> options_;
  std::vector<OptionRule> rules_;
  std::string title_ = "options";
  OptionGroup* group_ = nullptr;
  Strings* call_ = nullptr;
  WordsBehindDashes behind_dashes_;
};

}  // namespace shflsim::cli
