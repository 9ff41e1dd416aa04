/**
 * The fast executor: a WebAssembly module for one program, SIMD over the four lanes of a group, registers
 * in locals. One function `run` goes over all groups of a call:
 *
 *     vertex    run(inputPtr, outputPtr, groupCount, constantsPtr, texturesPtr, scratchPtr) → status
 *     fragment  run(quadsPtr, quadCount, primitivesPtr, outputPtr, constantsPtr, texturesPtr, scratchPtr) → status
 *
 * The module imports its memory as `env.memory`, and the words that stop it as `env.stop`; isa/stage-memory.ts has the layout. Nothing is unrolled
 * over groups: larger functions take longer to compile than they save.
 */
import { type IsaProgram, STOP_PAGES, STOP_WORDS } from '@tessera/frame';
import { decodeInstructions } from '../isa/instruction.ts';
import {
  type PackedFragments,
  QUAD_RECORD,
  STAGE_STATUS,
  VECTOR_BYTES,
} from '../isa/stage-memory.ts';
import { type IsaNode, parseStructure } from '../isa/structure.ts';
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
import { ExecutionLogEmitter, type LogPlace } from './execution-log.ts';
import { InstructionEmitter } from './instruction-emitter.ts';
import { KernelEnvironment } from './kernel-environment.ts';
import { analyzeLiveness } from './liveness.ts';
import { orderInstructions } from './order-instructions.ts';
import { OutputPlaces } from './output-places.ts';
import { fragmentAccess, vertexAccess } from './stage-access.ts';
import type { TextureKernels } from './texture-kernels.ts';
import { ZERO } from './vector-operators.ts';
import { containsLoop, WARP_GROUPS, WarpEmitter, type WarpPointers } from './warp-emitter.ts';

/** What a kernel depends on besides its program. */
export interface KernelOptions {
  /** The texture unit's code; `null` for programs without texture instructions. */
  readonly textures: TextureKernels | null;
  /**
   * Most instructions that the loops of one invocation may take, 1 to 2^30. A call in which one needs
   * more returns status 1 and leaves outputs undefined.
   */
  readonly instructionBudget: number;
  /**
   * Where the kernel writes down its lookups and loops (execution-log.ts); without it, it does not. The
   * instructions then run in the program's order. A program with loops must be called for a warp at a time
   * and returns status 2 when the warp would log more than there is room for.
   */
  readonly log?: LogPlace;
  /** Whether whoever reads the float outputs takes every NaN alike: they are then stored as they are. */
  readonly isNaNIndifferent?: boolean;
  /**
   * Whether another thread may stop the kernel: it imports the memory of StopWords as `env.stop`, asks once per warp or group and
   * once per round of a loop, and then returns status 3 with outputs undefined.
   */
  readonly isStoppable?: boolean;
  /** For a fragment program that {@link canPackFragments}: its groups are packed fragments. */
  readonly packed?: PackedFragments;
}

/** Programs never change, and many draws share one. */
const scratchBytesByProgram = new WeakMap<IsaProgram, number>();

/** Bytes that a kernel of `program` needs at `scratchPtr`. */
export function scratchBytes(program: IsaProgram): number {
  const known = scratchBytesByProgram.get(program);
  if (known !== undefined) return known;
  const bytes = countScratchBytes(program);
  scratchBytesByProgram.set(program, bytes);
  return bytes;
}

function countScratchBytes(program: IsaProgram): number {
  const nodes = parseStructure(decodeInstructions(program.code, program.literals));
  const groupCount = nodes.some(containsLoop) ? WARP_GROUPS : 1;
  return FRAMES_OFFSET + groupCount * frameBytes(program, nodes);
}

/** Scratch memory: the vector that dropped stores go to, the word for literals, what loops took, then a frame per group. */
const DUMP_OFFSET = 0;
const LITERAL_OFFSET = VECTOR_BYTES;
/** A kernel with loops adds the instructions that they took, of all lanes, to the 64-bit integer at this offset of `scratchPtr`. */
export const SPENT_OFFSET_BYTES = VECTOR_BYTES + 8;
const FRAMES_OFFSET = 2 * VECTOR_BYTES;

/** A frame: private arrays, then registers, discarded lanes, the budget, outputs, and at most three vectors a construct. */
function frameBytes(program: IsaProgram, nodes: readonly IsaNode[]): number {
  const { arrayWords, registerCount, outputSlots } = program;
  const stateVectors = registerCount + 2 + outputSlots.length + 3 * countConstructs(nodes);
  return (arrayWords + (nodes.some(containsLoop) ? stateVectors : 0)) * VECTOR_BYTES;
}

function countConstructs(nodes: readonly IsaNode[]): number {
  let count = 0;
  for (const node of nodes) {
    if (node.kind === 'if') count += 1 + countConstructs(node.then) + countConstructs(node.else);
    else if ('body' in node) count += 1 + countConstructs(node.body);
  }
  return count;
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

/** The bytes of a WebAssembly module that executes the program. */
export function generateKernel(
  given: IsaProgram,
  {
    textures,
    instructionBudget,
    log: logPlace,
    packed,
    isNaNIndifferent = false,
    isStoppable = false,
  }: KernelOptions,
): Uint8Array<ArrayBuffer> {
  const { code, registerCount } =
    logPlace === undefined
      ? orderInstructions(given)
      : {
          code: decodeInstructions(given.code, given.literals),
          registerCount: given.registerCount,
        };
  const program: IsaProgram = { ...given, registerCount };
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 0 });
  const stopCheck = isStoppable ? importStopCheck(module) : [];
  const fn = module.addFunction('run', {
    params: Array.from({ length: program.stage === 'vertex' ? 6 : 7 }, () => 'i32' as const),
    results: ['i32'],
    export: 'run',
  });
  const parameters = nameParameters(program, fn);
  const access =
    parameters.primitives === null
      ? vertexAccess(program, parameters.group)
      : fragmentAccess(program, fn, parameters.group, parameters.primitives, packed ?? null);
  const nodes = parseStructure(code);
  const local = () => fn.local('i32');
  const frame = local();
  const pointers = { ...parameters, frame, dump: local(), literal: local() };
  const environment = new KernelEnvironment(program, module, fn, pointers, access, textures);
  const { state, discarded } = environment;
  const liveness = analyzeLiveness(nodes, program.registerCount);
  const outputs = new OutputPlaces(
    program,
    nodes,
    state,
    parameters.output,
    packed?.outputPlaneBytes ?? VECTOR_BYTES,
  );
  const log =
    logPlace === undefined
      ? null
      : new ExecutionLogEmitter(given, nodes, fn, parameters.group, WARP_GROUPS, logPlace);
  const instructions = new InstructionEmitter(
    environment,
    outputs,
    liveness.mergedWrites,
    log,
    isNaNIndifferent,
  );
  const control = new ControlEmitter(environment, instructions);

  const hasLoops = nodes.some(containsLoop);
  const begin = (): Stmt[] => [
    ...outputs.begin(),
    ...liveness.zeroed.members().map((index) => state.assign(environment.register(index), ZERO)),
    ...clearArrays(program, frame),
    ...(program.usesDiscard ? [state.assign(discarded, ZERO)] : []),
    ...(hasLoops ? [state.assign(environment.spent, ZERO)] : []),
  ];
  const end = (): Stmt[] => [
    ...outputs.end(),
    ...(hasLoops ? [addSpent(parameters.scratch, state.read(environment.spent))] : []),
    ...(program.usesDiscard ? [clearDiscarded(parameters.group, state.read(discarded))] : []),
  ];
  const strides = {
    groupBytes: access.groupBytes,
    outputBytes: (packed === undefined ? program.outputSlots.length : 1) * VECTOR_BYTES,
    frameBytes: frameBytes(program, nodes),
  };

  const emitGroups = (): Stmt[] => [
    ...access.beginGroup(environment, code),
    ...begin(),
    ...control.emitNodes(nodes),
    ...end(),
    advance(parameters.group, strides.groupBytes),
    advance(parameters.output, strides.outputBytes),
    advance(parameters.groupCount, -1),
  ];
  const emitWarps = (): Stmt[] => {
    const warp: WarpPointers = {
      warpGroup: local(),
      group: parameters.group,
      warpOutput: local(),
      output: parameters.output,
      warpFrame: local(),
      frame,
      groupCount: local(),
      groupsLeft: local(),
    };
    const emitter = new WarpEmitter(
      environment,
      control,
      liveness,
      warp,
      strides,
      instructionBudget,
      stopCheck,
      log,
    );
    const left = get(parameters.groupCount);
    // Each stretch moves the pointers over the groups of the warp; the last one leaves them behind it.
    return [
      set(warp.warpGroup, get(parameters.group)),
      set(warp.warpOutput, get(parameters.output)),
      set(warp.warpFrame, scratchPlace(FRAMES_OFFSET)),
      set(
        warp.groupCount,
        select(left, i32.const(WARP_GROUPS), i32.ltU(left, i32.const(WARP_GROUPS))),
      ),
      ...emitter.emitProgram(nodes, begin, end),
      set(parameters.groupCount, i32.sub(left, get(warp.groupCount))),
    ];
  };
  const scratchPlace = (offset: number) => i32.add(get(parameters.scratch), i32.const(offset));
  const body = hasLoops ? emitWarps() : emitGroups();

  fn.emit(
    set(pointers.dump, scratchPlace(DUMP_OFFSET)),
    set(pointers.literal, scratchPlace(LITERAL_OFFSET)),
    set(frame, scratchPlace(FRAMES_OFFSET)),
    ...environment.loadConstants(),
    ifThen(
      get(parameters.groupCount),
      loop((again) => [...stopCheck, ...body, brIf(again, get(parameters.groupCount))]),
    ),
    ret(i32.const(STAGE_STATUS.done)),
  );
  return module.encode();
}

/** Code that returns if another thread stopped the work in hand. */
function importStopCheck(module: WasmModuleBuilder): Stmt[] {
  const limits = { minPages: STOP_PAGES, maxPages: STOP_PAGES, shared: true };
  const memoryIndex = module.importMemory('env', 'stop', limits);
  const word = (offset: number) => i32.load(i32.const(0), { offset, memoryIndex });
  const isStopped = i32.eq(word(STOP_WORDS.currentBytes), word(STOP_WORDS.stoppedBytes));
  return [ifThen(isStopped, ret(i32.const(STAGE_STATUS.stopped)))];
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

/** Adds what the lanes of a group took to what the call did. */
function addSpent(scratch: Local, spent: Expr): Stmt {
  const place = { offset: SPENT_OFFSET_BYTES };
  const pairs = i64x2.add(i64x2.extendLowI32x4U(spent), i64x2.extendHighI32x4U(spent));
  const [low, high] = [i64x2.extractLane(pairs, 0), i64x2.extractLane(pairs, 1)];
  const before = i64.load(get(scratch), place);
  return i64.store(get(scratch), i64.add(before, i64.add(low, high)), place);
}

/** Takes the discarded lanes out of the quad's mask. */
function clearDiscarded(quad: Local, discarded: Expr): Stmt {
  const kept = i32.xor(i32x4.bitmask(discarded), i32.const(-1));
  const before = i32.load(get(quad), { offset: QUAD_RECORD.mask });
  return i32.store(get(quad), i32.and(before, kept), { offset: QUAD_RECORD.mask });
}
