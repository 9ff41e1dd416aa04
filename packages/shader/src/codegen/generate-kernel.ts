/**
 * The fast executor: a WebAssembly module for one program, with SIMD over the four lanes of a group
 * and registers in locals. One function `run` processes all groups of a call:
 *
 *     vertex    run(inputPtr, outputPtr, groupCount,
 *                   constantsPtr, texturesPtr, scratchPtr) → status
 *     fragment  run(quadsPtr, quadCount, primitivesPtr, outputPtr,
 *                   constantsPtr, texturesPtr, scratchPtr) → status
 *
 * The module imports its memory as `env.memory` and the stop words (stop-check.ts);
 * isa/stage-memory.ts defines the layout. Nothing is unrolled over groups, because larger functions
 * take longer to compile than they save.
 */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions, type Instruction } from '../isa/instruction.ts';
import {
  type PackedFragments,
  QUAD_RECORD,
  STAGE_STATUS,
  VECTOR_BYTES,
  WARP_GROUPS,
} from '../isa/stage-memory.ts';
import { type IsaNode, parseStructure } from '../isa/structure.ts';
import { containsLoop } from '../isa/structure-properties.ts';
import {
  brIf,
  type Expr,
  type FunctionBuilder,
  get,
  i32,
  i32x4,
  i64,
  i64x2,
  ifThen,
  type Local,
  loop,
  memory,
  ret,
  type Stmt,
  select,
  set,
  WasmModuleBuilder,
} from '../wasm/index.ts';
import { ControlEmitter } from './control-emitter.ts';
import { ExecutionLogEmitter, type LogOptions } from './execution-log.ts';
import { InstructionEmitter } from './instruction-emitter.ts';
import { KernelEnvironment } from './kernel-environment.ts';
import {
  DUMP_OFFSET_BYTES,
  FRAMES_OFFSET_BYTES,
  frameBytes,
  LITERAL_OFFSET_BYTES,
  SPENT_OFFSET_BYTES,
} from './kernel-scratch.ts';
import { analyzeLiveness, type Liveness } from './liveness.ts';
import { orderInstructions } from './order-instructions.ts';
import { OutputPlaces } from './output-places.ts';
import { FragmentAccess, type StageAccess, vertexAccess } from './stage-access.ts';
import { DEFAULT_STOP_CHECK, importStopCheck, type StopCheck } from './stop-check.ts';
import type { TextureKernels } from './texture-kernels.ts';
import { ZERO } from './vector-operators.ts';
import { WarpEmitter, type WarpPointers } from './warp-emitter.ts';

/** Properties of a kernel besides its program. */
export interface KernelOptions {
  /** Generator of the texture unit's code; `null` for programs without texture instructions. */
  readonly textures: TextureKernels | null;
  /**
   * Maximum number of instructions in the loops of one invocation, 1 to 2^30. A call in which an
   * invocation exceeds it returns status 1 and leaves outputs undefined.
   */
  readonly instructionBudget: number;
  /**
   * Memory in which the kernel logs lookups and loops (execution-log.ts); without it, the kernel
   * does not log. With a log, instructions run in the program's order. A program with loops must
   * then be called for one warp at a time. It returns status 2 if the warp would exceed the log.
   */
  readonly log?: LogOptions;
  /**
   * Whether readers of the float outputs treat all NaNs alike. NaNs are then stored without being
   * made canonical.
   */
  readonly isNaNIndifferent?: boolean;
  /**
   * Whether another thread may stop the kernel. It then imports the memory of StopWords as
   * `env.stop`, or `env.isStopped`, and checks once per warp or group and once per round of a loop.
   * A stopped call returns status 3 and leaves outputs undefined.
   */
  readonly isStoppable?: boolean;
  /** Way in which it checks; the faster one that this runtime supports by default. */
  readonly stopCheck?: StopCheck;
  /**
   * Layout of packed fragments, for a fragment program that {@link canPackFragments}; undefined for
   * quads.
   */
  readonly packed?: PackedFragments;
}

interface KernelParameters {
  readonly group: Local;
  readonly groupCount: Local;
  readonly primitives: Local | null;
  readonly output: Local;
  readonly constants: Local;
  readonly textures: Local;
  readonly scratch: Local;
}

/** Returns the bytes of a WebAssembly module that executes the program. */
export function generateKernel(
  program: IsaProgram,
  options: KernelOptions,
): Uint8Array<ArrayBuffer> {
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 0 });
  const { isStoppable = false, stopCheck: way = DEFAULT_STOP_CHECK } = options;
  const stopCheck = isStoppable ? importStopCheck(module, way) : [];
  const fn = module.addFunction('run', {
    params: Array.from({ length: program.stage === 'vertex' ? 6 : 7 }, () => 'i32' as const),
    results: ['i32'],
    export: 'run',
  });
  fn.emit(...new KernelEmitter(program, options, module, fn, stopCheck).emit());
  return module.encode();
}

/** Emits the body of `run`. */
class KernelEmitter {
  readonly #options: KernelOptions;
  readonly #fn: FunctionBuilder;
  readonly #stopCheck: readonly Stmt[];
  /** Program with the register count of {@link #code}. */
  readonly #program: IsaProgram;
  readonly #code: readonly Instruction[];
  readonly #nodes: readonly IsaNode[];
  readonly #hasLoops: boolean;
  readonly #parameters: KernelParameters;
  readonly #pointers: { readonly frame: Local; readonly dump: Local; readonly literal: Local };
  readonly #access: StageAccess;
  readonly #environment: KernelEnvironment;
  readonly #liveness: Liveness;
  readonly #outputs: OutputPlaces;
  readonly #log: ExecutionLogEmitter | null;
  readonly #control: ControlEmitter;

  constructor(
    given: IsaProgram,
    options: KernelOptions,
    module: WasmModuleBuilder,
    fn: FunctionBuilder,
    stopCheck: readonly Stmt[],
  ) {
    const { textures, log, packed } = options;
    this.#options = options;
    this.#fn = fn;
    this.#stopCheck = stopCheck;
    const { code, registerCount } = log === undefined ? orderInstructions(given) : decode(given);
    const program: IsaProgram = { ...given, registerCount };
    this.#program = program;
    this.#code = code;
    this.#nodes = parseStructure(code);
    this.#hasLoops = this.#nodes.some(containsLoop);
    const parameters = nameParameters(program, fn);
    const { group, primitives, output } = parameters;
    this.#parameters = parameters;
    this.#access =
      primitives === null
        ? vertexAccess(program, group)
        : new FragmentAccess(program, fn, group, primitives, packed ?? null);
    this.#pointers = { frame: fn.local('i32'), dump: fn.local('i32'), literal: fn.local('i32') };
    this.#environment = new KernelEnvironment(
      program,
      module,
      fn,
      { ...parameters, ...this.#pointers },
      this.#access,
      textures,
    );
    this.#liveness = analyzeLiveness(this.#nodes, registerCount);
    const planeBytes = packed?.outputPlaneBytes ?? VECTOR_BYTES;
    const { state } = this.#environment;
    this.#outputs = new OutputPlaces(program, this.#nodes, state, output, planeBytes);
    this.#log =
      log === undefined
        ? null
        : new ExecutionLogEmitter(given, this.#nodes, fn, group, WARP_GROUPS, log);
    const instructions = new InstructionEmitter(
      this.#environment,
      this.#outputs,
      this.#liveness,
      this.#log,
      options.isNaNIndifferent ?? false,
    );
    this.#control = new ControlEmitter(this.#environment, instructions, this.#log);
  }

  emit(): Stmt[] {
    const body = this.#hasLoops ? this.#emitWarps() : this.#emitGroups();
    const groupCount = get(this.#parameters.groupCount);
    return [
      set(this.#pointers.dump, this.#scratchPlace(DUMP_OFFSET_BYTES)),
      set(this.#pointers.literal, this.#scratchPlace(LITERAL_OFFSET_BYTES)),
      set(this.#pointers.frame, this.#scratchPlace(FRAMES_OFFSET_BYTES)),
      ...this.#environment.loadConstants(),
      ifThen(
        groupCount,
        loop((again) => [...this.#stopCheck, ...body, brIf(again, groupCount)]),
      ),
      ret(i32.const(STAGE_STATUS.done)),
    ];
  }

  /** Emits the work on one group of a program without loops. */
  #emitGroups(): Stmt[] {
    const { group, output, groupCount } = this.#parameters;
    const { groupBytes, outputBytes } = this.#strides();
    return [
      ...this.#access.beginGroup(this.#environment, this.#code),
      ...this.#beginGroup(),
      ...this.#control.emitNodes(this.#nodes),
      ...this.#endGroup(),
      advance(group, groupBytes),
      advance(output, outputBytes),
      advance(groupCount, -1),
    ];
  }

  /** Emits the work on one warp of a program with loops. */
  #emitWarps(): Stmt[] {
    const { group, output, groupCount } = this.#parameters;
    const local = () => this.#fn.local('i32');
    const warp: WarpPointers = {
      warpGroup: local(),
      group,
      warpOutput: local(),
      output,
      warpFrame: local(),
      frame: this.#pointers.frame,
      groupCount: local(),
      groupsLeft: local(),
    };
    const emitter = new WarpEmitter(
      this.#environment,
      this.#control,
      this.#liveness,
      warp,
      this.#strides(),
      this.#options.instructionBudget,
      this.#stopCheck,
      this.#log,
    );
    const left = get(groupCount);
    // Each segment moves the pointers over the groups of the warp. After the last group they point
    // past it.
    return [
      set(warp.warpGroup, get(group)),
      set(warp.warpOutput, get(output)),
      set(warp.warpFrame, this.#scratchPlace(FRAMES_OFFSET_BYTES)),
      set(
        warp.groupCount,
        select(left, i32.const(WARP_GROUPS), i32.ltU(left, i32.const(WARP_GROUPS))),
      ),
      ...emitter.emitProgram(
        this.#nodes,
        () => this.#beginGroup(),
        () => this.#endGroup(),
      ),
      set(groupCount, i32.sub(left, get(warp.groupCount))),
    ];
  }

  /**
   * Emits initial zeros for outputs, for registers that are read before they are written, and for
   * arrays.
   */
  #beginGroup(): Stmt[] {
    const environment = this.#environment;
    const { state, discarded, spent } = environment;
    const zeroed = this.#liveness.zeroed.members();
    return [
      ...this.#outputs.begin(),
      ...zeroed.map((index) => state.assign(environment.register(index), ZERO)),
      ...clearArrays(this.#program, this.#pointers.frame),
      ...(this.#program.usesDiscard ? [state.assign(discarded, ZERO)] : []),
      ...(this.#hasLoops ? [state.assign(spent, ZERO)] : []),
    ];
  }

  #endGroup(): Stmt[] {
    const { state, discarded, spent } = this.#environment;
    const { scratch, group } = this.#parameters;
    return [
      ...this.#outputs.end(),
      ...(this.#hasLoops ? [addSpent(scratch, state.read(spent))] : []),
      ...(this.#program.usesDiscard ? [clearDiscarded(group, state.read(discarded))] : []),
    ];
  }

  #strides() {
    const program = this.#program;
    const outputVectors = this.#options.packed === undefined ? program.outputSlots.length : 1;
    return {
      groupBytes: this.#access.groupBytes,
      outputBytes: outputVectors * VECTOR_BYTES,
      frameBytes: frameBytes(program, this.#nodes),
    };
  }

  #scratchPlace(offset: number): Expr {
    return i32.add(get(this.#parameters.scratch), i32.const(offset));
  }
}

/** Returns the code of `program` in its own order. */
function decode({ code, literals, registerCount }: IsaProgram) {
  return { code: decodeInstructions(code, literals), registerCount };
}

function nameParameters({ stage }: IsaProgram, fn: FunctionBuilder): KernelParameters {
  const at = (index: number) => fn.param(index);
  return stage === 'vertex'
    ? {
        group: at(0),
        output: at(1),
        groupCount: at(2),
        primitives: null,
        constants: at(3),
        textures: at(4),
        scratch: at(5),
      }
    : {
        group: at(0),
        groupCount: at(1),
        primitives: at(2),
        output: at(3),
        constants: at(4),
        textures: at(5),
        scratch: at(6),
      };
}

function advance(local: Local, step: number): Stmt {
  return set(local, i32.add(get(local), i32.const(step)));
}

function clearArrays({ arrayWords }: IsaProgram, arrays: Local): Stmt[] {
  if (arrayWords === 0) return [];
  return [memory.fill(get(arrays), i32.const(0), i32.const(arrayWords * VECTOR_BYTES))];
}

/** Adds the instructions of a group's lanes to the total of the call. */
function addSpent(scratch: Local, spent: Expr): Stmt {
  const place = { offset: SPENT_OFFSET_BYTES };
  const pairs = i64x2.add(i64x2.extendLowI32x4U(spent), i64x2.extendHighI32x4U(spent));
  const [low, high] = [i64x2.extractLane(pairs, 0), i64x2.extractLane(pairs, 1)];
  const before = i64.load(get(scratch), place);
  return i64.store(get(scratch), i64.add(before, i64.add(low, high)), place);
}

/** Removes the discarded lanes from the quad's mask. */
function clearDiscarded(quad: Local, discarded: Expr): Stmt {
  const kept = i32.xor(i32x4.bitmask(discarded), i32.const(-1));
  const before = i32.load(get(quad), { offset: QUAD_RECORD.mask });
  return i32.store(get(quad), i32.and(before, kept), { offset: QUAD_RECORD.mask });
}
