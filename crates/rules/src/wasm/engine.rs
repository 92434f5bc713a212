//! The engines that run compiled rules.

#[cfg(not(target_family = "wasm"))]
use super::host::FREE;
use super::host::Host;
use super::module::Binary;
use super::page;
use super::words::GaveUp;
use referee_table::Value;

/// An engine that runs a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// An interpreter. A page has no engine within its own.
    #[cfg(not(target_family = "wasm"))]
    Wasmi,
    /// Machine code.
    #[cfg(feature = "jit")]
    Wasmtime,
    /// That of the [page](page::Page) in which this program runs: machine code, too.
    Page,
}

impl Engine {
    /// All within this program.
    pub const ALL: &[Self] = &[
        #[cfg(not(target_family = "wasm"))]
        Self::Wasmi,
        #[cfg(feature = "jit")]
        Self::Wasmtime,
    ];

    /// Returns the one that makes machine code, if this program has it.
    #[must_use]
    pub fn of_machine_code() -> Option<Self> {
        if page::is_there() {
            return Some(Self::Page);
        }
        let makes_machine_code = |engine: &&Self| match **engine {
            #[cfg(not(target_family = "wasm"))]
            Self::Wasmi => false,
            #[cfg(feature = "jit")]
            Self::Wasmtime => true,
            Self::Page => true,
        };
        Self::ALL.iter().find(makes_machine_code).copied()
    }

    /// Returns whether its modules work on the memory of this program.
    pub(crate) const fn is_of_page(self) -> bool {
        matches!(self, Self::Page)
    }

    /// Returns its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(not(target_family = "wasm"))]
            Self::Wasmi => "wasmi",
            #[cfg(feature = "jit")]
            Self::Wasmtime => "wasmtime",
            Self::Page => "page",
        }
    }
}

/// A module with its memory, ready to run.
pub(crate) enum Running {
    #[cfg(not(target_family = "wasm"))]
    Wasmi(Box<interpreted::Instance>),
    #[cfg(feature = "jit")]
    Wasmtime(Box<machine_code::Instance>),
    Page(Box<page::Instance>),
}

impl Running {
    /// Returns a module ready to run by an engine.
    pub(crate) fn new(engine: Engine, module: Binary, host: Host) -> Option<Self> {
        Some(match engine {
            #[cfg(not(target_family = "wasm"))]
            Engine::Wasmi => Self::Wasmi(Box::new(interpreted::Instance::new(&module.bytes, host)?)),
            #[cfg(feature = "jit")]
            Engine::Wasmtime => Self::Wasmtime(Box::new(machine_code::Instance::new(&module.bytes, host)?)),
            Engine::Page => Self::Page(Box::new(page::Instance::new(module, host)?)),
        })
    }

    /// Runs a phase with these arguments in the session of the host's link. `function` is the number of the exported
    /// function.
    pub(crate) fn run(&mut self, function: usize, args: &[Value]) -> Result<(), GaveUp> {
        match *self {
            #[cfg(not(target_family = "wasm"))]
            Self::Wasmi(ref mut instance) => instance.run(function, args),
            #[cfg(feature = "jit")]
            Self::Wasmtime(ref mut instance) => instance.run(function, args),
            Self::Page(ref mut instance) => instance.run(function, args),
        }
    }

    /// Runs an exported function once `before` has prepared the memory: to its end, or to where the host stops it.
    pub(crate) fn step(
        &mut self,
        function: usize,
        before: impl FnOnce(&mut Host, &mut [u8]) -> Result<(), GaveUp>,
    ) -> Result<(), GaveUp> {
        match *self {
            #[cfg(not(target_family = "wasm"))]
            Self::Wasmi(ref mut instance) => instance.step(function, before),
            #[cfg(feature = "jit")]
            Self::Wasmtime(ref mut instance) => instance.step(function, before),
            Self::Page(ref mut instance) => instance.step(function, before),
        }
    }

    /// Returns the memory and the host.
    pub(crate) fn memory(&mut self) -> (&mut [u8], &mut Host) {
        match *self {
            #[cfg(not(target_family = "wasm"))]
            Self::Wasmi(ref mut instance) => instance.memory(),
            #[cfg(feature = "jit")]
            Self::Wasmtime(ref mut instance) => instance.memory(),
            Self::Page(ref mut instance) => instance.memory(),
        }
    }

    /// Returns how often each point was run since the last call.
    pub(crate) fn take_runs(&mut self) -> Vec<u64> {
        let (bytes, host) = self.memory();
        host.take_runs(bytes)
    }

    /// Returns the number of the exported function with this name.
    pub(crate) fn function(&mut self, name: &str) -> Option<usize> {
        match *self {
            #[cfg(not(target_family = "wasm"))]
            Self::Wasmi(ref mut instance) => instance.function(name),
            #[cfg(feature = "jit")]
            Self::Wasmtime(ref mut instance) => instance.function(name),
            Self::Page(ref instance) => instance.function(name),
        }
    }

    /// Returns the host.
    pub(crate) fn host(&mut self) -> &mut Host {
        match *self {
            #[cfg(not(target_family = "wasm"))]
            Self::Wasmi(ref mut instance) => instance.host(),
            #[cfg(feature = "jit")]
            Self::Wasmtime(ref mut instance) => instance.host(),
            Self::Page(ref mut instance) => instance.host(),
        }
    }
}

/// Writes what both engines, whose interfaces are alike, have in common.
#[cfg(not(target_family = "wasm"))]
macro_rules! instance {
    ($name:ident, $engine:path, $configure:expr, $error:path, $wrong:expr, $linked:ident) => {
        mod $name {
            use $engine::{Caller, Engine, Global, Linker, Memory, Module, Store, TypedFunc, Val};

            use super::{FREE, GaveUp, Host, Value};

            /// The host, and the memory, once there is one.
            struct Data {
                host: Host,
                memory: Option<Memory>,
            }

            /// A module with its memory.
            pub(crate) struct Instance {
                store: Store<Data>,
                functions: Vec<(String, TypedFunc<(), ()>)>,
                memory: Memory,
                left: Global,
            }

            type Wrong = $error;

            fn gave_up(_: GaveUp) -> Wrong {
                $wrong
            }

            /// Carries out a call of the host.
            fn call(caller: &mut Caller<'_, Data>, site: i32, args: &[i64]) -> Result<i64, Wrong> {
                let memory = caller.data().memory.ok_or_else(|| gave_up(GaveUp))?;
                if Host::free(memory.data(&mut *caller)) < FREE {
                    memory.grow(&mut *caller, 16).map_err(|_| gave_up(GaveUp))?;
                }
                let (bytes, data) = memory.data_and_store_mut(caller);
                data.host.call(bytes, site.cast_unsigned(), args).map_err(gave_up)
            }

            impl Instance {
                /// Returns a module ready to run.
                pub(crate) fn new(module: &[u8], host: Host) -> Option<Self> {
                    let engine: Engine = $configure?;
                    let module = Module::new(&engine, module).ok()?;
                    let mut store = Store::new(&engine, Data { host, memory: None });
                    let mut linker: Linker<Data> = Linker::new(&engine);
                    type Called<'c> = Caller<'c, Data>;
                    linker.func_wrap("host", "out0", |mut c: Called<'_>, s: i32| call(&mut c, s, &[])).ok()?;
                    linker.func_wrap("host", "out1", |mut c: Called<'_>, s: i32, a: i64| call(&mut c, s, &[a])).ok()?;
                    linker
                        .func_wrap("host", "out2", |mut c: Called<'_>, s: i32, a: i64, b: i64| call(&mut c, s, &[a, b]))
                        .ok()?;
                    linker
                        .func_wrap("host", "out3", |mut c: Called<'_>, s: i32, a: i64, b: i64, d: i64| {
                            call(&mut c, s, &[a, b, d])
                        })
                        .ok()?;
                    linker
                        .func_wrap("host", "out4", |mut c: Called<'_>, s: i32, a: i64, b: i64, d: i64, e: i64| {
                            call(&mut c, s, &[a, b, d, e])
                        })
                        .ok()?;
                    linker
                        .func_wrap(
                            "host",
                            "out5",
                            |mut c: Called<'_>, s: i32, a: i64, b: i64, d: i64, e: i64, f: i64| {
                                call(&mut c, s, &[a, b, d, e, f])
                            },
                        )
                        .ok()?;
                    linker
                        .func_wrap(
                            "host",
                            "out6",
                            |mut c: Called<'_>, s: i32, a: i64, b: i64, d: i64, e: i64, f: i64, g: i64| {
                                call(&mut c, s, &[a, b, d, e, f, g])
                            },
                        )
                        .ok()?;
                    linker
                        .func_wrap("host", "fetch", |mut c: Called<'_>| {
                            let memory = c.data().memory.ok_or_else(|| gave_up(GaveUp))?;
                            let (bytes, data) = memory.data_and_store_mut(&mut c);
                            data.host.fetch(bytes).map_err(gave_up)
                        })
                        .ok()?;
                    let instance = linker.$linked(&mut store, &module).ok()?;
                    let memory = instance.get_memory(&mut store, "memory")?;
                    let left = instance.get_global(&mut store, "left")?;
                    store.data_mut().memory = Some(memory);
                    let mut functions = Vec::new();
                    let names: Vec<String> = module.exports().map(|export| export.name().to_owned()).collect();
                    for name in names {
                        if let Ok(function) = instance.get_typed_func::<(), ()>(&mut store, &name) {
                            functions.push((name, function));
                        }
                    }
                    Some(Self { store, functions, memory, left })
                }

                /// Runs a phase.
                pub(crate) fn run(&mut self, function: usize, args: &[Value]) -> Result<(), GaveUp> {
                    let (_, function) = self.functions.get(function).ok_or(GaveUp)?;
                    let (bytes, data) = self.memory.data_and_store_mut(&mut self.store);
                    data.host.begin(bytes, args)?;
                    function.call(&mut self.store, ()).map_err(|_| GaveUp)?;
                    let left = match self.left.get(&mut self.store) {
                        Val::I64(left) => left,
                        _ => return Err(GaveUp),
                    };
                    let (bytes, data) = self.memory.data_and_store_mut(&mut self.store);
                    data.host.end(bytes, left)
                }

                /// Runs a function once the memory is prepared, to its end or to where the host stops it.
                pub(crate) fn step(
                    &mut self,
                    function: usize,
                    before: impl FnOnce(&mut Host, &mut [u8]) -> Result<(), GaveUp>,
                ) -> Result<(), GaveUp> {
                    let (_, function) = self.functions.get(function).ok_or(GaveUp)?;
                    let (bytes, data) = self.memory.data_and_store_mut(&mut self.store);
                    before(&mut data.host, bytes)?;
                    let ran = function.call(&mut self.store, ());
                    if ran.is_ok() || self.store.data().host.has_stopped() { Ok(()) } else { Err(GaveUp) }
                }

                pub(crate) fn memory(&mut self) -> (&mut [u8], &mut Host) {
                    let (bytes, data) = self.memory.data_and_store_mut(&mut self.store);
                    (bytes, &mut data.host)
                }

                pub(crate) fn function(&self, name: &str) -> Option<usize> {
                    self.functions.iter().position(|(known, _)| known == name)
                }

                pub(crate) fn host(&mut self) -> &mut Host {
                    &mut self.store.data_mut().host
                }
            }
        }
    };
}

#[cfg(not(target_family = "wasm"))]
instance!(interpreted, wasmi, Some(Engine::default()), wasmi::Error, Wrong::new("given up"), instantiate_and_start);

#[cfg(feature = "jit")]
instance!(
    machine_code,
    wasmtime,
    // Rules stop where they are to be given up, and where an answer is wanted.
    Engine::new(wasmtime::Config::new().wasm_backtrace_max_frames(None)).ok(),
    wasmtime::Error,
    Wrong::msg("given up"),
    instantiate
);
