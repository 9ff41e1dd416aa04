/**
 * The fast executor: a WebAssembly module for one program, SIMD over the four lanes of a group, registers
 * in locals. One function `run` goes over all groups of a call:
 *
 *     vertex    run(inputPtr, outputPtr, groupCount, constantsPtr, texturesPtr, scratchPtr) → status
 *     fragment  run(quadsPtr, quadCount, primitivesPtr, outputPtr, constantsPtr, texturesPtr, scratchPtr) → status
 *
 * The module imports its memory as `env.memory`; isa/stage-memory.ts has the layout. Nothing is unrolled
 * over groups: larger functions take longer to compile than they save.
 */
import type { IsaProgram } from '@tessera/frame';
import { decodeInstructions } from '../isa/instruction.ts';
import { QUAD_RECORD, STAGE_STATUS, VECTOR_BYTES } from '../isa/stage-memory.ts';
import { parseStructure } from '../isa/structure.ts';
import {
  brIf,
  type FunctionBuilder,
  get,
  i32,
  i32x4,
  i64,
  ifThen,
  type Local,
  loop,
  memory,
  ret,
  type Stmt,
  set,
  WasmModuleBuilder,
} from '../wasm/index.ts';
import { ControlEmitter } from './control-emitter.ts';
import { InstructionEmitter } from './instruction-emitter.ts';
import { KernelEnvironment } from './kernel-environment.ts';
import { analyzeLiveness } from './liveness.ts';
import { OutputPlaces } from './output-places.ts';
import { fragmentAccess, vertexAccess } from './stage-access.ts';
import type { TextureKernels } from './texture-kernels.ts';
import { ZERO } from './vector-operators.ts';

/** What a kernel depends on besides its program. */
export interface KernelOptions {
  /** The texture unit's code; `null` for programs without texture instructions. */
  readonly textures: TextureKernels | null;
  /**
   * Most instructions that the rounds of loops may take, summed over the groups of one call: a safe
   * integer. A call that needs more returns status 1 and leaves outputs undefined.
   */
  readonly instructionBudget: number;
}

/** Bytes that a kernel of `program` needs at `scratchPtr`. */
export function scratchBytes(program: IsaProgram): number {
  // The arrays of a group, the vector that dropped stores go to, the word for literals.
  return (program.arrayWords + 2) * VECTOR_BYTES;
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

/** The bytes of a WebAssembly module that executes `program`. */
export function generateKernel(
  program: IsaProgram,
  { textures, instructionBudget }: KernelOptions,
): Uint8Array<ArrayBuffer> {
  const module = new WasmModuleBuilder();
  module.importMemory('env', 'memory', { minPages: 0 });
  const fn = module.addFunction('run', {
    params: Array.from({ length: program.stage === 'vertex' ? 6 : 7 }, () => 'i32' as const),
    results: ['i32'],
    export: 'run',
  });
  const parameters = nameParameters(program, fn);
  const access =
    parameters.primitives === null
      ? vertexAccess(program, parameters.group)
      : fragmentAccess(program, fn, parameters.group, parameters.primitives);
  const code = decodeInstructions(program.code, program.literals);
  const nodes = parseStructure(code);
  const pointers = {
    ...parameters,
    arrays: parameters.scratch,
    dump: fn.local('i32'),
    literal: fn.local('i32'),
  };
  const environment = new KernelEnvironment(program, module, fn, pointers, access, textures);
  const liveness = analyzeLiveness(nodes, program.registerCount);
  const outputs = new OutputPlaces(program, nodes, fn, parameters.output);
  const instructions = new InstructionEmitter(environment, outputs, liveness.mergedWrites);
  const budget = fn.local('i64');
  const control = new ControlEmitter(environment, instructions, budget);

  const body: Stmt[] = [
    ...access.beginGroup(environment, code),
    ...outputs.begin(),
    ...liveness.zeroed.members().map((register) => set(environment.register(register), ZERO)),
    ...clearArrays(program, parameters.scratch),
    ...(program.usesDiscard ? [set(environment.discarded, ZERO)] : []),
    ...control.emitProgram(nodes),
    ...outputs.end(),
    ...(program.usesDiscard ? [clearDiscarded(parameters.group, environment.discarded)] : []),
  ];
  const arrayBytes = program.arrayWords * VECTOR_BYTES;
  const outputBytes = program.outputSlots.length * VECTOR_BYTES;
  fn.emit(
    set(budget, i64.const(instructionBudget)),
    set(pointers.dump, i32.add(get(parameters.scratch), i32.const(arrayBytes))),
    set(pointers.literal, i32.add(get(pointers.dump), i32.const(VECTOR_BYTES))),
    ...environment.loadConstants(),
    ifThen(
      get(parameters.groupCount),
      loop((again) => [
        ...body,
        advance(parameters.group, access.groupBytes),
        advance(parameters.output, outputBytes),
        advance(parameters.groupCount, -1),
        brIf(again, get(parameters.groupCount)),
      ]),
    ),
    ret(i32.const(STAGE_STATUS.done)),
  );
  return module.encode();
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

/** Takes the discarded lanes out of the quad's mask. */
function clearDiscarded(quad: Local, discarded: Local): Stmt {
  const kept = i32.xor(i32x4.bitmask(get(discarded)), i32.const(-1));
  const before = i32.load(get(quad), { offset: QUAD_RECORD.mask });
  return i32.store(get(quad), i32.and(before, kept), { offset: QUAD_RECORD.mask });
}
