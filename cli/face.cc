// SPDX-License-Identifier: Apache-2.0
#include "cli/face.h"

#include <algorithm>
#include <typeinfo>

#include "cli/common_options.h"
#include "cli/input.h"
#include "cli/launch_options.h"
#include "cli/machine_options.h"
#include "cli/region_options.h"
#include "cli/trace_command.h"
#include "cli/view_options.h"

namespace shflsim::cli {
namespace {

namespace po = boost::program_options;

/// A heading and the function that declares the options below it.
struct Group {
  const char* title;
  void (*add)(po::options_description&);
};

constexpr const char* kOwn = "options";  ///< those of no group
constexpr Group kGroups[] = {
    {"launch", add_code_choices},
    {"launch", LaunchOptions::add_to},
    {"region of sm_70 and later", add_region_options},
    {"execution", add_machine_options},
    {"traces", add_trace_options},
    {"output", LaunchOptions::add_saves_to},
    {"output", add_view_options},
    {"common", add_common_options},
};

const char* group_of(const po::option_description& option) {
  for (const Group& group : kGroups) {
    po::options_description its;
    group.add(its);
    if (its.find_nothrow(option.long_name(), false) != nullptr) return group.title;
  }
  return kOwn;
}

bool is_positional(const std::string& name, const po::positional_options_description& positions) {
  const unsigned count = std::min(positions.max_total_count(), 8u);
  for (unsigned i = 0; i < count; ++i) {
    if (positions.name_for_position(i) == name) return true;
  }
  return false;
}

bool repeats(const po::option_description& option) {
  const auto* typed = dynamic_cast<const po::typed_value_base*>(option.semantic().get());
  return typed != nullptr && typed->value_type() == typeid(std::vector<std::string>);
}

FaceOption face_option(const po::option_description& option,
                       const po::positional_options_description& positions) {
  FaceOption face;
  face.name = option.long_name();
  face.group = is_positional(face.name, positions) ? FaceOption::kArguments : group_of(option);
  const std::string letter =
      option.canonical_display_name(po::command_line_style::allow_dash_for_short);
  if (letter.size() == 2 && letter[0] == '-') face.letter = letter[1];
  face.value = option.format_parameter();  // "FILE (=default)"
  const size_t end = face.value.find(" (=");
  if (end != std::string::npos) {
    face.standard = face.value.substr(end + 3, face.value.size() - end - 4);
    face.value.resize(end);
  }
  face.help = option.description();
  face.repeats = repeats(option);
  face.is_optional = !face.value.empty() && option.semantic()->min_tokens() == 0;
  return face;
}

size_t rank_of(const FaceOption& option) {
  if (option.is_argument()) return 0;
  if (option.group == kOwn) return 1;
  const auto* const found =
      std::find_if(std::begin(kGroups), std::end(kGroups),
                   [&](const Group& group) { return option.group == group.title; });
  return static_cast<size_t>(found - std::begin(kGroups)) + 2;
}

Face* asked_for = nullptr;  ///< set while a command is to show its face and do nothing

}  // namespace

Face face_of(const Usage& usage, const po::options_description& options,
             const po::positional_options_description& positions) {
  Face face{usage.call, usage.example, {}};
  for (const auto& option : options.options())
    face.options.push_back(face_option(*option, positions));
  std::stable_sort(
      face.options.begin(), face.options.end(),
      [](const FaceOption& a, const FaceOption& b) { return rank_of(a) < rank_of(b); });
  return face;
}

Face face_of(const Command& command) {
  Face face;
  asked_for = &face;
  command.run({});
  asked_for = nullptr;
  return face;
}

bool shows_face(const Usage& usage, const po::options_description& options,
                const po::positional_options_description& positions) {
  if (asked_for == nullptr) return false;
  *asked_for = face_of(usage, options, positions);
  return true;
}

std::vector<NamedCommand> all_commands() {
  std::vector<NamedCommand> all;
  for (const Command& command : commands()) {
    all.push_back({command.name, command});
    if (command.run != kTrace.run) continue;
    for (const Command& verb : trace_verbs())
      all.push_back({std::string(command.name) + " " + verb.name, verb});
  }
  return all;
}

}  // namespace shflsim::cli
