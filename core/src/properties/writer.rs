//! The writer, `java.util.Properties.store(Writer, "")`.

use alloc::string::String;

/// Writes a properties file as Java does with an empty comment: a line of `#`
/// alone, a line with the date, then a line `key=value` for each pair, in the
/// order given. Lines end in `\n`.
///
/// Java has two variants; this is the one for a `Writer`, which Kafka uses. It
/// leaves characters beyond ASCII as they are, although the reader takes each
/// byte for a character.
pub fn store(pairs: &[(&str, &str)], date: &str) -> String {
    let mut file = String::from("#\n#");
    file.push_str(date);
    file.push('\n');
    for (key, value) in pairs {
        push_escaped(&mut file, key, Part::Key);
        file.push('=');
        push_escaped(&mut file, value, Part::Value);
        file.push('\n');
    }
    file
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Value,
}

/// Escapes what the reader would take for something else. A blank inside a
/// value needs no escape, all others do.
fn push_escaped(file: &mut String, text: &str, part: Part) {
    for (position, character) in text.chars().enumerate() {
        let written = match character {
            '\t' => 't',
            '\n' => 'n',
            '\r' => 'r',
            '\u{c}' => 'f',
            '\\' | '=' | ':' | '#' | '!' => character,
            ' ' if position == 0 || part == Part::Key => ' ',
            plain => {
                file.push(plain);
                continue;
            }
        };
        file.push('\\');
        file.push(written);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Java 17 writes for these pairs, one at a time.
    #[test]
    fn escapes_are_those_of_java() {
        for (key, value, line) in [
            (
                "cluster.id",
                "AQIDBAUGBwgJCgsMDQ4PEA",
                "cluster.id=AQIDBAUGBwgJCgsMDQ4PEA",
            ),
            ("cluster.id", "", "cluster.id="),
            ("", "", "="),
            (
                "cluster.id",
                "a=b:c #!\\ x\ty",
                "cluster.id=a\\=b\\:c \\#\\!\\\\ x\\ty",
            ),
            ("cluster.id", " lead", "cluster.id=\\ lead"),
            ("cluster.id", "  two ", "cluster.id=\\  two "),
            (" a b ", "\r\n\u{c}", "\\ a\\ b\\ =\\r\\n\\f"),
            (
                "a=b:c#!\\",
                "\0\u{1b}\u{7f}",
                "a\\=b\\:c\\#\\!\\\\=\0\u{1b}\u{7f}",
            ),
            (
                "caf\u{e9}",
                "\u{65e5}\u{1f600}",
                "caf\u{e9}=\u{65e5}\u{1f600}",
            ),
        ] {
            let date = "Mon Nov 30 06:10:30 UTC 2026";
            let expected = alloc::format!("#\n#{date}\n{line}\n");
            assert_eq!(store(&[(key, value)], date), expected, "{key:?} {value:?}");
        }
    }

    #[test]
    fn pairs_keep_their_order() {
        assert_eq!(
            store(&[("b", "2"), ("a", "1")], "never"),
            "#\n#never\nb=2\na=1\n"
        );
    }
}
