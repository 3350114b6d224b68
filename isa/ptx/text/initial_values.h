// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/ptx/text/cursor.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// The place of a variable whose initial value is being read.
struct ValuePlace {
  size_t offset = 0;
  size_t size = 0;  ///< bytes of an element
  /// Dimensions of the array, then that of a vector. If the first is 0, the number of values
  /// decides, which may be up to `most`.
  std::vector<uint64_t> dimensions;
  size_t most = 0;
};

/// Reads the initial value of a variable after the '=': numbers, addresses of variables and
/// functions, bytes of addresses, and braces around elements. Missing values are 0.
class ValueReader {
 public:
  /// The module's name of a variable, by its name in the text.
  using Resolve = std::function<std::string(const std::string&)>;

  ValueReader(Cursor* at, const Module* module, Data* data, Resolve resolve)
      : at_(*at), module_(*module), data_(*data), resolve_(std::move(resolve)) {}

  /// Reads the value; returns the variable's end.
  size_t read(const ValuePlace& place);

 private:
  size_t read_group(size_t at, size_t end);
  void read_value(size_t at, size_t end);
  void read_address(size_t at);
  void read_byte_of_address(size_t at);
  void take_name(Data::Address* address);
  void join_bytes();
  void check_bytes(size_t first, const Position& where) const;
  bool is_constant(const std::string& name) const;

  Cursor& at_;
  const Module& module_;
  Data& data_;
  Resolve resolve_;
  size_t size_ = 0;
  unsigned depth_ = 0;  ///< depth of braces
};

}  // namespace shflsim::isa::ptx
