#!/usr/bin/env python3
"""Runs a WASI preview 1 module in wasmtime, through its Python package.

Usage: wasmtime_run.py [--dir HOST::GUEST]... [--env K=V]... [--precompiled FILE]
                       MODULE [ARGUMENT]...

The guest sees the given directories and variables and nothing else of the host.
Standard streams are passed through, and the guest's exit code is this program's.
A trap gives 134, as a native program's abort does in a shell, and a mistake in
the use of this program 2.  wasmtime takes an exit code of 126 or more as a trap.

With --precompiled the compiled module is kept as FILE-VERSION, where VERSION is
the package's, and taken from there as long as MODULE has the same bytes.
"""

import hashlib
import importlib.metadata
import os
import sys
import tempfile

import wasmtime

TRAPPED = 134


def usage(problem):
    print(f"wasmtime_run.py: {problem}\n\n{__doc__.strip()}", file=sys.stderr)
    sys.exit(2)


def parse(words):
    """(directories, variables, precompiled, module, arguments)"""
    directories, variables, precompiled = [], [], None
    words = list(words)
    while words and words[0].startswith("--"):
        option = words.pop(0)
        if option == "--":
            break
        if not words:
            usage(f"{option} needs a value")
        value = words.pop(0)
        if option == "--dir":
            # From the right: a host path may hold "::", a guest path does not.
            host, separator, guest = value.rpartition("::")
            if not separator:
                usage(f"--dir {value} is not HOST::GUEST")
            directories.append((host, guest))
        elif option == "--env":
            name, separator, content = value.partition("=")
            if not separator:
                usage(f"--env {value} is not K=V")
            variables.append((name, content))
        elif option == "--precompiled":
            precompiled = value
        else:
            usage(f"unknown option {option}")
    if not words:
        usage("no module given")
    return directories, variables, precompiled, words[0], words[1:]


def load(engine, path, precompiled):
    """The compiled module, from the file beside it where that is still right."""
    with open(path, "rb") as file:
        code = file.read()
    if precompiled is None:
        return wasmtime.Module(engine, code)

    kept = f"{precompiled}-{importlib.metadata.version('wasmtime')}"
    digest = hashlib.sha256(code).digest()
    try:
        with open(kept, "rb") as file:
            stored = file.read()
        if stored[: len(digest)] == digest:
            return wasmtime.Module.deserialize(engine, stored[len(digest) :])
    except (FileNotFoundError, wasmtime.WasmtimeError):
        pass  # not there, or from another machine: compile

    module = wasmtime.Module(engine, code)
    # Renamed into place, since tests that run side by side share the file.
    folder = os.path.dirname(os.path.abspath(kept))
    handle, temporary = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(digest)
        file.write(module.serialize())
    os.replace(temporary, kept)
    return module


def main():
    directories, variables, precompiled, path, arguments = parse(sys.argv[1:])

    wasi = wasmtime.WasiConfig()
    wasi.argv = [os.path.basename(path), *arguments]
    wasi.env = variables
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    try:
        for host, guest in directories:
            if not os.path.isdir(host):
                raise NotADirectoryError(f"--dir {host}: not a directory")
            wasi.preopen_dir(host, guest)
        engine = wasmtime.Engine()
        module = load(engine, path, precompiled)
        store = wasmtime.Store(engine)
        store.set_wasi(wasi)
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        start = linker.instantiate(store, module).exports(store)["_start"]
    except (OSError, KeyError, wasmtime.WasmtimeError) as error:
        print(f"wasmtime_run.py: {error}", file=sys.stderr)
        return 2

    try:
        start(store)
    except wasmtime.ExitTrap as exited:
        return exited.code
    except (wasmtime.Trap, wasmtime.WasmtimeError) as trap:
        print(f"wasmtime_run.py: trap: {trap}", file=sys.stderr)
        return TRAPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
