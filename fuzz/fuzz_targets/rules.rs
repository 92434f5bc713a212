//! Rules that the bytes make up, run by the machine, by the interpreter and by compiled rules: all come to the same, and count the
//! same runs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use referee_rules::Engine;

#[path = "../../tests/games/made_up/both.rs"]
mod both;
#[path = "../../tests/games/made_up/writer/mod.rs"]
mod writer;

fuzz_target!(|bytes: &[u8]| {
    let text = writer::write(bytes);
    // Rules call one another deeply: they need the stack of a worker.
    let compared = std::thread::Builder::new().stack_size(256 << 20).spawn(move || compare(&text));
    compared.expect("a thread").join().expect("no panic, and no difference");
});

fn compare(text: &str) {
    let made = match both::Made::load(text) {
        Ok(made) => made,
        // A form may not fit where it stands.
        Err(_) => return,
    };
    let told = made.run(both::By::Machine);
    for by in [both::By::Interpreter, both::By::Pauses] {
        if let Some(difference) = both::difference(&told, &made.run(by)) {
            panic!("{by:?} differs for these rules\n{text}\n{difference}");
        }
    }
    for engine in Engine::ALL {
        for compare in [both::Made::compare_compiled, both::Made::compare_counting] {
            if let Some(difference) = compare(&made, *engine).difference {
                panic!("{} differs for these rules\n{text}\n{difference}", engine.name());
            }
        }
    }
}
