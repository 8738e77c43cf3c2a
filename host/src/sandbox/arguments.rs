//! The arguments that the guest is given: those of this process, except that a
//! file of credentials is standard input there.

use std::ffi::OsString;

use super::SandboxError;

const FLAG: &str = "--add-scram-file";

/// Rewrites the arguments of a command line that was parsed and checked: so the
/// flag stands for itself wherever it is met, and is never another's value.
pub(crate) fn for_the_guest(arguments: &[OsString]) -> Result<Vec<&str>, SandboxError> {
    let mut rewritten = Vec::with_capacity(arguments.len());
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let argument = argument.to_str().ok_or(SandboxError::NotUtf8)?;
        if argument == FLAG {
            arguments.next();
            rewritten.extend([FLAG, "-"]);
        } else if argument
            .strip_prefix(FLAG)
            .is_some_and(|rest| rest.starts_with('='))
        {
            rewritten.extend([FLAG, "-"]);
        } else {
            rewritten.push(argument);
        }
    }
    Ok(rewritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_credentials_is_standard_input() {
        for (given, expected) in [
            (&["k", "-g"][..], &["k", "-g"][..]),
            (&["k", FLAG, "/f", "-g"], &["k", FLAG, "-", "-g"]),
            (&["k", FLAG, "-"], &["k", FLAG, "-"]),
            (&["k", "--add-scram-file=/f", "-g"], &["k", FLAG, "-", "-g"]),
            (&["k", "--add-scram", "x"], &["k", "--add-scram", "x"]),
        ] {
            let given: Vec<OsString> = given.iter().map(OsString::from).collect();
            assert_eq!(for_the_guest(&given).expect("it is UTF-8"), expected);
        }
    }

    #[test]
    fn an_argument_that_is_not_utf8_is_refused() {
        use std::os::unix::ffi::OsStringExt;
        let error = for_the_guest(&[OsString::from_vec(vec![0xff])]).expect_err("it is refused");
        assert_eq!(error.to_string(), "an argument is not valid UTF-8");
    }
}
