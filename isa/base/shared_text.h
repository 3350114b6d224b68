// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace shflsim::isa {

/// Bytes that never change and may have several holders: a string, or a file that is mapped into
/// memory. They stay as long as one holder lives.
class SharedText : public std::string_view {
 public:
  SharedText() = default;
  SharedText(std::string text);  // NOLINT(google-explicit-constructor): a text is one of these
  SharedText(const char* text) : SharedText(std::string(text)) {}  // NOLINT: as above

  /// The bytes of a file; empty if it cannot be mapped, as a stream or an empty file cannot.
  static SharedText of_file(const std::string& path);
  /// Up to `size` bytes from `at` on.
  SharedText part(size_t at, size_t size = npos) const;

 private:
  SharedText(std::shared_ptr<const void> holder, std::string_view bytes)
      : std::string_view(bytes), holder_(std::move(holder)) {}

  std::shared_ptr<const void> holder_;
};

}  // namespace shflsim::isa
