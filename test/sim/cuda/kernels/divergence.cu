// Loops of different lengths, switches, early returns, and calls in branches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __global__ void escape_times(int *out, int width, int height, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  // Fixed-point numbers in units of 2^-12: the same result on every machine.
  long long cr = (long long)x * 12288 / width - 8192,
            ci = (long long)y * 8192 / height - 4096;
  long long zr = 0, zi = 0;
  int count = 0;
  while (count < limit && zr * zr + zi * zi < 4ll << 24) {
    long long next = (zr * zr - zi * zi >> 12) + cr;
    zi = (2 * zr * zi >> 12) + ci;
    zr = next;
    ++count;
  }
  out[y * width + x] = count;
}

extern "C" __global__ void collatz(const unsigned *in, unsigned *steps, unsigned *highest,
                                   int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long value = in[i], top = value;
  unsigned count = 0;
  for (; value != 1; ++count) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    if (value > top)
      top = value;
  }
  steps[i] = count;
  highest[i] = unsigned(top);
}

__device__ __noinline__ int interpret(const unsigned char *code, int x) {
  int y = 0;
  for (;; ++code)
    switch (*code) {
    case 0:
      return x;
    case 1:
      x += 3;
      break;
    case 2:
      x *= 5;
      break;
    case 3:
      y = x;
      break;
    case 4:
      x -= y;
      break;
    case 5:
      if (x & 1)
        ++code;
      break;
    case 6:
      x ^= 0x55;
      break;
    case 7:
      x = -x;
      break;
    default:
      return -1;
    }
}

// Every lane interprets another small program.
extern "C" __global__ void run_programs(const unsigned char *code, const int *starts,
                                        const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = interpret(code + starts[i], in[i]);
}
