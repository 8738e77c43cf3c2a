// Runs a WASI preview 1 module in Node.js.
//
// Usage: node node_run.mjs [--dir HOST::GUEST]... [--env K=V]... [--precompiled FILE]
//                          MODULE [ARGUMENT]...
//
// It takes what wasmtime_run.py takes and answers alike: the guest's exit code,
// 134 for a trap, 2 for a mistake in the use of this program.  --precompiled is
// accepted and has no effect.  Node's WASI is no sandbox: a link that leads out
// of a directory is followed.

import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

const TRAPPED = 134;

function fail(problem) {
  console.error(`node_run.mjs: ${problem}`);
  process.exit(2);
}

function parse(words) {
  const preopens = {};
  const env = {};
  while (words.length > 0 && words[0].startsWith('--')) {
    const option = words.shift();
    if (option === '--') break;
    if (words.length === 0) fail(`${option} needs a value`);
    const value = words.shift();
    if (option === '--dir') {
      // From the right: a host path may hold "::", a guest path does not.
      const at = value.lastIndexOf('::');
      if (at < 0) fail(`--dir ${value} is not HOST::GUEST`);
      const host = value.slice(0, at);
      if (!statSync(host, { throwIfNoEntry: false })?.isDirectory()) fail(`--dir ${host}: not a directory`);
      preopens[value.slice(at + 2)] = host;
    } else if (option === '--env') {
      const at = value.indexOf('=');
      if (at < 0) fail(`--env ${value} is not K=V`);
      env[value.slice(0, at)] = value.slice(at + 1);
    } else if (option !== '--precompiled') {
      fail(`unknown option ${option}`);
    }
  }
  if (words.length === 0) fail('no module given');
  return { preopens, env, module: words[0], args: words.slice(1) };
}

// The notice that WASI is experimental would mix with the guest's own messages.
// It is given when node:wasi is loaded, hence the late import.
const emitWarning = process.emitWarning;
process.emitWarning = (warning, ...rest) => {
  if (rest[0] !== 'ExperimentalWarning') emitWarning.call(process, warning, ...rest);
};
const { WASI } = await import('node:wasi');

const { preopens, env, module, args } = parse(process.argv.slice(2));
let wasi;
let instance;
try {
  wasi = new WASI({
    version: 'preview1',
    args: [basename(module), ...args],
    env,
    preopens,
    returnOnExit: true,
  });
  const compiled = await WebAssembly.compile(await readFile(module));
  instance = await WebAssembly.instantiate(compiled, wasi.getImportObject());
} catch (error) {
  fail(error.message);
}

let code;
try {
  code = wasi.start(instance);
} catch (error) {
  console.error(`node_run.mjs: trap: ${error.message}`);
  code = TRAPPED;
}
process.exitCode = code;
