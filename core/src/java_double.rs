//! Java's `Double.toString`.

use alloc::format;
use alloc::string::String;

/// Appends a number as `Double.toString` of Java 19 and later prints it: with
/// as few digits as tell it from all others, but two at least. (Earlier ones
/// print some numbers with more digits than that, JDK-4511638.)
pub(crate) fn write(out: &mut String, value: f64) {
    if value.is_nan() {
        return out.push_str("NaN");
    }
    if value.is_sign_negative() {
        out.push('-');
    }
    let value = value.abs();
    if value.is_infinite() {
        out.push_str("Infinity");
    } else {
        write_finite(out, value);
    }
}

/// Appends a number that is neither negative nor infinite.
fn write_finite(out: &mut String, value: f64) {
    let shortest = scientific(value);
    let (digits, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let (first, others) = digits.split_once('.').unwrap_or((digits, "0"));
    match exponent.parse() {
        Ok(exponent @ -3..0_i32) => {
            out.push_str("0.");
            out.extend((exponent..-1).map(|_| '0'));
            out.push_str(first);
            if others != "0" {
                out.push_str(others);
            }
        }
        Ok(exponent @ 0..7) => write_decimal(out, first, others, exponent),
        _ => {
            for part in [first, ".", others, "E", exponent] {
                out.push_str(part);
            }
        }
    }
}

/// Appends a number whose point comes `exponent` digits after the first.
fn write_decimal(out: &mut String, first: &str, others: &str, exponent: i32) {
    out.push_str(first);
    let mut others = others.chars();
    out.extend((0..exponent).map(|_| others.next().unwrap_or('0')));
    out.push('.');
    match others.as_str() {
        "" => out.push('0'),
        rest => out.push_str(rest),
    }
}

/// The digits of a number, as few as tell it from all others but two at least,
/// and its decimal exponent. Of the texts of that many digits it is the nearest,
/// of two that are as near the one whose last digit is even.
fn scientific(value: f64) -> String {
    let shortest = format!("{value:e}");
    let places = match shortest.split_once('.') {
        Some((_, others)) => others.find('e').unwrap_or(1),
        None => 1,
    };
    let nearest = format!("{value:.places$e}");
    // Below a power of two numbers are closer than above it, so that the nearest
    // text can be that of another number.
    if nearest.parse() == Ok(value) {
        nearest
    } else {
        shortest
    }
}
