// Shared memory whose size the launch chooses, up to all of a block's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Transposes square tiles; rows are padded by `pad` words.
extern "C" __global__ void transpose(const float *in, float *out, int rows, int columns,
                                     int tile, int pad) {
  extern __shared__ float values[];
  int pitch = tile + pad;
  for (int y = threadIdx.y; y < tile; y += blockDim.y) {
    int row = blockIdx.y * tile + y, column = blockIdx.x * tile + threadIdx.x;
    if (row < rows && column < columns)
      values[y * pitch + threadIdx.x] = in[row * columns + column];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < tile; y += blockDim.y) {
    int row = blockIdx.x * tile + y, column = blockIdx.y * tile + threadIdx.x;
    if (row < columns && column < rows)
      out[row * rows + column] = values[threadIdx.x * pitch + y];
  }
}

// Reverses `n` words through dynamic shared memory, which follows static memory and is
// used as several arrays.
extern "C" __global__ void reverse(const int *in, int *out, int n) {
  __shared__ int offsets[2];
  extern __shared__ __align__(16) unsigned char memory[];
  int *low = reinterpret_cast<int *>(memory), *high = low + n / 2;
  if (threadIdx.x < 2)
    offsets[threadIdx.x] = threadIdx.x ? n / 2 : 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    (i < n / 2 ? low : high)[i - offsets[i >= n / 2]] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = low[n - 1 - i];
}
