// SPDX-License-Identifier: Apache-2.0
#include "sweep/result_bytes.h"

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <vector>

namespace shflsim::sweep {
namespace {

using Json = nlohmann::json;

template <class T>
constexpr bool kIsValue = std::is_arithmetic_v<T> || std::is_same_v<T, std::string>;

template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;
template <class T, size_t size>
constexpr bool kIsList<std::array<T, size>> = true;

template <class T>
Json json_of(const T& value) {
  if constexpr (kIsValue<T>) {
    return value;
  } else {
    Json::array_t parts;
    const auto add = [&parts](const auto& part) { parts.push_back(json_of(part)); };
    if constexpr (kIsList<T>) {
      parts.reserve(value.size());
      for (const auto& element : value) add(element);
    } else {
      T::visit(value, add);
    }
    return parts;
  }
}

template <class T>
void make_room(size_t size, std::vector<T>* list) {
  list->resize(size);
}
template <class T, size_t most>
void make_room(size_t, std::array<T, most>*) {}

template <class T>
void read(const Json& json, T* value) {
  if constexpr (kIsValue<T>) {
    json.get_to(*value);
  } else {
    size_t next = 0;
    const auto fill = [&](auto& part) { read(json.at(next++), &part); };
    if constexpr (kIsList<T>) {
      make_room(json.size(), value);
      for (auto& element : *value) fill(element);
    } else {
      T::visit(*value, fill);
    }
  }
}

}  // namespace

std::string bytes_of(const model::RunResult& result) {
  std::string bytes;
  Json::to_msgpack(json_of(result), bytes);
  return bytes;
}

model::RunResult result_of(const std::string& bytes) {
  model::RunResult result;
  read(Json::from_msgpack(bytes), &result);
  return result;
}

}  // namespace shflsim::sweep
