//! Tensors in the caller's memory, and results that own theirs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::ffi::CString;
use std::marker::PhantomData;
use std::{mem, ptr, slice};

use kiln_sys as sys;

use crate::error::c_string;
use crate::{DType, Element, Error, Result};

/// An input: a named view of a slice, dense and row-major. A slice of the wrong length is an error
/// of the run (KILN-E0606).
#[derive(Clone, Copy, Debug)]
pub struct Tensor<'a> {
    name: &'a str,
    shape: &'a [i64],
    dtype: DType,
    data: *const u8,
    size: usize,
    memory: PhantomData<&'a [u8]>,
}

/// An output in the caller's memory, like [`Tensor`].
#[derive(Debug)]
pub struct TensorMut<'a> {
    view: Tensor<'a>,
    memory: PhantomData<&'a mut [u8]>,
}

// Both are references to slices of elements, which are Send and Sync.
unsafe impl Send for Tensor<'_> {}
unsafe impl Sync for Tensor<'_> {}
unsafe impl Send for TensorMut<'_> {}
unsafe impl Sync for TensorMut<'_> {}

impl<'a> Tensor<'a> {
    /// Views elements of a Rust type.
    pub fn new<T: Element>(name: &'a str, data: &'a [T], shape: &'a [i64]) -> Tensor<'a> {
        Tensor::of(name, data.as_ptr(), data.len(), shape)
    }

    fn of<T: Element>(name: &'a str, data: *const T, count: usize, shape: &'a [i64]) -> Tensor<'a> {
        Tensor {
            name,
            shape,
            dtype: T::DTYPE,
            data: data.cast(),
            size: count * mem::size_of::<T>(),
            memory: PhantomData,
        }
    }

    /// Views elements of any type, such as f16 or i4. data: aligned to the size of an element.
    pub fn from_bytes(name: &'a str, dtype: DType, data: &'a [u8], shape: &'a [i64]) -> Tensor<'a> {
        Tensor {
            dtype,
            ..Tensor::new(name, data, shape)
        }
    }

    /// Returns the C struct; the name must live as long as it is used.
    pub(crate) fn raw(&self, name: &CString) -> sys::kiln_tensor {
        sys::kiln_tensor {
            name: name.as_ptr(),
            data: self.data.cast_mut().cast(), // inputs are not written
            size: self.size,
            dtype: self.dtype.raw(),
            rank: self.shape.len() as u32,
            shape: self.shape.as_ptr(),
            memory: sys::KILN_MEMORY_HOST,
            ..Default::default()
        }
    }
}

impl<'a> TensorMut<'a> {
    /// Memory for elements of a Rust type.
    pub fn new<T: Element>(name: &'a str, data: &'a mut [T], shape: &'a [i64]) -> TensorMut<'a> {
        let view = Tensor::of(name, data.as_mut_ptr().cast_const(), data.len(), shape);
        TensorMut {
            view,
            memory: PhantomData,
        }
    }

    /// Memory for elements of any type. data: aligned to the size of an element.
    pub fn from_bytes(
        name: &'a str,
        dtype: DType,
        data: &'a mut [u8],
        shape: &'a [i64],
    ) -> TensorMut<'a> {
        let mut place = TensorMut::new(name, data, shape);
        place.view.dtype = dtype;
        place
    }
}

/// Tensors as C structs, and the names that they point to.
pub(crate) struct RawTensors {
    pub tensors: Vec<sys::kiln_tensor>,
    _names: Vec<CString>,
}

impl RawTensors {
    pub fn of_inputs(inputs: &[Tensor]) -> Result<RawTensors> {
        let names: Vec<CString> = inputs
            .iter()
            .map(|tensor| c_string("the name of a tensor", tensor.name))
            .collect::<Result<_>>()?;
        let tensors = inputs
            .iter()
            .zip(&names)
            .map(|(tensor, name)| tensor.raw(name))
            .collect();
        Ok(RawTensors {
            tensors,
            _names: names,
        })
    }

    pub fn of_outputs(outputs: &mut [TensorMut]) -> Result<RawTensors> {
        let views: Vec<Tensor> = outputs.iter().map(|place| place.view).collect();
        RawTensors::of_inputs(&views)
    }
}

/// A result that owns its memory, aligned to 64 bytes.
pub struct Array {
    name: String,
    shape: Vec<i64>,
    dtype: DType,
    memory: Vec<u8>, // with room for the alignment
    begin: usize,
    size: usize,
}

const ALIGNMENT: usize = 64;

impl Array {
    pub(crate) fn zeros(name: &str, dtype: DType, shape: &sys::kiln_shape) -> Array {
        let size = shape.bytes as usize;
        let memory = vec![0; size + ALIGNMENT]; // zero pages, not touched before they are used
        Array {
            name: name.to_owned(),
            shape: shape.dims[..shape.rank as usize].to_vec(),
            dtype,
            begin: memory.as_ptr().align_offset(ALIGNMENT),
            memory,
            size,
        }
    }

    /// Returns the output's name.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Returns its dims.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }
    /// Returns the type of its elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }
    /// Returns the elements as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.memory[self.begin..][..self.size]
    }
    /// Returns the elements. Errors: KILN-E0602 if T is not their type.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        if T::DTYPE != self.dtype {
            let place = format!("output \"{}\"", self.name);
            let (expected, found) = (self.dtype.name(), T::DTYPE.name());
            let fix = "ask for elements of the output's type";
            return Err(Error::new(
                602,
                2,
                [
                    &place,
                    "other elements are asked for",
                    &expected,
                    &found,
                    fix,
                ],
            ));
        }
        let (data, count) = (self.bytes().as_ptr(), self.size / mem::size_of::<T>());
        Ok(unsafe { slice::from_raw_parts(data.cast(), count) })
    }

    /// Returns the array as an output of a run.
    pub(crate) fn place(&mut self) -> TensorMut<'_> {
        let data = &mut self.memory[self.begin..][..self.size];
        TensorMut::from_bytes(&self.name, self.dtype, data, &self.shape)
    }
}

impl std::fmt::Debug for Array {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Array({:?}, {}{:?})",
            self.name,
            self.dtype.name(),
            self.shape
        )
    }
}

/// Returns a tensor without data, which the library finds by name or refuses with KILN-E0600.
pub(crate) fn nothing(name: &CString) -> sys::kiln_tensor {
    sys::kiln_tensor {
        name: name.as_ptr(),
        data: ptr::null_mut(),
        ..Default::default()
    }
}
