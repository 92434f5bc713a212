//! Compiled rules in the page: the browser makes machine code of their modules, which work on the memory of this one.
#![expect(unsafe_code, reason = "functions of the page are called, and the page calls while they run")]

use std::cell::Cell;
use std::ptr::NonNull;

use referee_rules::{Called, Page, run_in};

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    fn make_rules(module: *const u8, length: usize) -> u32;
    fn run_rules(instance: u32, function: usize, left: *mut i64) -> u32;
    fn free_rules(instance: u32);
}

/// The page around this module.
struct Around;

/// Lets compiled rules run in the page.
pub(crate) fn begin() {
    run_in(&Around);
}

thread_local! {
    /// What carries out the calls of the module that runs; `None` while it does, and where nothing runs.
    static CALLED: Cell<Option<NonNull<dyn Called>>> = const { Cell::new(None) };
}

#[cfg(target_arch = "wasm32")]
impl Page for Around {
    fn instantiate(&self, module: &[u8]) -> Option<u32> {
        // SAFETY: the page copies the bytes before it returns.
        let number = unsafe { make_rules(module.as_ptr(), module.len()) };
        (number != 0).then_some(number)
    }

    fn run(&self, instance: u32, function: usize, called: &mut dyn Called) -> Option<i64> {
        // SAFETY: what is called is put back before it ends: nothing unwinds here.
        let called = unsafe { std::mem::transmute::<NonNull<dyn Called + '_>, NonNull<dyn Called>>(called.into()) };
        let before = CALLED.replace(Some(called));
        let mut left = 0;
        // SAFETY: the page writes one number there.
        let ended = unsafe { run_rules(instance, function, &raw mut left) };
        // Without it, a call has panicked: the page has taken that for an end of the module.
        assert!(CALLED.replace(before).is_some(), "a call of compiled rules has not ended");
        (ended != 0).then_some(left)
    }

    fn release(&self, instance: u32) {
        // SAFETY: the page forgets the instance.
        unsafe { free_rules(instance) }
    }
}

/// There is no page.
#[cfg(not(target_arch = "wasm32"))]
impl Page for Around {
    fn instantiate(&self, _: &[u8]) -> Option<u32> {
        None
    }

    fn run(&self, _: u32, _: usize, _: &mut dyn Called) -> Option<i64> {
        None
    }

    fn release(&self, _: u32) {}
}

/// Carries out a call of the module that runs.
fn carried_out<T: Default>(call: impl FnOnce(&mut dyn Called) -> T) -> T {
    let Some(mut called) = CALLED.take() else { return T::default() };
    // SAFETY: it is that of the innermost `run`, which waits for the module, and no other call has it now.
    let done = call(unsafe { called.as_mut() });
    CALLED.set(Some(called));
    done
}

/// Writes the functions that a module of compiled rules calls, by their numbers of arguments.
macro_rules! out {
    ($($name:ident($($arg:ident),*))*) => {
        $(
            /// Carries out a call of compiled rules.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name(site: u32 $(, $arg: i64)*) -> i64 {
                carried_out(|called| called.out(site, &[$($arg),*]))
            }
        )*
    };
}

out! {
    out0() out1(a) out2(a, b) out3(a, b, c) out4(a, b, c, d) out5(a, b, c, d, e) out6(a, b, c, d, e, f)
}

/// Fetches random numbers for compiled rules.
#[unsafe(no_mangle)]
pub extern "C" fn fetch() {
    carried_out(|called| called.fetch());
}
