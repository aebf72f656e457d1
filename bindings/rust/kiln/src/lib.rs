#![doc = include_str!("../README.md")]
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

mod dtype;
mod error;
mod model;
mod pool;
mod run;
mod session;
mod tensor;

pub use dtype::{DType, Element};
pub use error::{Error, Result};
pub use model::{Dim, Model, ModelOptions, Symbol, TensorInfo};
pub use pool::Pool;
pub use run::RunOptions;
pub use session::{ArenaUsage, CancelHandle, Session, SessionOptions};
pub use tensor::{Array, Tensor, TensorMut};

/// Returns the version of the linked library, "0.1.0".
pub fn version() -> String {
    error::text(unsafe { kiln_sys::kiln_version() })
}
