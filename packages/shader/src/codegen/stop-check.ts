/** Check of a kernel whether another thread has stopped its work. */
import { STOP_PAGES, STOP_WORDS, StopWords } from '@tessera/frame';
import { STAGE_STATUS } from '../isa/stage-memory.ts';
import { call, i32, ifThen, ret, type Stmt, type WasmModuleBuilder } from '../wasm/index.ts';

/** Module with two memories of no pages. */
const TWO_MEMORIES = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 5, 2, 0, 0, 0, 0);

/**
 * - `memory`: the kernel reads the stop words, which are a memory of their own.
 * - `call`: the kernel calls a function that reads them, which takes longer.
 */
export type StopCheck = 'memory' | 'call';

/** `memory` where a module may have several memories: everywhere but in Node 20. */
export const DEFAULT_STOP_CHECK: StopCheck = WebAssembly.validate(TWO_MEMORIES) ? 'memory' : 'call';

/** Imports the stop words, and returns code that leaves the kernel if its work was stopped. */
export function importStopCheck(module: WasmModuleBuilder, stopCheck: StopCheck): Stmt[] {
  return [ifThen(importIsStopped(module, stopCheck), ret(i32.const(STAGE_STATUS.stopped)))];
}

function importIsStopped(module: WasmModuleBuilder, stopCheck: StopCheck) {
  if (stopCheck === 'call') {
    return call(module.importFunction('env', 'isStopped', { params: [], results: ['i32'] }), []);
  }
  const limits = { minPages: STOP_PAGES, maxPages: STOP_PAGES, shared: true };
  const memoryIndex = module.importMemory('env', 'stop', limits);
  const word = (offset: number) => i32.load(i32.const(0), { offset, memoryIndex });
  return i32.eq(word(STOP_WORDS.currentBytes), word(STOP_WORDS.stoppedBytes));
}

/** Returns the imports of a kernel that {@link importStopCheck} needs, in either way. */
export function stopImports(stop: WebAssembly.Memory): WebAssembly.ModuleImports {
  const words = new StopWords(stop);
  return { stop, isStopped: () => (words.isStopped() ? 1 : 0) };
}
