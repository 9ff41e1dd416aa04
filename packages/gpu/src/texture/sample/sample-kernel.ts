/**
 * Texture sampling as WebAssembly functions for the four lanes of a quad, specialized for sampler
 * state and texel class. Lanes are (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1).
 *
 * An implicit level of detail is common to the quad, from the differences at its first lane.
 * Explicit levels are per lane. If all four are equal, or between the same two levels, as is usual,
 * the quad is read in one pass.
 */
import type { TextureDimension } from '@tessera/frame';
import { ALL_CHANNELS, type TextureKernels } from '@tessera/shader/codegen';
import {
  brIf,
  callMulti,
  type Expr,
  type FunctionBuilder,
  f32x4,
  get,
  i32,
  i32x4,
  ifThen,
  loop,
  ret,
  set,
  v128,
  type WasmModuleBuilder,
} from '@tessera/shader/wasm';
import { KernelCode } from '../../kernel/kernel-code.ts';
import { emitProbes, maxProbesOf } from '../filter/anisotropy.ts';
import { emitFetchFunction, emitSizeFunction } from '../filter/fetch-kernel.ts';
import { lanesLevelOfDetail, quadLevelOfDetail } from '../filter/level-of-detail.ts';
import {
  type LookupOperands,
  type SampleOperation,
  splitOperands,
} from '../filter/lookup-operands.ts';
import {
  canShareLevels,
  emitAtBaseLevel,
  emitAtLevelOfDetail,
  emitBetweenLevels,
  emitHasSharedLevels,
} from '../filter/mip-kernel.ts';
import {
  type SamplingState,
  samplingStateKey,
  usesLevelOfDetail,
} from '../filter/sampling-state.ts';
import { beginSingleLane, endSingleLane, type TexelLog } from '../filter/texel-log.ts';
import { DESCRIPTOR_BYTES } from '../layout/texture-descriptor.ts';

/** Operands of a lookup, and the channels that it returns. */
type LookupParts = LookupOperands<Expr> & { readonly channels: readonly number[] };

const splatF = (value: number): Expr => f32x4.const([value, value, value, value]);

/** Generator of the sample functions of one program with the sampler states of one draw. */
export class SampleKernels implements TextureKernels {
  readonly #states: readonly (SamplingState | null)[];
  readonly #log: TexelLog;
  readonly #functionsByModule = new WeakMap<WasmModuleBuilder, Map<string, FunctionBuilder>>();

  /**
   * @param states Sampling state by texture slot. `null` is a slot without texture, which reads (0,
   *   0, 0, 1).
   * @param log Address of the execution log that records the lines of lookups.
   */
  constructor(states: readonly (SamplingState | null)[], log: TexelLog = null) {
    this.#states = states;
    this.#log = log;
  }

  /**
   * Key that is equal for equal states, part of the key of a kernel that contains the functions.
   */
  get key(): string {
    return this.#states.map(samplingStateKey).join('; ');
  }

  /**
   * Returns the function of one operation on one slot: (i32 texturesPtr, v128 operands…) → one v128
   * per channel. See lookup-operands.ts. Outside of the texture, `fetch` reads (0, 0, 0, 0).
   *
   * @throws {Error} If the texture of the slot has another dimension.
   */
  emitSampleFunction(
    module: WasmModuleBuilder,
    slot: number,
    operation: SampleOperation,
    dimension: TextureDimension,
    isShadow: boolean,
    operandCount: number,
    channels: readonly number[] = ALL_CHANNELS,
  ): FunctionBuilder {
    const state = this.#states[slot] ?? null;
    if (state !== null && state.dimension !== dimension) {
      throw new Error(
        `texture slot ${slot}: the texture is ${state.dimension}, but the shader reads ${dimension}`,
      );
    }
    const key = `sample ${slot} ${operation} ${isShadow} ${operandCount} ${channels}`;
    return this.#once(module, key, (name) => {
      const fn = module.addFunction(name, {
        params: ['i32', ...Array.from({ length: operandCount }, () => 'v128' as const)],
        results: channels.map(() => 'v128' as const),
      });
      const code = new KernelCode(fn);
      if (state === null) {
        code.add(ret(...channels.map((channel) => splatF(channel === 3 ? 1 : 0))));
      } else if (operation === 'fetch') {
        emitFetchFunction(code, state, descriptorOf(code, slot), channels, this.#log);
      } else {
        const params = fn.params.slice(1).map((_, index) => get(fn.param(1 + index)));
        const split = splitOperands(operation, dimension, isShadow, params);
        this.#emitSample(module, code, slot, state, operation, { ...split, channels });
      }
      return fn.emit(...code.statements);
    });
  }

  /**
   * Returns the function of a level's width, height and slices: (i32 texturesPtr, v128 level) → 3
   * v128 of i32. A slot without texture is 1×1.
   */
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
    operands: LookupParts,
  ): void {
    const { dimension } = state;
    const descriptor = descriptorOf(code, slot);
    if (!usesLevelOfDetail(state.sampler)) {
      emitAtBaseLevel(code, state, descriptor, operands, this.#log);
    } else if (operation === 'implicit') {
      if (maxProbesOf(state) > 1) this.#emitProbes(module, code, state, descriptor, operands);
      else {
        const lod = quadLevelOfDetail(code, dimension, descriptor, operands.coordinates);
        emitAtLevelOfDetail(code, state, descriptor, operands, lod, this.#log);
      }
    } else {
      const lods = lanesLevelOfDetail(code, operation, dimension, descriptor, operands);
      this.#emitPerLane(module, code, state, descriptor, operands, code.keep(lods));
    }
  }

  /** Returns the mean of the probes of an anisotropic lookup; see anisotropy.ts. */
  #emitProbes(
    module: WasmModuleBuilder,
    code: KernelCode,
    state: SamplingState,
    descriptor: Expr,
    operands: LookupParts,
  ): void {
    const { fn } = code;
    const { coordinates } = operands;
    const sample = this.#sampleAtLevel(module, state, operands);
    const { count, lod, steps } = emitProbes(code, state, descriptor, coordinates);
    const channels = operands.channels.map(() => fn.local('v128'));
    const sums = channels.map(() => fn.local('v128'));
    const index = fn.local('v128');
    const one = code.splatF(1);
    const isOne = i32x4.allTrue(f32x4.eq(count, one));
    const read = (inner: KernelCode, at: readonly Expr[]) =>
      inner.add(callMulti(sample, [descriptor, lod, ...at, ...othersOf(operands)], channels));
    const alone = code.branch((inner) => {
      read(inner, coordinates);
      inner.add(ret(...channels.map((channel) => get(channel))));
    });
    code.add(ifThen(isOne, alone));
    code.add(
      ...sums.map((sum) => set(sum, splatF(0))),
      set(index, one),
      loop((again) =>
        code.branch((inner) => {
          const place = f32x4.div(get(index), f32x4.add(count, inner.splatF(1)));
          const position = inner.keep(f32x4.sub(place, inner.splatF(0.5)));
          const moved = coordinates.map((coordinate, axis) =>
            axis < steps.length
              ? f32x4.add(coordinate, f32x4.mul(steps[axis]!, position))
              : coordinate,
          );
          read(inner, moved);
          inner.add(
            ...sums.map((sum, c) => set(sum, f32x4.add(get(sum), get(channels[c]!)))),
            set(index, f32x4.add(get(index), inner.splatF(1))),
            brIf(again, i32x4.allTrue(f32x4.le(get(index), count))),
          );
        }),
      ),
    );
    const share = code.keep(f32x4.div(one, count));
    code.add(ret(...sums.map((sum) => f32x4.mul(get(sum), share))));
  }

  /**
   * Returns the function that reads all lanes at one level of detail, given in lane 0, or each at
   * its own between the same levels.
   */
  #sampleAtLevel(
    module: WasmModuleBuilder,
    state: SamplingState,
    operands: LookupParts,
    fractions: 'first' | 'each' = 'first',
  ): FunctionBuilder {
    const { coordinates, reference, offsets, channels } = operands;
    const shared = [...coordinates, ...othersOf(operands)];
    const isShadow = reference !== null;
    const name = fractions === 'first' ? 'sample at lod' : 'sample between levels';
    const key = `${name} ${isShadow} ${offsets.length} ${channels} ${samplingStateKey(state)}`;
    return this.#once(module, key, (name) => {
      const results = channels.map(() => 'v128' as const);
      const vectors = Array.from({ length: shared.length + 1 }, () => 'v128' as const);
      const fn = module.addFunction(name, { params: ['i32', ...vectors], results });
      const inner = new KernelCode(fn);
      const [ptr, lod, ...others] = fn.params.map((_, index) => get(fn.param(index)));
      const offsetsAt = coordinates.length + (isShadow ? 1 : 0);
      const innerOperands = {
        coordinates: others.slice(0, coordinates.length),
        reference: isShadow ? others[coordinates.length]! : null,
        offsets: others.slice(offsetsAt),
        channels,
      };
      if (fractions === 'each') emitBetweenLevels(inner, state, ptr!, innerOperands, lod!);
      else emitAtLevelOfDetail(inner, state, ptr!, innerOperands, lod!, this.#log);
      return fn.emit(...inner.statements);
    });
  }

  /**
   * Reads all lanes in one pass if they share one level of detail, or their levels, otherwise lane
   * by lane. With a log, lanes that differ are read one by one, because a log of quads would be
   * other work.
   */
  #emitPerLane(
    module: WasmModuleBuilder,
    code: KernelCode,
    state: SamplingState,
    descriptor: Expr,
    operands: LookupParts,
    lods: Expr,
  ): void {
    const sample = this.#sampleAtLevel(module, state, operands);
    const shared = [...operands.coordinates, ...othersOf(operands)];
    const { fn } = code;
    const channels = operands.channels.map(() => fn.local('v128'));
    const callAt = (lane: number, results: typeof channels) => {
      const lod = f32x4.splat(f32x4.extractLane(lods, lane));
      return callMulti(sample, [descriptor, lod, ...shared], results);
    };
    const first = f32x4.splat(f32x4.extractLane(lods, 0));
    // Bits are compared, so a NaN equals itself.
    const areEqual = i32x4.allTrue(i32x4.eq(lods, first));
    const allLanes = code.branch((inner) => {
      inner.add(callAt(0, channels), ret(...channels.map((channel) => get(channel))));
    });
    code.add(ifThen(areEqual, allLanes));
    if (this.#log === null && canShareLevels(state)) {
      const between = this.#sampleAtLevel(module, state, operands, 'each');
      const allBetween = code.branch((inner) => {
        inner.add(
          callMulti(between, [descriptor, lods, ...shared], channels),
          ret(...channels.map((channel) => get(channel))),
        );
      });
      code.add(ifThen(emitHasSharedLevels(code, state, lods), allBetween));
    }
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

/** Returns the operands after coordinates and level: reference and offsets. */
function othersOf({ reference, offsets }: LookupOperands<Expr>): readonly Expr[] {
  return [...(reference === null ? [] : [reference]), ...offsets];
}

/** Returns the address of a slot's descriptor, from parameter 0. */
function descriptorOf(code: KernelCode, slot: number): Expr {
  return code.keep(i32.add(get(code.fn.param(0)), i32.const(slot * DESCRIPTOR_BYTES)));
}
