// SPDX-License-Identifier: Apache-2.0
#include "report/diff/nsight_profile.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "isa/base/input_error.h"
#include "isa/base/readable.h"

namespace shflsim::report {
namespace {

constexpr const char* kExpectedProfile =
    "a CSV file of Nsight Compute (ncu --page source --csv, or --page raw --csv)";
constexpr size_t kNowhere = ~size_t{0};

using Names = std::vector<std::string>;

struct CsvRow {
  unsigned line = 0;
  Names fields;
};

/// The rows of a CSV file (RFC 4180); a line without quotes is a row too.
std::vector<CsvRow> rows_of_csv(const std::string& path, const std::string& text) {
  std::vector<CsvRow> rows;
  CsvRow row{1, {""}};
  bool is_quoted = false;
  unsigned line = 1;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (is_quoted) {
      if (c != '"') row.fields.back() += c;
      if (c == '"' && i + 1 < text.size() && text[i + 1] == '"')
        row.fields.back() += text[i++];
      else if (c == '"')
        is_quoted = false;
    } else if (c == '"') {
      is_quoted = true;
    } else if (c == ',') {
      row.fields.emplace_back();
    } else if (c == '\n') {
      rows.push_back(std::move(row));
      row = {line, {""}};
    } else if (c != '\r') {
      row.fields.back() += c;
    }
  }
  if (is_quoted)
    throw InputError({path, row.line, 1}, "a quote that begins in this row has no end; expected " +
                                              std::string(kExpectedProfile));
  if (row.fields.size() > 1 || !row.fields.front().empty()) rows.push_back(std::move(row));
  return rows;
}

size_t column_of(const Names& head, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto found = std::find(head.rbegin(), head.rend(), name);
    if (found != head.rend()) return static_cast<size_t>(head.rend() - found) - 1;
  }
  return kNowhere;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// The model's name of the stall reason in a column of a source page; "" if the column is not a
/// stall reason, or counts only samples of cycles without an issue.
std::string state_of_column(const std::string& column) {
  static const std::map<std::string, std::string> kOther = {{"dispatch", "dispatch_stall"},
                                                            {"imc", "imc_miss"},
                                                            {"lg", "lg_throttle"},
                                                            {"long_sb", "long_scoreboard"},
                                                            {"math", "math_pipe_throttle"},
                                                            {"mio", "mio_throttle"},
                                                            {"no_inst", "no_instruction"},
                                                            {"no_instructions", "no_instruction"},
                                                            {"short_sb", "short_scoreboard"},
                                                            {"sleep", "sleeping"},
                                                            {"tex", "tex_throttle"}};
  if (column.rfind("stall_", 0) != 0 || contains(column, "ot Issued") ||
      contains(column, "not_issued"))
    return "";
  const std::string name = column.substr(6);
  const auto other = kOther.find(name);
  return other == kOther.end() ? name : other->second;
}

/// The warp state that a metric of a raw page counts.
std::string state_of_metric(const std::string& metric) {
  for (const char* head :
       {"smsp__pcsamp_warps_issue_stalled_", "smsp__average_warps_issue_stalled_"}) {
    if (metric.rfind(head, 0) != 0 || contains(metric, "not_issued")) continue;
    std::string name = metric.substr(std::string(head).size());
    name = name.substr(0, name.find("_per_issue_active"));
    if (contains(name, ".") || contains(name, "_per_")) return "";
    return state_of_column("stall_" + name);
  }
  return "";
}

/// Reads one file.
class NsightReader {
 public:
  explicit NsightReader(std::string path) : path_(std::move(path)) {}

  std::vector<NsightProfile> read() {
    for (const CsvRow& row : rows_of_csv(path_, isa::read_bytes(path_, kExpectedProfile)))
      take(row);
    const auto is_empty = [](const NsightProfile& profile) {
      return profile.lines.empty() && profile.counters.empty();
    };
    profiles_.erase(std::remove_if(profiles_.begin(), profiles_.end(), is_empty), profiles_.end());
    if (profiles_.empty())
      throw InputError({path_}, std::string("has no rows of a source or raw page; expected ") +
                                    kExpectedProfile);
    return std::move(profiles_);
  }

 private:
  enum class Page : uint8_t { kNone, kSource, kRaw };

  void take(const CsvRow& row) {
    if (row.fields.size() >= 2 && row.fields[0] == "Kernel Name" && row.fields.size() <= 3) {
      begin(row.fields[1], row.line);
      page_ = Page::kNone;
    } else if (is_source_head(row.fields)) {
      begin_source(row);
    } else if (is_raw_head(row.fields)) {
      head_ = row.fields;
      page_ = Page::kRaw;
      units_.clear();
    } else if (page_ == Page::kSource && row.fields.size() > 1) {
      take_instruction(row);
    } else if (page_ == Page::kRaw && row.fields.size() > 1) {
      take_launch(row);
    }
  }

  void begin(const std::string& kernel, unsigned row) {
    profiles_.push_back({kernel, row, {}, {}});
    known_.clear();
  }

  static bool is_source_head(const Names& fields) {
    const bool has_samples = std::any_of(fields.begin(), fields.end(), [](const auto& field) {
      return !state_of_column(field).empty();
    });
    return has_samples && column_of(fields, {"Address", "pc"}) != kNowhere &&
           column_of(fields, {"Source", "text"}) != kNowhere;
  }
  static bool is_raw_head(const Names& fields) {
    return column_of(fields, {"Kernel Name"}) != kNowhere &&
           std::any_of(fields.begin(), fields.end(),
                       [](const auto& field) { return contains(field, "__"); });
  }

  void begin_source(const CsvRow& row) {
    head_ = row.fields;
    page_ = Page::kSource;
    if (profiles_.empty()) begin("", row.line);
    address_ = column_of(head_, {"Address", "pc"});
    text_ = column_of(head_, {"Source", "text"});
    issued_ = column_of(head_, {"Instructions Executed", "issued"});
    kernel_ = column_of(head_, {"Kernel Name", "kernel"});
  }

  void take_instruction(const CsvRow& row) {
    check_size(row);
    const std::string& address = row.fields[address_];
    if (address.empty() || address == "-") return;  // a line of CUDA source
    if (kernel_ != kNowhere && row.fields[kernel_] != profiles_.back().kernel) {
      if (profiles_.back().lines.empty())
        profiles_.back().kernel = row.fields[kernel_];
      else
        begin(row.fields[kernel_], row.line);
    }
    NsightProfile::Line line{row.line,
                             address_in(row),
                             row.fields[text_],
                             issued_ == kNowhere ? 0 : number_in(row, issued_),
                             {}};
    if (!known_.insert(line.address).second) return;
    for (size_t i = 0; i < head_.size(); ++i) {
      const std::string state = state_of_column(head_[i]);
      if (!state.empty()) line.samples.emplace_back(state, number_in(row, i));
    }
    profiles_.back().lines.push_back(std::move(line));
  }

  /// Reads a launch of a raw page; the row after the head has the units.
  void take_launch(const CsvRow& row) {
    check_size(row);
    const std::string& kernel = row.fields[column_of(head_, {"Kernel Name"})];
    if (units_.empty() && kernel.empty()) {
      units_ = row.fields;
      return;
    }
    begin(kernel, row.line);
    for (size_t i = 0; i < head_.size(); ++i) {
      if (!contains(head_[i], "__")) continue;
      const std::optional<double> value = figure_in(row, i);
      if (value) profiles_.back().counters.push_back({head_[i], *value * scale_of(i)});
    }
  }

  double scale_of(size_t column) const {
    static const std::map<char, double> kPrefixes = {
        {'K', 1e3}, {'M', 1e6}, {'G', 1e9}, {'T', 1e12}};
    if (column >= units_.size() || !contains(units_[column], "byte")) return 1;
    const auto prefix = kPrefixes.find(units_[column].front());
    return prefix == kPrefixes.end() ? 1 : prefix->second;
  }

  void check_size(const CsvRow& row) const {
    if (row.fields.size() == head_.size()) return;
    throw InputError({path_, row.line, 1}, "has " + std::to_string(row.fields.size()) +
                                               " fields; expected " + std::to_string(head_.size()));
  }
  uint64_t address_in(const CsvRow& row) const {
    const std::string& text = row.fields[address_];
    char* end = nullptr;
    const uint64_t address = std::strtoull(text.c_str(), &end, 16);
    if (text.size() <= 18 && *end == '\0' && text.front() != '-') return address;
    throw InputError({path_, row.line, 1},
                     "the address is '" + text + "'; expected a hexadecimal number");
  }
  /// The number in a column, nothing if it is not a number.
  static std::optional<double> figure_in(const CsvRow& row, size_t column) {
    std::string text = row.fields[column];
    text.erase(std::remove(text.begin(), text.end(), ','), text.end());
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const bool is_number = !text.empty() && *end == '\0' && number >= 0 && number < 1e18;
    return is_number ? std::optional(number) : std::nullopt;
  }
  double number_in(const CsvRow& row, size_t column) const {
    const std::string& text = row.fields[column];
    if (text.empty() || text == "-") return 0;
    const std::optional<double> number = figure_in(row, column);
    if (number) return *number;
    throw InputError({path_, row.line, 1},
                     "'" + head_[column] + "' is '" + text + "'; expected a number of 0 or more");
  }

  std::string path_;
  std::vector<NsightProfile> profiles_;
  Page page_ = Page::kNone;
  Names head_;
  Names units_;
  size_t address_ = 0;
  size_t text_ = 0;
  size_t issued_ = 0;
  size_t kernel_ = 0;
  std::set<uint64_t> known_;  ///< addresses of the launch so far
};

}  // namespace

std::vector<NsightProfile> read_nsight(const std::string& path) {
  return NsightReader(path).read();
}

bool may_be_nsight(const std::string& path) {
  const std::string text = isa::read_bytes(path, "the JSON of shflsim run, compare or results");
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] != '{' && text[first] != '[' &&
         text.find(',') != std::string::npos;
}

std::string nsight_state(const std::string& metric) { return state_of_metric(metric); }

}  // namespace shflsim::report
