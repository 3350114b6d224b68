// SPDX-License-Identifier: Apache-2.0
// Alignment, matching, hashing and coding of bytes.
#include "launch.cuh"

//@ align_wavefront grid=264 block=128 args: words:67584, words:67584, zeros:4224
LAUNCH align_wavefront(const u32* a, const u32* b, u32* out) {  // 32 x 64 cells a warp, a column in each lane
  u32 warp = thread_of_grid() / 32, mine = a[warp * 64 + lane_id()] & 3, best = 0;
  int left = 0, corner = 0, here = 0;
#pragma unroll 1
  for (u32 step = 0; step < 95; step++) {
    int above = here, from = __shfl_up_sync(~0u, here, 1);
    left = lane_id() == 0 ? 0 : from;
    int row = (int)step - (int)lane_id();
    if (row >= 0 && row < 64) {
      bool same = (b[warp * 64 + row] & 3) == mine;
      here = max(max(0, corner + (same ? 2 : -1)), max(above, left) - 1);
      best = max(best, (u32)here);
    }
    corner = left;
  }
  for (int by = 16; by > 0; by >>= 1) best = max(best, __shfl_xor_sync(~0u, best, by));
  if (lane_id() == 0) out[warp] = best;
}

//@ edit_distance grid=264 block=256 args: words:16, words:67584, zeros:270336
LAUNCH edit_distance(const u32* pattern, const u32* text, u32* out) {  // 64 letters by bits, a thread for a text
  __shared__ u64 masks[4];
  if (threadIdx.x < 4) {
    u64 mask = 0;
    for (u32 i = 0; i < 64; i++) mask |= (u64)((pattern[i / 16] >> i % 16 * 2 & 3) == threadIdx.x) << i;
    masks[threadIdx.x] = mask;
  }
  __syncthreads();
  u64 up = ~0ull, down = 0;
  u32 distance = 64;
#pragma unroll 1
  for (u32 word = 0; word < 4; word++) {
    u32 letters = text[(thread_of_grid() + word * 977) % 67584];
#pragma unroll
    for (u32 i = 0; i < 16; i++, letters >>= 2) {
      u64 same = masks[letters & 3], x = same | down, d = (((same & up) + up) ^ up) | same;
      u64 plus = down | ~(d | up), minus = up & d;
      distance += plus >> 63, distance -= minus >> 63;
      plus = plus << 1 | 1;
      up = minus << 1 | ~(x | plus), down = plus & x;
    }
  }
  out[thread_of_grid()] = distance;
}

//@ automaton_match grid=264 block=256 args: below:4096:64, words:270336, zeros:270336
LAUNCH automaton_match(const u32* table, const u32* text, u32* out) {  // 64 states, a table of 64 letters in shared memory
  __shared__ uint8_t next[64 * 64];
  for (u32 i = threadIdx.x; i < 4096; i += 256) next[i] = (uint8_t)table[i];
  __syncthreads();
  u32 state = 0, found = 0;
#pragma unroll 1
  for (u32 w = 0; w < 4; w++) {
    u32 letters = text[w * 67584 + thread_of_grid()];
#pragma unroll
    for (u32 i = 0; i < 4; i++, letters >>= 8) state = next[state * 64 + (letters & 63)], found += state == 7;
  }
  out[thread_of_grid()] = found << 8 | state;
}

__device__ const u32 kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01,
    0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc,
    0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08,
    0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__device__ inline u32 turn(u32 x, u32 by) { return __funnelshift_r(x, x, by); }

//@ sha256_blocks grid=132 block=256 args: words:540672, zeros:1081344
LAUNCH sha256_blocks(const uint4* in, uint4* out) {  // one block of 64 bytes a thread
  u32 w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
#pragma unroll
  for (int i = 0; i < 4; i++) *(uint4*)&w[4 * i] = in[thread_of_grid() * 4 + i];
#pragma unroll
  for (int i = 0; i < 64; i++) {
    if (i >= 16) {
      u32 a = w[(i + 1) & 15], b = w[(i + 14) & 15];
      w[i & 15] += (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[(i + 9) & 15] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
    }
    u32 t = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + (s[4] & s[5] ^ ~s[4] & s[6]) + kRound[i] + w[i & 15];
    u32 u = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]);
    s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + t, s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = t + u;
  }
  out[thread_of_grid() * 2] = make_uint4(s[0], s[1], s[2], s[3]);
  out[thread_of_grid() * 2 + 1] = make_uint4(s[4], s[5], s[6], s[7]);
}

__constant__ u32 kPolynomial = 0xedb88320;

//@ crc_table grid=528 block=256 args: words:1081344, zeros:540672
LAUNCH crc_table(const uint4* in, u32* out) {  // two blocks of 16 bytes a thread, table made in shared memory
  __shared__ u32 table[256];
  u32 c = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 8; i++) c = c & 1 ? c >> 1 ^ kPolynomial : c >> 1;
  table[threadIdx.x] = c;
  __syncthreads();
  u32 crc = ~0u;
#pragma unroll
  for (u32 half = 0; half < 2; half++) {
    uint4 v = in[(half * gridDim.x * 256 + thread_of_grid())];
    const u32* words = (const u32*)&v;
#pragma unroll
    for (int i = 0; i < 16; i++) crc = crc >> 8 ^ table[(crc ^ words[i / 4] >> i % 4 * 8) & 255];
  }
  out[thread_of_grid()] = ~crc;
}

//@ bloom_probe grid=1056 block=256 args: words:270336, words:1048576, zeros:128
LAUNCH bloom_probe(const u32* keys, const u32* filter, u32* hits) {
  __shared__ u32 room[32];
  u32 h = keys[thread_of_grid()], inside = 1;
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    h = mix(h + i);
    inside &= filter[h >> 5 & 1048575] >> (h & 31);
  }
  u32 sum = block_sum(inside & 1, room);
  if (threadIdx.x == 0) atomicAdd(hits, sum);
}

//@ base64_encode grid=528 block=256 args: words:405504, zeros:2162688
LAUNCH base64_encode(const u32* in, uint4* out) {  // 12 bytes to 16 letters a thread
  __shared__ uint8_t letters[64];
  if (threadIdx.x < 64) {
    u32 i = threadIdx.x;
    letters[i] = i < 26 ? 65 + i : i < 52 ? 71 + i : i < 62 ? i - 4 : i == 62 ? 43 : 47;
  }
  __syncthreads();
  u32 w[4] = {in[thread_of_grid() * 3], in[thread_of_grid() * 3 + 1], in[thread_of_grid() * 3 + 2], 0}, r[4];
#pragma unroll
  for (u32 i = 0; i < 4; i++) {
    u32 bytes = __funnelshift_r(w[i * 3 / 4], w[i * 3 / 4 + 1], i * 3 % 4 * 8);
    u32 order = __byte_perm(bytes, 0, 0x4012);
    r[i] = letters[order >> 18 & 63] | letters[order >> 12 & 63] << 8 | letters[order >> 6 & 63] << 16 | letters[order & 63] << 24;
  }
  out[thread_of_grid()] = make_uint4(r[0], r[1], r[2], r[3]);
}

//@ rolling_chunks grid=264 block=256 args: words:1081344, zeros:8448
LAUNCH rolling_chunks(const u32* in, u32* marks) {  // a rolling hash over 64 bytes a thread, marks by ballot
  u32 hash = 0, warp = thread_of_grid() / 32;
#pragma unroll 4
  for (u32 i = 0; i < 16; i++) {
    u32 v = in[warp * 512 + i * 32 + lane_id()];
    hash = hash * 0x9e3779b1u + (v ^ v >> 15);
    hash ^= __shfl_down_sync(~0u, hash, 1) >> 7;
  }
  u32 cut = __ballot_sync(~0u, (hash & 31) == 0);
  if (lane_id() == 0) marks[warp] = cut;
}
