// A kernel whose function is in function.cu, and one that needs nothing.
extern __device__ int thrice(int x);
__global__ void outside(int* data) { data[threadIdx.x] = thrice(data[threadIdx.x]); }
__global__ void inside(int* data) { data[threadIdx.x] += 1; }
int main() { return 0; }
