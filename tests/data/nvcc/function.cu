// A function of another source file, for -rdc=true.
__device__ int thrice(int x) { return 3 * x; }
