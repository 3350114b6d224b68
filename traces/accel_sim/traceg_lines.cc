// SPDX-License-Identifier: Apache-2.0
#include "traces/accel_sim/traceg_lines.h"

#include <cstring>

#include "traces/accel_sim/traceg_fields.h"
#include "traces/accel_sim/words.h"

namespace shflsim::traces {
namespace {

constexpr uint64_t kMostPc = 0x7FFFFFFF;
constexpr size_t kMaskDigits = 8;
constexpr size_t kMostDigits = 18;  // most decimal digits that always fit into 64 bits
/// More than addresses need: a mode and 32 numbers of up to 18 digits, sign or prefix, and blank.
constexpr size_t kMostAddresses = 1024;

int digit_of(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/// Reads numbers exactly as the tracer writes them, each with one blank; fails for anything else.
/// The text must be long enough to read past a number.
class Numbers {
 public:
  explicit Numbers(const char* at) : at_(at) {}

  bool failed() const { return failed_; }
  const char* at() const { return at_; }

  uint64_t address() {
    failed_ |= at_[0] != '0' || at_[1] != 'x';
    if (failed_) return 0;
    at_ += 2;
    return digits(16, 16);
  }
  uint64_t difference() {
    const bool is_negative = *at_ == '-';
    at_ += is_negative ? 1 : 0;
    const uint64_t value = digits(10, kMostDigits);
    return is_negative ? ~value + 1 : value;
  }

 private:
  uint64_t digits(unsigned base, size_t most) {
    const char* const first = at_;
    const char* const end = at_ + most;
    uint64_t value = 0;
    for (; at_ != end; ++at_) {
      const auto digit = static_cast<unsigned>(digit_of(*at_));
      if (digit >= base) break;
      value = value * base + digit;
    }
    failed_ |= at_ == first || *at_ != ' ';
    ++at_;
    return value;
  }

  const char* at_;
  bool failed_ = false;
};

/// Reads the lanes' addresses after the mode and its blank. Returns their end, or nullptr if
/// anything differs from the tracer's form.
const char* read_addresses(char mode, isa::LaneMask lanes, const char* at, LaneAddresses* to) {
  Numbers numbers(at);
  uint64_t address = mode == '0' ? 0 : numbers.address();
  const uint64_t stride = mode == '1' ? numbers.difference() : 0;
  bool is_first = true;
  for (; lanes != 0 && !numbers.failed(); lanes &= lanes - 1) {
    if (mode == '0') {
      address = numbers.address();
    } else if (!is_first) {
      address += mode == '1' ? stride : numbers.difference();
    }
    (*to)[static_cast<unsigned>(__builtin_ctz(lanes))] = address;
    is_first = false;
  }
  return numbers.failed() ? nullptr : numbers.at();
}

/// Reads eight hexadecimal digits; false if there are other letters.
bool read_mask(const char* at, isa::LaneMask* mask) {
  isa::LaneMask value = 0;
  int bad = 0;
  for (size_t i = 0; i < kMaskDigits; ++i) {
    const int digit = digit_of(at[i]);
    bad |= digit;
    value = value << 4 | (static_cast<unsigned>(digit) & 0xF);
  }
  *mask = value;
  return bad >= 0;
}

}  // namespace

/// True if the next line repeats the instruction's line; then the line is read.
bool TracegLines::again(uint32_t index) {
  if (index == kNone) return false;
  Known& known = known_[index];
  const std::string_view ahead = lines_.ahead();
  if (ahead.size() < known.text.size() || known.text.empty()) return false;
  if (std::memcmp(ahead.data(), known.text.data(), known.text.size()) != 0 &&
      !has_changed_to(ahead, &known))
    return false;
  lines_.skip_line(known.text.size());
  is_new_ = false;
  go_on(index);
  return true;
}

/// True if the text differs from the known line only in lanes and addresses; these are then read.
bool TracegLines::has_changed_to(std::string_view text, Known* known) {
  const char* const at = text.data();
  const std::string& before = known->text;
  const size_t body_at = known->mask_at + kMaskDigits;
  isa::LaneMask mask = 0;
  if (text.size() < before.size() + kMostAddresses ||
      std::memcmp(at, before.data(), known->mask_at) != 0 ||
      std::memcmp(at + body_at, &before[body_at], known->mode_at - body_at) != 0 ||
      !read_mask(at + known->mask_at, &mask))
    return false;
  size_t size = before.size();
  if (known->step.accesses) {
    const char* const mode = at + known->mode_at;
    if (*mode < '0' || *mode > '2' || mode[1] != ' ') return false;
    const char* const end = read_addresses(*mode, mask, mode + 2, &known->step.addresses);
    const size_t tail = before.size() - known->tail_at;
    if (end == nullptr || std::memcmp(end, &before[known->tail_at], tail) != 0) {
      known->text.clear();  // the addresses do not match the text any more
      return false;
    }
    lists_addresses_ |= *mode == '0';
    known->tail_at = static_cast<size_t>(end - at);
    size = known->tail_at + tail;
  }
  known->step.mask = mask;
  known->text.assign(at, size);
  return true;
}

void TracegLines::go_on(uint32_t index) {
  (previous_ == kNone ? first_ : known_[previous_].next) = index;
  previous_ = index;
}

/// Reads a line that is not the expected one: by its PC, or else by parsing it.
bool TracegLines::find_next() {
  while (!lines_.ahead().empty() && lines_.ahead()[0] == '\n') lines_.skip_line(1);
  const auto known = by_pc_.find(pc_ahead());
  if (known != by_pc_.end() && again(known->second)) return true;
  std::string_view line;
  do {
    if (!lines_.next(&line)) return false;
  } while (line.find_first_not_of(" \t") == std::string_view::npos);
  if (line[0] == '#' || line.substr(0, 6) == "warp =") return false;
  read(line);
  return true;
}

/// The PC at the beginning of the next line, if it has one.
uint64_t TracegLines::pc_ahead() const {
  std::string_view text = lines_.ahead();
  if (text.empty()) return 0;
  for (unsigned i = 0; i < form_.words_before_pc(); ++i)
    text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
  uint64_t pc = 0;
  for (size_t i = 0; i < std::min(text.size(), kMaskDigits) && digit_of(text[i]) >= 0; ++i)
    pc = pc << 4 | static_cast<unsigned>(digit_of(text[i]));
  return pc;
}

void TracegLines::read(std::string_view line) {
  Words words(line, {lines_.path(), lines_.number()});
  TracegInstruction instruction;
  Known met;
  TracegStep& step = met.step;
  for (unsigned i = 0; i < form_.places; ++i) words.number<uint32_t>("a place of block or warp");
  instruction.line = form_.has_source_lines ? words.number<long>("a source line") : 0;
  instruction.pc = words.number<uint32_t>("a PC", 16);
  if (instruction.pc > kMostPc) words.fail("the PC is beyond any code; expected 0 to 7fffffff");
  step.mask = words.number<uint32_t>("an active mask of eight hexadecimal digits", 16);
  met.mask_at = words.begin();
  const bool has_eight_digits = words.end() - words.begin() == kMaskDigits;
  instruction.destinations = read_registers(&words, "a number of destinations", "a destination");
  read_opcode(&words, &instruction);
  instruction.sources = read_registers(&words, "a number of sources", "a source");
  read_commit(&words, &instruction);
  read_width(&words, &instruction);
  const bool is_bulk = has_bulk_copy(instruction, words);
  if (is_bulk) read_bulk_copy(&words);
  step.accesses = instruction.width != 0 && !is_bulk;
  if (step.accesses) {
    const uint64_t mode = words.number_upto(2, "an address mode, 0 to 2");
    met.mode_at = words.begin();
    lists_addresses_ |= mode == 0;
    read_addresses(mode, &words, &step);
    met.tail_at = words.end() + 1;
  }
  read_line_end(form_.has_values, &words, &instruction);
  if (has_eight_digits) met.text.assign(line.data(), lines_.ahead().data());
  remember(instruction, &met);
}

/// Stores the instruction's line, for the recognition of later lines.
void TracegLines::remember(const TracegInstruction& instruction, Known* met) {
  if (met->text.empty() || met->text.back() != '\n' || met->tail_at > met->text.size())
    met->text.clear();
  if (!met->step.accesses) met->mode_at = met->text.size();
  const auto [found, is_new] =
      numbers_.try_emplace(instruction, static_cast<uint32_t>(numbers_.size()));
  const uint32_t number = found->second;
  is_new_ = is_new;
  last_new_ = &found->first;
  if (is_new) known_.emplace_back();
  met->step.instruction = number;
  met->next = known_[number].next;
  known_[number] = std::move(*met);
  by_pc_[instruction.pc] = number;
  go_on(number);
}

}  // namespace shflsim::traces
