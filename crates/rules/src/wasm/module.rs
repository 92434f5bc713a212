//! The parts of a module of WebAssembly.

use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    GlobalSection, GlobalType, ImportSection, MemorySection, MemoryType, TypeSection, ValType,
};

use super::layout::{self, Layout};
use super::runtime::{self, Helper};
use super::value::Ty;

/// The size of a page of memory.
const PAGE: u64 = 1 << 16;
/// The maximum number of pages.
const PAGES: u64 = 1024;

/// Parameters and results.
type Signature = (Vec<ValType>, Vec<ValType>);

/// The functions of the rules, and those that the host calls.
#[derive(Default)]
pub(super) struct Module {
    functions: Vec<(Signature, Function)>,
    entries: Vec<(String, Function)>,
}

impl Module {
    /// Adds the next function of the rules.
    pub(super) fn add(&mut self, parameters: &[Ty], result: Ty, function: Function) {
        let parameters = parameters.iter().filter_map(|ty| ty.wasm()).collect();
        self.functions.push(((parameters, result.wasm().into_iter().collect()), function));
    }

    /// Adds a function without parameters that the host calls by its name.
    pub(super) fn export(&mut self, name: &str, function: Function) {
        self.entries.push((name.to_owned(), function));
    }

    /// Returns the bytes of the module. `heap` is the end of what is in its memory, `equal` the site that compares values.
    pub(super) fn finish(self, layout: &Layout, heap: u32, equal: u32) -> Vec<u8> {
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
            code.function(&helper.write(equal));
        }
        let mut next = layout::IMPORTS + runtime::COUNT;
        for (signature, function) in self.functions {
            functions.function(type_of(signature));
            code.function(&function);
            next += 1;
        }
        for (name, function) in self.entries {
            functions.function(type_of((vec![], vec![])));
            code.function(&function);
            exports.export(&name, ExportKind::Func, next);
            next += 1;
        }
        exports.export("memory", ExportKind::Memory, 0);
        exports.export("left", ExportKind::Global, layout::LEFT);
        let mut memories = MemorySection::new();
        let minimum = (u64::from(heap) + 4 * PAGE).div_ceil(PAGE);
        memories.memory(MemoryType {
            minimum,
            maximum: Some(PAGES),
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut globals = GlobalSection::new();
        let variable = |val_type| GlobalType { val_type, mutable: true, shared: false };
        globals.global(variable(ValType::I64), &ConstExpr::i64_const(0));
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(layout.tables.cast_signed()), layout.contents.iter().copied());
        let mut module = wasm_encoder::Module::new();
        module.section(&types).section(&imports).section(&functions).section(&memories).section(&globals);
        module.section(&exports).section(&code).section(&data);
        module.finish()
    }
}
