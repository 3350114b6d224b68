// SPDX-License-Identifier: Apache-2.0
// Launches that do nothing, or wait: what a launch and a block cost by themselves. Values may be chosen on them.
#include "launch.cuh"

#define NOTHING(NAME) \
  LAUNCH NAME(u32* out, u32 never) { \
    if (never) out[thread_of_grid()] = never; \
  }

//@ nothing_1 grid=1 block=32 args: zeros:128, u32:0
NOTHING(nothing_1)
//@ nothing_132 grid=132 block=128 args: zeros:128, u32:0
NOTHING(nothing_132)
//@ nothing_1056 grid=1056 block=256 args: zeros:128, u32:0
NOTHING(nothing_1056)
//@ nothing_2112_small grid=2112 block=32 args: zeros:128, u32:0
NOTHING(nothing_2112_small)
//@ nothing_8448 grid=8448 block=256 args: zeros:128, u32:0
NOTHING(nothing_8448)
//@ nothing_264_large grid=264 block=1024 args: zeros:128, u32:0
NOTHING(nothing_264_large)

// One warp of each SM counts down; the others have ended.
#define COUNT_DOWN(NAME) \
  LAUNCH NAME(u32* out, u32 steps) { \
    u32 x = steps; \
    while (x) x = x * 3 - x * 2 - 1; \
    if (steps == ~0u) out[thread_of_grid()] = x; \
  }

//@ count_down_132 grid=132 block=32 args: zeros:128, u32:400
COUNT_DOWN(count_down_132)
//@ count_down_132_long grid=132 block=32 args: zeros:128, u32:2000
COUNT_DOWN(count_down_132_long)
//@ count_down_1 grid=1 block=32 args: zeros:128, u32:2000
COUNT_DOWN(count_down_1)
//@ count_down_full grid=264 block=1024 args: zeros:128, u32:400
COUNT_DOWN(count_down_full)

// Each thread stores its number, or copies a word: the least that a launch of use does.
//@ store_number grid=264 block=256 args: zeros:270336
LAUNCH store_number(u32* out) { out[thread_of_grid()] = thread_of_grid(); }
//@ copy_word grid=264 block=256 args: words:67584, zeros:270336
LAUNCH copy_word(const u32* in, u32* out) { out[thread_of_grid()] = in[thread_of_grid()]; }
//@ copy_words_8 grid=264 block=256 args: words:540672, zeros:2162688
LAUNCH copy_words_8(const u32* in, u32* out) {
#pragma unroll
  for (u32 i = 0; i < 8; ++i) out[i * 67584 + thread_of_grid()] = in[i * 67584 + thread_of_grid()];
}
//@ sum_words_32 grid=264 block=256 args: words:2162688, zeros:270336
LAUNCH sum_words_32(const u32* in, u32* out) {
  u32 sum = 0;
#pragma unroll
  for (u32 i = 0; i < 32; ++i) sum += in[i * 67584 + thread_of_grid()];
  out[thread_of_grid()] = sum;
}
