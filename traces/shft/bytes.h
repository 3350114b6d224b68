// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

namespace shflsim::traces {

/// An offset in a trace file, for errors.
struct Place {
  const std::string* file = nullptr;
  uint64_t offset = 0;  ///< bytes from the file's start

  /// Throws InputError: `file: offset N: what`.
  [[noreturn]] void fail(const std::string& what) const;
};

/// Collects the bytes of a section: little-endian numbers, and varints of seven bits per byte, the
/// lowest first, whose last byte has a clear top bit.
class ByteWriter {
 public:
  void byte(uint8_t value) { bytes_.push_back(static_cast<char>(value)); }
  void word32(uint32_t value) { fixed(value, 4); }
  void word64(uint64_t value) { fixed(value, 8); }
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
    byte(static_cast<uint8_t>(value));
  }
  /// Small numbers of either sign take few bytes: 0, -1, 1, -2 become 0, 1, 2, 3.
  void difference(uint64_t value) {
    const uint64_t sign = (value >> 63) != 0 ? ~uint64_t{0} : 0;
    number((value << 1) ^ sign);
  }
  void text(const std::string& value) {
    number(value.size());
    bytes_ += value;
  }
  void append(const std::string& bytes) { bytes_ += bytes; }

  const std::string& bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  void clear() { bytes_.clear(); }

 private:
  void fixed(uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i) byte(static_cast<uint8_t>(value >> (8 * i)));
  }

  std::string bytes_;
};

/// Reads what ByteWriter wrote. Throws InputError, with the section's place, if the bytes end early
/// or are invalid.
class ByteReader {
 public:
  ByteReader() = default;
  ByteReader(const char* bytes, size_t size, const Place& place)
      : at_(bytes), end_(bytes + size), place_(place) {}

  bool at_end() const { return at_ == end_; }
  const Place& place() const { return place_; }

  uint8_t byte() {
    if (at_ == end_) fail_short();
    return static_cast<uint8_t>(*at_++);
  }
  uint32_t word32() { return static_cast<uint32_t>(fixed(4)); }
  uint64_t word64() { return fixed(8); }
  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte();
      value |= uint64_t{next & 0x7Fu} << shift;
      if ((next & 0x80u) == 0) return value;
    }
    place_.fail("damaged: a number of more than 64 bits");
  }
  uint64_t difference() {
    const uint64_t value = number();
    return (value >> 1) ^ ((value & 1u) != 0 ? ~uint64_t{0} : 0);
  }
  /// A number up to `most`; `what` names it in the error.
  uint64_t number_upto(uint64_t most, const char* what);
  uint32_t small(const char* what) { return static_cast<uint32_t>(number_upto(0xFFFFFFFFu, what)); }
  std::string text();

 private:
  [[noreturn]] void fail_short() const;
  uint64_t fixed(unsigned size) {
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) value |= uint64_t{byte()} << (8 * i);
    return value;
  }

  const char* at_ = nullptr;
  const char* end_ = nullptr;
  Place place_;
};

}  // namespace shflsim::traces
