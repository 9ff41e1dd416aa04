/**
 * Texture sampling as WebAssembly functions for the four lanes of a quad, specialised by sampler state and
 * texel class. Lanes are (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1).
 *
 * An implicit level of detail is one for the whole quad, from the differences at its first lane. Explicit
 * levels are per lane; where all four are equal, as is usual, the quad is read at once.
 */
import { RenderError, type SamplerInfo } from '@tessera/frame';
import type { TextureKernels } from '@tessera/shader/codegen';
import {
  callMulti,
  type Expr,
  type FunctionBuilder,
  f32x4,
  get,
  i32,
  i32x4,
  ifThen,
  ret,
  set,
  v128,
  type WasmModuleBuilder,
} from '@tessera/shader/wasm';
import { KernelCode } from '../kernel/kernel-code.ts';
import { emitFetchFunction, emitSizeFunction } from './fetch-kernel.ts';
import { lanesLevelOfDetail, quadLevelOfDetail } from './level-of-detail.ts';
import { emitAtBaseLevel, emitAtLevelOfDetail } from './mip-kernel.ts';
import { type SamplingState, samplingStateKey, usesLevelOfDetail } from './sampling-state.ts';
import { beginSingleLane, endSingleLane, type TexelLog } from './texel-log.ts';
import { DESCRIPTOR_BYTES } from './texture-descriptor.ts';

/** Operations of the shader's texture instructions. */
export type SampleOperation = 'implicit' | 'bias' | 'lod' | 'grad' | 'fetch';

/** Operands of each operation on a 2D texture, v128 each. */
const OPERAND_COUNT: Readonly<Record<SampleOperation, number>> = {
  implicit: 2,
  bias: 3,
  lod: 3,
  grad: 6,
  fetch: 3,
};

const splatF = (value: number): Expr => f32x4.const([value, value, value, value]);

/** Makes the sample functions of one program with the sampler states of one draw. */
export class SampleKernels implements TextureKernels {
  readonly #states: readonly (SamplingState | null)[];
  readonly #log: TexelLog;
  readonly #functionsByModule = new WeakMap<WasmModuleBuilder, Map<string, FunctionBuilder>>();

  /**
   * @param states By texture slot; `null` is a slot without texture, which reads (0, 0, 0, 1).
   * @param log Address of the execution log that takes what lookups read.
   * @throws {RenderError} FRAME_UNSUPPORTED if a sampler is not of a plain 2D texture.
   */
  constructor(
    states: readonly (SamplingState | null)[],
    samplers: readonly SamplerInfo[],
    log: TexelLog = null,
  ) {
    for (const { name, dimension, isShadow } of samplers) {
      if (dimension === '2d' && !isShadow) continue;
      const kind = isShadow ? `${dimension} shadow` : dimension;
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `sampler ${name}: ${kind} textures are not supported, only 2d`,
      );
    }
    this.#states = states;
    this.#log = log;
  }

  /** Equal for equal states: part of the key of a kernel that contains the functions. */
  get key(): string {
    return this.#states.map(samplingStateKey).join('; ');
  }

  /**
   * The function of one operation on one slot: (i32 texturesPtr, v128 operands…) → 4 v128.
   *
   * Operands: s, t, and for `bias` and `lod` the bias or level, for `grad` ds/dx, dt/dx, ds/dy, dt/dy. For
   * `fetch` integers x, y, level; outside the texture it reads (0, 0, 0, 0).
   */
  emitSampleFunction(
    module: WasmModuleBuilder,
    slot: number,
    operation: SampleOperation,
    dimension: SamplerInfo['dimension'] = '2d',
    isShadow = false,
  ): FunctionBuilder {
    if (dimension !== '2d' || isShadow) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `texture slot ${slot}: only 2d textures are supported, the shader reads ${dimension}`,
      );
    }
    const state = this.#states[slot] ?? null;
    return this.#once(module, `sample ${slot} ${operation}`, (name) => {
      const fn = module.addFunction(name, {
        params: ['i32', ...Array.from({ length: OPERAND_COUNT[operation] }, () => 'v128' as const)],
        results: ['v128', 'v128', 'v128', 'v128'],
      });
      const code = new KernelCode(fn);
      if (state === null) code.add(ret(splatF(0), splatF(0), splatF(0), splatF(1)));
      else if (operation === 'fetch')
        emitFetchFunction(code, state.texelClass, descriptorOf(code, slot), this.#log);
      else this.#emitSample(module, code, slot, state, operation);
      return fn.emit(...code.statements);
    });
  }

  /** Width and height of a level: (i32 texturesPtr, v128 level) → 3 v128 of i32; the third is 1. A slot without texture is 1×1. */
  emitSizeFunction(module: WasmModuleBuilder, slot: number): FunctionBuilder {
    return this.#once(module, `size ${slot}`, (name) => {
      const results = ['v128', 'v128', 'v128'] as const;
      const fn = module.addFunction(name, { params: ['i32', 'v128'], results });
      const code = new KernelCode(fn);
      const one = i32x4.const([1, 1, 1, 1]);
      if ((this.#states[slot] ?? null) === null) code.add(ret(one, one, one));
      else emitSizeFunction(code, descriptorOf(code, slot));
      return fn.emit(...code.statements);
    });
  }

  #once(
    module: WasmModuleBuilder,
    name: string,
    create: (name: string) => FunctionBuilder,
  ): FunctionBuilder {
    let functions = this.#functionsByModule.get(module);
    if (functions === undefined) {
      functions = new Map();
      this.#functionsByModule.set(module, functions);
    }
    const existing = functions.get(name);
    if (existing !== undefined) return existing;
    const created = create(name);
    functions.set(name, created);
    return created;
  }

  #emitSample(
    module: WasmModuleBuilder,
    code: KernelCode,
    slot: number,
    state: SamplingState,
    operation: Exclude<SampleOperation, 'fetch'>,
  ): void {
    const { fn } = code;
    const [s, t] = [get(fn.param(1)), get(fn.param(2))];
    const descriptor = descriptorOf(code, slot);
    if (!usesLevelOfDetail(state.sampler)) {
      emitAtBaseLevel(code, state, descriptor, s, t, this.#log);
    } else if (operation === 'implicit') {
      const lod = quadLevelOfDetail(code, descriptor, s, t);
      emitAtLevelOfDetail(code, state, descriptor, s, t, lod, this.#log);
    } else {
      const lods = lanesLevelOfDetail(code, operation, descriptor, s, t);
      this.#emitPerLane(module, code, state, descriptor, s, t, code.keep(lods));
    }
  }

  /** Reads all lanes at once if they share one level of detail, else lane by lane. */
  #emitPerLane(
    module: WasmModuleBuilder,
    code: KernelCode,
    state: SamplingState,
    descriptor: Expr,
    s: Expr,
    t: Expr,
    lods: Expr,
  ): void {
    const sample = this.#once(module, `sample at lod ${samplingStateKey(state)}`, (name) => {
      const results = ['v128', 'v128', 'v128', 'v128'] as const;
      const fn = module.addFunction(name, { params: ['i32', 'v128', 'v128', 'v128'], results });
      const inner = new KernelCode(fn);
      const [ptr, innerS, innerT, lod] = [0, 1, 2, 3].map((index) => get(fn.param(index)));
      emitAtLevelOfDetail(inner, state, ptr!, innerS!, innerT!, lod!, this.#log);
      return fn.emit(...inner.statements);
    });
    const { fn } = code;
    const channels = [0, 1, 2, 3].map(() => fn.local('v128'));
    const callAt = (lane: number, results: typeof channels) =>
      callMulti(sample, [descriptor, s, t, f32x4.splat(f32x4.extractLane(lods, lane))], results);
    const first = f32x4.splat(f32x4.extractLane(lods, 0));
    // Bits are compared: a NaN equals itself here.
    const areEqual = i32x4.allTrue(i32x4.eq(lods, first));
    const allLanes = code.branch((inner) => {
      inner.add(callAt(0, channels), ret(...channels.map((channel) => get(channel))));
    });
    code.add(ifThen(areEqual, allLanes));
    const callForLane = (lane: number, results: typeof channels): void => {
      const before = beginSingleLane(code, this.#log, lane);
      code.add(callAt(lane, results));
      endSingleLane(code, this.#log, before);
    };
    callForLane(0, channels);
    for (const lane of [1, 2, 3]) {
      const laneChannels = channels.map(() => fn.local('v128'));
      const mask = i32x4.const([0, 1, 2, 3].map((index) => (index === lane ? -1 : 0)));
      callForLane(lane, laneChannels);
      for (const [c, channel] of channels.entries()) {
        code.add(set(channel, v128.bitselect(get(laneChannels[c]!), get(channel), mask)));
      }
    }
    code.add(ret(...channels.map((channel) => get(channel))));
  }
}

/** Address of the descriptor of a slot, from parameter 0. */
function descriptorOf(code: KernelCode, slot: number): Expr {
  return code.keep(i32.add(get(code.fn.param(0)), i32.const(slot * DESCRIPTOR_BYTES)));
}
