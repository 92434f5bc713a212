//! The engine of a page: the browser runs modules, which work on the memory of this program. It is a module itself there.

use std::sync::OnceLock;

use super::host::{FREE, Host};
use super::layout;
use super::module::Binary;
use super::words::{GaveUp, set_word};
use referee_table::Value;

/// What a page does for compiled rules.
pub trait Page: Sync {
    /// Makes an instance of a module. It imports the memory of this program as `memory`, and what it calls as `out0` to `out6`
    /// and `fetch`, all from `host`: [`Called`]. Returns its number; `None` if it cannot be made.
    fn instantiate(&self, module: &[u8]) -> Option<u32>;

    /// Runs an exported function of an instance, by its place among them. `called` carries out what it calls meanwhile.
    /// Returns the exported variable `left`; `None` if the function was stopped.
    fn run(&self, instance: u32, function: usize, called: &mut dyn Called) -> Option<i64>;

    /// Frees an instance.
    fn release(&self, instance: u32);
}

/// What a module calls while it runs.
pub trait Called {
    /// Carries out a call at a site with up to six arguments. Returns 0 where the module is to stop: it looks for that itself.
    fn out(&mut self, site: u32, args: &[i64]) -> i64;

    /// Fetches random numbers. The module looks whether it is to stop.
    fn fetch(&mut self);
}

static PAGE: OnceLock<&'static dyn Page> = OnceLock::new();

/// Says that this program runs in a page, which runs compiled rules, too. Only the first call counts.
pub fn run_in(page: &'static dyn Page) {
    PAGE.get_or_init(|| page);
}

pub(super) fn is_there() -> bool {
    PAGE.get().is_some()
}

/// A module that runs in a page.
pub(crate) struct Instance {
    page: &'static dyn Page,
    number: u32,
    names: Vec<String>,
    within: Within,
}

/// The memory of a module, and its host.
struct Within {
    memory: Box<[u8]>,
    host: Host,
}

impl Called for Within {
    fn out(&mut self, site: u32, args: &[i64]) -> i64 {
        // The memory does not grow.
        if Host::free(&self.memory) < FREE {
            return self.stop(0);
        }
        match self.host.call(&mut self.memory, site, args) {
            Ok(value) => value,
            Err(GaveUp) => self.stop(0),
        }
    }

    fn fetch(&mut self) {
        if self.host.fetch(&mut self.memory).is_err() {
            self.stop(());
        }
    }
}

impl Within {
    fn stop<T>(&mut self, value: T) -> T {
        // The word is in every memory.
        let _ = set_word(&mut self.memory, layout::STOPPED, 1);
        value
    }
}

impl Instance {
    pub(super) fn new(module: Binary, host: Host) -> Option<Self> {
        let page = *PAGE.get()?;
        let number = page.instantiate(&module.bytes)?;
        Some(Self { page, number, names: module.names, within: Within { memory: module.memory?, host } })
    }

    /// Runs a phase.
    pub(super) fn run(&mut self, function: usize, args: &[Value]) -> Result<(), GaveUp> {
        let Within { memory, host } = &mut self.within;
        host.begin(memory, args)?;
        let left = self.called(function)?.ok_or(GaveUp)?;
        let Within { memory, host } = &mut self.within;
        host.end(memory, left)
    }

    /// Runs a function once the memory is prepared, to its end or to where the host stops it.
    pub(super) fn step(
        &mut self,
        function: usize,
        before: impl FnOnce(&mut Host, &mut [u8]) -> Result<(), GaveUp>,
    ) -> Result<(), GaveUp> {
        let Within { memory, host } = &mut self.within;
        before(host, memory)?;
        let ran = self.called(function)?;
        if ran.is_some() || self.within.host.has_stopped() { Ok(()) } else { Err(GaveUp) }
    }

    fn called(&mut self, function: usize) -> Result<Option<i64>, GaveUp> {
        set_word(&mut self.within.memory, layout::STOPPED, 0).ok_or(GaveUp)?;
        Ok(self.page.run(self.number, function, &mut self.within))
    }

    pub(super) fn memory(&mut self) -> (&mut [u8], &mut Host) {
        (&mut self.within.memory, &mut self.within.host)
    }

    pub(super) fn function(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    pub(super) const fn host(&mut self) -> &mut Host {
        &mut self.within.host
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.page.release(self.number);
    }
}
