// Addresses that a kernel's arguments, and data, have: `out` gets what the comments say.
struct Table {
  int words[6];
};
struct __attribute__((packed)) Named {
  char letter;
  const char* name;
  int (*apply)(int);
};
__device__ int add_one(int x) { return x + 1; }
__device__ int triple(int x) { return 3 * x; }
__device__ Named named[2] = {{'a', "one", add_one}, {'b', "two", triple}};
__constant__ Named constant_named[2] = {{'c', "six", triple}, {'d', "ten", add_one}};
__constant__ int (*constant_table[2])(int) = {triple, add_one};
__device__ int (*table[2])(int) = {add_one, triple};

__device__ __noinline__ int sum(const int* words, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += words[i];
  return total;
}

extern "C" __global__ void addresses(const __grid_constant__ Table words, int* out, int i) {
  out[0] = sum(words.words, 6);             // 21 for 1 to 6
  out[1] = words.words[i + 2];              // 4 for i = 1
  out[2] = named[i].name[1];                // 'w'
  out[3] = named[i].apply(10);              // 30
  out[4] = constant_named[i].name[1];       // 'e'
  out[5] = constant_named[i].apply(10);     // 11
  out[6] = constant_table[i](10);           // 11
  out[7] = table[i](10) + named[i].letter;  // 30 + 'b'
}

__device__ __noinline__ void put(int* word) { *word = 7; }

extern "C" __global__ void writes(const __grid_constant__ Table words, int* out) {
  put(const_cast<int*>(words.words) + 1);
  out[0] = words.words[1];
}
