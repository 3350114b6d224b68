// A kernel that reads a texture, and one beside it that does not.
__global__ void plain(float* out) { out[threadIdx.x] = 1.0f; }
__global__ void textured(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x * 0.5f, 1.0f);
}
