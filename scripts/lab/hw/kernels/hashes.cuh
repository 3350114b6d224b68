// SPDX-License-Identifier: Apache-2.0
// Hashes, ciphers, random numbers and codes.
#pragma once
#include "kernel.cuh"

KERNEL(hash_murmur3) {
  uint32_t h = TID;
  for (int i = 0; i < 9; i++) {
    uint32_t k = in[(TID + i) % n] * 0xcc9e2d51u;
    k = rotl(k, 15) * 0x1b873593u;
    h = rotl(h ^ k, 13) * 5 + 0xe6546b64u;
  }
  h ^= 36;
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  out[TID] = h ^ h >> 16;
}

KERNEL(hash_xx64) {
  const uint64_t p1 = 0x9E3779B185EBCA87ull, p2 = 0xC2B2AE3D27D4EB4Full, p3 = 0x165667B19E3779F9ull;
  uint64_t lanes[4] = {p1 + p2, p2, 0, 0 - p1};
  for (int i = 0; i < 16; i += 4) {
    for (int j = 0; j < 4; j++) {
      const uint64_t v = uint64_t(in[(TID + i + j) % n]) << 32 | in[(TID + 2 * i + 3 * j) % n];
      const uint64_t x = lanes[j] + v * p2;
      lanes[j] = (x << 31 | x >> 33) * p1;
    }
  }
  uint64_t h = (lanes[0] << 1 | lanes[0] >> 63) + (lanes[1] << 7 | lanes[1] >> 57) +
               (lanes[2] << 12 | lanes[2] >> 52) + (lanes[3] << 18 | lanes[3] >> 46);
  h = (h ^ h >> 33) * p2;
  h = (h ^ h >> 29) * p3;
  out[TID] = uint32_t(h ^ h >> 32);
}

__constant__ uint32_t kRounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
KERNEL(hash_sha256) {
  uint32_t w[16], s[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (int i = 0; i < 16; i++) w[i] = in[(TID + i) % n];
#pragma unroll 1
  for (int r = 0; r < 64; r += 16) {
#pragma unroll
    for (int i = 0; i < 16; i++) {
      const uint32_t t = s[7] + (rotl(s[4], 26) ^ rotl(s[4], 21) ^ rotl(s[4], 7)) +
                         ((s[4] & s[5]) ^ (~s[4] & s[6])) + kRounds[r + i] + w[i];
      const uint32_t u = (rotl(s[0], 30) ^ rotl(s[0], 19) ^ rotl(s[0], 10)) +
                         ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + t, s[3] = s[2], s[2] = s[1], s[1] = s[0],
      s[0] = t + u;
      const uint32_t a = w[(i + 1) & 15], b = w[(i + 14) & 15];
      w[i] += (rotl(a, 25) ^ rotl(a, 14) ^ a >> 3) + w[(i + 9) & 15] +
              (rotl(b, 15) ^ rotl(b, 13) ^ b >> 10);
    }
  }
  uint32_t h = 0;
  for (int i = 0; i < 8; i++) h = mix(h, s[i]);
  out[TID] = h;
}

/// A table in constant memory, indexed apart by each lane, and one in global memory.
__constant__ uint32_t kNibbles[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
__device__ const uint32_t kReversed[16] = {0x0, 0x8, 0x4, 0xc, 0x2, 0xa, 0x6, 0xe,
                                           0x1, 0x9, 0x5, 0xd, 0x3, 0xb, 0x7, 0xf};
KERNEL(hash_crc32_tables) {
  uint32_t crc = ~TID, mirrored = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t word = in[(TID + i) % n];
#pragma unroll 2
    for (int nibble = 0; nibble < 8; nibble++, word >>= 4) {
      crc = crc >> 4 ^ kNibbles[(crc ^ word) & 15];
      mirrored = mirrored << 4 ^ kReversed[word & 15];
    }
  }
  out[TID] = ~crc ^ mirrored;
}

KERNEL(hash_keccak) {
  uint64_t a[25], c[5];
  for (int i = 0; i < 25; i++)
    a[i] = i < 17 ? uint64_t(in[(TID + i) % n]) << 32 | in[(TID + 2 * i) % n] : 0;
  uint32_t lfsr = 1;
#pragma unroll 1
  for (int round = 0; round < 6; round++) {
#pragma unroll
    for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#pragma unroll
    for (int i = 0; i < 25; i++)
      a[i] ^= c[(i + 4) % 5] ^ (c[(i + 1) % 5] << 1 | c[(i + 1) % 5] >> 63);
    uint64_t b[25];
#pragma unroll
    for (int x = 0; x < 5; x++) {
#pragma unroll
      for (int y = 0; y < 5; y++) {
        const int r = (x * 17 + y * 23 + 1) % 63 + 1;
        const uint64_t v = a[x + 5 * y];
        b[y + 5 * ((2 * x + 3 * y) % 5)] = v << r | v >> (64 - r);
      }
    }
#pragma unroll
    for (int i = 0; i < 25; i++)
      a[i] = b[i] ^ (~b[i / 5 * 5 + (i + 1) % 5] & b[i / 5 * 5 + (i + 2) % 5]);
    lfsr = lfsr << 1 ^ (lfsr >> 7) * 0x171;
    a[0] ^= uint64_t(lfsr) << 31;
  }
  uint32_t h = 0;
  for (int i = 0; i < 25; i++) h = mix(h, a[i]);
  out[TID] = h;
}

KERNEL(cipher_chacha) {
  uint32_t s[16], x[16];
  for (int i = 0; i < 16; i++) s[i] = x[i] = i < 4 ? 0x61707865u * (i + 1) : in[(TID + i) % n];
#define QUARTER(a, b, c, d)                                                               \
  x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 16), x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 12); \
  x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 8), x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 7);
  for (int i = 0; i < 10; i++) {
    QUARTER(0, 4, 8, 12)
    QUARTER(1, 5, 9, 13)
    QUARTER(2, 6, 10, 14) QUARTER(3, 7, 11, 15) QUARTER(0, 5, 10, 15) QUARTER(1, 6, 11, 12)
        QUARTER(2, 7, 8, 13) QUARTER(3, 4, 9, 14)
  }
  uint32_t h = 0;
  for (int i = 0; i < 16; i++) h = mix(h, x[i] + s[i]);
  out[TID] = h;
}

/// Counter-based random numbers, made uniform and normal by exact steps only.
KERNEL(random_philox) {
  uint32_t c[4] = {TID, in[TID], 0, 1}, k[2] = {in[(TID + 1) % n], 77};
#pragma unroll
  for (int i = 0; i < 10; i++) {
    const uint64_t p = uint64_t(0xD2511F53u) * c[0], q = uint64_t(0xCD9E8D57u) * c[2];
    c[0] = uint32_t(q >> 32) ^ c[1] ^ k[0], c[1] = uint32_t(q);
    c[2] = uint32_t(p >> 32) ^ c[3] ^ k[1], c[3] = uint32_t(p);
    k[0] += 0x9E3779B9u, k[1] += 0xBB67AE85u;
  }
  const float u = float(c[0]) * 0x1p-32f, v = float(c[1]) * 0x1p-32f;
  const double d = double(uint64_t(c[2]) << 21 ^ c[3]) * 0x1p-53;
  out[TID] = mix(mix(mix(0u, u + v - 1.0f), d), c[3]);
}

/// Text: bytes to base64 and back, by byte stores into shared memory.
KERNEL(code_base64) {
  __shared__ uint8_t text[256][4];
  const uint32_t v = in[TID] >> 8;
  for (int i = 0; i < 4; i++) {
    const uint32_t six = v >> (18 - 6 * i) & 63;
    text[threadIdx.x][i] = uint8_t(six < 26    ? 'A' + six
                                   : six < 52  ? 'a' + six - 26
                                   : six < 62  ? '0' + six - 52
                                   : six == 62 ? '+'
                                               : '/');
  }
  __syncwarp();
  uint32_t back = 0;
  const uint8_t* other = text[threadIdx.x ^ 1];
  for (int i = 0; i < 4; i++) {
    const uint32_t c = other[i];
    back = back << 6 | (c >= 'a'   ? c - 'a' + 26
                        : c >= 'A' ? c - 'A'
                        : c == '+' ? 62
                        : c == '/' ? 63
                                   : c - '0' + 52);
  }
  out[TID] = back << 8 | text[threadIdx.x][3];
}
