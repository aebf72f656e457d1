//! A service with deadlines, hot replacement of its package, and metrics: each request has a
//! thread, and a pool of sessions runs two of them concurrently and limits the number of those that
//! wait. README.md has the protocol.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead};
use std::os::unix::fs::MetadataExt;
use std::process::exit;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use kiln::{Error, Model, Pool, Result, RunOptions, SessionOptions, Tensor};

const SESSIONS: usize = 2;
const WAITING: usize = 64;
const UNKNOWN: &str = "KILN-E0001: request: unknown; expected embed ID MILLISECONDS TOKEN... or \
                       metrics, found another line; fix: see README.md";

/// A loaded package and its sessions; it lives until the last run with it has ended.
struct Package {
    pool: Pool,
    inputs: Vec<String>,
    output: String,
}

impl Package {
    fn load(path: &str) -> Result<Package> {
        let model = Model::load(path)?;
        model.check_weights()?;
        let pool = Pool::new(
            &model,
            SESSIONS,
            &SessionOptions::new().threads(1),
            Some(WAITING),
        )?;
        let inputs = model.inputs().into_iter().map(|info| info.name).collect();
        let output = model
            .outputs()
            .pop()
            .map(|info| info.name)
            .unwrap_or_default();
        Ok(Package {
            pool,
            inputs,
            output,
        })
    }

    /// Runs a request; returns the last output as text.
    fn run(&self, tokens: &[i64], limit: Duration) -> Result<String> {
        let (ones, zeros) = (vec![1; tokens.len()], vec![0; tokens.len()]);
        let shape = [1, tokens.len() as i64];
        let input = |name: &'_ String| match name {
            name if name.contains("mask") => ones.as_slice(),
            name if name.contains("type") => zeros.as_slice(),
            _ => tokens,
        };
        let inputs: Vec<Tensor> = self
            .inputs
            .iter()
            .map(|name| Tensor::new(name, input(name), &shape))
            .collect();
        let options = RunOptions::new().outputs(&[&self.output]).timeout(limit);
        let outputs = self.pool.run(&inputs, &options)?;
        let values = outputs[0].as_slice::<f32>()?.iter().take(4);
        Ok(values.map(|value| format!(" {value:.6}")).collect())
    }
}

#[derive(Default)]
struct Metrics {
    results: BTreeMap<u32, u32>,
    seconds: f64,
    longest: f64,
    loads: u32,
    failed_loads: u32,
}

impl Metrics {
    fn count(&mut self, code: u32, seconds: f64) {
        *self.results.entry(code).or_default() += 1;
        self.seconds += seconds;
        self.longest = self.longest.max(seconds);
    }

    fn print(&self, waiting: usize) {
        let mut text = String::new();
        for (code, count) in &self.results {
            text += &format!("kiln_requests_total{{code=\"{code}\"}} {count}\n");
        }
        let sum: u32 = self.results.values().sum();
        println!(
            "{text}kiln_request_seconds_sum {:.6}\nkiln_request_seconds_max {:.6}\n\
             kiln_request_seconds_count {sum}\nkiln_requests_waiting {waiting}\n\
             kiln_loads_total {}\nkiln_failed_loads_total {}\nend",
            self.seconds, self.longest, self.loads, self.failed_loads
        );
    }
}

/// Identifies the current file at a path; None if there is none.
fn identity(path: &str) -> Option<(u64, i64, i64)> {
    fs::metadata(path)
        .ok()
        .map(|file| (file.ino(), file.mtime(), file.mtime_nsec()))
}

struct Service {
    path: String,
    file: Option<(u64, i64, i64)>,
    package: Arc<Package>,
    metrics: Arc<Mutex<Metrics>>,
}

impl Service {
    fn new(path: String) -> Result<Service> {
        let metrics = Metrics {
            loads: 1,
            ..Default::default()
        };
        Ok(Service {
            file: identity(&path),
            package: Arc::new(Package::load(&path)?),
            path,
            metrics: Arc::new(Mutex::new(metrics)),
        })
    }

    /// Loads the package that has been renamed over the old one, if possible.
    fn refresh(&mut self) {
        let now = identity(&self.path);
        if now == self.file {
            return;
        }
        self.file = now;
        let mut metrics = self.metrics.lock().unwrap();
        match Package::load(&self.path) {
            Ok(package) => {
                self.package = Arc::new(package);
                metrics.loads += 1;
            }
            Err(_) => metrics.failed_loads += 1,
        }
    }

    /// Starts a thread that answers a line.
    fn handle(&self, line: &str) -> Option<thread::JoinHandle<()>> {
        let begin = Instant::now();
        if line == "metrics" {
            self.metrics
                .lock()
                .unwrap()
                .print(self.package.pool.waiting());
            return None;
        }
        let Some((id, limit, tokens)) = parse(line) else {
            self.metrics
                .lock()
                .unwrap()
                .count(1, begin.elapsed().as_secs_f64());
            println!("error - {UNKNOWN}");
            return None;
        };
        let (package, metrics) = (self.package.clone(), self.metrics.clone());
        Some(thread::spawn(move || {
            let result = package.run(&tokens, limit.saturating_sub(begin.elapsed()));
            let code = result.as_ref().map_or_else(Error::code, |_| 0);
            metrics
                .lock()
                .unwrap()
                .count(code, begin.elapsed().as_secs_f64());
            match result {
                Ok(values) => println!("ok {id}{values}"),
                Err(error) => println!("error {id} {error}"),
            }
        }))
    }
}

/// Parses name, time and tokens of `embed ID MILLISECONDS TOKEN...`.
fn parse(line: &str) -> Option<(String, Duration, Vec<i64>)> {
    let mut words = line.split_whitespace();
    let id = (words.next()? == "embed").then(|| words.next())??;
    let limit = Duration::from_millis(words.next()?.parse().ok()?);
    let tokens = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    Some((id.to_owned(), limit, tokens))
}

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("error: usage: kiln-service M.kiln");
        exit(2);
    };
    let mut service = Service::new(path).unwrap_or_else(|error| {
        eprintln!("error: {error}");
        exit(error.exit_code());
    });
    let mut runs = Vec::new();
    for line in io::stdin().lock().lines().map_while(io::Result::ok) {
        service.refresh();
        runs.retain(|run: &thread::JoinHandle<()>| !run.is_finished());
        runs.extend(service.handle(&line));
    }
    for run in runs {
        run.join().expect("a request's thread");
    }
}
