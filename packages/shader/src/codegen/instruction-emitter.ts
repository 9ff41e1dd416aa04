/** Code of the instructions that do not change the execution mask, for one group. */
import type { Instruction } from '../isa/instruction.ts';
import { BUILTIN_NAMES, INTERPOLATIONS, isIrOperator } from '../isa/instructions.ts';
import { VECTOR_BYTES } from '../isa/stage-memory.ts';
import {
  callMulti,
  type Expr,
  get,
  i32,
  i32x4,
  type Local,
  type Stmt,
  v128,
} from '../wasm/index.ts';
import type { ExecutionLogEmitter } from './execution-log.ts';
import type { KernelEnvironment } from './kernel-environment.ts';
import { type Liveness, readsWholeQuad } from './liveness.ts';
import type { OutputPlaces } from './output-places.ts';
import { ALL_CHANNELS } from './texture-kernels.ts';
import { ALL_ONES, canonicalizeNaN, VECTOR_OPERATORS, ZERO } from './vector-operators.ts';

const WORD_BYTES_LOG2 = 2;
const VECTOR_BYTES_LOG2 = 4;

/** Emits instructions with the merges that liveness requires. */
export class InstructionEmitter {
  readonly #environment: KernelEnvironment;
  readonly #outputs: OutputPlaces;
  readonly #liveness: Pick<Liveness, 'mergedWrites' | 'readChannels'>;
  readonly #log: ExecutionLogEmitter | null;
  readonly #isNaNIndifferent: boolean;

  constructor(
    environment: KernelEnvironment,
    outputs: OutputPlaces,
    liveness: Pick<Liveness, 'mergedWrites' | 'readChannels'>,
    log: ExecutionLogEmitter | null,
    isNaNIndifferent: boolean,
  ) {
    this.#environment = environment;
    this.#outputs = outputs;
    this.#liveness = liveness;
    this.#log = log;
    this.#isNaNIndifferent = isNaNIndifferent;
  }

  /**
   * Emits one instruction.
   *
   * @param mask Active lanes; `null` if all four are active.
   */
  emit(instruction: Instruction, mask: Local | null): Stmt[] {
    const environment = this.#environment;
    const code: Stmt[] = [];
    environment.beginInstruction(code);
    const { mnemonic, immediates } = instruction;
    const [a, b, c] = instruction.sources.map((source) => environment.operand(source));
    const write = (value: Expr) => {
      code.push(this.#write(instruction, 0, value, mask));
    };
    const first = immediates[0] ?? 0;
    const second = immediates[1] ?? 0;
    switch (mnemonic) {
      case 'mov':
        write(a!);
        break;
      case 'uniform':
        write(this.#loadConstant(a!, first, second));
        break;
      case 'input':
        write(environment.access.input(first, INTERPOLATIONS[second] === 'flat'));
        break;
      case 'builtin':
        write(environment.access.builtin(environment, BUILTIN_NAMES[first]!));
        break;
      case 'outf':
        code.push(
          this.#outputs.write(
            first,
            this.#isNaNIndifferent ? a! : canonicalizeNaN(environment, a!),
            mask,
          ),
        );
        break;
      case 'outi':
        code.push(this.#outputs.write(first, a!, mask));
        break;
      case 'aload':
        write(this.#loadArray(a!, first, second));
        break;
      case 'astore':
        code.push(...this.#storeArray(a!, b!, first, second, mask));
        break;
      case 'tex':
        code.push(...this.#beginLookup(instruction, mask));
        code.push(...this.#lookUp(instruction, mask));
        if (this.#log !== null) code.push(...this.#log.endLookup());
        break;
      case 'texsize':
        code.push(
          ...this.#callTexture(instruction, environment.sizeFunction(first), [0, 1, 2], mask),
        );
        break;
      case 'discard': {
        const { discarded, state } = environment;
        const lanes = mask === null ? ALL_ONES : v128.or(state.read(discarded), state.read(mask));
        code.push(state.assign(discarded, lanes));
        break;
      }
      default:
        if (!isIrOperator(mnemonic))
          throw new Error(`${mnemonic} is not a straight-line instruction`);
        // Each operator uses as many of the three as it has operands.
        write(VECTOR_OPERATORS[mnemonic](environment, a!, b ?? a!, c ?? a!));
    }
    return code;
  }

  #write(instruction: Instruction, part: number, value: Expr, mask: Local | null): Stmt {
    const { state } = this.#environment;
    const register = this.#environment.register(instruction.result + part);
    if (mask === null || !this.#liveness.mergedWrites.has(instruction)) {
      return state.assign(register, value);
    }
    return state.assign(register, v128.bitselect(value, state.read(register), state.read(mask)));
  }

  #loadConstant(index: Expr, firstWord: number, length: number): Expr {
    const isInside = this.#environment.keep(i32x4.ltU(index, this.#environment.splat(length)));
    const offsets = this.#environment.keep(
      i32x4.shl(v128.and(index, isInside), i32.const(WORD_BYTES_LOG2)),
    );
    let words: Expr = ZERO;
    for (let lane = 0; lane < 4; lane++) {
      const { constants } = this.#environment.pointers;
      const pointer = i32.add(get(constants), i32x4.extractLane(offsets, lane));
      words = v128.load32Lane(pointer, words, lane, { offset: firstWord * 4 });
    }
    return v128.and(words, isInside);
  }

  #loadArray(index: Expr, firstWord: number, length: number): Expr {
    const clamped = i32x4.minS(i32x4.maxS(index, ZERO), this.#environment.splat(length - 1));
    const offsets = this.#environment.keep(i32x4.shl(clamped, i32.const(VECTOR_BYTES_LOG2)));
    let words: Expr = ZERO;
    for (let lane = 0; lane < 4; lane++) {
      const { frame } = this.#environment.pointers;
      const pointer = i32.add(get(frame), i32x4.extractLane(offsets, lane));
      words = v128.load32Lane(pointer, words, lane, {
        offset: firstWord * VECTOR_BYTES + lane * 4,
      });
    }
    return words;
  }

  /** Stores of inactive lanes or with invalid indices are redirected to the dump vector. */
  #storeArray(
    index: Expr,
    value: Expr,
    firstWord: number,
    length: number,
    mask: Local | null,
  ): Stmt[] {
    const { frame, dump } = this.#environment.pointers;
    const isInside = i32x4.ltU(index, this.#environment.splat(length));
    const isStored =
      mask === null ? isInside : v128.and(isInside, this.#environment.state.read(mask));
    const place = i32x4.add(
      i32x4.add(i32x4.splat(get(frame)), this.#environment.splat(firstWord * VECTOR_BYTES)),
      i32x4.shl(index, i32.const(VECTOR_BYTES_LOG2)),
    );
    const places = this.#environment.keep(v128.bitselect(place, i32x4.splat(get(dump)), isStored));
    return [0, 1, 2, 3].map((lane) =>
      v128.store32Lane(i32x4.extractLane(places, lane), value, lane, { offset: lane * 4 }),
    );
  }

  #beginLookup(instruction: Instruction, mask: Local | null): Stmt[] {
    if (this.#log === null) return [];
    const { state, discarded, program } = this.#environment;
    return this.#log.beginLookup(
      instruction,
      mask === null ? null : state.read(mask),
      program.usesDiscard ? state.read(discarded) : null,
    );
  }

  /** Emits the call of a lookup for the channels that are read, at least one. */
  #lookUp(instruction: Instruction, mask: Local | null): Stmt[] {
    const read = this.#liveness.readChannels.get(instruction)!;
    const channels = ALL_CHANNELS.filter((c) => read.has(c) || (c === 0 && read.size === 0));
    const fn = this.#environment.sampleFunction(instruction, channels);
    return this.#callTexture(instruction, fn, channels, mask);
  }

  /** @param parts Parts of the instruction's result that the function returns. */
  #callTexture(
    instruction: Instruction,
    fn: ReturnType<KernelEnvironment['sizeFunction']>,
    parts: readonly number[],
    mask: Local | null,
  ): Stmt[] {
    const environment = this.#environment;
    const operands = instruction.sources.map((source) => {
      const operand = environment.operand(source);
      if (mask === null || readsWholeQuad(instruction)) return operand;
      return v128.and(operand, environment.state.read(mask));
    });
    const results = fn.results.map(() => environment.temporary());
    return [
      callMulti(fn, [get(environment.pointers.textures), ...operands], results),
      ...results.map((result, i) => this.#write(instruction, parts[i]!, get(result), mask)),
    ];
  }
}
