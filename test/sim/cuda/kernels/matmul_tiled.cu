// Matrix product through tiles in shared memory, any size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int Tile = 16;

extern "C" __global__ void matmul(const float *a, const float *b, float *c, int m, int n,
                                  int k) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile + 1];
  int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
  float sum = 0;
  for (int base = 0; base < k; base += Tile) {
    int inner = base + threadIdx.x, outer = base + threadIdx.y;
    tileA[threadIdx.y][threadIdx.x] = row < m && inner < k ? a[row * k + inner] : 0;
    tileB[threadIdx.y][threadIdx.x] = outer < k && column < n ? b[outer * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < Tile; ++i)
      sum = fmaf(tileA[threadIdx.y][i], tileB[i][threadIdx.x], sum);
    __syncthreads();
  }
  if (row < m && column < n)
    c[row * n + column] = sum;
}

// Each thread keeps 4x4 results in registers.
extern "C" __global__ void matmul_registers(const float *a, const float *b, float *c,
                                            int m, int n, int k) {
  constexpr int Block = 32, Step = 8;
  __shared__ float tileA[Step][Block], tileB[Step][Block];
  int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
  float sums[4][4] = {};
  for (int base = 0; base < k; base += Step) {
    for (int i = threadIdx.x; i < Step * Block; i += blockDim.x) {
      int inner = base + i / Block, row = blockIdx.y * Block + i % Block,
          column = blockIdx.x * Block + i % Block;
      tileA[i / Block][i % Block] = row < m && inner < k ? a[row * k + inner] : 0;
      tileB[i / Block][i % Block] = column < n && inner < k ? b[inner * n + column] : 0;
    }
    __syncthreads();
    for (int i = 0; i < Step; ++i)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
          sums[y][x] = fmaf(tileA[i][ty * 4 + y], tileB[i][tx * 4 + x], sums[y][x]);
    __syncthreads();
  }
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) {
      int row = blockIdx.y * Block + ty * 4 + y, column = blockIdx.x * Block + tx * 4 + x;
      if (row < m && column < n)
        c[row * n + column] = sums[y][x];
    }
}
