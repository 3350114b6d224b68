// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace shflsim::isa {

/// Nobody reads standard output any more: `shflsim ... | head`.
struct ClosedPipe {};

/// Standard output of one command: what std::cout takes while this lives is held back until
/// release(), so that a command that fails prints nothing. What is longer than kHeld goes out as it
/// comes. A file that is `-` takes standard output for itself (take()): then its bytes are all that
/// goes out, and what std::cout takes is dropped.
///
/// A write that fails throws out of std::cout: InputError, or ClosedPipe.
class StandardOutput final : public std::streambuf {
 public:
  static constexpr size_t kHeld = size_t{16} << 20;  ///< bytes

  StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  ~StandardOutput() override;

  /// The one that there is; nullptr where none is.
  static StandardOutput* current() { return current_; }

  /// Throws InputError where somebody has it.
  void take();
  /// From the one who has it.
  void write(std::string_view bytes);
  /// Lets go what is held back.
  void release();

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize size) override;

 private:
  static StandardOutput* current_;
  std::streambuf* const before_;
  std::string held_;
  bool is_taken_ = false;
};

}  // namespace shflsim::isa
