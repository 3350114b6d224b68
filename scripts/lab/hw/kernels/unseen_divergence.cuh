// SPDX-License-Identifier: Apache-2.0
// Divergence, calls, shuffles, atomics and threads that wait for one another.
#pragma once
#include "kernel.cuh"

KERNEL(u_diverge_three_way) {
  const uint32_t v = in[TID];
  uint32_t h = v;
  if (v % 3 == 0) {
    for (uint32_t i = 0; i < (v & 7); i++) h = h * 5 + i;
    if (h & 1) h ^= in[h % n];
  } else if (v % 3 == 1) {
    if (v & 64)
      h = __brev(h);
    else if (v & 128) {
      do h >>= 1;
      while (h > 1000);
    }
  } else {
    h = __clz(v) + 1;
    while (h < 100) h = h * 2 + (v >> (h & 31) & 1);
  }
  h += __shfl_sync(FULL, h, int(v & 31));
  out[TID] = h;
}

KERNEL(u_diverge_warp_queue) {
  uint32_t work = in[TID] & 63, h = 0, lane = lane_id();
  while (true) {
    uint32_t m = __ballot_sync(FULL, work > 0);
    if (m == 0) break;
    int leader = 31 - __clz(m);
    uint32_t w = __shfl_sync(FULL, work, leader);
    h += w * (lane + 1);
    if (int(lane) == leader) work = work > 17 ? work - 17 : 0;
  }
  out[TID] = h;
}

KERNEL(u_binary_gcd_lcm) {
  uint32_t a = in[TID] % 50000 + 1, b = in[(TID + 5) % n] % 40000 + 1;
  uint32_t x = a, y = b, s = 0;
  while (((x | y) & 1) == 0) {
    x >>= 1;
    y >>= 1;
    s++;
  }
  while ((x & 1) == 0) x >>= 1;
  do {
    while ((y & 1) == 0) y >>= 1;
    if (x > y) {
      uint32_t t = x;
      x = y;
      y = t;
    }
    y -= x;
  } while (y);
  out[TID] = mix(x << s, uint64_t(a) * b / (x << s));
}

KERNEL(u_regex_states) {
  uint32_t s = 0, v = in[TID], count = 0;
#pragma unroll 1
  for (int i = 0; i < 32; i += 2) {
    uint32_t c = v >> i & 3;
    switch (s) {
      case 0:
        s = c == 1 ? 1 : c == 2 ? 4 : 0;
        break;
      case 1:
        s = c == 2 ? 2 : c == 1 ? 1 : 0;
        break;
      case 2:
        if (c == 3) {
          s = 3;
          count += i;
        } else
          s = c;
        break;
      case 3:
        s = c & 1 ? 5 : 0;
        break;
      case 4:
        s = 6 - c;
        break;
      case 5:
        count = count * 3 + 1;
        s = 0;
        break;
      default:
        s = count & 3;
        count++;
    }
  }
  out[TID] = mix(s, count);
}
static __device__ __noinline__ uint32_t u_fold(uint32_t x, int d) {
  return d == 0 ? x * 7 + 1 : u_fold(x ^ (x >> d), d - 1) + (d & 1 ? u_fold(x + d, d / 2) : 0);
}

KERNEL(u_recursion_tree) { out[TID] = u_fold(in[TID], int(in[TID] & 7)); }
typedef uint32_t (*U_op)(uint32_t, uint32_t);
static __device__ __noinline__ uint32_t u_op_a(uint32_t a, uint32_t b) { return a * b + 1; }
static __device__ __noinline__ uint32_t u_op_b(uint32_t a, uint32_t b) { return (a ^ b) >> 1; }
static __device__ __noinline__ uint32_t u_op_c(uint32_t a, uint32_t b) { return __popc(a) + b; }
__device__ U_op u_ops[3] = {u_op_a, u_op_b, u_op_c};

KERNEL(u_pointer_table) {
  uint32_t h = in[TID];
  for (int i = 0; i < 4; i++) h = u_ops[(h >> i) % 3](h, i + 1);
  out[TID] = h;
}

KERNEL(u_shuffle_stencil) {
  float v = whole(in[TID]);
#pragma unroll 1
  for (int i = 0; i < 6; i++) {
    float l = __shfl_up_sync(FULL, v, 1), r = __shfl_down_sync(FULL, v, 1);
    v = 0.25f * l + 0.5f * v + 0.25f * r;
  }
  out[TID] = __float_as_uint(v);
}

KERNEL(u_shuffle_transpose8) {
  uint32_t r[8];
  for (int i = 0; i < 8; i++) r[i] = in[(TID + 32 * i) % n];
#pragma unroll
  for (int s = 4; s; s >>= 1)
#pragma unroll
    for (int i = 0; i < 8; i++)
      if (!(i & s)) {
        bool up = lane_id() & s;
        uint32_t x = up ? r[i] : r[i | s];
        x = __shfl_xor_sync(FULL, x, s);
        if (up)
          r[i] = x;
        else
          r[i | s] = x;
      }
  uint32_t h = 0;
  for (int i = 0; i < 8; i++) h = mix(h, r[i]);
  out[TID] = h;
}

KERNEL(u_atomics_mixed) {
  __shared__ uint32_t s[8];
  __shared__ unsigned long long w[2];
  if (threadIdx.x < 8) s[threadIdx.x] = threadIdx.x * 100;
  if (threadIdx.x < 2) w[threadIdx.x] = ~0ull >> (1 - threadIdx.x) * 64 / 2;
  __syncthreads();
  const uint32_t v = in[TID];
  atomicMax(&s[0], v);
  atomicMin(&s[1], v);
  atomicAnd(&s[2], v | 0xff);
  atomicOr(&s[3], v & 0x10101);
  atomicXor(&s[4], v);
  atomicInc(&s[5], 1000);
  atomicAdd((int*)&s[6], -int(v & 7));
  atomicDec(&s[7], 900000);
  atomicAdd(&w[0], uint64_t(v) * v);
  atomicMax(&w[1], uint64_t(v) << 9);
  __syncthreads();
  out[TID] = mix(mix(s[threadIdx.x & 7], w[0]), w[1]);
}

KERNEL(u_volatile_ring) {
  __shared__ volatile uint32_t f[8];
  __shared__ uint32_t d[8];
  if (threadIdx.x < 8) f[threadIdx.x] = 0;
  __syncthreads();
  const uint32_t w = warp_id();
  uint32_t x = in[TID];
  if (lane_id() == 0) {
    if (w) {
      while (f[w - 1] == 0) {
      }
      __threadfence_block();
      x += d[w - 1];
    }
    d[w] = x;
    __threadfence_block();
    f[w] = 1;
  }
  x = __shfl_sync(FULL, x, 0) + lane_id();
  out[TID] = x;
}

KERNEL(u_const_tables) {
  static const __device__ uint8_t t[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  const uint32_t v = in[TID];
  uint32_t h = 0;
  for (int i = 0; i < 8; i++) h = h * t[v >> (4 * i) & 15] + i;
  out[TID] = h;
}

KERNEL(u_bits_bag) {
  const uint32_t v = in[TID], w = in[(TID + 1) % n];
  uint32_t h = 0;
  h = mix(h, __byte_perm(v, w, w & 0x7777));
  h = mix(h, __funnelshift_r(v, w, v));
  h = mix(h, __ffs(int(w & 0xfff0)));
  h = mix(h, __clzll((long long)(uint64_t(v) << 7)));
  h = mix(h, __brevll(uint64_t(v) << 16 | w));
  h = mix(h, __popcll(uint64_t(v) * w));
  h = mix(h, __sad(int(v), int(w), v));
  h = mix(h, __usad(v, w, 1));
  h = mix(h, __hadd(int(v), int(w)));
  h = mix(h, __rhadd(int(v), int(w)));
  h = mix(h, __mul24(int(v), int(w)));
  h = mix(h, __umul64hi(uint64_t(v) << 20, uint64_t(w) << 30));
  h = mix(h, __mulhi(int(v), int(w)));
  h = mix(h, __vadd4(v, w));
  h = mix(h, __vmaxs2(v, w));
  h = mix(h, __vcmpgtu4(v, w));
  h = mix(h, __vabsdiffu4(v, w));
  h = mix(h, __vsubss4(v, w));
  h = mix(h, __dp4a(int(v), int(w), 5));
  h = mix(h, __dp2a_lo(int(v), int(w), -3));
  out[TID] = h;
}

KERNEL(u_struct_local) {
  struct Node {
    uint16_t l, r;
    uint32_t k;
  } t[12];
  int m = 1;
  t[0] = {0, 0, in[TID]};
#pragma unroll 1
  for (int i = 1; i < 12; i++) {
    uint32_t k = in[(TID + i * 17) % n];
    int at = 0;
    while (true) {
      uint16_t& nx = k < t[at].k ? t[at].l : t[at].r;
      if (!nx) {
        nx = uint16_t(m);
        t[m++] = {0, 0, k};
        break;
      }
      at = nx;
    }
  }
  uint32_t h = 0;
  for (int i = 0; i < 12; i++) h = mix(h, t[i].l * 64 + t[i].r);
  out[TID] = h;
}

KERNEL(u_mandel_double) {
  double cx = double(in[TID] & 255) / 100 - 2, cy = double(in[TID] >> 8 & 255) / 128 - 1, x = 0,
         y = 0;
  int i = 0;
  for (; i < 40 && x * x + y * y < 4; i++) {
    double t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  out[TID] = mix(mix(i, x), y);
}

KERNEL(u_early_return_vote) {
  const uint32_t v = in[TID];
  if ((v & 3) == 0) {
    out[TID] = 1;
    return;
  }
  uint32_t m = __activemask();
  uint32_t b = __ballot_sync(m, v & 8), a = __any_sync(m, v == 9), l = __all_sync(m, v > 2);
  if (v & 16) {
    uint32_t k = __activemask();
    b += __popc(__ballot_sync(k, 1));
  }
  out[TID] = __popc(b) + (a << 8) + (l << 9) + __popc(m);
}

KERNEL(u_lut_prefix_block) {
  __shared__ uint32_t s[2][256];
  int f = 0;
  s[0][threadIdx.x] = in[TID] & 0xffff;
  for (int o = 1; o < 256; o <<= 1) {
    __syncthreads();
    uint32_t x = s[f][threadIdx.x];
    if (int(threadIdx.x) >= o) x += s[f][threadIdx.x - o];
    f ^= 1;
    s[f][threadIdx.x] = x;
  }
  __syncthreads();
  out[TID] = s[f][255 - threadIdx.x];
}
