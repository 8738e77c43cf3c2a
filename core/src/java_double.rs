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

#[cfg(test)]
mod tests {
    use super::*;

    /// Bits of numbers, and what Java 25 prints for them.
    #[test]
    fn numbers_are_printed_as_java_prints_them() {
        for (bits, text) in [
            (0x0000_0000_0000_0000, "0.0"),
            (0x8000_0000_0000_0000, "-0.0"),
            (0x3ff0_0000_0000_0000, "1.0"),
            (0xbff8_0000_0000_0000, "-1.5"),
            (0x4059_0000_0000_0000, "100.0"),
            (0x40fe_240c_9fbe_76c9, "123456.789"),
            (0x4163_12cf_e000_0000, "9999999.0"),
            (0x4163_12cf_ffff_ffff, "9999999.999999998"),
            (0x4163_12d0_0000_0000, "1.0E7"),
            (0x4167_8c29_dccc_cccd, "1.23456789E7"),
            (0x3f50_624d_d2f1_a9fc, "0.001"),
            (0x3f53_a92a_3055_3261, "0.0012"),
            (0x3f88_9374_bc6a_7efa, "0.012"),
            (0x3fbe_b851_eb85_1eb8, "0.12"),
            (0x3f50_624d_d2f1_a9ce, "9.9999999999999E-4"),
            (0x3f1a_36e2_eb1c_432d, "1.0E-4"),
            (0x3eea_36e2_eb1c_432d, "1.25E-5"),
            (0x4341_c379_37e0_8000, "1.0E16"),
            (0x4340_0000_0000_0000, "9.007199254740992E15"),
            (0x444b_1ae4_d6e2_ef50, "1.0E21"),
            (0x3fb9_9999_9999_999a, "0.1"),
            (0x3fd3_3333_3333_3333, "0.3"),
            (0x3fd5_5555_5555_5555, "0.3333333333333333"),
            (0x3fe5_5555_5555_5555, "0.6666666666666666"),
            (0x7fef_ffff_ffff_ffff, "1.7976931348623157E308"),
            (0x0010_0000_0000_0000, "2.2250738585072014E-308"),
            (0x7ff8_0000_0000_0000, "NaN"),
            (0x7ff0_0000_0000_0000, "Infinity"),
            (0xfff0_0000_0000_0000, "-Infinity"),
            (0x44c5_2d02_c7e1_4af6, "2.0E23"),
            (0x44b5_2d02_c7e1_4af6, "1.0E23"),
            (0x0000_0000_0000_0001, "4.9E-324"),
            (0x0000_0000_0000_0002, "9.9E-324"),
            (0x0000_0000_0000_0003, "1.5E-323"),
            (0x0000_0000_0000_0014, "9.9E-323"),
            (0x0000_0000_0000_002c, "2.17E-322"),
            (0x0080_0000_0000_0000, "2.848094538889218E-306"),
            (0x3e60_0000_0000_0000, "2.9802322387695312E-8"),
            (0x3e70_0000_0000_0000, "5.960464477539063E-8"),
            (0x4317_f59a_e307_24e9, "1.6859925117525062E15"),
            (0x430b_c970_5842_f7f2, "9.776635906864622E14"),
        ] {
            let mut out = String::new();
            write(&mut out, f64::from_bits(bits));
            assert_eq!(out, text, "{bits:x}");
        }
    }
}
