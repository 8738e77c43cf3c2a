//! Java's text of a date, `java.util.Date.toString`.

use alloc::format;
use alloc::string::String;

/// The last second whose year has four digits, 9999-12-31T23:59:59Z.
pub const LAST_SECOND: i64 = 253_402_300_799;

const SECONDS_A_DAY: u64 = 86_400;

const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// The text that Java gives a time, in UTC: `Mon Nov 30 06:10:30 UTC 2026`.
///
/// `unix_seconds` counts from 1970-01-01T00:00:00Z. A time before that is
/// written as 0, one after [`LAST_SECOND`] as that.
pub fn java_date(unix_seconds: i64) -> String {
    let seconds = unix_seconds.clamp(0, LAST_SECOND).unsigned_abs();
    let (days, second_of_day) = (seconds / SECONDS_A_DAY, seconds % SECONDS_A_DAY);
    let (hour, minute, second) = (
        second_of_day / 3600,
        second_of_day / 60 % 60,
        second_of_day % 60,
    );
    let (year, month, day) = civil_from_days(days);
    // 1970-01-01 was a Thursday.
    let weekday = name(&WEEKDAYS, days.saturating_add(4) % 7);
    let month = name(&MONTHS, month);
    format!("{weekday} {month} {day:02} {hour:02}:{minute:02}:{second:02} UTC {year}")
}

/// The date of a day counted from 1970-01-01: year, month from 0, day from 1.
///
/// The year is taken to begin in March, so that the leap day is its last one,
/// and days are counted from 0000-03-01 (Hinnant, "chrono-Compatible Low-Level
/// Date Algorithms", `civil_from_days`).
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    const DAYS_TO_1970: u64 = 719_468;
    const DAYS_A_CENTURY: u64 = 36_524;
    const DAYS_IN_400_YEARS: u64 = 146_097;

    let days = days.saturating_add(DAYS_TO_1970);
    let (era, day_of_era) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
    let year_of_era = day_of_era
        .saturating_sub(day_of_era / 1460)
        .saturating_add(day_of_era / DAYS_A_CENTURY)
        .saturating_sub(day_of_era / 146_096)
        / 365;
    let day_of_year = day_of_era.saturating_sub(
        (year_of_era
            .saturating_mul(365)
            .saturating_add(year_of_era / 4))
        .saturating_sub(year_of_era / 100),
    );
    // Months from March have 31, 30, 31, 30, 31 days, again and again.
    let month_from_march = day_of_year.saturating_mul(5).saturating_add(2) / 153;
    let days_before_month = month_from_march.saturating_mul(153).saturating_add(2) / 5;
    let month = month_from_march.saturating_add(2) % 12;
    let march_year = era.saturating_mul(400).saturating_add(year_of_era);
    let year = if month < 2 {
        march_year.saturating_add(1)
    } else {
        march_year
    };
    (
        year,
        month,
        day_of_year
            .saturating_sub(days_before_month)
            .saturating_add(1),
    )
}

/// The name of that number in a table of names.
fn name(names: &'static [&'static str], number: u64) -> &'static str {
    usize::try_from(number)
        .ok()
        .and_then(|number| names.get(number))
        .copied()
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several hundred times and what Java 17 prints for them.
    const JAVA: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/java-date/java17.tsv"
    ));

    #[test]
    fn dates_are_those_of_java() {
        let mut rows = 0;
        for row in JAVA.lines().filter(|row| !row.starts_with('#')) {
            let (seconds, expected) = row.split_once('\t').unwrap();
            assert_eq!(java_date(seconds.parse().unwrap()), expected, "{seconds}");
            rows += 1;
        }
        assert!(rows >= 300, "{rows} rows");
    }

    #[test]
    fn times_out_of_range_are_written_as_the_nearest_in_range() {
        for seconds in [i64::MIN, -1] {
            assert_eq!(java_date(seconds), "Thu Jan 01 00:00:00 UTC 1970");
        }
        for seconds in [LAST_SECOND + 1, i64::MAX] {
            assert_eq!(java_date(seconds), "Fri Dec 31 23:59:59 UTC 9999");
        }
    }
}
