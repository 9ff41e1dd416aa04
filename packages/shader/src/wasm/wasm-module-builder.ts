/**
 * Encoder of WebAssembly modules: the 1.0 binary format with multi-value functions, sign extension,
 * saturating conversions, bulk memory and fixed-width SIMD. This is core specification 2.0 without
 * tables, globals, data segments and reference types, plus imports of several memories (3.0).
 */

import type { WasmFunction } from './body-encoder.ts';
import { ByteWriter } from './byte-writer.ts';
import { FunctionBuilder } from './function-builder.ts';
import { type FunctionSignature, VALUE_TYPE_CODES } from './value-type.ts';

/** Size of a memory in pages of 64 KiB, at most 65536. */
export interface MemoryLimits {
  readonly minPages: number;
  /** Maximum size in pages. Required for a shared memory. */
  readonly maxPages?: number;
  /** Whether the memory is on a SharedArrayBuffer. Default false. */
  readonly shared?: boolean;
}

/** Signature and export of a function. */
export interface FunctionOptions extends FunctionSignature {
  /** Name to export the function under. */
  readonly export?: string;
}

const MAGIC_AND_VERSION = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];
const MAX_PAGES = 65_536;

const SECTION = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  memory: 5,
  export: 7,
  code: 10,
} as const;
const EXTERNAL_FUNCTION = 0x00;
const EXTERNAL_MEMORY = 0x02;
const FUNCTION_TYPE = 0x60;
const FUNCTION_NAMES = 1;

interface FunctionImport {
  readonly moduleName: string;
  readonly importName: string;
  readonly fn: WasmFunction;
}

interface ModuleMemory extends MemoryLimits {
  /** Names of an imported memory; `undefined` for a memory of the module itself. */
  readonly source?: { readonly moduleName: string; readonly importName: string };
  readonly exportName?: string;
}

/**
 * Collects the functions and the memories of one module.
 *
 * @example
 * const module = new WasmModuleBuilder();
 * const add = module.addFunction('add', { params: ['i32', 'i32'], results: ['i32'] }).export();
 * add.emit(ret(i32.add(get(add.param(0)), get(add.param(1)))));
 * const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()));
 */
export class WasmModuleBuilder {
  readonly #functionImports: FunctionImport[] = [];
  readonly #functions: FunctionBuilder[] = [];
  readonly #memories: ModuleMemory[] = [];

  /**
   * Imports the memory `moduleName.importName`.
   *
   * @returns The memory's number, for {@link MemoryPlace}.
   */
  importMemory(moduleName: string, importName: string, limits: MemoryLimits): number {
    if (this.#memories.some(({ source }) => source === undefined)) {
      throw new Error("memory: imported memories must be added before the module's own");
    }
    return this.#addMemory({ ...limits, source: { moduleName, importName } });
  }

  /** Adds a memory to the module, exported if `exportName` is given. */
  addMemory(limits: MemoryLimits, exportName?: string): void {
    if (this.#memories.length > 0) throw new Error('memory: the module already has one');
    this.#addMemory({ ...limits, exportName });
  }

  /** Imports the function `moduleName.importName`. */
  importFunction(
    moduleName: string,
    importName: string,
    { params, results }: FunctionSignature,
  ): WasmFunction {
    const fn = { name: importName, params: [...params], results: [...results] };
    this.#functionImports.push({ moduleName, importName, fn });
    return fn;
  }

  /** Adds a function. `emit` writes its body later. */
  addFunction(name: string, options: FunctionOptions): FunctionBuilder {
    const fn = new FunctionBuilder(name, options);
    if (options.export !== undefined) fn.export(options.export);
    this.#functions.push(fn);
    return fn;
  }

  /**
   * Returns the binary module. The builder stays usable and may grow further.
   *
   * @throws {Error} As `FunctionBuilder.encode`. A module that passes is valid, except that
   *   operators on memory need a memory.
   */
  encode(): Uint8Array<ArrayBuffer> {
    const bytes = new ByteWriter(16_384);
    const functions: WasmFunction[] = [
      ...this.#functionImports.map((functionImport) => functionImport.fn),
      ...this.#functions,
    ];
    const indexByFunction = new Map(functions.map((fn, index) => [fn, index]));
    const types = collectTypes(functions);

    bytes.writeBytes(MAGIC_AND_VERSION);
    writeTypeSection(bytes, types.signatures);
    this.#writeImportSection(bytes, types.indexByKey);
    writeSection(bytes, SECTION.function, this.#functions, (fn) =>
      bytes.writeU32(typeIndex(types.indexByKey, fn)),
    );
    const ownMemories = this.#memories.filter(({ source }) => source === undefined);
    writeSection(bytes, SECTION.memory, ownMemories, (limits) => writeLimits(bytes, limits));
    this.#writeExportSection(bytes, indexByFunction);
    writeSection(bytes, SECTION.code, this.#functions, (fn) => fn.encode(bytes, indexByFunction));
    writeNameSection(bytes, functions);
    return bytes.toBytes();
  }

  #addMemory(limits: ModuleMemory): number {
    const { minPages, maxPages, shared = false } = limits;
    if (!isPageCount(minPages)) {
      throw new Error(`memory: minPages ${minPages} is not an integer from 0 to ${MAX_PAGES}`);
    }
    if (maxPages !== undefined && (!isPageCount(maxPages) || maxPages < minPages)) {
      throw new Error(`memory: maxPages ${maxPages} is not from ${minPages} to ${MAX_PAGES}`);
    }
    if (shared && maxPages === undefined) throw new Error('memory: a shared memory needs maxPages');
    return this.#memories.push(limits) - 1;
  }

  #writeImportSection(bytes: ByteWriter, typeIndexByKey: ReadonlyMap<string, number>): void {
    const writers = this.#functionImports.map(({ moduleName, importName, fn }) => () => {
      bytes.writeName(moduleName);
      bytes.writeName(importName);
      bytes.writeByte(EXTERNAL_FUNCTION);
      bytes.writeU32(typeIndex(typeIndexByKey, fn));
    });
    for (const memory of this.#memories) {
      const { source } = memory;
      if (source === undefined) continue;
      writers.push(() => {
        bytes.writeName(source.moduleName);
        bytes.writeName(source.importName);
        bytes.writeByte(EXTERNAL_MEMORY);
        writeLimits(bytes, memory);
      });
    }
    writeSection(bytes, SECTION.import, writers, (write) => write());
  }

  #writeExportSection(bytes: ByteWriter, indexByFunction: ReadonlyMap<WasmFunction, number>): void {
    const exports = this.#functions.flatMap((fn) =>
      fn.exportName === undefined
        ? []
        : [{ name: fn.exportName, kind: EXTERNAL_FUNCTION, index: indexByFunction.get(fn) ?? 0 }],
    );
    for (const [index, { exportName }] of this.#memories.entries()) {
      if (exportName === undefined) continue;
      exports.push({ name: exportName, kind: EXTERNAL_MEMORY, index });
    }
    const names = new Set(exports.map(({ name }) => name));
    if (names.size < exports.length) {
      throw new Error(`exports: a name is used twice in ${exports.map((e) => e.name).join(', ')}`);
    }
    writeSection(bytes, SECTION.export, exports, ({ name, kind, index }) => {
      bytes.writeName(name);
      bytes.writeByte(kind);
      bytes.writeU32(index);
    });
  }
}

function isPageCount(pages: number): boolean {
  return Number.isInteger(pages) && pages >= 0 && pages <= MAX_PAGES;
}

/** Appends a section that is one list, or nothing if the list is empty. */
function writeSection<Entry>(
  bytes: ByteWriter,
  id: number,
  entries: readonly Entry[],
  writeEntry: (entry: Entry) => void,
): void {
  if (entries.length === 0) return;
  bytes.writeByte(id);
  bytes.writeSized(() => {
    bytes.writeU32(entries.length);
    for (const entry of entries) writeEntry(entry);
  });
}

function writeTypeSection(bytes: ByteWriter, signatures: readonly FunctionSignature[]): void {
  writeSection(bytes, SECTION.type, signatures, ({ params, results }) => {
    bytes.writeByte(FUNCTION_TYPE);
    for (const types of [params, results]) {
      bytes.writeU32(types.length);
      for (const type of types) bytes.writeByte(VALUE_TYPE_CODES[type]);
    }
  });
}

/** Appends the names of all functions, for profiles and stack traces. */
function writeNameSection(bytes: ByteWriter, functions: readonly WasmFunction[]): void {
  bytes.writeByte(SECTION.custom);
  bytes.writeSized(() => {
    bytes.writeName('name');
    writeSection(bytes, FUNCTION_NAMES, [...functions.entries()], ([index, fn]) => {
      bytes.writeU32(index);
      bytes.writeName(fn.name);
    });
  });
}

function writeLimits(bytes: ByteWriter, { minPages, maxPages, shared }: MemoryLimits): void {
  bytes.writeByte((maxPages === undefined ? 0 : 1) | (shared ? 2 : 0));
  bytes.writeU32(minPages);
  if (maxPages !== undefined) bytes.writeU32(maxPages);
}

function typeKey({ params, results }: FunctionSignature): string {
  return `${params.join()}:${results.join()}`;
}

function typeIndex(indexByKey: ReadonlyMap<string, number>, signature: FunctionSignature): number {
  const index = indexByKey.get(typeKey(signature));
  if (index === undefined) throw new Error(`type ${typeKey(signature)} was not collected`);
  return index;
}

function collectTypes(functions: readonly FunctionSignature[]): {
  signatures: FunctionSignature[];
  indexByKey: Map<string, number>;
} {
  const signatures: FunctionSignature[] = [];
  const indexByKey = new Map<string, number>();
  for (const fn of functions) {
    const key = typeKey(fn);
    if (indexByKey.has(key)) continue;
    indexByKey.set(key, signatures.length);
    signatures.push(fn);
  }
  return { signatures, indexByKey };
}
