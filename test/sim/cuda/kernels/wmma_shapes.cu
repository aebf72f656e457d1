// The older warp matrix interface, in three shapes and four element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mma.h>

using namespace nvcuda;

template <int M, int N, int K, typename Element, typename Sum, typename LayoutB>
__device__ void product(const Element *a, const Element *b, const Sum *c, Sum *d,
                        int steps) {
  wmma::fragment<wmma::matrix_a, M, N, K, Element, wmma::row_major> fragmentA;
  wmma::fragment<wmma::matrix_b, M, N, K, Element, LayoutB> fragmentB;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sums;
  constexpr bool Rows = std::is_same<LayoutB, wmma::row_major>::value;
  wmma::load_matrix_sync(sums, c, N, wmma::mem_row_major);
  for (int i = 0; i < steps; ++i) {
    wmma::load_matrix_sync(fragmentA, a + i * K, steps * K);
    wmma::load_matrix_sync(fragmentB, Rows ? b + i * K * N : b + i * K,
                           Rows ? N : steps * K);
    wmma::mma_sync(sums, fragmentA, fragmentB, sums);
  }
  wmma::store_matrix_sync(d, sums, N, wmma::mem_row_major);
}

#define KERNEL(name, M, N, K, Element, Sum, LayoutB)                                     \
  extern "C" __global__ void name(const Element *a, const Element *b, const Sum *c,      \
                                  Sum *d, int steps) {                                   \
    product<M, N, K, Element, Sum, wmma::LayoutB>(a, b, c, d, steps);                    \
  }
KERNEL(wmma_f16_16x16, 16, 16, 16, __half, float, row_major)
KERNEL(wmma_f16_32x8, 32, 8, 16, __half, float, col_major)
KERNEL(wmma_bf16_8x32, 8, 32, 16, __nv_bfloat16, float, row_major)
KERNEL(wmma_f16_f16, 16, 16, 16, __half, __half, col_major)
KERNEL(wmma_s8, 16, 16, 16, signed char, int, col_major)
KERNEL(wmma_u8, 16, 16, 16, unsigned char, int, row_major)
KERNEL(wmma_f64, 8, 8, 4, double, double, col_major)
