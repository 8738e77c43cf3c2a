//! Suites: each case is run in every form.
//!
//! A suite is a `[[test]]` with `harness = false`:
//!
//! ```no_run
//! use krabka_format_tests::suite::Suite;
//!
//! fn main() -> std::process::ExitCode {
//!     Suite::new()
//!         .case("help_exits_0", |context| {
//!             context.run(&["--help"]).assert_code(0);
//!         })
//!         .run()
//! }
//! ```
//!
//! The trials are called `native::help_exits_0`, `sandboxed::help_exits_0` and
//! so on, and take libtest's arguments. `KRABKA_FORMAT_FORMS=native,node` leaves
//! the other forms out. A form that can't be run here is listed as ignored, with
//! the reason, and fails in continuous integration (`CI` set and not empty).

mod context;
mod failure;

use std::collections::BTreeMap;
use std::env;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::forms::{Form, Unavailable, in_ci};

pub use context::Context;

/// The variable that names the forms to run, separated by commas.
pub const FORMS_VARIABLE: &str = "KRABKA_FORMAT_FORMS";

/// Cases, and the forms that they are run in.
#[derive(Debug)]
pub struct Suite {
    /// The forms to run, and whether each can be.
    forms: BTreeMap<Form, Result<(), Unavailable>>,
    in_ci: bool,
    trials: Vec<Trial>,
}

impl Suite {
    /// Makes a suite without cases.
    ///
    /// # Panics
    /// Where [`FORMS_VARIABLE`] names no form.
    pub fn new() -> Self {
        let available = |form: Form| (form, form.available());
        let forms = wanted_forms(&env::var(FORMS_VARIABLE).unwrap_or_default());
        Self::of(forms.into_iter().map(available).collect(), in_ci())
    }

    fn of(forms: BTreeMap<Form, Result<(), Unavailable>>, in_ci: bool) -> Self {
        if !in_ci {
            say_skipped(&forms);
        }
        Self {
            forms,
            in_ci,
            trials: Vec::new(),
        }
    }

    /// Adds a case that is run in every form.
    #[must_use]
    pub fn case(self, name: &str, case: impl Fn(&Context) + Send + Sync + 'static) -> Self {
        self.case_in(&Form::ALL, "", name, case)
    }

    /// Adds a case that is run in `forms` only, for `reason`: it is said here, to
    /// whoever reads the case.
    #[must_use]
    pub fn case_in(
        self,
        forms: &[Form],
        reason: &str,
        name: &str,
        case: impl Fn(&Context) + Send + Sync + 'static,
    ) -> Self {
        self.case_where(&Ok(()), forms, reason, name, case)
    }

    /// Adds a case that needs something of the machine besides its forms. Where
    /// that is missing, it is treated as a form that can't be run.
    #[must_use]
    pub fn case_where(
        mut self,
        needed: &Result<(), Unavailable>,
        forms: &[Form],
        reason: &str,
        name: &str,
        case: impl Fn(&Context) + Send + Sync + 'static,
    ) -> Self {
        let case = Arc::new(case);
        let left_out = Form::ALL.len() > forms.len();
        assert!(!left_out || !reason.is_empty(), "{name}: say why");
        for (form, available) in &self.forms {
            if !forms.contains(form) {
                continue;
            }
            let (form, case) = (*form, Arc::clone(&case));
            let trial_name = format!("{form}::{name}");
            let trial = match available.as_ref().and(needed.as_ref()) {
                Ok(()) => Trial::test(trial_name, move || {
                    failure::of(|| case(&Context::new(form)))
                }),
                Err(unavailable) if self.in_ci => failing(trial_name, &unavailable.to_string()),
                Err(unavailable) => ignored(trial_name, unavailable.missing),
            };
            self.trials.push(trial);
        }
        self
    }

    /// Adds one case that is handed all of `forms` that are to be run here, and
    /// compares them.
    #[must_use]
    pub fn case_across(
        mut self,
        forms: &[Form],
        name: &str,
        case: impl FnOnce(&[Form]) + Send + 'static,
    ) -> Self {
        let wanted = self.forms.iter().filter(|(form, _)| forms.contains(form));
        let (run, missing): (Vec<_>, Vec<_>) = wanted.partition(|(_, available)| available.is_ok());
        let run: Vec<Form> = run.into_iter().map(|(form, _)| *form).collect();
        let trial = match missing.first() {
            Some((_, Err(unavailable))) if self.in_ci => {
                failing(name.to_owned(), &unavailable.to_string())
            }
            _ if run.len() < 2 => ignored(name.to_owned(), "one form has none to be compared with"),
            _ => Trial::test(name, move || failure::of(|| case(&run))),
        };
        self.trials.push(trial);
        self
    }

    /// Adds a case that needs no form.
    #[must_use]
    pub fn plain(mut self, name: &str, case: impl FnOnce() + Send + 'static) -> Self {
        self.trials.push(Trial::test(name, || failure::of(case)));
        self
    }

    /// Runs the cases that this process's arguments ask for. A case fails by a
    /// panic.
    pub fn run(self) -> ExitCode {
        libtest_mimic::run(&Arguments::from_args(), self.trials).exit_code()
    }
}

impl Default for Suite {
    fn default() -> Self {
        Self::new()
    }
}

/// The forms that a value of [`FORMS_VARIABLE`] names; all where it is empty.
fn wanted_forms(value: &str) -> Vec<Form> {
    if value.is_empty() {
        return Form::ALL.to_vec();
    }
    value
        .split(',')
        .map(|name| {
            Form::named(name.trim()).unwrap_or_else(|| {
                let known = Form::ALL.map(Form::name).join(", ");
                panic!("{FORMS_VARIABLE}: {name:?} is none of {known}")
            })
        })
        .collect()
}

/// A trial that isn't run, its reason shown in the place of its kind. If it is
/// asked for all the same, it fails with the reason.
fn ignored(name: String, reason: &str) -> Trial {
    failing(name, reason)
        .with_ignored_flag(true)
        .with_kind(reason)
}

fn failing(name: String, reason: &str) -> Trial {
    let failed = Failed::from(reason);
    Trial::test(name, move || Err(failed))
}

#[expect(clippy::print_stderr, reason = "what is skipped is said, never silent")]
fn say_skipped(forms: &BTreeMap<Form, Result<(), Unavailable>>) {
    for (form, available) in forms {
        if let Err(unavailable) = available {
            eprintln!("SKIPPED the {form} form: {unavailable}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn outcome(suite: Suite, arguments: &[&str]) -> (u64, u64, u64) {
        // Quietly: what fails here on purpose is not to be read as a failure.
        let arguments = [&["suite", "--logfile", "/dev/null"], arguments].concat();
        let conclusion = libtest_mimic::run(&Arguments::from_iter(arguments), suite.trials);
        let (passed, failed) = (conclusion.num_passed, conclusion.num_failed);
        (passed, failed, conclusion.num_ignored)
    }

    fn forms(available: &[Form]) -> BTreeMap<Form, Result<(), Unavailable>> {
        let missing = Err(Unavailable {
            missing: "no program",
            remedy: "build it".to_owned(),
        });
        Form::ALL
            .into_iter()
            .map(|form| {
                (
                    form,
                    if available.contains(&form) {
                        Ok(())
                    } else {
                        missing.clone()
                    },
                )
            })
            .collect()
    }

    #[test]
    fn a_case_is_run_in_every_form() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let suite = Suite::of(forms(&Form::ALL), true).case("case", {
            let seen = Arc::clone(&seen);
            move |context| seen.lock().unwrap().push(context.form())
        });
        let names: Vec<&str> = suite.trials.iter().map(Trial::name).collect();
        let expected = [
            "native::case",
            "sandboxed::case",
            "node::case",
            "wasmtime::case",
        ];
        assert_eq!(names, expected);
        assert_eq!(outcome(suite, &[]), (4, 0, 0));
        let mut seen = seen.lock().unwrap();
        seen.sort();
        assert_eq!(*seen, Form::ALL);
    }

    #[test]
    fn a_panic_is_a_failure() {
        let suite = Suite::of(forms(&Form::ALL), true)
            .case("case", |context| assert_ne!(context.form(), Form::Node))
            .plain("plain", || panic!("plainly"))
            .plain("fine", || {});
        assert_eq!(outcome(suite, &[]), (4, 2, 0));
    }

    #[test]
    fn a_form_that_is_missing_is_ignored_and_fails_in_ci() {
        let suite = |in_ci| Suite::of(forms(&[Form::Native]), in_ci).case("case", |_| {});
        assert_eq!(outcome(suite(false), &[]), (1, 0, 3));
        assert_eq!(suite(false).trials[1].kind(), "no program");
        assert_eq!(outcome(suite(true), &[]), (1, 3, 0));
        // Asked for by name, it fails everywhere.
        assert_eq!(outcome(suite(false), &["--ignored"]), (0, 3, 0));
    }

    #[test]
    fn a_case_can_leave_forms_out_for_a_reason() {
        let suite = Suite::of(forms(&Form::ALL), true).case_in(
            &[Form::Native, Form::Sandboxed],
            "a foreign runtime runs as this user",
            "case",
            |_| {},
        );
        let names: Vec<&str> = suite.trials.iter().map(Trial::name).collect();
        assert_eq!(names, ["native::case", "sandboxed::case"]);
        assert_eq!(outcome(suite, &[]), (2, 0, 0));
    }

    #[test]
    fn a_case_can_need_more_than_its_form() {
        let needed = Err(Unavailable {
            missing: "no mounts",
            remedy: "be root".to_owned(),
        });
        let suite = |in_ci, needed| {
            Suite::of(forms(&Form::ALL), in_ci).case_where(needed, &Form::ALL, "", "case", |_| {})
        };
        assert_eq!(outcome(suite(true, &Ok(())), &[]), (4, 0, 0));
        assert_eq!(outcome(suite(false, &needed), &[]), (0, 0, 4));
        assert_eq!(suite(false, &needed).trials[0].kind(), "no mounts");
        assert_eq!(outcome(suite(true, &needed), &[]), (0, 4, 0));
    }

    #[test]
    fn a_case_can_compare_forms() {
        let suite = |available: &[Form], in_ci| {
            let wanted = [Form::Native, Form::Node];
            let expected: Vec<Form> = available.to_vec();
            Suite::of(forms(available), in_ci)
                .case_across(&wanted, "case", move |forms| assert_eq!(forms, expected))
        };
        let both = [Form::Native, Form::Node];
        assert_eq!(outcome(suite(&both, true), &[]), (1, 0, 0));
        assert_eq!(outcome(suite(&[Form::Node], false), &[]), (0, 0, 1));
        assert_eq!(outcome(suite(&[Form::Node], true), &[]), (0, 1, 0));
        // More than those that are wanted.
        assert_eq!(outcome(suite(&Form::ALL, true), &[]), (0, 1, 0));
    }

    #[test]
    fn the_forms_are_chosen_by_name() {
        assert_eq!(wanted_forms(""), Form::ALL);
        assert_eq!(wanted_forms("node, native"), [Form::Node, Form::Native]);
        let unknown = std::panic::catch_unwind(|| wanted_forms("native,wasmer"));
        assert!(unknown.is_err());
    }
}
