//! SCRAM specifications in a file, which keeps passwords out of the process
//! list and of the shell's history.

use alloc::vec::Vec;

use super::{ScramError, ScramSpecification};
use crate::java_text;

/// Why a file of SCRAM specifications is refused. It says where, and repeats
/// nothing of the file: any part of it may be a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
#[non_exhaustive]
pub struct ScramFileError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with the line.
    #[source]
    pub fault: ScramFileFault,
}

/// What is wrong with one line of a file of SCRAM specifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScramFileFault {
    /// The line is not UTF-8.
    #[error("the text is not valid UTF-8")]
    NotUtf8,
    /// The specification is refused.
    #[error(transparent)]
    Specification(#[from] ScramError),
}

/// Parses a file of SCRAM specifications: UTF-8, one
/// [specification](ScramSpecification::parse) a line, in the order of the
/// records. Lines end with a line feed, or with a carriage return and one.
/// Blank lines, and lines whose first character after blanks is `#`, say
/// nothing. A file may hold no specification at all.
///
/// # Errors
///
/// [`ScramFileError`], of the first line that is wrong.
pub fn parse_scram_file(text: &[u8]) -> Result<Vec<ScramSpecification>, ScramFileError> {
    (1..)
        .zip(text.split(|&byte| byte == b'\n'))
        .filter_map(|(line, text)| {
            parse_line(text)
                .map_err(|fault| ScramFileError { line, fault })
                .transpose()
        })
        .collect()
}

/// `None` for a line that says nothing.
fn parse_line(text: &[u8]) -> Result<Option<ScramSpecification>, ScramFileFault> {
    let text = str::from_utf8(text).map_err(|_| ScramFileFault::NotUtf8)?;
    let text = java_text::trim(text);
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    Ok(Some(ScramSpecification::parse(text)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::string::ToString as _;

    fn parse(text: &str) -> Result<Vec<ScramSpecification>, ScramFileError> {
        parse_scram_file(text.as_bytes())
    }

    /// The specification of this user.
    fn line(user: &str) -> String {
        String::from("SCRAM-SHA-256=[name=") + user + ",password=p]"
    }

    #[test]
    fn specifications_are_read_in_order() {
        let [a, b] = [line("a"), line("b")];
        let expected: Vec<_> = [&a, &b]
            .map(|line| ScramSpecification::parse(line).unwrap())
            .into();
        for text in [
            [&a, "\n", &b].concat(),
            [&a, "\n", &b, "\n"].concat(),
            [&a, "\r\n", &b, "\r\n"].concat(),
            ["# users\n\n", &a, "\n \t\r\n  #", &b, "\n", &b, "\n\n#é"].concat(),
            [" ", &a, "\t\n\t", &b, " "].concat(),
        ] {
            assert_eq!(parse(&text).as_ref(), Ok(&expected), "{text:?}");
        }
    }

    #[test]
    fn a_file_may_hold_nothing() {
        for text in ["", "\n", "\r\n\r\n", "#", "# a\n\n"] {
            assert_eq!(parse(text), Ok(Vec::new()), "{text:?}");
        }
    }

    #[test]
    fn the_first_fault_is_reported_with_its_line() {
        let good = line("a");
        for (text, message) in [
            (
                "x".into(),
                "line 1: Failed to find equals sign in SCRAM argument",
            ),
            (
                ["#\r\n\r\n", &good, "\r\nSCRAM-SHA-256=[]\r\nx"].concat(),
                "line 4: No equals sign found in SCRAM component",
            ),
            // A backslash or an open quote doesn't go on in the next line.
            (
                "SCRAM-SHA-256=[name=\"a\\\n\",password=p]".into(),
                "line 1: Expected configuration string to end with ]",
            ),
        ] {
            assert_eq!(parse(&text).unwrap_err().to_string(), message, "{text:?}");
        }
    }

    #[test]
    fn every_line_is_utf_8() {
        for (text, line) in [
            (&b"\xff"[..], 1),
            (b"#\n#\xe9\n", 2),
            (b"\n\nSCRAM-SHA-256=[name=a,password=p\xe9]", 3),
        ] {
            let error = parse_scram_file(text).unwrap_err();
            let fault = ScramFileFault::NotUtf8;
            assert_eq!(error, ScramFileError { line, fault });
        }
        let error = parse_scram_file(b"\xff").unwrap_err();
        assert_eq!(error.to_string(), "line 1: the text is not valid UTF-8");
    }
}
