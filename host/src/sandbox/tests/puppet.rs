//! A guest that makes the calls that a test asks for, one by one, so that
//! something else can happen between two of them.

use std::io::Cursor;

use wasmtime::{Instance, Memory, Store, Val, ValType};

use super::*;

/// What is open for reading or writing, and what is looked for: rights.
pub(super) const READ: u64 = 2;
pub(super) const WRITE: u64 = 64;
/// How a path is opened.
pub(super) const AS_DIRECTORY: u64 = 2;
pub(super) const NEW: u64 = 5;

/// Where a call puts its number, and its status.
pub(super) const RESULT: usize = 0;
/// One buffer to read into, and one to write from, as calls take them.
pub(super) const TO_READ: usize = 256;
pub(super) const TO_WRITE: usize = 264;
const WRITTEN: usize = 1024;
/// The paths of a call.
const PATHS: [usize; 2] = [4096, 16_384];
/// Where what is read goes, and how much.
pub(super) const BUFFER: usize = 32_768;
pub(super) const BUFFER_LENGTH: usize = 65_536;

pub(super) struct Puppet {
    store: Store<State>,
    instance: Instance,
    memory: Memory,
    printed: WritePipe<Cursor<Vec<u8>>>,
}

impl Puppet {
    /// Holds what was opened. The first directory is number 3.
    pub(super) fn new(engine: &Engine, guest: &Module, opened: handles::Opened) -> Self {
        let printed = WritePipe::new_in_memory();
        let streams = Streams {
            stdout: Box::new(printed.clone()),
            stderr: Box::new(printed.clone()),
        };
        let inputs = Inputs {
            arguments: vec!["puppet".into()],
            ..Inputs::default()
        };
        let wasi = wasi(&inputs, opened, streams).expect("it is given");
        let mut store = engine::store(engine, wasi, limits::FUEL).expect("a store");
        let mut linker = Linker::new(engine);
        add_wasi_snapshot_preview1_to_linker(&mut linker, |state: &mut State| &mut state.wasi)
            .expect("it is linked");
        let instance = linker.instantiate(&mut store, guest).expect("it starts");
        let memory = instance.get_memory(&mut store, "memory");
        let memory = memory.expect("it has one");
        let mut puppet = Self {
            store,
            instance,
            memory,
            printed,
        };
        puppet.put_buffer(TO_READ, BUFFER, BUFFER_LENGTH);
        puppet
    }

    /// Holds handles on these log directories.
    pub(super) fn over(log_directories: &[String]) -> Self {
        let engine = engine::engine().expect("the configuration is sound");
        let guest = guest::load_hostile(&engine, "puppet").expect("it was compiled");
        Self::new(&engine, &guest, handles::open(log_directories, false))
    }

    /// Makes a call, and returns its error number.
    ///
    /// # Errors
    /// The guest is ended.
    pub(super) fn call(&mut self, name: &str, arguments: &[u64]) -> wasmtime::Result<i32> {
        let function = self.instance.get_func(&mut self.store, name).expect(name);
        let parameters = function.ty(&self.store);
        let arguments: Vec<Val> = parameters
            .params()
            .zip(arguments)
            .map(|(parameter, argument)| match parameter {
                ValType::I64 => Val::I64(argument.cast_signed()),
                _ => Val::I32(u32::try_from(*argument).expect("32 bits").cast_signed()),
            })
            .collect();
        let mut results = vec![Val::I32(0); parameters.results().len()];
        function.call(&mut self.store, &arguments, &mut results)?;
        Ok(results.first().and_then(Val::i32).unwrap_or(0))
    }

    /// Makes a call that does not end the guest, and returns its error number.
    pub(super) fn number(&mut self, name: &str, arguments: &[u64]) -> i32 {
        self.call(name, arguments).expect("it goes on")
    }

    /// Puts a path into memory, and returns where it is and how long.
    pub(super) fn path(&mut self, which: usize, path: &[u8]) -> [u64; 2] {
        self.put(PATHS[which], path);
        [number(PATHS[which]), number(path.len())]
    }

    /// Has the next write write this.
    pub(super) fn prepare(&mut self, bytes: &[u8]) {
        self.put(WRITTEN, bytes);
        self.put_buffer(TO_WRITE, WRITTEN, bytes.len());
    }

    pub(super) fn open(&mut self, at: u64, path: &str, how: u64, rights: u64) -> Result<u64, i32> {
        let [start, length] = self.path(0, path.as_bytes());
        let arguments = [at, 0, start, length, how, rights, 0, 0, number(RESULT)];
        match self.number("path_open", &arguments) {
            0 => Ok(self.result()),
            error => Err(error),
        }
    }

    pub(super) fn write(&mut self, file: u64, bytes: &[u8]) -> i32 {
        self.prepare(bytes);
        self.number("fd_write", &[file, number(TO_WRITE), 1, number(RESULT)])
    }

    /// Makes a call that takes a directory and a path.
    pub(super) fn on(&mut self, name: &str, at: u64, path: &str) -> i32 {
        let [start, length] = self.path(0, path.as_bytes());
        self.number(name, &[at, start, length])
    }

    pub(super) fn rename(&mut self, at: u64, from: &str, to: &str) -> i32 {
        let from = self.path(0, from.as_bytes());
        let to = self.path(1, to.as_bytes());
        self.number("path_rename", &[at, from[0], from[1], at, to[0], to[1]])
    }

    /// The number that a call returned.
    pub(super) fn result(&self) -> u64 {
        let bytes = self.memory.data(&self.store)[RESULT..RESULT + 4].try_into();
        u32::from_le_bytes(bytes.expect("four bytes")).into()
    }

    /// The second number of a status: which file it is.
    pub(super) fn result_inode(&self) -> u64 {
        let bytes = self.memory.data(&self.store)[RESULT + 8..RESULT + 16].try_into();
        u64::from_le_bytes(bytes.expect("eight bytes"))
    }

    /// Its memory.
    pub(super) fn memory(&mut self) -> &mut [u8] {
        self.memory.data_mut(&mut self.store)
    }

    /// What was printed so far, on both streams.
    pub(super) fn ended(self) -> Vec<u8> {
        drop(self.store);
        self.printed
            .try_into_inner()
            .unwrap_or_default()
            .into_inner()
    }

    fn put_buffer(&mut self, at: usize, start: usize, length: usize) {
        let words = [start, length].map(|word| u32::try_from(word).expect("32 bits"));
        self.put(at, &words.map(u32::to_le_bytes).concat());
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        let written = self.memory.write(&mut self.store, at, bytes);
        written.expect("it is in its memory");
    }
}

/// A number as a call takes it.
pub(super) fn number(size: usize) -> u64 {
    u64::try_from(size).expect("64 bits")
}
