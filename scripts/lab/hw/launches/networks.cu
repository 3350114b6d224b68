// SPDX-License-Identifier: Apache-2.0
// Operations of neural networks by rows and elements.
#include "launch.cuh"

//@ softmax_online grid=2112 block=128 args: floats:2162688, zeros:8650752
LAUNCH softmax_online(const float4* in, float4* out) {  // a row of 1024, greatest and sum in one pass
  __shared__ float2 room[4];
  float4 v[2];
  float top = -1e30f, sum = 0;
#pragma unroll
  for (int i = 0; i < 2; i++) {
    v[i] = in[blockIdx.x * 256 + i * 128 + threadIdx.x];
    float most = fmaxf(fmaxf(v[i].x, v[i].y), fmaxf(v[i].z, v[i].w)), next = fmaxf(top, most);
    sum = sum * __expf(top - next) + __expf(v[i].x - next) + __expf(v[i].y - next) + __expf(v[i].z - next) +
          __expf(v[i].w - next);
    top = next;
  }
#pragma unroll
  for (int by = 16; by > 0; by >>= 1) {
    float other = __shfl_xor_sync(~0u, top, by), more = __shfl_xor_sync(~0u, sum, by), next = fmaxf(top, other);
    sum = sum * __expf(top - next) + more * __expf(other - next), top = next;
  }
  if (lane_id() == 0) room[threadIdx.x / 32] = make_float2(top, sum);
  __syncthreads();
  top = fmaxf(fmaxf(room[0].x, room[1].x), fmaxf(room[2].x, room[3].x)), sum = 0;
#pragma unroll
  for (int w = 0; w < 4; w++) sum += room[w].y * __expf(room[w].x - top);
  float scale = __fdividef(1.0f, sum);
#pragma unroll
  for (int i = 0; i < 2; i++) {
    float4 r = make_float4(__expf(v[i].x - top) * scale, __expf(v[i].y - top) * scale, __expf(v[i].z - top) * scale,
                           __expf(v[i].w - top) * scale);
    out[blockIdx.x * 256 + i * 128 + threadIdx.x] = r;
  }
}

//@ rms_norm_half grid=528 block=256 args: halves:4325376, halves:1024, zeros:8650752
LAUNCH rms_norm_half(const uint4* in, const uint4* weight, uint4* out) {  // a warp for a row of 1024
  u32 row = thread_of_grid() / 32;
  uint4 v[4];
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    v[i] = in[row * 128 + i * 32 + lane_id()];
    const __half2* h = (const __half2*)&v[i];
#pragma unroll
    for (int k = 0; k < 4; k++) {
      float2 f = __half22float2(h[k]);
      sum = fmaf(f.x, f.x, fmaf(f.y, f.y, sum));
    }
  }
  __half2 scale = __float2half2_rn(rsqrtf(warp_sum(sum) / 1024 + 1e-6f));
#pragma unroll
  for (int i = 0; i < 4; i++) {
    uint4 w = weight[i * 32 + lane_id()];
    __half2 *h = (__half2*)&v[i], *g = (__half2*)&w;
#pragma unroll
    for (int k = 0; k < 4; k++) h[k] = __hmul2(__hmul2(h[k], scale), g[k]);
    out[row * 128 + i * 32 + lane_id()] = v[i];
  }
}

//@ layer_norm_residual grid=2112 block=192 args: floats:1622016, floats:1622016, floats:768, floats:768, zeros:6488064
LAUNCH layer_norm_residual(const float4* x, const float4* more, const float4* gain, const float4* shift, float4* out) {
  __shared__ float2 room[6];
  u32 at = blockIdx.x * 192 + threadIdx.x;
  float4 a = x[at], b = more[at];
  a.x += b.x, a.y += b.y, a.z += b.z, a.w += b.w;
  float sum = warp_sum(a.x + a.y + a.z + a.w);
  float squares = warp_sum(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w);
  if (lane_id() == 0) room[threadIdx.x / 32] = make_float2(sum, squares);
  __syncthreads();
  sum = squares = 0;
#pragma unroll
  for (int w = 0; w < 6; w++) sum += room[w].x, squares += room[w].y;
  float mean = sum / 768, scale = rsqrtf(squares / 768 - mean * mean + 1e-5f);
  float4 g = gain[threadIdx.x], s = shift[threadIdx.x];
  out[at] = make_float4((a.x - mean) * scale * g.x + s.x, (a.y - mean) * scale * g.y + s.y,
                        (a.z - mean) * scale * g.z + s.z, (a.w - mean) * scale * g.w + s.w);
}

__device__ inline float gelu(float x) {
  float inner = 0.7978845608f * (x + 0.044715f * x * x * x), y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(inner));
  return 0.5f * x * (1 + y);
}

//@ gelu_bias grid=2112 block=256 args: floats:4325376, floats:4096, zeros:17301504
LAUNCH gelu_bias(const float4* in, const float4* bias, float4* out) {
#pragma unroll
  for (u32 i = 0; i < 2; i++) {
    u32 at = blockIdx.x * 512 + i * 256 + threadIdx.x;
    float4 v = in[at], b = bias[at & 1023];
    out[at] = make_float4(gelu(v.x + b.x), gelu(v.y + b.y), gelu(v.z + b.z), gelu(v.w + b.w));
  }
}

//@ silu_gate grid=1056 block=512 args: halves:4325376, halves:4325376, zeros:8650752
LAUNCH silu_gate(const uint4* gate, const uint4* up, uint4* out) {
  uint4 a = gate[thread_of_grid()], b = up[thread_of_grid()];
  __half2 *g = (__half2*)&a, *u = (__half2*)&b;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    float2 x = __half22float2(g[k]), y = __half22float2(u[k]);
    x.x = __fdividef(x.x, 1 + __expf(-x.x)) * y.x, x.y = __fdividef(x.y, 1 + __expf(-x.y)) * y.y;
    g[k] = __float22half2_rn(x);
  }
  out[thread_of_grid()] = a;
}

//@ rotary_half grid=2112 block=256 args: halves:4325376, floats:131072, zeros:8650752
LAUNCH rotary_half(const __half2* in, const float2* turn, __half2* out) {  // 64 pairs a head, 32 heads, 1056 places
#pragma unroll 4
  for (u32 i = 0; i < 4; i++) {
    u32 at = blockIdx.x * 1024 + i * 256 + threadIdx.x, pair = at & 63, place = at >> 11;
    float2 v = __half22float2(in[at]), t = turn[(place & 1023) * 64 + pair];
    out[at] = __floats2half2_rn(v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x);
  }
}

//@ cross_entropy grid=1056 block=256 args: floats:4325376, below:1056:4096, zeros:4224
LAUNCH cross_entropy(const float* logits, const u32* target, float* loss) {  // 4096 classes
  __shared__ float room[32];
  const float* row = logits + (size_t)blockIdx.x * 4096;
  float v[16], top = -1e30f, sum = 0;
#pragma unroll
  for (int i = 0; i < 16; i++) v[i] = row[i * 256 + threadIdx.x], top = fmaxf(top, v[i]);
  top = warp_max(top);
  if (lane_id() == 0) room[threadIdx.x / 32] = top;
  __syncthreads();
  top = warp_max(room[lane_id() & 7]);
#pragma unroll
  for (int i = 0; i < 16; i++) sum += exp2f((v[i] - top) * 1.44269504f);
  sum = block_sum(sum, room);
  if (threadIdx.x == 0) loss[blockIdx.x] = top + __logf(sum) - row[target[blockIdx.x]];
}

//@ adam_step grid=1056 block=512 args: floats:1081344, floats:1081344, zeros:4325376, zeros:4325376, f32:0.001
LAUNCH adam_step(float2* weight, const float2* slope, float2* first, float2* second, float rate) {
  u32 at = thread_of_grid();
  float2 w = weight[at], g = slope[at], m = first[at], v = second[at];
  m.x = 0.9f * m.x + 0.1f * g.x, m.y = 0.9f * m.y + 0.1f * g.y;
  v.x = 0.999f * v.x + 0.001f * g.x * g.x, v.y = 0.999f * v.y + 0.001f * g.y * g.y;
  w.x -= rate * m.x / (sqrtf(v.x) + 1e-8f), w.y -= rate * m.y / (sqrtf(v.y) + 1e-8f);
  weight[at] = w, first[at] = m, second[at] = v;
}

//@ top2_gate grid=1056 block=256 args: floats:540672, zeros:67584, zeros:67584
LAUNCH top2_gate(const float2* scores, u32* experts, __half2* shares) {  // a warp for a token's 64 experts
  u32 token = thread_of_grid() / 32;
  float2 v = scores[token * 32 + lane_id()];
  float value[2];
  u32 chosen[2];
#pragma unroll
  for (int k = 0; k < 2; k++) {
    float best = fmaxf(v.x, v.y);
    u32 at = 2 * lane_id() + (v.y > v.x);
#pragma unroll
    for (int by = 16; by > 0; by >>= 1) {
      float other = __shfl_xor_sync(~0u, best, by);
      u32 where = __shfl_xor_sync(~0u, at, by);
      if (other > best || (other == best && where < at)) best = other, at = where;
    }
    value[k] = best, chosen[k] = at;
    if (at / 2 == lane_id()) (at & 1 ? v.y : v.x) = -1e30f;
  }
  if (lane_id() != 0) return;
  float share = __fdividef(1.0f, 1 + __expf(value[1] - value[0]));
  experts[token] = chosen[0] | chosen[1] << 16, shares[token] = __floats2half2_rn(share, 1 - share);
}

//@ embedding_bag grid=2112 block=128 args: floats:4194304, below:33792:8192, zeros:4325376
LAUNCH embedding_bag(const float4* table, const u32* words, float4* out) {  // rows of 512 floats, 16 in a bag
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 4
  for (int i = 0; i < 16; i++) {
    float4 v = table[words[blockIdx.x * 16 + i] * 128 + threadIdx.x];
    sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
  }
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

//@ conv1d_silu grid=1056 block=256 args: floats:2162688, floats:8192, zeros:8650752
LAUNCH conv1d_silu(const float* in, const float4* taps, float* out) {  // depth-wise, causal, 4 taps; 2048 channels
  u32 channel = blockIdx.x % 8 * 256 + threadIdx.x, first = blockIdx.x / 8 * 8;
  float4 w = taps[channel];
  float a = 0, b = 0, c = 0;
  if (first > 0) {
    a = in[(first - 3) * 2048 + channel], b = in[(first - 2) * 2048 + channel], c = in[(first - 1) * 2048 + channel];
  }
#pragma unroll
  for (u32 i = 0; i < 8; i++) {
    float d = in[(first + i) * 2048 + channel], y = a * w.x + b * w.y + c * w.z + d * w.w;
    out[(first + i) * 2048 + channel] = __fdividef(y, 1 + __expf(-y));
    a = b, b = c, c = d;
  }
}

//@ state_scan grid=528 block=128 args: floats:1081344, positives:1081344, floats:32768, floats:32768, zeros:4325376
LAUNCH state_scan(const float* x, const float* step, const float4* in, const float4* mix, float* out) {
  // 4 threads hold 4 of a channel's 16 states each; 1024 steps of 1056 channels in chunks of 64
  u32 part = threadIdx.x & 3, at = blockIdx.x * 32 + threadIdx.x / 4, channel = at % 1056, chunk = at / 1056;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (u32 i = chunk * 64; i < chunk * 64 + 64; i++) {
    float d = step[i * 1056 + channel] * 0.25f, u = x[i * 1056 + channel] * d;
    float4 b = in[(i * 4 + part) & 8191], c = mix[(i * 4 + part) & 8191];
    s0 = s0 * __expf(-d) + b.x * u, s1 = s1 * __expf(-2 * d) + b.y * u;
    s2 = s2 * __expf(-3 * d) + b.z * u, s3 = s3 * __expf(-4 * d) + b.w * u;
    float y = s0 * c.x + s1 * c.y + s2 * c.z + s3 * c.w;
    y += __shfl_xor_sync(~0u, y, 1);
    y += __shfl_xor_sync(~0u, y, 2);
    if (part == 0) out[i * 1056 + channel] = y;
  }
}
