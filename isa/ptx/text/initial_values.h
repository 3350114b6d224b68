// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "isa/ptx/text/cursor.h"
#include "isa/ptx/text/syntax.h"

namespace shflsim::isa::ptx {

/// A variable whose first value is being read.
struct ValuePlace {
  size_t offset = 0;
  size_t size = 0;  ///< bytes of an element
  /// Of the array, and behind them that of a vector. A first one of 0 says: as many as there are
  /// values, for which there is room up to `most`.
  std::vector<uint64_t> dimensions;
  size_t most = 0;
};

/// Reads what a variable of a file is set to, behind the '=': numbers, addresses of variables and
/// functions, bytes of addresses, and braces around elements. What the text leaves out is 0.
class ValueReader {
 public:
  /// What the module calls a variable that the text calls so.
  using Resolve = std::function<std::string(const std::string&)>;

  ValueReader(Cursor* at, const Module* module, Data* data, Resolve resolve)
      : at_(*at), module_(*module), data_(*data), resolve_(std::move(resolve)) {}

  /// Returns the variable's end.
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
  unsigned depth_ = 0;  ///< of braces
};

}  // namespace shflsim::isa::ptx
