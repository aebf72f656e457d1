//! Errors of the library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::ffi::{c_char, CStr, CString};
use std::fmt;

use kiln_sys as sys;

/// Result of a call that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// An error with a stable code and the parts of its message, `KILN-E0123: <place>: <what>; expected
/// ..., found ...; fix: ...`. The folder docs/errors has a page for each code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    code: u32,
    exit_code: i32,
    message: String,
    parts: [String; 5],
}

impl Error {
    /// Returns 604 for KILN-E0604.
    pub fn code(&self) -> u32 {
        self.0.code
    }
    /// Returns the exit status for a command that ends with the error: 2 usage, 3 a fault of the
    /// model or package, 4 of the machine.
    pub fn exit_code(&self) -> i32 {
        self.0.exit_code
    }
    /// Returns where the error is, `input "ids", dim 1`. Like the other parts, "" if it does not
    /// apply.
    pub fn place(&self) -> &str {
        &self.0.parts[0]
    }
    /// Returns what is wrong.
    pub fn what(&self) -> &str {
        &self.0.parts[1]
    }
    /// Returns the allowed values.
    pub fn expected(&self) -> &str {
        &self.0.parts[2]
    }
    /// Returns the value that was found.
    pub fn found(&self) -> &str {
        &self.0.parts[3]
    }
    /// Returns the fix, as an instruction.
    pub fn fix(&self) -> &str {
        &self.0.parts[4]
    }
    /// Whether a [`CancelHandle`](crate::CancelHandle) ended the run: KILN-E0713.
    pub fn is_cancelled(&self) -> bool {
        self.0.code == 713
    }
    /// Whether a run, or its wait for a session of a [`Pool`](crate::Pool), took longer than its
    /// timeout: KILN-E0714.
    pub fn is_timeout(&self) -> bool {
        self.0.code == 714
    }

    /// Makes an error that this crate itself detects. parts: place, what, expected, found, fix.
    pub(crate) fn new(code: u32, exit_code: i32, parts: [&str; 5]) -> Error {
        let [place, what, expected, found, fix] = parts;
        let message = format!(
            "KILN-E{code:04}: {place}: {what}; expected {expected}, found {found}; fix: {fix}"
        );
        Error(Box::new(Parts {
            code,
            exit_code,
            message,
            parts: parts.map(str::to_owned),
        }))
    }

    fn take(status: *mut sys::kiln_status) -> Error {
        let part = |which| text(unsafe { sys::kiln_status_get(status, which) });
        let error = Error(Box::new(Parts {
            code: unsafe { sys::kiln_status_code(status) },
            exit_code: unsafe { sys::kiln_status_exit_code(status) },
            message: text(unsafe { sys::kiln_status_message(status) }),
            parts: [
                part(sys::KILN_STATUS_WHERE),
                part(sys::KILN_STATUS_WHAT),
                part(sys::KILN_STATUS_EXPECTED),
                part(sys::KILN_STATUS_FOUND),
                part(sys::KILN_STATUS_FIX),
            ],
        }));
        unsafe { sys::kiln_status_free(status) };
        error
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}

/// Takes ownership of the status of a call.
pub(crate) fn check(status: *mut sys::kiln_status) -> Result<()> {
    if status.is_null() {
        Ok(())
    } else {
        Err(Error::take(status))
    }
}

/// Copies a text of the library; "" for NULL.
pub(crate) fn text(chars: *const c_char) -> String {
    if chars.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(chars) }
        .to_string_lossy()
        .into_owned()
}

/// Converts a text for the library; fails if it contains a null byte.
pub(crate) fn c_string(place: &str, text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| {
        let found = format!("{text:?}");
        Error::new(
            1,
            2,
            [
                place,
                "a text has a NUL in it",
                "a text without",
                &found,
                "remove it",
            ],
        )
    })
}
