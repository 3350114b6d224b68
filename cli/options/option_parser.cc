// SPDX-License-Identifier: Apache-2.0
#include "cli/options/option_parser.h"

#include <algorithm>
#include <boost/program_options.hpp>

#include "isa/base/input_error.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

po::options_description description_of(const std::vector<Option>& options) {
  po::options_description all;
  for (const Option& option : options) {
    const std::string letter = option.letter == 0 ? "" : std::string(",") + option.letter;
    const std::string names = option.name + letter;
    if (option.value.empty()) {
      all.add_options()(names.c_str(), "");
      continue;
    }
    auto* const value = po::value<std::string>();
    if (option.is_optional) value->implicit_value("");
    all.add_options()(names.c_str(), value, "");
  }
  return all;
}

po::positional_options_description positions_of(const std::vector<Option>& options) {
  po::positional_options_description positions;
  for (const Option& option : options) {
    if (option.is_argument) positions.add(option.name.c_str(), option.repeats ? -1 : 1);
  }
  return positions;
}

Strings names_of(const std::vector<Option>& options) {
  Strings names;
  for (const Option& option : options) {
    if (!option.is_argument) names.push_back("--" + option.name);
  }
  return names;
}

void add_given(const Option& option, const std::string& text, size_t place) {
  std::vector<GivenOption>& given = option.its->given;
  const auto behind = std::find_if(given.begin(), given.end(),
                                   [place](const GivenOption& each) { return each.place > place; });
  given.insert(behind, {"--" + option.name, text, place});
}

struct Occurrence {
  const Option* option;
  std::string text;
  Strings words;  ///< words as the user wrote them
};

class OptionParser {
 public:
  explicit OptionParser(const OptionList& list) : list_(list) {}

  bool parse(const Strings& arguments, const std::string& usage) const;
  void parse_launch_line(const Strings& words, const std::string& file) const;

 private:
  std::vector<Occurrence> occurrences(const Strings& arguments) const;
  std::vector<Occurrence> parsed(const Strings& arguments, const std::string& usage) const;
  void take(const Occurrence& occurrence) const;
  Strings without_words_behind_dashes(const Strings& arguments) const;
  const Option& of_member(const void* member) const;
  bool is_given(const void* member) const;
  bool is_excluded(const void* member) const;
  void check_required(const std::string& usage) const;
  void check(const OptionRule& rule) const;
  void collect_call(const std::vector<Occurrence>& all) const;

  const OptionList& list_;
};

/// Throws po::error.
std::vector<Occurrence> OptionParser::occurrences(const Strings& arguments) const {
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  const po::options_description description = description_of(list_.options());
  const po::parsed_options parsed = po::command_line_parser(arguments)
                                        .options(description)
                                        .positional(positions_of(list_.options()))
                                        .style(style)
                                        .run();
  std::vector<Occurrence> all;
  for (const po::option& each : parsed.options) {
    const auto option =
        std::find_if(list_.options().begin(), list_.options().end(),
                     [&](const Option& known) { return known.name == each.string_key; });
    const bool is_again = std::any_of(all.begin(), all.end(), [&](const Occurrence& before) {
      return before.option == &*option;
    });
    if (is_again && !option->repeats)
      throw po::error("option '--" + option->name + "' cannot be specified more than once");
    all.push_back({&*option, each.value.empty() ? "" : each.value.front(), each.original_tokens});
  }
  return all;
}

std::vector<Occurrence> OptionParser::parsed(const Strings& arguments,
                                             const std::string& usage) const {
  try {
    return occurrences(arguments);
  } catch (const po::unknown_option& error) {
    const std::string name = error.get_option_name();
    throw InputError("unknown option '" + name + "'" +
                     suggestion(name.substr(0, name.find('=')), names_of(list_.options())));
  } catch (const po::invalid_command_line_syntax& error) {
    const std::string name = error.get_option_name();
    const auto option =
        std::find_if(list_.options().begin(), list_.options().end(),
                     [&name](const Option& known) { return "--" + known.name == name; });
    if (option == list_.options().end() || option->value.empty())
      throw InputError(std::string(error.what()) + "; expected " + usage);
    throw InputError(name + ": has no value; expected " + name + " " + option->value);
  } catch (const po::too_many_positional_options_error&) {
    throw InputError("more arguments than there are places for; expected " + usage);
  } catch (const po::error& error) {
    throw InputError(std::string(error.what()) + "; expected " + usage);
  }
}

void OptionParser::take(const Occurrence& occurrence) const {
  const Option& option = *occurrence.option;
  option.take(occurrence.text, "--" + option.name);
  size_t place = 0;
  for (const Option* other = list_.options().data(); other != &option; ++other)
    place += other->its == option.its ? 1 : 0;
  add_given(option, occurrence.text, place);
}

bool OptionParser::parse(const Strings& arguments, const std::string& usage) const {
  const std::vector<Occurrence> all = parsed(without_words_behind_dashes(arguments), usage);
  const auto asking = std::find_if(all.begin(), all.end(),
                                   [](const Occurrence& each) { return each.option->asks; });
  for (const Occurrence& each : all) {
    if (asking == all.end() || each.option->group == asking->option->group) take(each);
  }
  if (asking != all.end()) return false;
  for (const OptionRule& rule : list_.rules()) check(rule);
  check_required(usage);
  collect_call(all);
  return true;
}

void OptionParser::parse_launch_line(const Strings& words, const std::string& file) const {
  std::vector<Occurrence> all;
  try {
    all = occurrences(words);
  } catch (const po::error& error) {
    throw InputError({file}, std::string("its launch line: ") + error.what() +
                                 "; expected options of 'shflsim run' that say what to launch");
  }
  all.erase(std::remove_if(all.begin(), all.end(),
                           [this](const Occurrence& each) {
                             return is_given(each.option->member) ||
                                    is_excluded(each.option->member);
                           }),
            all.end());
  for (const Occurrence& each : all) take(each);
  for (const OptionRule& rule : list_.rules()) check(rule);
}

Strings OptionParser::without_words_behind_dashes(const Strings& arguments) const {
  const WordsBehindDashes& behind = list_.words_behind_dashes();
  if (behind.words == nullptr) return arguments;
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  if (end == arguments.end()) return arguments;
  const bool is_asked = behind.flag == nullptr ||
                        std::find(arguments.begin(), end, of_member(behind.flag).shown()) != end;
  if (!is_asked) return arguments;
  list_.words_behind_dashes().words->assign(end + 1, arguments.end());
  return {arguments.begin(), end};
}

const Option& OptionParser::of_member(const void* member) const {
  return *std::find_if(list_.options().begin(), list_.options().end(),
                       [member](const Option& option) { return option.member == member; });
}

bool OptionParser::is_given(const void* member) const {
  const Option& option = of_member(member);
  const std::vector<GivenOption>& given = option.its->given;
  return std::any_of(given.begin(), given.end(), [&option](const GivenOption& each) {
    return each.name == "--" + option.name;
  });
}

bool OptionParser::is_excluded(const void* member) const {
  const auto excludes_it = [&](const OptionRule& rule) {
    const bool names_it =
        std::find(rule.others.begin(), rule.others.end(), member) != rule.others.end();
    const bool others_given = std::any_of(rule.others.begin(), rule.others.end(),
                                          [this](const void* other) { return is_given(other); });
    if (rule.is_needed) return false;
    return names_it ? is_given(rule.option) : rule.option == member && others_given;
  };
  return std::any_of(list_.rules().begin(), list_.rules().end(), excludes_it);
}

void OptionParser::check_required(const std::string& usage) const {
  for (const Option& option : list_.options()) {
    if (option.is_required && !is_given(option.member))
      throw InputError("no " + option.name + " given; expected " + usage);
  }
}

void OptionParser::check(const OptionRule& rule) const {
  if (!is_given(rule.option)) return;
  const std::string name = of_member(rule.option).shown();
  if (rule.group != nullptr) refuse(*rule.group, name + rule.text);
  std::string others;
  for (const void* member : rule.others) {
    const std::string other = of_member(member).shown();
    others += (others.empty() ? "" : " or ") + other;
    if (!is_given(member)) continue;
    if (rule.is_needed) return;
    throw InputError(rule.text.empty()
                         ? name + " and " + other + " both given; expected one of them"
                         : other + " with " + name + rule.text);
  }
  if (rule.is_needed) throw InputError(name + " without " + others + rule.text);
}

void OptionParser::collect_call(const std::vector<Occurrence>& all) const {
  if (list_.call() == nullptr) return;
  for (const Occurrence& each : all) {
    if (!each.option->stays_here)
      list_.call()->insert(list_.call()->end(), each.words.begin(), each.words.end());
  }
}

}  // namespace

bool parse(const OptionList& list, const Strings& arguments, const std::string& usage) {
  return OptionParser(list).parse(arguments, usage);
}

void parse_launch_line(const OptionList& list, const Strings& words, const std::string& file) {
  OptionParser(list).parse_launch_line(words, file);
}

}  // namespace shflsim::cli
