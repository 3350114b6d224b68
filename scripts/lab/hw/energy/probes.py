# SPDX-License-Identifier: Apache-2.0
"""Kernels that measure the energy of one kind of instruction: loops of 32 such instructions, whose bits are equal in
all lanes and instructions ("same"), or of which half toggle ("mixed")."""

LOOP = 32  # instructions of this kind in a round
BLOCKS, THREADS = 1056, 256  # 8 blocks on each of 132 SMs

WORDS = '"+r"(r[{k}]) : "r"(c[{k}]), "r"(c[{j}]), "r"(select)'
FLOATS = '"+f"(f[{k}]) : "f"(q[{k}]), "f"(q[{j}])'
DOUBLES = '"+d"(d[{k}]) : "d"(p[{k}]), "d"(p[{j}])'
ADD = " add.u32 %0, %0, %1;"


def asm(text, operands=WORDS):
    return f'asm volatile("{{{{{text}}}}}" : {operands} : "memory");'


def load(text, words=1):
    """Loads `words` registers from shared memory or through a 64-bit address."""
    out = ", ".join(f'"=r"(r[({{k}} + {i}) & 7])' for i in range(words))
    return f'asm volatile("{text}" : {out} : "r"(shared + {{k}} * {128 * words}), "l"(at + {{k}} * {128 * words}) : "memory");'


def loaded(space, words):
    names = ",".join(f"%{i}" for i in range(words))
    vector = {1: "", 2: ".v2", 4: ".v4"}[words]
    target = f"{{{{{names}}}}}" if words > 1 else names
    place = words if "shared" in space else words + 1
    return load(f"ld.{space}{vector}.b32 {target}, [%{place}];", words)


STORE = 'asm volatile("st.volatile.{space}.b32 [%{place}], %0;" :: "r"(r[{{k}}]), "r"(shared + {{k}} * 128), "l"(at + {{k}} * 128) : "memory");'
FOLLOWED = '{{ const unsigned long long from = at + {k} * 128 + (r[{k}] & zero); '


def followed(cache, words):
    """Loads whose address takes what was loaded before, so that none goes."""
    out = ", ".join(f'"=r"(r[({{k}} + {i}) & 7])' for i in range(words))
    names = ",".join(f"%{i}" for i in range(words))
    target, vector = (f"{{{{{names}}}}}", ".v4") if words > 1 else (names, "")
    place = FOLLOWED.replace("* 128", f"* {128 * words}")
    return f'{place}asm volatile("ld.global.{cache}{vector}.b32 {target}, [%{words}];" : {out} : "l"(from) : "memory"); }}}}'


MATRIX = ('asm volatile("mma.sync.aligned.{shape}.row.col.{types} {{{{%0,%1,%2,%3}}}}, {{{{%4,%5,%6,%7}}}}, {{{{%8,%9}}}}, '
          '{{{{%0,%1,%2,%3}}}};" : "+{t}"({v}[{{m}}]), "+{t}"({v}[{{m}} + 1]), "+{t}"({v}[{{m}} + 2]), "+{t}"({v}[{{m}} + 3]) '
          ': "r"(c[{{k}}]), "r"(c[{{j}}]), "r"(c[0]), "r"(c[1]), "r"(c[{{j}}]), "r"(c[{{k}}]));')

# name: the statement, where {k}, {j}, {m} are indices of eight registers; bytes between the addresses of lanes
PROBES = {
    "iadd": (asm("add.u32 %0, %0, %1;"), 4),
    "lop3": (asm("lop3.b32 %0, %0, %1, %2, 0x96;"), 4),
    "shf": (asm("shf.l.wrap.b32 %0, %0, %1, 7;"), 4),
    "minimum": (asm("min.u32 %0, %0, %1; xor.b32 %0, %0, %2;"), 4),
    "compare": (asm(".reg .pred t; setp.lt.u32 t, %0, %1; selp.b32 %0, %2, %1, t;"), 4),
    "imad": (asm("mad.lo.u32 %0, %0, %1, %2;"), 4),
    "imad_wide": (asm(".reg .b64 t; mul.wide.u32 t, %0, %1; cvt.u32.u64 %0, t;"), 4),
    "fma_f32": (asm("fma.rn.f32 %0, %0, %1, %2;", FLOATS), 4),
    "mul_f32": (asm("mul.rn.f32 %0, %0, %1;", FLOATS), 4),
    "hfma2": (asm("fma.rn.f16x2 %0, %0, %1, %2;"), 4),
    "dfma": (asm("fma.rn.f64 %0, %0, %1, %2;", DOUBLES), 4),
    "ex2": (asm("ex2.approx.ftz.f32 %0, %0; sub.f32 %0, %0, %1;", FLOATS), 4),
    "i2f": (asm("cvt.rn.f32.s32 %0, %0;"), 4),
    "popc": (asm("popc.b32 %0, %0;" + ADD), 4),
    "shfl_xor": (asm("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" + ADD), 4),
    "shfl_lane": (asm("shfl.sync.idx.b32 %0, %0, %3, 0x1f, 0xffffffff;" + ADD), 4),
    "vote": (asm(".reg .pred t; setp.ne.u32 t, %0, 7; vote.sync.ballot.b32 %0, t, 0xffffffff;" + ADD), 4),
    "match": (asm("match.any.sync.b32 %0, %0, 0xffffffff;" + ADD), 4),
    "redux": (asm("redux.sync.add.u32 %0, %0, 0xffffffff;" + ADD), 4),
    "bar": (asm("bar.sync 0;" + ADD), 4),
    "lds": (loaded("volatile.shared", 1), 4),
    "lds_64": (loaded("volatile.shared", 2), 8),
    "lds_128": (loaded("volatile.shared", 4), 16),
    "lds_2way": (loaded("volatile.shared", 1), 8),
    "lds_8way": (loaded("volatile.shared", 1), 32),
    "lds_broadcast": (loaded("volatile.shared", 1), "zero"),
    "sts": (STORE.format(space="shared", place=1), 4),
    "atoms": ('asm volatile("red.shared.add.u32 [%0], %1;" :: "r"(shared + {k} * 128), "r"(c[{k}]) : "memory");', 4),
    "stg": (STORE.format(space="global", place=2), 4),
    "red": ('asm volatile("red.global.add.u32 [%0], %1;" :: "l"(at + {k} * 128), "r"(c[{k}]) : "memory");', 4),
    "bf16_mma": (MATRIX.format(shape="m16n8k16", types="f32.bf16.bf16.f32", t="f", v="f"), 4),
    "f16_mma": (MATRIX.format(shape="m16n8k16", types="f32.f16.f16.f32", t="f", v="f"), 4),
    "s8_mma": (MATRIX.format(shape="m16n8k32", types="s32.s8.s8.s32", t="r", v="r"), 4),
    "branch": ("if (select != {k} + 77) r[{k}] += c[{k}]; else sink[{k}] = r[{j}];" , 4),
    "read_clock": ('asm volatile("{{.reg .u32 t; mov.u32 t, %%clock; xor.b32 %0, %0, t;}}" : "+r"(r[{k}]));', 4),
    "constants": ("r[{k}] += table[(r[{k}] & zero) + {k}];", 4),
    "add_f32": (asm("add.rn.f32 %0, %0, %1;", FLOATS), 4),
    "add_f64": (asm("add.rn.f64 %0, %0, %1;", DOUBLES), 4),
    "mul_f64": (asm("mul.rn.f64 %0, %0, %1;", DOUBLES), 4),
    "hadd2": (asm("add.rn.f16x2 %0, %0, %1;"), 4),
    "hmul2": (asm("mul.rn.f16x2 %0, %0, %1;"), 4),
    "prmt": (asm("prmt.b32 %0, %0, %1, 0x2143;"), 4),
    "f2i": (asm("cvt.rni.s32.f32 %0, %0;"), 4),
    "rcp": (asm("rcp.approx.ftz.f32 %0, %0; add.rn.f32 %0, %0, %1;", FLOATS), 4),
    "imad_hi": (asm("mul.hi.u32 %0, %0, %1; xor.b32 %0, %0, %2;"), 4),
    "dp4a": (asm("dp4a.u32.u32 %0, %1, %2, %0;"), 4),
    "add_64": ('asm volatile("add.u64 %0, %0, %1;" : "+l"(w[{k}]) : "l"(v[{j}]));', 4),
    "fma_iadd": (asm("add.u32 %0, %0, %1;") + " " + asm("fma.rn.f32 %0, %0, %1, %2;", FLOATS), 4),
    "half_sums_mma": ('asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {{%0,%1}}, {{%2,%3,%4,%5}}, {{%6,%7}}, '
                      '{{%0,%1}};" : "+r"(r[{m}]), "+r"(r[{m} + 1]) : "r"(c[{k}]), "r"(c[{j}]), "r"(c[0]), "r"(c[1]), '
                      '"r"(c[{j}]), "r"(c[{k}]));', 4),
    "tf32_mma": (MATRIX.format(shape="m16n8k8", types="f32.tf32.tf32.f32", t="f", v="f"), 4),
    "ldg_l1": (followed("ca", 1), 4),
    "ldg_l1_128": (followed("ca", 4), 16),
    "ldg_l1_rows": (followed("ca", 1), 128),
    "ldg_l1_broadcast": (followed("ca", 1), "zero"),
    "ldg_l2": (followed("cg", 1), 4),
    "ldg_l2_128": (followed("cg", 4), 16),
    "ldg_l2_rows": (followed("cg", 1), 128),
    "addresses": (FOLLOWED + 'r[{k}] ^= (uint32_t)from ^ (uint32_t)(from >> 32); }}', 4),
}
LANES = (1, 8, 16)  # active lanes of each warp, for fma_f32 and lds
SLEEP = 'asm volatile("nanosleep.u32 1000;");'

KERNEL = """extern "C" __global__ void __launch_bounds__({threads}) {name}(uint32_t* g, uint32_t rounds, uint32_t mixed, uint32_t zero) {{
  __shared__ uint32_t s[{words}];
  const uint32_t lane = threadIdx.x & 31;
  uint32_t r[8], c[8];
  float f[8], q[8];
  double d[8], p[8];
  uint64_t w[8], v[8];
  fill(s, {words}, r, c, f, q, d, p, mixed, zero);
  for (int k = 0; k < 8; ++k) w[k] = __double_as_longlong(d[k]), v[k] = (uint64_t)c[k] << 32 | c[7 - k];
  const uint32_t select = mixed ? lane * 5 + 3 & 31 : zero;
  const uint32_t shared = (uint32_t)__cvta_generic_to_shared(s) + lane * {stride};
  const uint32_t warp = blockIdx.x * 8 + threadIdx.x / 32;
  const unsigned long long at = (unsigned long long)g + warp % {span} * 4096 + lane * {stride};
  if (lane < {lanes}) {{
#pragma unroll 1
  for (uint32_t i = 0; i < rounds; ++i) {{
{body}
  }}
  }}
  for (int k = 0; k < 8; ++k) r[k] ^= (uint32_t)(w[k] + v[k]);
  keep(r, c, f, q, d, p);
}}
"""

HEAD = """#include <cstdint>
__device__ uint32_t sink[8];
__constant__ uint32_t table[64];
__device__ __forceinline__ uint32_t hash(uint32_t x) {
  x ^= x >> 16, x *= 0x7FEB352Du, x ^= x >> 15, x *= 0x846CA68Bu;
  return x ^ x >> 16;
}
__device__ __forceinline__ void fill(uint32_t* s, uint32_t words, uint32_t* r, uint32_t* c, float* f, float* q,
                                     double* d, double* p, uint32_t mixed, uint32_t zero) {
  for (uint32_t i = threadIdx.x; i < words; i += blockDim.x) s[i] = mixed ? hash(i + 1) : 0x3c5a3c5a;
  __syncthreads();
  for (int k = 0; k < 8; ++k) {
    const uint32_t x = hash(threadIdx.x * 16 + k + 99), y = hash(x + 7);
    r[k] = mixed ? x : 0x3c5a3c5a;
    c[k] = mixed ? y | 1 : zero;
    f[k] = mixed ? 1.f + (x & 0x7fffff) / 8388608.f : 1.5f;
    q[k] = mixed ? .5f + (y & 0x7fffff) / 33554432.f : .5f + zero;
    d[k] = mixed ? 1. + x / 4294967296. : 1.5;
    p[k] = mixed ? .5 + y / 17179869184. : .5 + zero;
  }
}
__device__ __forceinline__ void keep(const uint32_t* r, const uint32_t* c, const float* f, const float* q,
                                     const double* d, const double* p) {
  uint32_t z = 0;
  for (int k = 0; k < 8; ++k)
    z ^= r[k] ^ c[k] ^ __float_as_uint(f[k]) ^ __float_as_uint(q[k]) ^ (uint32_t)__double_as_longlong(d[k] + p[k]);
  if (z == 0x12345) sink[0] = z;
}
"""


def body(statement, count=LOOP):
    return "\n".join("    " + statement.format(k=k % 8, j=(k * 3 + 1) % 8, m=k % 2 * 4) for k in range(count))


def kernel(name, statement, stride, lanes=32, count=LOOP):
    span = 8448 if name.startswith(("dram", "stg")) else 8 if name.startswith("ldg_l1") else 1024
    words = 256 if reads_memory(name) else 8192  # shared memory; the rest is L1
    return KERNEL.format(name=name, threads=THREADS, stride=stride, span=span, words=words, lanes=lanes,
                         body=body(statement, count))


def reads_memory(name):
    """Whether the bits that toggle are those of the buffer."""
    return name.startswith(("ldg", "dram_read"))


def names():
    return [*PROBES, *(f"{name}_{lanes}_lanes" for name in ("fma_f32", "lds") for lanes in LANES), "sleep", "dram_read",
            "dram_write"]


STREAMS = """extern "C" __global__ void __launch_bounds__(256) dram_read(uint4* g, uint32_t rounds, uint32_t mixed, uint32_t zero) {
  uint4 sum = {};
  for (uint32_t i = 0; i < rounds; ++i) {
    const uint4 x = __ldcg(g + (uint64_t)(i % 512 * gridDim.x + blockIdx.x) * 256 + threadIdx.x);
    sum.x ^= x.x, sum.y ^= x.y, sum.z ^= x.z, sum.w ^= x.w;
  }
  if ((sum.x ^ sum.y ^ sum.z ^ sum.w) == 0x12345) sink[0] = 1;
}
extern "C" __global__ void __launch_bounds__(256) dram_write(uint4* g, uint32_t rounds, uint32_t mixed, uint32_t zero) {
  const uint32_t x = mixed ? hash(threadIdx.x + blockIdx.x * 256) : zero;
  for (uint32_t i = 0; i < rounds; ++i)
    __stcg(g + (uint64_t)(i % 512 * gridDim.x + blockIdx.x) * 256 + threadIdx.x,
           make_uint4(x ^ i * mixed, x * 3, x * 5, x * 7));
}
"""


def source():
    text = [HEAD]
    for name, (statement, stride) in PROBES.items():
        text.append(kernel(name, statement, stride))
    for name in ("fma_f32", "lds"):
        for lanes in LANES:
            text.append(kernel(f"{name}_{lanes}_lanes", *PROBES[name], lanes=lanes))
    text.append(kernel("sleep", SLEEP, 4, count=1))
    return "\n".join([*text, STREAMS])
