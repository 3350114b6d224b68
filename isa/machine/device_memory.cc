// SPDX-License-Identifier: Apache-2.0
#include "isa/machine/device_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "isa/base/bounded.h"
#include "isa/base/input_error.h"
#include "isa/machine/address_space.h"

namespace shflsim::isa {
namespace {

constexpr uint64_t kFirstAddress = uint64_t{0x7} << 32;
constexpr uint64_t kGap = uint64_t{1} << 20;
constexpr uint64_t kAlignment = 1024;                  // a KiB is in two slices of the L2 in turn
constexpr uint64_t kKernelHeap = uint64_t{0x6} << 32;  // below all other buffers

/// True if two ranges of addresses have a byte in common.
bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

/// Adds to the size of all buffers.
void DeviceMemory::count(size_t bytes) {
  bytes_ = bounded(sum_of(bytes_, bytes), kMostBytes, "device memory", {}, "bytes");
}

std::vector<DeviceMemory::Buffer>::iterator DeviceMemory::first_above(uint64_t address) {
  return std::upper_bound(
      buffers_.begin(), buffers_.end(), address,
      [](uint64_t wanted, const Buffer& buffer) { return wanted < buffer.address; });
}

uint64_t DeviceMemory::allocate(std::vector<uint8_t> bytes) {
  count(bytes.size());
  uint64_t address = kFirstAddress;
  if (!buffers_.empty()) {
    const Buffer& last = buffers_.back();
    address = last.address + last.storage.size() + kGap;
    address = (address + kAlignment - 1) / kAlignment * kAlignment;
  }
  buffers_.push_back({address, Storage(std::move(bytes))});
  return address;
}

uint64_t DeviceMemory::take_in_kernel(uint64_t bytes) {
  if (!kernel_heap_) {
    place(kKernelHeap, std::vector<uint8_t>(kernel_heap_bytes_));
    kernel_heap_.emplace(kernel_heap_bytes_);
  }
  const uint64_t place = kernel_heap_->take(bytes);
  return place == KernelHeap::kNone ? 0 : kKernelHeap + place;
}

bool DeviceMemory::give_back_in_kernel(uint64_t address) {
  return kernel_heap_ && kernel_heap_->give_back(address - kKernelHeap);
}

void DeviceMemory::place(uint64_t address, std::vector<uint8_t> bytes) {
  constexpr uint64_t kAboveWindows = uint64_t{1} << 32;
  constexpr uint64_t kEnd = uint64_t{1} << 48;  // of addresses that a process has
  const auto above = first_above(address);
  const bool is_free = (above == buffers_.end() || bytes.size() <= above->address - address) &&
                       (above == buffers_.begin() ||
                        address - std::prev(above)->address >= std::prev(above)->storage.size());
  const bool is_there = address >= kAboveWindows && address < kEnd;
  if (is_there && (overlap(address, bytes.size(), kSm70Windows.shared, kSm70Windows.shared_bytes) ||
                   overlap(address, bytes.size(), kSm70Windows.local, Windows::kBytes))) {
    throw InputError(
        fmt::format("a buffer of {} bytes at address 0x{:x}; expected one outside the windows of "
                    "shared memory, from 0x{:x} on, and local memory, from 0x{:x} on",
                    bytes.size(), address, kSm70Windows.shared, kSm70Windows.local));
  }
  if (!is_there || !is_free) {
    throw InputError(
        fmt::format("a buffer of {} bytes at address 0x{:x}; expected one from 0x{:x} "
                    "to 0x{:x} where no other buffer is",
                    bytes.size(), address, kAboveWindows, kEnd - 1));
  }
  count(bytes.size());
  buffers_.insert(above, {address, Storage(std::move(bytes))});
}

void DeviceMemory::map(uint64_t address, uint8_t* data, size_t size) {
  buffers_.insert(first_above(address), {address, Storage(data, size)});
}

bool DeviceMemory::is_mapped() const {
  return std::any_of(buffers_.begin(), buffers_.end(), [](const Buffer& each) {
    return each.storage.size() != each.storage.bytes().size();
  });
}

void DeviceMemory::unmap(uint64_t address) {
  const auto mapped =
      std::find_if(buffers_.begin(), buffers_.end(),
                   [address](const Buffer& buffer) { return buffer.address == address; });
  if (mapped != buffers_.end()) buffers_.erase(mapped);
}

void DeviceMemory::forget_uses() {
  for (Buffer& buffer : buffers_) buffer.is_used = false;
  last_ = buffers_.size();  // so that the next access looks for its buffer
}

const DeviceMemory::Buffer& DeviceMemory::buffer_at(uint64_t address) const {
  for (const Buffer& buffer : buffers_) {
    if (buffer.address == address) return buffer;
  }
  throw std::out_of_range("no buffer starts at this device address");
}

const std::vector<uint8_t>& DeviceMemory::bytes(uint64_t address) const {
  return buffer_at(address).storage.bytes();
}

std::string DeviceMemory::nearest(uint64_t address) const {
  const auto distance = [address](const Buffer& buffer) {
    const uint64_t end = buffer.address + buffer.storage.size();
    if (address < buffer.address) return buffer.address - address;
    return address < end ? 0 : address - end;
  };
  const auto found =
      std::min_element(buffers_.begin(), buffers_.end(),
                       [&](const Buffer& a, const Buffer& b) { return distance(a) < distance(b); });
  if (found == buffers_.end() || distance(*found) > kMostBytes) return "";
  return fmt::format(" (byte {} of the buffer of {} bytes at 0x{:x})",
                     static_cast<int64_t>(address - found->address), found->storage.size(),
                     found->address);
}

Storage* DeviceMemory::find(uint64_t address, size_t size, uint64_t* offset) {
  const auto holds = [&](Buffer& buffer) {
    *offset = address - buffer.address;
    return address >= buffer.address && buffer.storage.contains(*offset, size);
  };
  if (last_ < buffers_.size() && holds(buffers_[last_])) return &buffers_[last_].storage;
  const auto above = first_above(address);
  if (above == buffers_.begin() || !holds(*(above - 1))) return nullptr;
  last_ = static_cast<size_t>(above - buffers_.begin()) - 1;
  buffers_[last_].is_used = true;
  return &buffers_[last_].storage;
}

}  // namespace shflsim::isa
