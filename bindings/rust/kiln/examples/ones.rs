//! Runs a package on an input of ones, with each dim at its minimum, and prints the bits of the
//! outputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use kiln::{Array, Error, Model, Result, RunOptions, Session, SessionOptions, Tensor};

fn run(path: &str) -> Result<Vec<Array>> {
    let model = Model::load(path)?;
    let mut session = Session::new(&model, &SessionOptions::new().threads(1))?;
    let info = &model.inputs()[0];
    let shape: Vec<i64> = info.dims.iter().map(|dim| dim.min).collect();
    let ones = vec![1.0_f32; shape.iter().product::<i64>() as usize];
    session.run(
        &[Tensor::new(&info.name, &ones, &shape)],
        &RunOptions::new(),
    )
}

fn print(array: &Array) -> Result<()> {
    print!("{} {}:", array.name(), array.dtype().name());
    for value in array.as_slice::<f32>()? {
        print!(" {:08x}", value.to_bits());
    }
    println!();
    Ok(())
}

fn main() {
    let path = std::env::args().nth(1).unwrap_or_default();
    let end = |error: Error| {
        eprintln!("error: {error}");
        std::process::exit(error.exit_code());
    };
    run(&path)
        .and_then(|arrays| arrays.iter().try_for_each(print))
        .unwrap_or_else(end);
}
