// SPDX-License-Identifier: Apache-2.0
#include "isa/ptx/text/initial_values.h"

#include <algorithm>
#include <cstring>

#include "isa/base/bounded.h"
#include "isa/ptx/text/expression.h"

namespace shflsim::isa::ptx {
namespace {

constexpr unsigned kBitsOfByte = 8;
constexpr size_t kAddressBytes = sizeof(uint64_t);

}  // namespace

size_t ValueReader::read(const ValuePlace& place) {
  const Position where = at_.peek().where;
  const size_t first = data_.addresses.size();
  size_ = place.size;
  const bool grows = !place.dimensions.empty() && place.dimensions.front() == 0;
  const size_t end = grows ? place.most : data_.bytes.size();
  if (at_.is_symbol("{")) {
    read_group(place.offset, end);
  } else {
    read_value(place.offset, end);
  }
  if (grows) {
    uint64_t whole = size_;  // size of an element of the first dimension
    for (size_t i = 1; i < place.dimensions.size(); ++i) whole *= place.dimensions[i];
    whole = std::max<uint64_t>(whole, 1);
    const size_t bytes = (data_.bytes.size() - place.offset + whole - 1) / whole * whole;
    data_.bytes.resize(place.offset + bytes);
  }
  check_bytes(first, where);
  return data_.bytes.size();
}

/// Reads values in braces. Inner braces are ignored: values are consecutive.
size_t ValueReader::read_group(size_t at, size_t end) {
  at_.expect("{");
  const Nesting nested(&depth_, "braces", at_.peek().where);
  do {
    if (at_.is_symbol("}")) break;
    if (at_.is_symbol("{")) {
      at = read_group(at, end);
    } else {
      read_value(at, end);
      at += size_;
    }
  } while (at_.take_symbol(","));
  at_.expect("}");
  return at;
}

void ValueReader::read_value(size_t at, size_t end) {
  if (!fits(at, size_, end)) at_.fail("more values than the variable has elements");
  data_.bytes.resize(std::max(data_.bytes.size(), at + size_));
  const bool is_byte = at_.peek().kind == Token::Kind::kInteger && at_.is_symbol("(", 1);
  if (is_byte) return read_byte_of_address(at);
  if (at_.is_any_word() && !is_at_constant(at_)) return read_address(at);
  Operand value;
  read_constant(&at_, "a number or the name of a variable", &value);
  const uint64_t bits = bits_of(value, static_cast<unsigned>(size_) * kBitsOfByte);
  std::memcpy(data_.bytes.data() + at, &bits, size_);
}

bool ValueReader::is_constant(const std::string& name) const {
  return module_.constants.variables.count(name) != 0;
}

/// Reads name or generic(name), and an addend.
void ValueReader::take_name(Data::Address* address) {
  const bool is_generic = at_.is_word("generic") && at_.is_symbol("(", 1);
  if (is_generic) {
    at_.take();
    at_.take();
  }
  address->name = resolve_(at_.take_name("the name of a variable"));
  address->is_generic = is_generic;
  if (is_generic) at_.expect(")");
  if (!at_.is_symbol("+") && !at_.is_symbol("-")) return;
  address->addend = static_cast<int64_t>(read_count(&at_, "a number of bytes"));
}

void ValueReader::read_address(size_t at) {
  const bool fits_in = size_ == kAddressBytes ||
                       (size_ == sizeof(uint32_t) && is_constant(resolve_(at_.peek().text)));
  if (!fits_in) at_.fail_here("a number, since an address has 64 bits");
  Data::Address address;
  address.offset = at;
  address.size = size_;
  take_name(&address);
  data_.addresses.push_back(std::move(address));
}

/// 0xFF00(name): the second byte of an address.
void ValueReader::read_byte_of_address(size_t at) {
  const Position where = at_.peek().where;
  constexpr uint64_t kByte = 0xFF;
  const uint64_t mask = at_.take_integer("a mask");
  Data::Address address;
  address.offset = at;
  address.size = 1;
  while (address.shift < 64 && mask != kByte << address.shift) address.shift += kBitsOfByte;
  if (address.shift == 64 || size_ != 1) {
    throw InputError(where,
                     "a part of an address; expected one byte of it, such as 0xFF00, in a variable "
                     "of bytes");
  }
  at_.expect("(");
  take_name(&address);
  at_.expect(")");
  data_.addresses.push_back(std::move(address));
  join_bytes();
}

/// Merges eight consecutive bytes of an address into that address.
void ValueReader::join_bytes() {
  std::vector<Data::Address>& all = data_.addresses;
  if (all.size() < kAddressBytes) return;
  const auto first = all.end() - kAddressBytes;
  for (unsigned i = 0; i < kAddressBytes; ++i) {
    const Data::Address& each = first[i];
    const bool goes_on = each.name == first->name && each.addend == first->addend &&
                         each.is_generic == first->is_generic;
    if (!goes_on || each.size != 1 || each.offset != first->offset + i ||
        each.shift != i * kBitsOfByte) {
      return;
    }
  }
  first->size = kAddressBytes;
  all.erase(first + 1, all.end());
}

/// Only the loader knows the addresses of variables, and it writes whole addresses; variables of
/// .const also have an offset in their bank.
void ValueReader::check_bytes(size_t first, const Position& where) const {
  for (size_t i = first; i < data_.addresses.size(); ++i) {
    const Data::Address& each = data_.addresses[i];
    if (each.size != 1 || (is_constant(each.name) && !each.is_generic)) continue;
    throw InputError(
        where, "a byte of the address of '" + each.name +
                   "' alone is not supported; expected all eight in order, from 0xFF(" + each.name +
                   ") on");
  }
}

}  // namespace shflsim::isa::ptx
