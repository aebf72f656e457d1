//! Running a model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::cell::Cell;
use std::ffi::CString;
use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::ptr::{self, NonNull};
use std::sync::{Arc, Weak};

use kiln_sys as sys;

use crate::error::{c_string, check, text};
use crate::tensor::{nothing, RawTensors};
use crate::{Array, Model, Result, RunOptions, Tensor, TensorMut};

/// Options of a session.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    device: Option<String>,
    threads: u32,
    dims: Vec<(String, RangeInclusive<i64>)>,
}

impl SessionOptions {
    /// Selects the CPU, all threads that the process may have, and all dims of the package.
    pub fn new() -> SessionOptions {
        SessionOptions::default()
    }
    /// Sets the device: "cpu", "cuda", "cuda:N", "sim".
    pub fn device(mut self, name: &str) -> SessionOptions {
        self.device = Some(name.to_owned());
        self
    }
    /// Sets the max number of threads, including the caller; 0: all.
    pub fn threads(mut self, count: u32) -> SessionOptions {
        self.threads = count;
        self
    }
    /// Restricts a dim to a narrower range, for smaller arenas.
    pub fn dim(mut self, name: &str, range: RangeInclusive<i64>) -> SessionOptions {
        self.dims.push((name.to_owned(), range));
        self
    }
}

/// Bytes of an arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaUsage {
    /// "activations", "state" ...
    pub kind: String,
    /// Allocated bytes; 0 if the caller or the package owns the memory.
    pub capacity: u64,
    /// Bytes by the package's formula at the dims of the last run.
    pub formula: u64,
}

#[derive(Debug)]
struct Raw(NonNull<sys::kiln_session>);

// Session uses it on one thread at a time; kiln_session_cancel is thread-safe.
unsafe impl Send for Raw {}
unsafe impl Sync for Raw {}

impl Drop for Raw {
    fn drop(&mut self) {
        unsafe { sys::kiln_session_release(self.0.as_ptr()) };
    }
}

/// Runs a model, for one thread at a time: it may move to another one, but not be shared. Any number
/// of threads share a [`Pool`](crate::Pool).
///
/// ```compile_fail
/// fn shared<T: Sync>() {}
/// shared::<kiln::Session>();
/// ```
#[derive(Debug)]
pub struct Session {
    raw: Arc<Raw>,
    model: Model,
    one_thread: PhantomData<Cell<()>>,
}

/// Ends the run in progress on a session, from any thread.
#[derive(Clone, Debug)]
pub struct CancelHandle(Weak<Raw>);

impl CancelHandle {
    /// Makes the run return KILN-E0713, within milliseconds. Does nothing without a run in
    /// progress, or if the session has been dropped.
    pub fn cancel(&self) {
        if let Some(raw) = self.0.upgrade() {
            unsafe { sys::kiln_session_cancel(raw.0.as_ptr()) };
        }
    }
}

impl Session {
    /// Creates a session and allocates the memory of all runs.
    pub fn new(model: &Model, options: &SessionOptions) -> Result<Session> {
        let device = options
            .device
            .as_deref()
            .map(|name| c_string("SessionOptions", name))
            .transpose()?;
        let names: Vec<CString> = options
            .dims
            .iter()
            .map(|(name, _)| c_string("SessionOptions", name))
            .collect::<Result<_>>()?;
        let range =
            |(name, (_, range)): (&CString, &(String, RangeInclusive<i64>))| sys::kiln_dim_range {
                name: name.as_ptr(),
                lo: *range.start(),
                hi: *range.end(),
            };
        let dims: Vec<sys::kiln_dim_range> = names.iter().zip(&options.dims).map(range).collect();
        let given = sys::kiln_session_options {
            device: device.as_ref().map_or(ptr::null(), |name| name.as_ptr()),
            threads: options.threads,
            dims: dims.as_ptr(),
            dim_count: dims.len(),
            ..Default::default()
        };
        let mut raw = ptr::null_mut();
        check(unsafe { sys::kiln_session_create(model.raw(), &given, &mut raw) })?;
        let raw = Arc::new(Raw(NonNull::new(raw).expect("a session without a status")));
        Ok(Session {
            raw,
            model: model.clone(),
            one_thread: PhantomData,
        })
    }

    /// Runs into new arrays, in the order in which the options name outputs, or in the model's
    /// order.
    pub fn run(&mut self, inputs: &[Tensor], options: &RunOptions) -> Result<Vec<Array>> {
        let given = RawTensors::of_inputs(inputs)?;
        let mut results = self.results(&given, options)?;
        let mut places: Vec<TensorMut> = results.iter_mut().map(Array::place).collect();
        let wanted = RawTensors::of_outputs(&mut places)?;
        self.call(&given.tensors, &wanted.tensors, options)?;
        drop(places);
        Ok(results)
    }

    /// Runs into the caller's memory. Computes only the outputs that are passed, and ignores those
    /// that the options name.
    pub fn run_into(
        &mut self,
        inputs: &[Tensor],
        outputs: &mut [TensorMut],
        options: &RunOptions,
    ) -> Result<()> {
        let (given, wanted) = (
            RawTensors::of_inputs(inputs)?,
            RawTensors::of_outputs(outputs)?,
        );
        self.call(&given.tensors, &wanted.tensors, options)
    }

    /// Returns a handle by which other threads end runs of this session.
    pub fn cancel_handle(&self) -> CancelHandle {
        CancelHandle(Arc::downgrade(&self.raw))
    }

    /// Returns the model that it runs.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Returns the max number of threads of a run, including the caller.
    pub fn threads(&self) -> u32 {
        unsafe { sys::kiln_session_threads(self.raw()) }
    }

    /// Returns the memory use of each arena in the last run.
    pub fn arenas(&self) -> Result<Vec<ArenaUsage>> {
        let count = unsafe { sys::kiln_model_arena_count(self.model.raw()) };
        let usage = |index| {
            let mut usage = sys::kiln_arena_usage::default();
            check(unsafe { sys::kiln_session_arena(self.raw(), index, &mut usage) })?;
            let kind = text(unsafe { sys::kiln_arena_kind_name(usage.kind) });
            Ok(ArenaUsage {
                kind,
                capacity: usage.capacity,
                formula: usage.formula,
            })
        };
        (0..count).map(usage).collect()
    }

    /// Resets all states to zero.
    pub fn reset_state(&mut self) -> Result<()> {
        check(unsafe { sys::kiln_session_reset_state(self.raw()) })
    }

    /// Copies the rows of one sequence in all states to another sequence.
    pub fn copy_row(&mut self, from: usize, to: usize) -> Result<()> {
        check(unsafe { sys::kiln_session_copy_row(self.raw(), from, to) })
    }

    fn raw(&self) -> *mut sys::kiln_session {
        self.raw.0.as_ptr()
    }

    /// Allocates arrays for the outputs that the options name.
    fn results(&self, given: &RawTensors, options: &RunOptions) -> Result<Vec<Array>> {
        let (mut session, mut model) = (self.raw(), self.model.clone());
        if let Some(name) = &options.entry {
            let name_of_c = c_string("RunOptions", name)?;
            check(unsafe {
                sys::kiln_session_entry(self.raw(), name_of_c.as_ptr(), &mut session)
            })?;
            model = model.entry(name)?;
        }
        let infos = model.outputs();
        let mut shapes = vec![sys::kiln_shape::default(); infos.len()];
        check(unsafe {
            let (inputs, count) = (given.tensors.as_ptr(), given.tensors.len());
            sys::kiln_session_output_shapes(
                session,
                inputs,
                count,
                shapes.as_mut_ptr(),
                shapes.len(),
            )
        })?;
        let array = |i: usize| {
            Ok(Array::zeros(
                &infos[i].name,
                infos[i].known_dtype()?,
                &shapes[i],
            ))
        };
        let Some(names) = &options.outputs else {
            return (0..infos.len()).map(array).collect();
        };
        let find = |name: &String| match infos.iter().position(|info| info.name == *name) {
            Some(i) => array(i),
            None => Err(self.refuse(given, name, options)),
        };
        names.iter().map(find).collect()
    }

    /// Returns the library's own error for an output that does not exist.
    fn refuse(&self, given: &RawTensors, name: &str, options: &RunOptions) -> crate::Error {
        let refused = c_string("RunOptions", name)
            .and_then(|name| self.call(&given.tensors, &[nothing(&name)], options));
        refused.expect_err("an output that the model does not have")
    }

    fn call(
        &self,
        inputs: &[sys::kiln_tensor],
        outputs: &[sys::kiln_tensor],
        options: &RunOptions,
    ) -> Result<()> {
        let entry = options
            .entry
            .as_deref()
            .map(|name| c_string("RunOptions", name))
            .transpose()?;
        let nanoseconds =
            |time: std::time::Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let deadline = |time| unsafe { sys::kiln_deadline_after(nanoseconds(time)) };
        let own = sys::kiln_run_options {
            entry: entry.as_ref().map_or(ptr::null(), |name| name.as_ptr()),
            deadline_ns: options.timeout.map_or(0, deadline),
            ..Default::default()
        };
        check(unsafe {
            let (given, wanted) = (inputs.as_ptr(), outputs.as_ptr());
            sys::kiln_session_run_with(self.raw(), &own, given, inputs.len(), wanted, outputs.len())
        })
    }
}
