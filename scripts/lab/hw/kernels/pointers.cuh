// SPDX-License-Identifier: Apache-2.0
// Addresses in initial values of variables.
#pragma once
#include "kernel.cuh"

static __device__ uint32_t first[4] = {3, 5, 7, 11}, second[4] = {13, 17, 19, 23};
static __device__ uint32_t* rows[3] = {first, second + 1, nullptr};
static __constant__ uint32_t* const_rows[2] = {second, first + 2};
static __device__ const char* names[3] = {"idx", "bfly", "down"};
static __constant__ const char* const_names[2] = {"xor", "ring"};

struct Link {
  uint32_t value;
  const Link* next;
};
static __device__ const Link last = {4, nullptr}, middle = {8, &last}, links[2] = {{1, &last}, {2, &middle}};
static __device__ const Link* head = &links[1];

HERE uint32_t length_of(const char* text) {
  uint32_t length = 0;
  while (text[length] != 0) ++length;
  return length;
}

KERNEL(p_rows) {
  const uint32_t v = in[TID];
  const uint32_t* row = rows[v % 2];
  out[TID] = row[v / 2 % 3] + (rows[2 - v % 3 % 2] == nullptr ? 1000 : 0);
}
KERNEL(p_const_rows) {
  const uint32_t v = in[TID];
  out[TID] = const_rows[v % 2][v / 2 % 2] * v;
}
KERNEL(p_names) {
  const uint32_t v = in[TID];
  const char* name = names[v % 3];
  out[TID] = length_of(name) * 256 + uint32_t(name[v % 3]);
}
KERNEL(p_const_names) {
  const uint32_t v = in[TID];
  const char* name = const_names[v & 1];
  out[TID] = length_of(name) * 256 + uint32_t(name[v / 2 % 3]);
}
KERNEL(p_chain) {
  uint32_t sum = in[TID];
  for (const Link* link = head; link != nullptr; link = link->next) sum = sum * 31 + link->value;
  out[TID] = sum;
}

typedef uint32_t (*Operation)(uint32_t);
static __device__ __noinline__ uint32_t twice(uint32_t v) { return 2 * v; }
static __device__ __noinline__ uint32_t turned(uint32_t v) { return ~v; }
static __device__ __noinline__ uint32_t mixed(uint32_t v) { return v * 2654435761u ^ v >> 7; }
static __device__ Operation operations[3] = {twice, turned, mixed};
static __constant__ Operation const_operations[3] = {mixed, twice, turned};

KERNEL(p_dispatch) {
  const uint32_t v = in[TID];
  out[TID] = operations[v % 3](v);
}
KERNEL(p_const_dispatch) {
  const uint32_t v = in[TID];
  out[TID] = const_operations[v % 3](v) + const_operations[(v + 1) % 3](v);
}
