// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace shflsim::isa {

/// Bytes of memory and, for each byte, whether the value in it is undefined or approximate. The
/// marks take room only from the first marked write on.
class Storage {
 public:
  static constexpr uint8_t kUndefined = 1;
  static constexpr uint8_t kApproximate = 2;

  Storage() = default;
  explicit Storage(size_t size) : bytes_(size) {}
  explicit Storage(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}

  size_t size() const { return bytes_.size(); }
  bool contains(uint64_t offset, size_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  bool marked() const { return !marks_.empty(); }

  void read(uint64_t offset, void* to, size_t size) const {
    std::memcpy(to, bytes_.data() + offset, size);
  }
  void write(uint64_t offset, const void* from, size_t size, uint8_t marks = 0) {
    std::memcpy(bytes_.data() + offset, from, size);
    if (marks != 0 && marks_.empty()) marks_.resize(bytes_.size());
    if (!marks_.empty()) std::memset(marks_.data() + offset, marks, size);
  }
  /// The marks of any of these bytes.
  uint8_t marks(uint64_t offset, size_t size) const {
    uint8_t found = 0;
    if (marks_.empty()) return found;
    for (size_t i = 0; i < size; ++i) found = static_cast<uint8_t>(found | marks_[offset + i]);
    return found;
  }
  void clear() {
    std::memset(bytes_.data(), 0, bytes_.size());
    marks_.clear();
  }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  /// The bytes, to be written while nothing is marked: a write here clears no marks.
  uint8_t* unmarked_bytes() {
    assert(!marked() && "what is written has no marks to take away");
    return bytes_.data();
  }

 private:
  std::vector<uint8_t> bytes_;
  std::vector<uint8_t> marks_;
};

}  // namespace shflsim::isa
