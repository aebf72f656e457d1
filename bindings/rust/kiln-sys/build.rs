//! Finds libkiln_runtime: in the folder `KILN_DIR`, into which `cmake --install` has put it, or by
//! pkg-config.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=KILN_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    let folder = match env::var_os("KILN_DIR") {
        Some(prefix) => below(Path::new(&prefix)),
        None => by_pkg_config(),
    };
    println!("cargo:rustc-link-search=native={}", folder.display());
    // Crates that depend on this one read it as DEP_KILN_RUNTIME_LIBDIR, for an rpath.
    println!("cargo:libdir={}", folder.display());
    if env::var_os("CARGO_FEATURE_STATIC").is_some() {
        println!(
            "cargo:rerun-if-changed={}",
            folder.join("libkiln_runtime.a").display()
        );
        println!("cargo:rustc-link-lib=static=kiln_runtime");
        for library in ["stdc++", "m", "dl", "pthread"] {
            println!("cargo:rustc-link-lib={library}");
        }
    } else {
        println!("cargo:rustc-link-lib=dylib=kiln_runtime");
    }
}

/// Returns the folder of the library in an installed tree: lib, lib64 or lib/<machine>.
fn below(prefix: &Path) -> PathBuf {
    let lib = prefix.join("lib");
    let mut folders = vec![lib.clone(), prefix.join("lib64")];
    if let Ok(entries) = lib.read_dir() {
        folders.extend(entries.flatten().map(|entry| entry.path()));
    }
    folders
        .into_iter()
        .find(|folder| folder.join("libkiln_runtime.so").exists())
        .unwrap_or_else(|| {
            panic!(
                "KILN_DIR={}: there is no libkiln_runtime.so in lib, lib64 or lib/*; fix: cmake \
                 --install build --component runtime --prefix {0}",
                prefix.display()
            )
        })
}

fn by_pkg_config() -> PathBuf {
    let output = Command::new("pkg-config")
        .args(["--variable=libdir", "kiln"])
        .output();
    let folder = match output {
        Ok(done) if done.status.success() => {
            String::from_utf8_lossy(&done.stdout).trim().to_owned()
        }
        _ => String::new(),
    };
    assert!(
        !folder.is_empty(),
        "libkiln_runtime is not found; fix: set KILN_DIR to where `cmake --install build --component \
         runtime --prefix DIR` has put it, or PKG_CONFIG_PATH to the folder of kiln.pc"
    );
    PathBuf::from(folder)
}
