// SPDX-License-Identifier: Apache-2.0
// What a launch takes besides its code, by the cycles for which its SM is active: nothing at all, a store,
// loads, parameters of different lines, code that is run through once.
struct Big { int words[256]; };
#define PRE extern "C" __global__ void
#define PARAM(n) s = s * big.words[16 * (n)] + 1;
#define STEP s = s * a + 1.5f;
#define STEPS8 STEP STEP STEP STEP STEP STEP STEP STEP
#define STEPS64 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8 STEPS8
PRE empty() {}
PRE store1(unsigned* out) { out[threadIdx.x] = threadIdx.x; }
PRE load1(const unsigned* in, unsigned* out) { out[threadIdx.x] = in[threadIdx.x]; }
PRE load2(const unsigned* in, unsigned* out) { out[threadIdx.x] = in[256 + (in[threadIdx.x] & 31)]; }
PRE param4(Big big, unsigned* out) { int s = threadIdx.x; PARAM(0) PARAM(1) PARAM(2) PARAM(3) out[threadIdx.x] = s; }
PRE param16(Big big, unsigned* out) {
  int s = threadIdx.x;
  PARAM(0) PARAM(1) PARAM(2) PARAM(3) PARAM(4) PARAM(5) PARAM(6) PARAM(7)
  PARAM(8) PARAM(9) PARAM(10) PARAM(11) PARAM(12) PARAM(13) PARAM(14) PARAM(15) out[threadIdx.x] = s;
}
PRE line64(unsigned* out, float a) { float s = threadIdx.x; STEPS64 out[threadIdx.x] = s; }
PRE line256(unsigned* out, float a) { float s = threadIdx.x; STEPS64 STEPS64 STEPS64 STEPS64 out[threadIdx.x] = s; }
