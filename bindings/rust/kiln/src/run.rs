//! Options of a run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::time::Duration;

/// Options of a run: its entry, the outputs to compute, a time limit.
///
/// ```
/// # use std::time::Duration;
/// let options = kiln::RunOptions::new().outputs(&["sentence_embedding"]).timeout(Duration::from_millis(500));
/// ```
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    pub(crate) entry: Option<String>,
    pub(crate) outputs: Option<Vec<String>>,
    pub(crate) timeout: Option<Duration>,
}

impl RunOptions {
    /// Selects all outputs of the model's first entry, without a time limit.
    pub fn new() -> RunOptions {
        RunOptions::default()
    }
    /// Runs this entry, such as "decode".
    pub fn entry(mut self, name: &str) -> RunOptions {
        self.entry = Some(name.to_owned());
        self
    }
    /// Computes only these outputs; on a CPU, steps that only others need do not run.
    pub fn outputs(mut self, names: &[&str]) -> RunOptions {
        self.outputs = Some(names.iter().map(|name| (*name).to_owned()).collect());
        self
    }
    /// Ends the run after this time with KILN-E0714; in a pool, waiting counts.
    pub fn timeout(mut self, timeout: Duration) -> RunOptions {
        self.timeout = Some(timeout);
        self
    }
}
