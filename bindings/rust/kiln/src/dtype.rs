//! Element types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use kiln_sys as sys;

macro_rules! dtypes {
    ($($name:ident = $value:ident),* $(,)?) => {
        /// Element type of a tensor. Types of fewer than 8 bits use one byte per element.
        #[allow(missing_docs)]
        #[non_exhaustive]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum DType { $($name),* }

        impl DType {
            pub(crate) fn raw(self) -> sys::kiln_dtype {
                match self { $(DType::$name => sys::$value),* }
            }
            /// Returns None for a type of a newer library.
            pub(crate) fn of(raw: sys::kiln_dtype) -> Option<DType> {
                match raw { $(sys::$value => Some(DType::$name),)* _ => None }
            }
        }
    };
}

dtypes! {
    F32 = KILN_DTYPE_F32, F16 = KILN_DTYPE_F16, BF16 = KILN_DTYPE_BF16, F64 = KILN_DTYPE_F64,
    I8 = KILN_DTYPE_I8, I16 = KILN_DTYPE_I16, I32 = KILN_DTYPE_I32, I64 = KILN_DTYPE_I64,
    U8 = KILN_DTYPE_U8, U16 = KILN_DTYPE_U16, U32 = KILN_DTYPE_U32, U64 = KILN_DTYPE_U64,
    Bool = KILN_DTYPE_BOOL,
    F8E4M3FN = KILN_DTYPE_F8E4M3FN, F8E5M2 = KILN_DTYPE_F8E5M2,
    F8E4M3FNUZ = KILN_DTYPE_F8E4M3FNUZ, F8E5M2FNUZ = KILN_DTYPE_F8E5M2FNUZ,
    F8E8M0FNU = KILN_DTYPE_F8E8M0FNU, F6E2M3FN = KILN_DTYPE_F6E2M3FN,
    F6E3M2FN = KILN_DTYPE_F6E3M2FN, F4E2M1FN = KILN_DTYPE_F4E2M1FN,
    I4 = KILN_DTYPE_I4, U4 = KILN_DTYPE_U4, I2 = KILN_DTYPE_I2, U2 = KILN_DTYPE_U2,
}

impl DType {
    /// Returns the bytes of one element.
    pub fn size(self) -> usize {
        unsafe { sys::kiln_dtype_size(self.raw()) }
    }
    /// Returns "f32", "bool" ...
    pub fn name(self) -> String {
        crate::error::text(unsafe { sys::kiln_dtype_name(self.raw()) })
    }
}

/// A Rust type that is an element type of Kiln. Elements of other types are given as bytes.
///
/// # Safety
/// The type has the size of `DTYPE`, no padding, and a value for each byte pattern that the library
/// writes for this type.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// Its element type.
    const DTYPE: DType;
}

macro_rules! elements {
    ($($kind:ty = $dtype:ident),*) => {
        $(unsafe impl Element for $kind { const DTYPE: DType = DType::$dtype; })*
    };
}

elements!(
    f32 = F32,
    f64 = F64,
    i8 = I8,
    i16 = I16,
    i32 = I32,
    i64 = I64
);
elements!(u8 = U8, u16 = U16, u32 = U32, u64 = U64, bool = Bool);
