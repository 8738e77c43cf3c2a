#![no_main]

use krabka_format_tests::fuzz::Target;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| (Target::named("at_once").check)(bytes));
