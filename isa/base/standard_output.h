// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <streambuf>
#include <string>
#include <string_view>

namespace shflsim::isa {

/// Thrown when standard output has no reader any more: `shflsim ... | head`.
struct ClosedPipe {};

/// Standard output of one command. While this object lives, output of std::cout is held back until
/// release(), so that a command that fails prints nothing; beyond kHeld bytes, output is written at
/// once. A file that is `-` takes standard output for itself (take()): then only the bytes of that
/// file are written, and output of std::cout is dropped.
///
/// A write that fails throws out of std::cout: InputError, or ClosedPipe.
class StandardOutput final : public std::streambuf {
 public:
  static constexpr size_t kHeld = size_t{16} << 20;  ///< bytes

  StandardOutput();
  StandardOutput(const StandardOutput&) = delete;
  StandardOutput& operator=(const StandardOutput&) = delete;
  ~StandardOutput() override;

  /// The current object; nullptr if there is none.
  static StandardOutput* current() { return current_; }

  /// Throws InputError if standard output is already taken.
  void take();
  /// Writes bytes of the file that has taken standard output.
  void write(std::string_view bytes);
  /// Writes the output that is held back.
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
