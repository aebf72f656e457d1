//! A pool of sessions for any number of threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::{Array, Error, Model, Result, RunOptions, Session, SessionOptions, Tensor};

/// Sessions of one model. Each run uses one session; runs that find none free wait in FIFO order.
#[derive(Debug)]
pub struct Pool {
    state: Mutex<State>,
    changed: Condvar,
    limit: usize,
}

#[derive(Debug)]
struct State {
    free: VecDeque<Session>,
    queue: VecDeque<u64>, // waiting runs in FIFO order
    last: u64,
    is_closed: bool,
}

/// Takes a session for the duration of a run.
struct Lease<'a> {
    pool: &'a Pool,
    session: Option<Session>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        state.free.extend(self.session.take());
        self.pool.changed.notify_all();
    }
}

impl Pool {
    /// Creates a pool. size: number of sessions, which run concurrently. waiting: max number of
    /// runs that wait; a further one fails with KILN-E0623. None: any number.
    pub fn new(
        model: &Model,
        size: usize,
        options: &SessionOptions,
        waiting: Option<usize>,
    ) -> Result<Pool> {
        let free: VecDeque<Session> = (0..size)
            .map(|_| Session::new(model, options))
            .collect::<Result<_>>()?;
        if free.is_empty() {
            let parts = [
                "Pool",
                "it has no sessions",
                "a size from 1 on",
                "0",
                "give a larger one",
            ];
            return Err(Error::new(1, 2, parts));
        }
        let state = State {
            free,
            queue: VecDeque::new(),
            last: 0,
            is_closed: false,
        };
        let limit = waiting.unwrap_or(usize::MAX);
        Ok(Pool {
            state: Mutex::new(state),
            changed: Condvar::new(),
            limit,
        })
    }

    /// Runs as [`Session::run`] does. The timeout covers waiting and running.
    pub fn run(&self, inputs: &[Tensor], options: &RunOptions) -> Result<Vec<Array>> {
        let begin = Instant::now();
        let mut lease = Lease {
            pool: self,
            session: Some(self.take(options.timeout)?),
        };
        let mut rest = options.clone();
        rest.timeout = options
            .timeout
            .map(|timeout| timeout.saturating_sub(begin.elapsed()));
        lease
            .session
            .as_mut()
            .expect("a lease has a session")
            .run(inputs, &rest)
    }

    /// Refuses waiting and later runs (KILN-E0001); runs in progress continue.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Number of runs that wait now.
    pub fn waiting(&self) -> usize {
        self.lock().queue.len()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, timeout: Option<Duration>) -> Result<Session> {
        let mut state = self.lock();
        if !state.is_closed && (state.free.is_empty() || !state.queue.is_empty()) {
            state = self.wait(state, timeout)?;
        }
        if state.is_closed {
            let parts = [
                "the pool is closed",
                "an open pool",
                "a run after close()",
                "make another one",
            ];
            return Err(Error::new(
                1,
                2,
                ["Pool", parts[0], parts[1], parts[2], parts[3]],
            ));
        }
        Ok(state.free.pop_front().expect("a free session"))
    }

    /// Waits until the caller is first in the queue and a session is free, or the pool is closed.
    fn wait<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        timeout: Option<Duration>,
    ) -> Result<MutexGuard<'a, State>> {
        if state.queue.len() >= self.limit {
            let limit = format!("at most {}", self.limit);
            let fix = "send the request elsewhere or later, or make the pool larger";
            let parts = [
                "Pool",
                "too many runs wait for a session",
                &limit,
                "one more",
                fix,
            ];
            return Err(Error::new(623, 4, parts));
        }
        state.last += 1;
        let number = state.last;
        state.queue.push_back(number);
        let must_wait = |state: &mut State| {
            !state.is_closed && (state.queue.front() != Some(&number) || state.free.is_empty())
        };
        let mut is_late = false;
        match timeout {
            None => {
                state = self
                    .changed
                    .wait_while(state, must_wait)
                    .unwrap_or_else(PoisonError::into_inner)
            }
            Some(timeout) => {
                let waited = self.changed.wait_timeout_while(state, timeout, must_wait);
                let (guard, result) = waited.unwrap_or_else(PoisonError::into_inner);
                (state, is_late) = (guard, result.timed_out());
            }
        }
        state.queue.retain(|other| *other != number);
        self.changed.notify_all(); // another waiter may be first now
        if is_late {
            let fix = "give the run more time, or make the pool larger";
            let what = "the deadline of the run has passed";
            return Err(Error::new(
                714,
                4,
                [
                    "Pool",
                    what,
                    "a free session before that",
                    "none in time",
                    fix,
                ],
            ));
        }
        Ok(state)
    }
}
