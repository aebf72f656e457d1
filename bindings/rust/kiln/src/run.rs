//! What a run does, besides its inputs.
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
    /// All outputs of the model's first entry, without a limit.
    pub fn new() -> RunOptions {
        RunOptions::default()
    }
    /// Runs this entry, such as "decode".
    pub fn entry(mut self, name: &str) -> RunOptions {
        self.entry = Some(name.to_owned());
        self
    }
    /// Makes these outputs alone; steps that only others need do not run on a CPU.
    pub fn outputs(mut self, names: &[&str]) -> RunOptions {
        self.outputs = Some(names.iter().map(|name| (*name).to_owned()).collect());
        self
    }
    /// Ends the run after this time with KILN-E0714; of a pool, waiting counts.
    pub fn timeout(mut self, timeout: Duration) -> RunOptions {
        self.timeout = Some(timeout);
        self
    }
}
