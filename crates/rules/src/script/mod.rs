//! Scripts read once: a tree with names, places and kinds, which all that asks something of a script asks.

mod infer;
mod names;
mod occurrences;
mod operators;
mod points;
mod read;
mod spans;
mod tree;
mod used;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rhai::{AST, Expr, ImmutableString, Shared, Stmt};

use crate::layers::{self, Definition, Layers, Texts};
use crate::natives::OfGame;
use crate::values::Kind;
use referee_table::{NameSet, Schema};

pub(crate) use infer::Knowledge;
pub(crate) use occurrences::{Finder, in_order, visible_at};
pub use occurrences::{Meaning, Occurrence, Variable, WORDS};
pub(crate) use operators::{of_one, of_two};
pub(crate) use points::Instrumented;
pub use points::PointKind;
#[cfg(test)]
pub(crate) use spans::Within;
pub(crate) use tree::{
    Assign, Call, Case, Closure, Declared, For, Function, Key, Local, LocalId, Name, Node, Switch, Target, Way, What,
    is_closure,
};

/// The functions of all layers of a script, with the kinds of all values.
pub(crate) struct Script {
    /// The functions in the order of their names and numbers of parameters.
    pub(crate) functions: Vec<Function>,
    /// The keys of all maps in the scripts and on cards: names after a dot that need not be properties.
    pub(crate) keys: BTreeSet<String>,
    /// What the game adds to the functions that rules may call.
    natives: Rc<OfGame>,
    /// Where functions and constants are found by their names.
    index: infer::Index,
    /// The names in all functions, and their strings, once they were needed.
    mentioned: OnceCell<NameSet<ImmutableString>>,
}

impl Script {
    /// Reads all functions, and infers the kinds of their values.
    pub(crate) fn read(layers: &Layers, natives: &Rc<OfGame>, schema: &Schema) -> Self {
        let names = names::Names::of(layers, natives, (&[], &layers.texts));
        let own = layers.functions.iter().filter(|((name, _), _)| !is_closure(name));
        let read = |function: &layers::Function| read::function(&names, &function.def, function.layer);
        let mut functions: Vec<Function> = own.map(|(_, function)| read(function)).collect();
        let in_constants = layers.functions.iter().filter(|((name, _), _)| is_closure(name) && !names.has_read(name));
        functions.extend(in_constants.map(|(_, function)| read(function)));
        functions.sort_by(|one, other| one.key().cmp(&other.key()));
        let keys = names::keys(&functions, layers, schema);
        let index = infer::Index::of(&functions, layers);
        infer::infer(&mut functions, &Knowledge { schema, keys: &keys, natives, index: &index });
        Self { functions, keys, natives: Rc::clone(natives), index, mentioned: OnceCell::new() }
    }

    /// Returns a script with other functions in place of its own, of the same names and numbers of parameters.
    fn with_functions(&self, functions: Vec<Function>) -> Self {
        let (keys, natives, index) = (self.keys.clone(), Rc::clone(&self.natives), self.index.clone());
        Self { functions, keys, natives, index, mentioned: OnceCell::new() }
    }

    /// Reads an expression outside of the scripts, which may use the names `given` besides, each with a kind. `texts` are
    /// those of the scripts and of the expression.
    pub(crate) fn expression(
        &self,
        layers: &Layers,
        schema: &Schema,
        (ast, texts): (&AST, &Texts),
        given: &[(ImmutableString, Kind)],
    ) -> Function {
        let closures = ast.shared_lib().iter_script_fn_info();
        let closures: Vec<Definition> = closures.map(|(.., def)| Definition::of(rhai::Shared::clone(def))).collect();
        let names = names::Names::of(layers, &self.natives, (&closures, texts));
        let mut function = read::expression(&names, ast.statements(), given);
        let knowledge = Knowledge { schema, keys: &self.keys, natives: &self.natives, index: &self.index };
        infer::infer_alone(&mut function, &self.functions, &knowledge);
        function
    }

    /// Reads what a constant is declared as, which may use the constants that `layers` has.
    pub(crate) fn constant(&self, layers: &Layers, schema: &Schema, value: &Expr) -> Function {
        let names = names::Names::of(layers, &self.natives, (&[], &layers.texts));
        let mut function = read::value(&names, value);
        let knowledge = Knowledge { schema, keys: &self.keys, natives: &self.natives, index: &self.index };
        infer::infer_alone(&mut function, &self.functions, &knowledge);
        function
    }

    /// Drops the functions whose names are not among these, nor in the others that stay.
    pub(crate) fn keep(&mut self, mut names: NameSet<ImmutableString>) {
        let (mut kept, mut rest) = (Vec::new(), std::mem::take(&mut self.functions));
        loop {
            let (more, others): (Vec<Function>, Vec<Function>) =
                rest.into_iter().partition(|function| names.contains(&function.name) || is_closure(&function.name));
            if more.is_empty() {
                break;
            }
            names.extend(more.iter().flat_map(Function::mentions));
            kept.extend(more);
            rest = others;
        }
        kept.sort_by(|one: &Function, other: &Function| one.key().cmp(&other.key()));
        self.functions = kept;
    }

    /// Reads the constants of each text: a function that declares them as variables, and runs nowhere.
    pub(crate) fn constants(&self, layers: &Layers, schema: &Schema) -> Vec<Function> {
        let names = names::Names::of(layers, &self.natives, (&[], &layers.texts));
        let knowledge = Knowledge { schema, keys: &self.keys, natives: &self.natives, index: &self.index };
        let mut texts: Vec<&[Stmt]> = Vec::new();
        let is_same = |one: &Stmt, other: &Stmt| {
            let text = |statement: &Stmt| layers.texts.of_position(statement.position()).map(std::ptr::from_ref);
            text(one) == text(other)
        };
        texts.extend(layers.statements.chunk_by(is_same));
        let mut functions: Vec<Function> =
            texts.into_iter().map(|statements| read::expression(&names, statements, &[])).collect();
        functions.iter_mut().for_each(|function| infer::infer_alone(function, &self.functions, &knowledge));
        functions
    }

    /// Reads the function that a text declares alone, as it is while it is written, among the other functions.
    pub(crate) fn written(&self, layers: &Layers, schema: &Schema, (ast, texts): (&AST, &Texts)) -> Option<Function> {
        let definitions = || ast.shared_lib().iter_script_fn_info().map(|(.., def)| Definition::of(Shared::clone(def)));
        let def = definitions().find(|def| !is_closure(&def.name))?;
        let closures: Vec<Definition> = definitions().collect();
        let names = names::Names::of(layers, &self.natives, (&closures, texts));
        let function = read::function(&names, &def, 0);
        let mut functions = self.functions.clone();
        let at = match functions.binary_search_by(|other| other.key().cmp(&function.key())) {
            Ok(at) => {
                functions.splice(at..=at, [function]);
                at
            }
            Err(at) => {
                functions.insert(at, function);
                at
            }
        };
        let index = infer::Index::of(&functions, layers);
        let (keys, natives) = (&self.keys, &self.natives);
        infer::infer(&mut functions, &Knowledge { schema, keys, natives, index: &index });
        functions.into_iter().nth(at)
    }

    /// Calls `work` with what finds the names of functions in these texts.
    pub(crate) fn find<T>(
        &self,
        (layers, texts): (&Layers, &Texts),
        schema: &Schema,
        work: impl FnOnce(&Finder<'_>) -> T,
    ) -> T {
        let names = names::Names::of(layers, &self.natives, (&[], texts));
        work(&Finder { natives: &self.natives, names: &names, schema, texts })
    }

    /// Returns the function with a name and a number of parameters.
    pub(crate) fn function(&self, name: &str, parameters: usize) -> Option<&Function> {
        let at = self.functions.binary_search_by(|function| function.key().cmp(&(name, parameters)));
        self.functions.get(at.ok()?)
    }

    /// Returns the forms of the rules API that the scripts use, as the reference writes them.
    pub(crate) fn used(&self) -> BTreeSet<String> {
        used::used(&self.functions)
    }

    /// Returns whether a function calls one of this name, or has it as a value.
    pub(crate) fn calls(&self, name: &str) -> bool {
        // Most names stand nowhere.
        if !self.mentioned().contains(name) {
            return false;
        }
        let mut calls = false;
        let is_it = |node: &Node| match &node.what {
            What::Name(Name::Function(function)) => *function == name,
            _ => node.call().is_some_and(|call| call.name == name),
        };
        let mut look = |node: &Node| calls = calls || is_it(node);
        self.functions.iter().for_each(|function| function.body.walk(&mut look));
        calls
    }

    /// Returns the names in all functions, of functions, constants and components, and all strings.
    pub(crate) fn mentioned(&self) -> &NameSet<ImmutableString> {
        self.mentioned.get_or_init(|| {
            let mut names = NameSet::default();
            self.functions.iter().for_each(|function| function.body.mentions(&mut names));
            names
        })
    }

    /// Returns whether there is a name in a function: that of a function, a variable or a component, or a string.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        let is_variable = |function: &Function| function.locals.iter().any(|local| local.name == name);
        self.mentioned().contains(name) || self.functions.iter().any(is_variable)
    }

    /// Returns whether there is a function with this name.
    pub(crate) fn has_function(&self, name: &str) -> bool {
        let at = self.functions.partition_point(|function| function.name.as_str() < name);
        self.functions.get(at).is_some_and(|function| function.name == name)
    }
}

/// Reads functions that know neither a game nor other functions, and does not infer kinds.
pub(crate) fn read_bare(definitions: &[Definition]) -> Vec<Function> {
    let names = names::Bare { closures: definitions };
    let named = definitions.iter().filter(|def| !is_closure(&def.name));
    named.map(|def| read::function(&names, def, 0)).collect()
}
