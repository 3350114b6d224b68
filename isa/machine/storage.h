// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace shflsim::isa {

/// Bytes of memory and, for each byte, whether its value is undefined. The marks are allocated at
/// the first marked write. The bytes are owned, or they are memory of the process, which has no
/// marks.
class Storage {
 public:
  static constexpr uint8_t kUndefined = 1;

  Storage() = default;
  explicit Storage(size_t size) : Storage(std::vector<uint8_t>(size)) {}
  explicit Storage(std::vector<uint8_t> bytes)
      : bytes_(std::move(bytes)), data_(bytes_.data()), size_(bytes_.size()) {}
  /// Memory of the process, which has to outlive the storage.
  Storage(uint8_t* data, size_t size) : data_(data), size_(size) {}
  Storage(const Storage& other)
      : bytes_(other.bytes_),
        data_(bytes_.empty() ? other.data_ : bytes_.data()),
        size_(other.size_),
        marks_(other.marks_) {}
  Storage& operator=(const Storage& other) { return *this = Storage(other); }
  Storage(Storage&&) = default;  // a moved vector keeps its buffer
  Storage& operator=(Storage&&) = default;
  ~Storage() = default;

  size_t size() const { return size_; }
  bool contains(uint64_t offset, size_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }
  bool marked() const { return !marks_.empty(); }

  void read(uint64_t offset, void* to, size_t size) const { std::memcpy(to, data_ + offset, size); }
  void write(uint64_t offset, const void* from, size_t size, uint8_t marks = 0) {
    std::memcpy(data_ + offset, from, size);
    if (marks != 0 && marks_.empty() && !bytes_.empty()) marks_.resize(size_);
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
    std::memset(data_, 0, size_);
    marks_.clear();
  }
  const uint8_t* data() const { return data_; }
  /// The bytes that are owned.
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  /// The bytes, for writing while nothing is marked: such a write does not clear marks.
  uint8_t* unmarked_bytes() {
    assert(!marked() && "what is written has no marks to take away");
    return data_;
  }

 private:
  std::vector<uint8_t> bytes_;  ///< empty if the bytes are memory of the process
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  std::vector<uint8_t> marks_;
};

}  // namespace shflsim::isa
