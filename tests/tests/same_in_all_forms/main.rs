//! INV-7: the forms, given the same inputs, print the same lines, exit with the
//! same code and leave the same bytes.
//!
//! Each row is run in every form over the same tree at the same path, which is
//! built anew for each.
#![expect(
    clippy::disallowed_methods,
    reason = "the suite builds real trees itself"
)]

mod outcome;
mod rows;
mod scene;

use std::process::ExitCode;

use krabka_format_tests::forms::Form;
use krabka_format_tests::suite::Suite;

use outcome::Outcome;
use rows::{ROWS, ROWS_AS_NOBODY, Row};
use scene::Scene;

/// The forms that can run as another user.
const OWN_FORMS: [Form; 2] = [Form::Native, Form::Sandboxed];

fn main() -> ExitCode {
    let mut suite = Suite::new();
    for row in ROWS {
        suite = suite.case_across(&Form::ALL, row.name, |forms| compare(row, forms, false));
    }
    for row in ROWS_AS_NOBODY {
        suite = suite.case_across(&OWN_FORMS, row.name, |forms| compare(row, forms, true));
    }
    suite.run()
}

fn compare(row: &Row, forms: &[Form], as_nobody: bool) {
    let scene = Scene::new();
    let mut first: Option<(Form, Outcome)> = None;
    let able = |form: &Form| row.limited != Some(*form);
    for form in forms.iter().copied().filter(able) {
        scene.rebuild(row.build);
        let mut run = row.invocation(form, &scene);
        if as_nobody {
            run = run.as_nobody();
        }
        let run = run.run();
        run.assert_code(row.code);
        // wasmtime cannot sync a directory; the others can.
        let says_so = row.may_not_sync || form == Form::Wasmtime && row.says_durability();
        let outcome = Outcome::of(&run, says_so, &scene);
        match &first {
            None => first = Some((form, outcome)),
            Some((one, expected)) => assert!(
                *expected == outcome,
                "{one}:\n{expected}\n\n{form}:\n{outcome}"
            ),
        }
    }
}
