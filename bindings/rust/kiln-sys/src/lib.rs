//! The C interface of the Kiln runtime, as declared in `kiln/runtime.h` and the headers that it
//! includes, which document each function. The crate `kiln` is a safe layer over it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#![no_std]
#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod bindings;
pub use bindings::*;
