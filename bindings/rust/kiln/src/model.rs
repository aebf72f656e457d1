//! Packages and information about them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::{self, NonNull};

use kiln_sys as sys;

use crate::error::{c_string, check, text};
use crate::{DType, Error, Result, Session, SessionOptions};

/// Options for loading a package.
#[derive(Clone, Debug, Default)]
pub struct ModelOptions {
    /// Use only this target of the package; None: the best for the device.
    pub target: Option<String>,
    /// Loads without a target for this machine; creating sessions fails.
    pub inspect_only: bool,
    /// Does not compare the weights with their hash.
    pub trust_weights: bool,
    /// Reads the weights instead of mapping them, so that later changes of the file have no effect.
    pub in_memory: bool,
    /// Installs a SIGBUS handler, so that truncating the file during a run is KILN-E0514.
    pub guard_mapping: bool,
    /// Refuses a package whose SHA-256, as printed by sha256sum, differs.
    pub expect_sha256: Option<String>,
}

impl ModelOptions {
    fn with<T>(&self, call: impl FnOnce(&sys::kiln_model_options) -> T) -> Result<T> {
        let convert = |text: &Option<String>| {
            text.as_deref()
                .map(|text| c_string("ModelOptions", text))
                .transpose()
        };
        let (target, hash) = (convert(&self.target)?, convert(&self.expect_sha256)?);
        let pointer =
            |text: &Option<CString>| text.as_ref().map_or(ptr::null(), |text| text.as_ptr());
        Ok(call(&sys::kiln_model_options {
            target: pointer(&target),
            inspect_only: self.inspect_only.into(),
            trust_weights: self.trust_weights.into(),
            in_memory: self.in_memory.into(),
            guard_mapping: self.guard_mapping.into(),
            expect_sha256: pointer(&hash),
            ..Default::default()
        }))
    }
}

/// A dim of an input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dim {
    /// "384", "seq", "2*batch"
    pub expr: String,
    /// The minimum.
    pub min: i64,
    /// The maximum.
    pub max: i64,
}

/// An input or output of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its name in the ONNX model.
    pub name: String,
    /// Type of its elements; None for a type that this crate does not know.
    pub dtype: Option<DType>,
    /// Its dims.
    pub dims: Vec<Dim>,
}

/// A symbolic dim and its range, both ends included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name in the model.
    pub name: String,
    /// The minimum.
    pub min: i64,
    /// The maximum.
    pub max: i64,
}

/// A loaded package, or one entry of it. Clones refer to the same package; thread-safe.
#[derive(Debug)]
pub struct Model {
    raw: NonNull<sys::kiln_model>,
}

// A model is immutable and has an atomic reference count (kiln/runtime.h, "Threads").
unsafe impl Send for Model {}
unsafe impl Sync for Model {}

impl Model {
    /// Loads a package; its weights are compared with their hash in the background.
    pub fn load(path: impl AsRef<Path>) -> Result<Model> {
        Model::load_with(path, &ModelOptions::default())
    }

    /// Loads a package with options.
    pub fn load_with(path: impl AsRef<Path>, options: &ModelOptions) -> Result<Model> {
        let path = path.as_ref();
        let name = CString::new(path.as_os_str().as_bytes())
            .or_else(|_| c_string("Model::load", &path.to_string_lossy()))?;
        let mut raw = ptr::null_mut();
        check(
            options.with(|options| unsafe {
                sys::kiln_model_load(name.as_ptr(), options, &mut raw)
            })?,
        )?;
        Ok(Model::own(raw))
    }

    /// Loads the bytes of a package, which are copied. name: for error messages.
    pub fn from_bytes(bytes: &[u8], name: &str, options: &ModelOptions) -> Result<Model> {
        let name = c_string("Model::from_bytes", name)?;
        let mut raw = ptr::null_mut();
        let (data, size) = (bytes.as_ptr().cast(), bytes.len());
        check(options.with(|options| unsafe {
            sys::kiln_model_load_buffer(data, size, name.as_ptr(), options, &mut raw)
        })?)?;
        Ok(Model::own(raw))
    }

    /// Creates a session with default options.
    pub fn session(&self) -> Result<Session> {
        Session::new(self, &SessionOptions::default())
    }

    /// Returns the model that stands for one of its entries, such as "decode". Errors: KILN-E0619.
    pub fn entry(&self, name: &str) -> Result<Model> {
        let name = c_string("Model::entry", name)?;
        let mut raw = ptr::null_mut();
        check(unsafe { sys::kiln_model_entry(self.raw(), name.as_ptr(), &mut raw) })?;
        unsafe { sys::kiln_model_retain(raw) };
        Ok(Model::own(raw))
    }

    /// Returns the names of all entries.
    pub fn entries(&self) -> Vec<String> {
        let count = unsafe { sys::kiln_model_entry_count(self.raw()) };
        (0..count)
            .map(|i| text(unsafe { sys::kiln_model_entry_name(self.raw(), i) }))
            .collect()
    }

    /// Returns the inputs, in the model's order.
    pub fn inputs(&self) -> Vec<TensorInfo> {
        let count = unsafe { sys::kiln_model_input_count(self.raw()) };
        self.infos(count, sys::kiln_model_input)
    }

    /// Returns the outputs, in the model's order.
    pub fn outputs(&self) -> Vec<TensorInfo> {
        let count = unsafe { sys::kiln_model_output_count(self.raw()) };
        self.infos(count, sys::kiln_model_output)
    }

    /// Returns the symbolic dims with the ranges for which the package was compiled.
    pub fn symbols(&self) -> Vec<Symbol> {
        let count = unsafe { sys::kiln_model_symbol_count(self.raw()) };
        (0..count)
            .map(|i| {
                let symbol = unsafe { &*sys::kiln_model_symbol(self.raw(), i) };
                Symbol {
                    name: text(symbol.name),
                    min: symbol.min,
                    max: symbol.max,
                }
            })
            .collect()
    }

    /// Returns JSON text: hash of the ONNX model, version of the compiler, options ...
    pub fn provenance(&self) -> String {
        text(unsafe { sys::kiln_model_provenance(self.raw(), ptr::null_mut()) })
    }

    /// Returns the size of the file.
    pub fn file_bytes(&self) -> u64 {
        unsafe { sys::kiln_model_file_bytes(self.raw()) }
    }

    /// Waits until the weights have been compared with their hash, as the first run would do.
    pub fn check_weights(&self) -> Result<()> {
        check(unsafe { sys::kiln_model_check_weights(self.raw()) })
    }

    fn infos(&self, count: usize, of: GetInfo) -> Vec<TensorInfo> {
        (0..count)
            .map(|i| info(unsafe { of(self.raw(), i) }))
            .collect()
    }

    pub(crate) fn raw(&self) -> *mut sys::kiln_model {
        self.raw.as_ptr()
    }

    fn own(raw: *mut sys::kiln_model) -> Model {
        Model {
            raw: NonNull::new(raw).expect("a model without a status"),
        }
    }
}

impl Clone for Model {
    fn clone(&self) -> Model {
        unsafe { sys::kiln_model_retain(self.raw()) };
        Model { raw: self.raw }
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        unsafe { sys::kiln_model_release(self.raw()) };
    }
}

type GetInfo = unsafe extern "C" fn(*const sys::kiln_model, usize) -> *const sys::kiln_tensor_info;

fn info(raw: *const sys::kiln_tensor_info) -> TensorInfo {
    let raw = unsafe { &*raw };
    let dim = |i| {
        let dim = unsafe { &*raw.dims.add(i) };
        Dim {
            expr: text(dim.expr),
            min: dim.min,
            max: dim.max,
        }
    };
    TensorInfo {
        name: text(raw.name),
        dtype: DType::of(raw.dtype),
        dims: (0..raw.rank as usize).map(dim).collect(),
    }
}

impl TensorInfo {
    pub(crate) fn known_dtype(&self) -> Result<DType> {
        self.dtype.ok_or_else(|| {
            let place = format!("\"{}\"", self.name);
            let parts = [
                "its element type is new",
                "one that the crate knows",
                "another",
                "update the crate",
            ];
            Error::new(602, 2, [&place, parts[0], parts[1], parts[2], parts[3]])
        })
    }
}
