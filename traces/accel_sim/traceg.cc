// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/traceg.h"

#include <algorithm>
#include <charconv>
#include <tuple>

#include "isa/input_error.h"
#include "traces/accel_sim/unknown_lanes.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostGrid = 0x7FFFFFFF;
constexpr uint64_t kMostThreads = 1024;
constexpr uint64_t kMostOperands = 8;
constexpr uint64_t kMostWidth = 16;
constexpr uint64_t kMostPc = 0x7FFFFFFF;

const std::vector<std::string>& header_keys() {
  static const std::vector<std::string> keys = {
      "kernel name",         "kernel id",      "grid dim",
      "block dim",           "shmem",          "nregs",
      "binary version",      "cuda stream id", "shmem base_addr",
      "local mem base_addr", "nvbit version",  "accelsim tracer version",
      "enable lineinfo"};
  return keys;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool starts_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

/// The words of an instruction line.
class Words {
 public:
  Words(const std::string& line, const std::string& path, unsigned number)
      : line_(line), path_(path), number_(number) {}

  bool at_end() const { return line_.find_first_not_of(" \t", end_) == std::string::npos; }

  std::string_view word(const char* what) {
    begin_ = line_.find_first_not_of(" \t", end_);
    if (begin_ == std::string::npos) {
      begin_ = line_.size();
      fail(std::string("the line ends; expected ") + what);
    }
    end_ = std::min(line_.find_first_of(" \t", begin_), line_.size());
    return std::string_view(line_).substr(begin_, end_ - begin_);
  }

  template <class Number>
  Number number(const char* what, int base = 10) {
    std::string_view text = word(what);
    if (base == 16 && starts_with(text, "0x")) text.remove_prefix(2);
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size())
      fail("'" + std::string(text) + "' is no number; expected " + what);
    return value;
  }

  uint64_t number_upto(uint64_t most, const char* what) {
    const auto value = number<uint64_t>(what);
    if (value > most) fail(std::to_string(value) + " is out of range; expected " + what);
    return value;
  }

  uint8_t register_index(const char* what) {
    const std::string_view text = word(what);
    unsigned index = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    if (text[0] != 'R' || !whole || index > isa::kRZ)
      fail("'" + std::string(text) + "' is no register; expected " + what + ", R0 to R255");
    return static_cast<uint8_t>(index);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError({path_, number_, static_cast<unsigned>(begin_ + 1)}, what);
  }

 private:
  const std::string& line_;
  const std::string& path_;
  const unsigned number_;
  size_t begin_ = 0;
  size_t end_ = 0;
};

std::vector<uint8_t> read_registers(Words* words, const char* count_is, const char* each_is) {
  std::vector<uint8_t> registers(words->number_upto(kMostOperands, count_is));
  for (uint8_t& index : registers) index = words->register_index(each_is);
  return registers;
}

/// Mode 2 has a difference for each active lane but the first. Accel-Sim's own reader takes one
/// word more, and with it the immediate behind them.
void read_addresses(Words* words, TracegStep* step) {
  const uint64_t mode = words->number_upto(2, "an address mode, 0 to 2");
  step->lists_addresses = mode == 0;
  uint64_t address = 0;
  uint64_t rise = 0;
  if (mode != 0) address = words->number<uint64_t>("a base address", 16);
  if (mode == 1) rise = static_cast<uint64_t>(words->number<int64_t>("a stride"));
  bool first = true;
  for (unsigned lane = 0; lane < isa::kLanes; ++lane) {
    if (((step->mask >> lane) & 1u) == 0) continue;
    if (mode == 0) address = words->number<uint64_t>("an address for each active lane", 16);
    if (mode == 1 && !first) address += rise;
    if (mode == 2 && !first)
      address += static_cast<uint64_t>(words->number<int64_t>("a difference for each lane"));
    step->addresses[lane] = address;
    first = false;
  }
}

}  // namespace

bool TracegInstruction::operator<(const TracegInstruction& other) const {
  const auto key = [](const TracegInstruction& i) {
    return std::tie(i.pc, i.opcode, i.destinations, i.sources, i.width, i.has_immediate,
                    i.immediate, i.line);
  };
  return key(*this) < key(other);
}

bool looks_like_traceg(std::string_view beginning) {
  return starts_with(beginning, "-kernel name") || starts_with(beginning, "-kernel id");
}

TracegReader::TracegReader(const std::string& path) : lines_(path) { read_header(); }

void TracegReader::fail(const std::string& what, size_t column) const {
  throw InputError({lines_.path(), lines_.number(), static_cast<unsigned>(column)}, what);
}

/// The next line that is not blank.
bool TracegReader::next_line(std::string* line) {
  while (lines_.next(line)) {
    if (!trimmed(*line).empty()) return true;
  }
  return false;
}

void TracegReader::read_header() {
  std::string line;
  while (next_line(&line) && line[0] != '#') add_header_line(line);
  for (const char* key : {"kernel name", "grid dim", "block dim", "accelsim tracer version"}) {
    if (header_.count(key) == 0)
      fail(std::string("the header has no '-") + key + " = '; expected it above the traces");
  }
  version_ = static_cast<unsigned>(header_number("accelsim tracer version", 1000));
  if (version_ < 3 || version_ > 5)
    fail("tracer version " + std::to_string(version_) + "; expected 3, 4 or 5");
  line_info_ = header_.count("enable lineinfo") != 0 && header_number("enable lineinfo", 1) == 1;
  grid_ = extent("grid dim");
  block_ = extent("block dim");
  if (grid_.count() > kMostGrid || block_.count() > kMostThreads)
    fail("grid or block dim too large; expected a block of 1 to 1024 threads");
}

void TracegReader::add_header_line(const std::string& line) {
  const size_t equals = line.find('=');
  if (line[0] != '-' || equals == std::string::npos)
    fail("'" + line.substr(0, 40) + "' is no header line; expected -KEY = VALUE", 1);
  const std::string key(trimmed(std::string_view(line).substr(1, equals - 1)));
  const auto& keys = header_keys();
  if (std::find(keys.begin(), keys.end(), key) == keys.end())
    fail("unknown header line '" + key + "'" + suggestion(key, keys), 2);
  header_[key] = trimmed(std::string_view(line).substr(equals + 1));
}

uint64_t TracegReader::header_number(const std::string& key, uint64_t most) const {
  const auto found = header_.find(key);
  if (found == header_.end()) return 0;
  Words words(found->second, lines_.path(), lines_.number());
  return words.number_upto(most, ("a number for -" + key).c_str());
}

/// "(x,y,z)"
isa::Extent TracegReader::extent(const std::string& key) const {
  std::string text = header_.at(key);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '(' || c == ',' || c == ')'; }, ' ');
  Words words(text, lines_.path(), lines_.number());
  isa::Extent extent;
  for (uint32_t* part : {&extent.x, &extent.y, &extent.z}) {
    *part = static_cast<uint32_t>(words.number_upto(kMostGrid, "three numbers"));
    if (*part == 0) fail("-" + key + " has a 0; expected 1 or more in each direction");
  }
  return extent;
}

void TracegReader::read(TracegSink* sink) {
  std::string line;
  while (next_line(&line)) {
    if (starts_with(line, "#BEGIN_TB")) {
      read_block(sink);
    } else if (line[0] != '#') {
      fail("'" + line.substr(0, 40) + "' is in no thread block; expected #BEGIN_TB", 1);
    }
  }
}

void TracegReader::read_block(TracegSink* sink) {
  std::string line;
  uint32_t block = 0;
  bool named = false;
  last_warp_ = 0;
  while (next_line(&line)) {
    if (starts_with(line, "#END_TB")) return sink->end_block();
    if (starts_with(line, "thread block =")) {
      block = block_number(line);
      named = true;
    } else if (named && starts_with(line, "warp =")) {
      read_warp(line, block, sink);
    } else {
      fail("'" + line.substr(0, 40) +
               "' is out of place; expected 'thread block = ', 'warp = ' or #END_TB",
           1);
    }
  }
  fail("the file ends in a thread block; expected #END_TB");
}

uint32_t TracegReader::block_number(const std::string& line) const {
  std::string text = line.substr(line.find('=') + 1);
  std::replace(text.begin(), text.end(), ',', ' ');
  Words words(text, lines_.path(), lines_.number());
  const uint64_t x = words.number_upto(grid_.x - 1, "a block of the grid: x,y,z");
  const uint64_t y = words.number_upto(grid_.y - 1, "a block of the grid: x,y,z");
  const uint64_t z = words.number_upto(grid_.z - 1, "a block of the grid: x,y,z");
  return static_cast<uint32_t>(x + grid_.x * (y + grid_.y * z));
}

void TracegReader::read_warp(const std::string& line, uint32_t block, TracegSink* sink) {
  const uint64_t warps = (block_.count() + isa::kLanes - 1) / isa::kLanes;
  const auto value = [this](const std::string& of, uint64_t most, const char* what) {
    const std::string text = of.substr(of.find('=') + 1);
    return Words(text, lines_.path(), lines_.number()).number_upto(most, what);
  };
  const uint64_t warp = value(line, warps - 1, "a warp of the block");
  if (warp < last_warp_) fail("warp " + std::to_string(warp) + " is not in ascending order");
  last_warp_ = warp + 1;
  std::string next;
  if (!next_line(&next) || !starts_with(next, "insts ="))
    fail("no 'insts = '; expected the number of the warp's instructions");
  const uint64_t count = value(next, ~uint64_t{0}, "the number of instructions");
  if (count != 0) sink->begin_warp(block, static_cast<uint32_t>(warp));
  TracegInstruction instruction;
  TracegStep step;
  for (uint64_t i = 0; i < count; ++i) {
    if (!next_line(&next) || next[0] == '#' || starts_with(next, "warp ="))
      fail("the warp ends after " + std::to_string(i) + " instructions; expected " +
           std::to_string(count));
    read_step(next, &instruction, &step);
    sink->step(instruction, step);
  }
}

void TracegReader::read_step(const std::string& line, TracegInstruction* instruction,
                             TracegStep* step) const {
  Words words(line, lines_.path(), lines_.number());
  instruction->line = line_info_ ? words.number<long>("a source line") : 0;
  instruction->pc = words.number<uint32_t>("a PC", 16);
  if (instruction->pc > kMostPc) words.fail("the PC is beyond any code; expected 0 to 7fffffff");
  step->mask = words.number<uint32_t>("an active mask of eight hexadecimal digits", 16);
  instruction->destinations = read_registers(&words, "a number of destinations", "a destination");
  instruction->opcode = words.word("an opcode");
  if (is_shuffle(*instruction) && !mode_in(instruction->opcode)) {
    words.fail("'" + instruction->opcode + "' has no mode; expected SHFL.IDX, .UP, .DOWN or .BFLY");
  }
  instruction->sources = read_registers(&words, "a number of sources", "a source");
  instruction->width =
      static_cast<unsigned>(words.number_upto(kMostWidth, "an access of 0 to 16 bytes"));
  if (instruction->width != 0) read_addresses(&words, step);
  instruction->has_immediate = !words.at_end();
  instruction->immediate = instruction->has_immediate ? words.number<long long>("an immediate") : 0;
  if (!words.at_end()) {
    words.word("");
    words.fail("more on the line than the format has; expected its end");
  }
}

}  // namespace shflsim::traces
