// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "isa/base/bounded.h"
#include "isa/base/faults.h"
#include "isa/base/text_cursor.h"
#include "isa/dialects/source.h"
#include "isa/families/lane_family.h"
#include "isa/lanes/lane_bits.h"
#include "traces/lane_profile.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostCount = 1'000'000'000'000;  // sum over all moves
constexpr size_t kMostMoves = 100'000;              // per profile
constexpr uint64_t kMostKernels = 1'000'000'000;
constexpr uint32_t kMostClamp = 0x1f1f;
constexpr const char* kKinds = "idx, up, down, bfly, map, or an instruction in quotes";

/// A word of a line, and its column.
struct ProfileWord {
  std::string text;
  unsigned column = 1;
};

/// The words of a line before a comment. A quoted text is one word, without its quotes.
std::vector<ProfileWord> profile_words(const std::string& line) {
  std::vector<ProfileWord> words;
  size_t at = 0;
  while ((at = line.find_first_not_of(" \t", at)) != std::string::npos && line[at] != '#') {
    const bool is_quoted = line[at] == '"';
    size_t end = is_quoted ? line.find('"', at + 1) : line.find_first_of(" \t", at);
    end = std::min(end, line.size());
    const size_t first = is_quoted ? at + 1 : at;
    words.push_back({line.substr(first, end - first), static_cast<unsigned>(first) + 1});
    at = is_quoted ? end + 1 : end;
  }
  return words;
}

std::optional<isa::ShuffleMode> mode_named(const std::string& word) {
  if (word == "idx") return isa::ShuffleMode::kIdx;
  if (word == "up") return isa::ShuffleMode::kUp;
  if (word == "down") return isa::ShuffleMode::kDown;
  if (word == "bfly") return isa::ShuffleMode::kBfly;
  return std::nullopt;
}

/// Reads a profile line by line.
class ProfileReader {
 public:
  explicit ProfileReader(const std::string& path) : path_(path) {}

  void read_line(const std::string& line, unsigned number) {
    line_ = number;
    words_ = profile_words(line);
    if (words_.empty()) return;
    next_ = 0;
    if (!has_version_) return read_version();
    if (total_) reject(words_[0], "behind the total; expected nothing");
    const std::string& key = words_[0].text;
    if (key == "source" || key == "hash") return read_text(line);
    if (key.find_first_not_of("0123456789") == std::string::npos) return read_move();
    read_key();
    end_line();
  }

  bool has_begun() const { return has_version_; }

  LaneProfile finish() {
    if (!has_version_) throw InputError({path_, 1, 1}, "is empty; expected 'lanes 1'");
    if (!total_)
      throw InputError({path_, line_, 1}, "has no total at its end; expected 'total COUNT'");
    return std::move(profile_);
  }

 private:
  [[noreturn]] void reject(const ProfileWord& word, const std::string& what) const {
    throw InputError({path_, line_, word.column}, what);
  }
  Position where(const ProfileWord& word) const { return {path_, line_, word.column}; }

  const ProfileWord& take(const char* expected) {
    if (++next_ >= words_.size())
      reject(words_.back(), fmt::format("ends here; expected {}", expected));
    return words_[next_];
  }
  uint64_t take_number(uint64_t most, const char* what) {
    const ProfileWord& word = take(what);
    return bounded_number(word.text, most, what, where(word));
  }
  void end_line() {
    if (++next_ < words_.size())
      reject(words_[next_], fmt::format("'{}' is too much; expected nothing behind '{}'",
                                        words_[next_].text, words_[next_ - 1].text));
  }

  void read_version() {
    if (words_[0].text != "lanes") reject(words_[0], "is no lane profile; expected 'lanes 1'");
    if (take("version 1").text != "1")
      reject(words_[1], "version '" + words_[1].text + "'; expected 1");
    has_version_ = true;
    end_line();
  }

  void read_text(const std::string& line) {
    const size_t behind = words_[0].column - 1 + words_[0].text.size();
    const std::string text(isa::trimmed(std::string_view(line).substr(behind)));
    if (text.empty()) reject(words_[0], "'" + words_[0].text + "' of nothing; expected a text");
    if (words_[0].text == "hash") return profile_.hashes.push_back(text);
    profile_.source = text;
  }

  void read_key() {
    const std::string& key = words_[0].text;
    const bool is_of_head = key == "arch" || key == "counted" || key == "width";
    if (is_of_head && !profile_.families.empty())
      reject(words_[0], "'" + key + "' behind a family; expected it before the first one");
    if (key == "arch") return read_arch();
    if (key == "counted") return read_counted();
    if (key == "width") return read_width();
    if (key == "family") return read_family();
    if (key == "total") return read_total();
    reject(words_[0],
           "'" + key + "' is no word of a profile" +
               suggestion(key, {"source", "hash", "arch", "counted", "width", "family", "total"}));
  }
  void read_arch() {
    const ProfileWord& word = take("an architecture such as sm_90");
    try {
      profile_.arch = isa::arch_named(word.text);
    } catch (const InputError& error) {
      reject(word, error.faults().front().what);
    }
  }
  void read_counted() {
    const ProfileWord& word = take("executed or static");
    if (word.text != "executed" && word.text != "static")
      reject(word, "counted '" + word.text + "'; expected executed or static");
    profile_.is_static = word.text == "static";
  }
  void read_width() {
    const uint64_t lanes = take_number(isa::kMostMoveLanes, "a width of 4 to 64 lanes");
    if (lanes < 4 || (lanes & (lanes - 1)) != 0)
      reject(words_[1], fmt::format("width {}; expected 4, 8, 16, 32 or 64", lanes));
    profile_.lanes = static_cast<unsigned>(lanes);
  }
  void read_family() {
    const ProfileWord name = take("the name of a family");
    if (name.text.empty()) reject(name, "a family of no name; expected one");
    const auto has_name = [&name](const MoveFamily& family) { return family.name == name.text; };
    if (std::any_of(profile_.families.begin(), profile_.families.end(), has_name))
      reject(name, "family '" + name.text + "' is there already; expected it once");
    profile_.families.push_back({name.text, take_number(kMostKernels, "a number of kernels"), {}});
  }
  void read_total() {
    const uint64_t total = take_number(~uint64_t{0}, "the sum of all counts");
    if (total != sum_)
      reject(words_[1], fmt::format("total {}; expected {}, the sum", total, sum_));
    total_ = true;
  }

  void read_move() {
    if (profile_.families.empty())
      reject(words_[0], "a move of no family; expected 'family' first");
    if (++moves_ > kMostMoves)
      reject(words_[0], fmt::format("move {}; expected {} at most", moves_, kMostMoves));
    CountedMove move;
    move.count = bounded_number(words_[0].text, kMostCount, "a count", where(words_[0]));
    sum_ += move.count;
    if (sum_ > kMostCount)
      reject(words_[0], too_much("the sum of the counts", sum_, kMostCount, "moves"));
    const ProfileWord kind = take(kKinds);
    if (const auto mode = mode_named(kind.text)) {
      read_shuffle(*mode, kind, &move);
    } else if (kind.text == "map") {
      read_map(&move);
    } else {
      read_instruction(kind, &move);
    }
    profile_.families.back().moves.push_back(std::move(move));
  }

  void read_shuffle(isa::ShuffleMode mode, const ProfileWord& kind, CountedMove* move) {
    if (profile_.lanes != isa::kLanes)
      reject(kind, fmt::format("'{}' of {} lanes; expected 32, which SHFL has", kind.text,
                               profile_.lanes));
    isa::LaneValues sb;
    isa::LaneValues sc;
    sb.fill(static_cast<uint32_t>(take_number(isa::kWidestClamp, "an index or offset")));
    sc.fill(static_cast<uint32_t>(take_number(kMostClamp, "a clamp and segment mask")));
    const isa::WideMask active = read_attributes(move);
    const isa::LaneMap map = isa::lane_map(mode, sb, sc, static_cast<isa::LaneMask>(active));
    move->steps = {move_of(map)};
    move->text = fmt::format("{} {:#x} {:#x}", kind.text, sb[0], sc[0]) + mask_text(active);
  }

  void read_map(CountedMove* move) {
    const ProfileWord list = take("the source of each lane");
    isa::LaneMove map(profile_.lanes);
    size_t at = 0;
    for (unsigned lane = 0; lane < profile_.lanes; ++lane) {
      const size_t comma = std::min(list.text.find(',', at), list.text.size());
      const std::string item = list.text.substr(std::min(at, comma), comma - at);
      const ProfileWord word{item, list.column + static_cast<unsigned>(at)};
      if (at > list.text.size())
        reject(list, fmt::format("{} sources; expected {}", lane, profile_.lanes));
      if (item != "-") {
        map.source[0][lane] = isa::LaneSource::of(
            static_cast<unsigned>(bounded_number(item, profile_.lanes - 1, "a lane", where(word))));
      }
      at = comma + 1;
    }
    if (at <= list.text.size())
      reject(list, fmt::format("more sources than lanes; expected {}", profile_.lanes));
    move->text = "map " + list.text;
    move->steps = {map};
    if (read_attributes(move) != isa::all_lanes_of(profile_.lanes))
      reject(words_.back(), "a mask beside a map; expected '-' for lanes that do not execute");
  }

  void read_instruction(const ProfileWord& text, CountedMove* move) {
    const auto families = isa::LaneFamilies::with_operation(text.text);
    if (text.text.empty() || families.empty())
      reject(text, "'" + text.text + "' is no move; expected " + kKinds);
    isa::LaneContext context;
    context.lanes = profile_.lanes;
    context.active = read_attributes(move);
    try {
      move->steps = isa::read_lane_instruction(families, text.text, context).instruction.steps;
    } catch (const InputError& error) {
      const Fault& fault = error.faults().front();
      throw InputError({path_, line_, text.column + std::max(1u, fault.where.column) - 1},
                       fault.what);
    }
    for (const isa::LaneMove& step : move->steps) {
      if (step.lanes != profile_.lanes)
        reject(text, fmt::format("moves {} lanes; expected {}, the profile's width", step.lanes,
                                 profile_.lanes));
    }
    move->text = "\"" + text.text + "\"" + mask_text(context.active);
  }

  /// Reads "mask=", "before=" and "after=" up to the end of the line. Returns the mask.
  isa::WideMask read_attributes(CountedMove* move) {
    const isa::WideMask all = isa::all_lanes_of(profile_.lanes);
    isa::WideMask active = all;
    while (++next_ < words_.size()) {
      const ProfileWord& word = words_[next_];
      const size_t equals = word.text.find('=');
      const std::string key = word.text.substr(0, equals);
      const std::string value = equals == std::string::npos ? "" : word.text.substr(equals + 1);
      if (key == "mask" && !value.empty()) {
        active = bounded_number(value, all, "a mask of the executing lanes", where(word));
      } else if (key == "before" && !value.empty()) {
        move->before = value;
      } else if (key == "after" && !value.empty()) {
        move->after = value;
      } else {
        reject(word, "'" + word.text + "'; expected mask=MASK, before=NAME or after=NAME");
      }
    }
    return active;
  }
  std::string mask_text(isa::WideMask active) const {
    return active == isa::all_lanes_of(profile_.lanes) ? "" : fmt::format(" mask={:#x}", active);
  }

  const std::string path_;
  LaneProfile profile_;
  std::vector<ProfileWord> words_;  ///< words of the line
  size_t next_ = 0;                 ///< the last word read
  unsigned line_ = 1;
  bool has_version_ = false;
  bool total_ = false;
  uint64_t sum_ = 0;
  size_t moves_ = 0;
};

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

bool is_lane_profile(const std::string& path) {
  return ends_with(path, ".lanes") || ends_with(path, ".lanes.gz");
}

LaneProfile read_lane_profile(const std::string& path) {
  const isa::SourceText source = isa::read_source_text(path);
  ProfileReader reader(path);
  Faults faults;
  unsigned number = 0;
  std::istringstream lines{std::string(source.text)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++number;
    const bool is_fine = faults.hold([&] { reader.read_line(line, number); });
    if (!is_fine && !reader.has_begun()) break;
  }
  faults.raise();
  return reader.finish();
}

}  // namespace shflsim::traces
