//! Tests of the crate with a package of x f32[batch, seq, 8] -> y f32[batch, seq, 8],
//! KILN_TEST_PACKAGE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use kiln::{
    CancelHandle, DType, Error, Model, ModelOptions, Pool, RunOptions, Session, SessionOptions,
};
use kiln::{Tensor, TensorMut};

const SHAPE: [i64; 3] = [2, 3, 8];

/// Loads the package; prints a line and returns None if the variable is not set.
fn model() -> Option<Model> {
    let Ok(path) = std::env::var("KILN_TEST_PACKAGE") else {
        println!("skipped: KILN_TEST_PACKAGE names no package");
        return None;
    };
    Some(Model::load(path).unwrap())
}

/// Loads KILN_TEST_LONG_PACKAGE, which runs long at its largest dims.
fn long_model() -> Option<(Model, Vec<i64>)> {
    let Ok(path) = std::env::var("KILN_TEST_LONG_PACKAGE") else {
        println!("skipped: KILN_TEST_LONG_PACKAGE names no package");
        return None;
    };
    let model = Model::load(path).unwrap();
    model.check_weights().unwrap();
    let shape = model.inputs()[0].dims.iter().map(|dim| dim.max).collect();
    Some((model, shape))
}

fn input() -> Vec<f32> {
    (0..48).map(|i| (i % 7) as f32 * 0.25 - 0.5).collect()
}

fn code(result: Result<Vec<kiln::Array>, Error>) -> u32 {
    result.unwrap_err().code()
}

#[test]
fn tells_of_the_package() {
    let Some(model) = model() else { return };
    let inputs = model.inputs();
    assert_eq!(
        (
            inputs[0].name.as_str(),
            inputs[0].dtype,
            inputs[0].dims.len()
        ),
        ("x", Some(DType::F32), 3)
    );
    assert_eq!(
        (model.outputs().len(), model.outputs()[0].name.as_str()),
        (1, "y")
    );
    assert!(model
        .symbols()
        .iter()
        .any(|s| s.name == "seq" && s.max == 16));
    assert_eq!(model.entries(), ["main"]);
    assert!(model.provenance().starts_with('{') && model.file_bytes() > 0);
    assert!(!kiln::version().is_empty());
}

#[test]
fn all_ways_to_run_give_the_same_bits() {
    let Some(model) = model() else { return };
    let (x, options) = (input(), RunOptions::new());
    let mut session =
        Session::new(&model, &SessionOptions::new().threads(1).dim("seq", 1..=4)).unwrap();
    assert_eq!(session.threads(), 1);
    let inputs = [Tensor::new("x", &x, &SHAPE)];
    let all = session.run(&inputs, &options).unwrap();
    let wanted = all[0].as_slice::<f32>().unwrap().to_vec();
    assert!(wanted.iter().any(|value| *value != 0.0));

    let mut y = vec![0.0_f32; 48];
    session
        .run_into(
            &inputs,
            &mut [TensorMut::new("y", &mut y, &SHAPE)],
            &options,
        )
        .unwrap();
    assert_eq!(y, wanted);
    let named = session
        .run(&inputs, &options.clone().outputs(&["y"]).entry("main"))
        .unwrap();
    assert_eq!(named[0].as_slice::<f32>().unwrap(), wanted);
    assert!(session
        .run(&inputs, &options.clone().outputs(&[]))
        .unwrap()
        .is_empty());
    let bytes: Vec<u8> = x.iter().flat_map(|value| value.to_ne_bytes()).collect();
    if bytes.as_ptr() as usize % 4 == 0 {
        let raw = [Tensor::from_bytes("x", DType::F32, &bytes, &SHAPE)];
        assert_eq!(
            session.run(&raw, &options).unwrap()[0].bytes(),
            all[0].bytes()
        );
    }
    let arenas = session.arenas().unwrap();
    assert!(arenas
        .iter()
        .any(|arena| arena.kind == "activations" && arena.capacity > 0));
    assert_eq!(all[0].as_slice::<i64>().unwrap_err().code(), 602);
}

#[test]
fn a_package_in_memory() {
    let Some(_) = model() else { return };
    let bytes = std::fs::read(std::env::var("KILN_TEST_PACKAGE").unwrap()).unwrap();
    let model = Model::from_bytes(&bytes, "bytes", &ModelOptions::default()).unwrap();
    drop(bytes);
    let x = input();
    assert_eq!(
        model
            .session()
            .unwrap()
            .run(&[Tensor::new("x", &x, &SHAPE)], &RunOptions::new())
            .unwrap()
            .len(),
        1
    );
    let options = ModelOptions {
        expect_sha256: Some("0".repeat(64)),
        ..Default::default()
    };
    let refused = Model::load_with(std::env::var("KILN_TEST_PACKAGE").unwrap(), &options);
    assert_eq!(refused.unwrap_err().code(), 515);
}

#[test]
fn errors_have_all_their_parts() {
    let missing = Model::load("missing.kiln").unwrap_err();
    assert_eq!((missing.code(), missing.exit_code()), (2, 3));
    let Some(model) = model() else { return };
    assert_eq!(Model::load("a\0b").unwrap_err().code(), 1);
    let (x, mut session) = (vec![0.0_f32; 8 * 17], model.session().unwrap());
    let error = session
        .run(&[Tensor::new("x", &x, &[1, 17, 8])], &RunOptions::new())
        .unwrap_err();
    assert_eq!(error.code(), 604);
    assert!(
        error.place().contains('x') && error.found().contains("17"),
        "{error}"
    );
    assert!(!error.what().is_empty() && !error.expected().is_empty() && !error.fix().is_empty());
    assert!(error.to_string().starts_with("KILN-E0604: "));

    let options = RunOptions::new();
    assert_eq!(
        code(session.run(&[Tensor::new("z", &x, &[1, 17, 8])], &options)),
        600
    );
    assert_eq!(code(session.run(&[], &options)), 601);
    assert_eq!(
        code(session.run(&[Tensor::new("x", &[1_i64; 8], &[1, 1, 8])], &options)),
        602
    );
    assert_eq!(
        code(session.run(&[Tensor::new("x", &x[..8], &[1, 8])], &options)),
        603
    );
    assert_eq!(
        code(session.run(&[Tensor::new("x", &x[..7], &[1, 1, 8])], &options)),
        606
    );
    let one = [Tensor::new("x", &x[..8], &[1, 1, 8])];
    assert_eq!(
        code(session.run(&one, &options.clone().outputs(&["no"]))),
        600
    );
    assert_eq!(
        code(session.run(&one, &options.clone().outputs(&["y", "y"]))),
        607
    );
    assert_eq!(code(session.run(&one, &options.clone().entry("no"))), 619);
    assert_eq!(
        code(session.run(&one, &options.clone().timeout(Duration::ZERO))),
        714
    );
    let narrow = SessionOptions::new().dim("seq", 1..=99);
    assert_eq!(Session::new(&model, &narrow).unwrap_err().code(), 608);
}

#[test]
fn a_run_ends_by_timeout_and_cancel() {
    let Some((model, shape)) = long_model() else {
        return;
    };
    let x = vec![0.25_f32; shape.iter().product::<i64>() as usize];
    let inputs = [Tensor::new("x", &x, &shape)];
    let mut session = Session::new(&model, &SessionOptions::new().threads(1)).unwrap();
    let begin = Instant::now();
    let late = session
        .run(
            &inputs,
            &RunOptions::new().timeout(Duration::from_millis(20)),
        )
        .unwrap_err();
    assert!(
        late.is_timeout() && begin.elapsed() < Duration::from_millis(500),
        "{late}"
    );

    let (handle, is_over) = (session.cancel_handle(), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                handle.cancel(); // has no effect before the run has begun
                thread::sleep(Duration::from_millis(10));
            }
        });
        let ended = session.run(&inputs, &RunOptions::new());
        is_over.store(true, Ordering::Relaxed);
        assert!(ended.unwrap_err().is_cancelled());
    });
    let one_row = [1, shape[1]];
    let short = [Tensor::new("x", &x[..shape[1] as usize], &one_row)];
    let after = session.run(&short, &RunOptions::new()).unwrap();
    let fresh = model
        .session()
        .unwrap()
        .run(&short, &RunOptions::new())
        .unwrap();
    assert_eq!(after[0].bytes(), fresh[0].bytes());
    drop(session);
    handle.cancel(); // has no effect on a dropped session
}

#[test]
fn threads_share_a_pool() {
    let Some(model) = model() else { return };
    let pool = Pool::new(&model, 2, &SessionOptions::new().threads(1), None).unwrap();
    let (x, options) = (input(), RunOptions::new());
    let wanted = pool.run(&[Tensor::new("x", &x, &SHAPE)], &options).unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..25 {
                    let found = pool.run(&[Tensor::new("x", &x, &SHAPE)], &options).unwrap();
                    assert_eq!(found[0].bytes(), wanted[0].bytes());
                }
            });
        }
    });
    assert_eq!(pool.waiting(), 0);
    pool.close();
    assert_eq!(code(pool.run(&[Tensor::new("x", &x, &SHAPE)], &options)), 1);
    assert_eq!(
        Pool::new(&model, 0, &SessionOptions::new(), None)
            .unwrap_err()
            .code(),
        1
    );
}

#[test]
fn a_pool_is_bounded_and_in_time() {
    let Some((model, shape)) = long_model() else {
        return;
    };
    let pool = Arc::new(Pool::new(&model, 1, &SessionOptions::new().threads(1), Some(0)).unwrap());
    let x = vec![0.25_f32; shape.iter().product::<i64>() as usize];
    let limit = RunOptions::new().timeout(Duration::from_millis(300));
    thread::scope(|scope| {
        let first = scope.spawn(|| code(pool.run(&[Tensor::new("x", &x, &shape)], &limit)));
        thread::sleep(Duration::from_millis(60));
        assert_eq!(
            code(pool.run(&[Tensor::new("x", &x, &shape)], &RunOptions::new())),
            623
        );
        assert_eq!(first.join().unwrap(), 714);
    });
    let waits = Pool::new(&model, 1, &SessionOptions::new().threads(1), None).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| code(waits.run(&[Tensor::new("x", &x, &shape)], &limit)));
        thread::sleep(Duration::from_millis(60));
        let short = RunOptions::new().timeout(Duration::from_millis(50));
        let late = waits
            .run(&[Tensor::new("x", &x, &shape)], &short)
            .unwrap_err();
        assert!(
            late.is_timeout() && late.found() == "none in time",
            "{late}"
        );
    });
}

#[test]
fn what_may_go_to_other_threads() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<Session>();
    send::<Error>();
    send::<Model>();
    sync::<Model>();
    send::<Pool>();
    sync::<Pool>();
    send::<CancelHandle>();
    sync::<CancelHandle>();
}
