// SPDX-License-Identifier: Apache-2.0
#include "isa/base/standard_output.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "isa/base/input_error.h"

namespace shflsim::isa {
namespace {

void write_out(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (done >= 0) {
      bytes.remove_prefix(static_cast<size_t>(done));
    } else if (errno == EAGAIN) {  // another process that shares it has made it non-blocking
      pollfd room{STDOUT_FILENO, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno == EPIPE) {
      throw ClosedPipe();
    } else if (errno != EINTR) {
      throw InputError({"standard output"},
                       std::string("cannot be written: ") + std::strerror(errno));
    }
  }
}

}  // namespace

StandardOutput* StandardOutput::current_ = nullptr;

StandardOutput::StandardOutput() : before_(std::cout.rdbuf(this)) {
  std::cout.exceptions(std::ios::badbit);  // an exception of a write reaches the caller
  current_ = this;
}

StandardOutput::~StandardOutput() {
  current_ = nullptr;
  std::cout.exceptions(std::ios::goodbit);
  std::cout.rdbuf(before_);
}

void StandardOutput::take() {
  if (is_taken_)
    throw InputError("standard output is asked for twice; expected '-' for one file alone");
  is_taken_ = true;
  held_.clear();
}

void StandardOutput::release() {
  const std::string all = std::move(held_);
  held_.clear();
  write_out(all);
}

void StandardOutput::write(std::string_view bytes) {
  held_ += bytes;
  if (held_.size() > kHeld) release();
}

std::streambuf::int_type StandardOutput::overflow(int_type c) {
  const char letter = traits_type::to_char_type(c);
  if (c != traits_type::eof() && !is_taken_) write({&letter, 1});
  return traits_type::not_eof(c);
}

std::streamsize StandardOutput::xsputn(const char* bytes, std::streamsize size) {
  if (!is_taken_) write({bytes, static_cast<size_t>(size)});
  return size;
}

}  // namespace shflsim::isa
