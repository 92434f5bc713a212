//! Trying a property on many values.
//!
//! The values are the same in every run; `PROPTEST_CASES=100000` tries more of them, `PROPTEST_RNG_SEED=7` others.

use proptest::prelude::{Strategy, TestCaseError};
use proptest::test_runner::{Config, RngSeed, TestError, TestRunner};

/// Try a property on `cases` values, or on as many as the environment says.
pub(crate) fn check<S: Strategy>(cases: u32, strategy: &S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let mut config = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = cases;
    }
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        config.rng_seed = RngSeed::Fixed(0x5157_1517);
    }
    let failed = TestRunner::new(config).run(strategy, property).err();
    // The reason alone: it holds the scenario, which says all that there is to say of the value.
    let words = failed.map(|error| match error {
        TestError::Fail(reason, _) | TestError::Abort(reason) => reason.to_string(),
    });
    assert!(words.is_none(), "{}", words.unwrap_or_default());
}
