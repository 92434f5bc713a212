//! The parts of a module of WebAssembly.

use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection, FunctionSection, GlobalSection,
    GlobalType, ImportSection, MemorySection, MemoryType, TypeSection, ValType,
};

use super::body::Body;
use super::layout::{self, Layout};
use super::place::Place;
use super::runtime::{self, Helper};
use super::value::Ty;

/// The size of a page of memory.
const PAGE: u64 = 1 << 16;
/// The maximum number of pages.
const PAGES: u64 = 1024;

/// How many pages a module that works on the memory of another one may take more than it has at first.
const ROOM: u64 = 64;

/// A module.
pub(crate) struct Binary {
    pub(super) bytes: Vec<u8>,
    /// The names of its functions that the host calls, in the order in which it exports them.
    pub(super) names: Vec<String>,
    /// Its memory, if that is in the memory of this program. It stays where it is.
    pub(super) memory: Option<Box<[u8]>>,
}

/// The number of the first function that looks at the board, while functions are written: how many of the rules there are is not
/// known then. They follow these in the module.
pub(super) const OF_BOARD: u32 = 1 << 24;

/// Returns the number of a function of the rules by its place among them.
pub(super) fn of_rules(at: usize) -> u32 {
    layout::IMPORTS + runtime::COUNT + u32::try_from(at).unwrap_or(u32::MAX)
}

/// Parameters and results.
type Signature = (Vec<ValType>, Vec<ValType>);

/// The functions of the rules, those that look at the board, and those that the host calls.
#[derive(Default)]
pub(super) struct Module {
    of_rules: Vec<(Signature, Body)>,
    of_board: Vec<(Signature, Body)>,
    entries: Vec<(String, Body)>,
}

impl Module {
    /// Adds the next function of the rules.
    pub(super) fn add(&mut self, parameters: impl Iterator<Item = Ty>, result: Ty, body: Body) {
        self.of_rules.push((signature(parameters, result), body));
    }

    /// Adds the next function that looks at the board, or that runs phases, and returns its number while functions are written.
    pub(super) fn add_of_board(&mut self, parameters: impl Iterator<Item = Ty>, result: Ty, body: Body) -> u32 {
        self.of_board.push((signature(parameters, result), body));
        OF_BOARD + u32::try_from(self.of_board.len() - 1).unwrap_or_default()
    }

    /// Adds a function without parameters that the host calls by its name.
    pub(super) fn export(&mut self, name: &str, body: Body) {
        self.entries.push((name.to_owned(), body));
    }

    /// Returns the module. `constants` are in its memory from the beginning, each at its address, `heap` is the end of what is
    /// in it, `equal` the site that compares values. `within` says whether it works on the memory of another module.
    pub(super) fn finish(
        self,
        layout: &Layout,
        constants: &[(u32, Vec<u8>)],
        heap: u32,
        equal: u32,
        within: bool,
    ) -> Binary {
        let minimum = (u64::from(heap) + 4 * PAGE).div_ceil(PAGE);
        let memory = within.then(|| {
            let size = usize::try_from((minimum + ROOM) * PAGE).unwrap_or_default();
            vec![0; size].into_boxed_slice()
        });
        let place = memory.as_deref().map_or(Place::Own, Place::within);
        let mut types = TypeSection::new();
        let mut known: Vec<Signature> = Vec::new();
        let mut type_of = |signature: Signature| {
            let at = known.iter().position(|other| *other == signature).unwrap_or_else(|| {
                types.ty().function(signature.0.iter().copied(), signature.1.iter().copied());
                known.push(signature);
                known.len() - 1
            });
            u32::try_from(at).unwrap_or(u32::MAX)
        };
        let mut imports = ImportSection::new();
        for arguments in 0..=layout::MOST_HANDED {
            let mut parameters = vec![ValType::I32];
            parameters.extend(std::iter::repeat_n(ValType::I64, arguments));
            imports.import(
                "host",
                &format!("out{arguments}"),
                EntityType::Function(type_of((parameters, vec![ValType::I64]))),
            );
        }
        imports.import("host", "fetch", EntityType::Function(type_of((vec![], vec![]))));
        let (mut functions, mut code, mut exports) = (FunctionSection::new(), CodeSection::new(), ExportSection::new());
        for helper in Helper::ALL {
            let (parameters, results) = helper.signature();
            functions.function(type_of((parameters.to_vec(), results.to_vec())));
            code.function(&helper.write(equal).finish(|number| number, place));
        }
        let mut next = layout::IMPORTS + runtime::COUNT;
        let first_of_board = of_rules(self.of_rules.len());
        let number = |number: u32| match number.checked_sub(OF_BOARD) {
            Some(place) => first_of_board + place,
            None => number,
        };
        for (signature, body) in self.of_rules.into_iter().chain(self.of_board) {
            functions.function(type_of(signature));
            code.function(&body.finish(number, place));
            next += 1;
        }
        let mut names = Vec::new();
        for (name, body) in self.entries {
            functions.function(type_of((vec![], vec![])));
            code.function(&body.finish(number, place));
            exports.export(&name, ExportKind::Func, next);
            names.push(name);
            next += 1;
        }
        exports.export("memory", ExportKind::Memory, 0);
        exports.export("left", ExportKind::Global, layout::LEFT);
        let of_memory =
            |minimum, maximum| MemoryType { minimum, maximum, memory64: false, shared: false, page_size_log2: None };
        let mut memories = MemorySection::new();
        match place {
            Place::Own => {
                memories.memory(of_memory(minimum, Some(PAGES)));
            }
            Place::Within { .. } => {
                imports.import("host", "memory", EntityType::Memory(of_memory(0, None)));
            }
        }
        let mut globals = GlobalSection::new();
        let of_type = |val_type, mutable| GlobalType { val_type, mutable, shared: false };
        globals.global(of_type(ValType::I64, true), &ConstExpr::i64_const(0));
        let base = place.base();
        globals.global(of_type(ValType::I32, false), &ConstExpr::i32_const(base.cast_signed()));
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const((base + layout.tables).cast_signed()), layout.contents.iter().copied());
        for (address, bytes) in constants {
            data.active(0, &ConstExpr::i32_const((base + address).cast_signed()), bytes.iter().copied());
        }
        let mut module = wasm_encoder::Module::new();
        module.section(&types).section(&imports).section(&functions).section(&memories).section(&globals);
        module.section(&exports).section(&code).section(&data);
        Binary { bytes: module.finish(), names, memory }
    }
}

/// Returns the parameters and results of a function in WebAssembly.
fn signature(parameters: impl Iterator<Item = Ty>, result: Ty) -> Signature {
    (parameters.filter_map(Ty::wasm).collect(), result.wasm().into_iter().collect())
}
