//! The three functions that pass texts through the memory of the module: the only unsafe code of the project.
#![expect(unsafe_code, reason = "the page has only numbers and the bytes of the memory")]

use std::sync::Once;

use crate::requests::answer_text;

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    fn tell(at: *const u8, length: usize);
}

/// Passes a text to the page, in the middle of a request.
pub(crate) fn say(text: &str) {
    // SAFETY: the page copies the text before it returns.
    #[cfg(target_arch = "wasm32")]
    unsafe {
        tell(text.as_ptr(), text.len());
    }
    #[cfg(not(target_arch = "wasm32"))]
    let _ = text;
}

/// Returns the address of memory for a request of this length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Takes the request from reserved memory, and returns the address of its answer: its length, then its text.
///
/// # Safety
/// The address must be one of [`reserve`] for the same length, used once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn answer(request: *mut u8, length: usize) -> *mut u8 {
    static PANICS: Once = Once::new();
    PANICS.call_once(|| std::panic::set_hook(Box::new(|why| say(&format!("panic: {why}")))));
    // SAFETY: `reserve` made it with this length.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, length)) };
    let text = answer_text(&String::from_utf8_lossy(&request));
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let bytes = [&length.to_le_bytes(), text.as_bytes()].concat();
    Box::into_raw(bytes.into_boxed_slice()).cast()
}

/// Frees an answer.
///
/// # Safety
/// The address must be one of [`answer`], used once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn release(answer: *mut u8) {
    // SAFETY: `answer` made it, with its length in the first four bytes.
    unsafe {
        let length = u32::from_le_bytes([*answer, *answer.add(1), *answer.add(2), *answer.add(3)]) as usize;
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(answer, length + 4)));
    }
}
