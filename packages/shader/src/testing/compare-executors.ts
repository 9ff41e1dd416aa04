/** Runs a program on the three executors, on copies of the same memory. */
import type { IsaProgram } from '@tessera/frame';
import { generateKernel } from '../codegen/generate-kernel.ts';
import { instantiateKernel } from '../codegen/kernel-cache.ts';
import { scratchBytes } from '../codegen/kernel-scratch.ts';
import type { TextureKernels } from '../codegen/texture-kernels.ts';
import { interpretFragmentStage, interpretVertexStage } from '../interpreter/interpret-stage.ts';
import type { TextureReader } from '../interpreter/texture-reader.ts';
import {
  LANES,
  primitiveStrideBytes,
  QUAD_RECORD,
  VECTOR_BYTES,
  vertexInputCount,
} from '../isa/stage-memory.ts';
import {
  compileSimdInterpreter,
  instantiateSimdInterpreter,
  type SimdInterpreter,
} from '../simd-interpreter/simd-interpreter.ts';
import { NO_TEXTURE_UNIT, readerTextureUnit } from '../simd-interpreter/texture-unit.ts';
import {
  interpreterScratchBytes,
  programImageBytes,
  writeProgramImage,
} from '../simd-interpreter/write-program-image.ts';

/** Result of one executor. */
export interface StageRun {
  readonly status: number;
  /** Output words: group by group, output by output, lane by lane. */
  readonly outputs: Int32Array;
  /** Quad records after the call; empty for vertices. */
  readonly quads: Int32Array;
}

/** Results of the three executors. */
export interface ExecutorRuns {
  readonly interpreter: StageRun;
  readonly kernel: StageRun;
  readonly simdInterpreter: StageRun;
}

/** Constants, budget and textures of a call. */
export interface RunOptions {
  readonly constants?: Int32Array;
  readonly instructionBudget?: number;
  readonly textureReader?: TextureReader;
  readonly textureKernels?: TextureKernels;
}

/** Quad records and primitive records in words, with the layout of the fragment stage. */
export interface FragmentWork {
  readonly quads: Int32Array;
  /** All primitive records. */
  readonly primitives: Int32Array;
}

const DEFAULT_BUDGET = 1_000_000;
const PAGE_BYTES = 65536;

/** Module of the SIMD interpreter, compiled when the first program runs. */
let simdModule: WebAssembly.Module | undefined;

/**
 * Shared memories that grow as programs need, for kernels and for the SIMD interpreter. A separate
 * memory for every program would cost more than running it.
 */
let kernelMemory: WebAssembly.Memory | undefined;
let simdMemory: WebAssembly.Memory | undefined;
let simdWithoutTextures: SimdInterpreter | undefined;

function growTo(memory: WebAssembly.Memory, byteCount: number): void {
  const missingBytes = byteCount - memory.buffer.byteLength;
  if (missingBytes > 0) memory.grow(Math.ceil(missingBytes / PAGE_BYTES));
}

function simdInterpreterOn(
  memory: WebAssembly.Memory,
  reader: TextureReader | undefined,
): SimdInterpreter {
  simdModule ??= compileSimdInterpreter();
  if (reader !== undefined) {
    return instantiateSimdInterpreter(simdModule, memory, readerTextureUnit(memory, reader));
  }
  simdWithoutTextures ??= instantiateSimdInterpreter(simdModule, memory, NO_TEXTURE_UNIT);
  return simdWithoutTextures;
}

/**
 * Runs a vertex program.
 *
 * @param inputs One vector of four words per input and group.
 */
export function runVertexProgram(
  program: IsaProgram,
  inputs: Int32Array,
  groupCount: number,
  options: RunOptions = {},
): ExecutorRuns {
  if (inputs.length !== groupCount * vertexInputCount(program) * LANES) {
    throw new Error(`${inputs.length} input words do not fit ${groupCount} groups`);
  }
  return runAll(program, { quads: inputs, primitives: new Int32Array(0) }, groupCount, options);
}

/** Runs a fragment program over the quads of `work`. */
export function runFragmentProgram(
  program: IsaProgram,
  work: FragmentWork,
  options: RunOptions = {},
): ExecutorRuns {
  const primitiveBytes = work.primitives.length * 4;
  if (primitiveBytes % primitiveStrideBytes(program) !== 0) {
    throw new Error(`${primitiveBytes} bytes are not a multiple of the size of a primitive record`);
  }
  return runAll(program, work, (work.quads.length * 4) / QUAD_RECORD.bytes, options);
}

/**
 * Addresses of one call. The image of the program is at the address of the kernel's scratch memory.
 */
interface Addresses {
  readonly groupsPtr: number;
  readonly primitivesPtr: number;
  readonly constantsPtr: number;
  readonly outputPtr: number;
  readonly scratchPtr: number;
  readonly simdScratchPtr: number;
}

/** One program with its options and addresses. */
interface Call {
  readonly program: IsaProgram;
  readonly groupCount: number;
  readonly options: RunOptions;
  readonly instructionBudget: number;
  readonly addresses: Addresses;
}

function runAll(
  program: IsaProgram,
  work: FragmentWork,
  groupCount: number,
  options: RunOptions,
): ExecutorRuns {
  const { constants = new Int32Array(0), instructionBudget = DEFAULT_BUDGET } = options;
  const outputWords = groupCount * program.outputSlots.length * LANES;
  const groupsPtr = VECTOR_BYTES;
  const primitivesPtr = alignedEnd(groupsPtr, work.quads.length);
  const constantsPtr = alignedEnd(primitivesPtr, work.primitives.length);
  const outputPtr = alignedEnd(constantsPtr, constants.length);
  const scratchPtr = alignedEnd(outputPtr, outputWords);
  const simdScratchPtr = scratchPtr + programImageBytes(program);
  const addresses: Addresses = {
    groupsPtr,
    primitivesPtr,
    constantsPtr,
    outputPtr,
    scratchPtr,
    simdScratchPtr,
  };
  kernelMemory ??= new WebAssembly.Memory({ initial: 1 });
  simdMemory ??= new WebAssembly.Memory({ initial: 1 });
  const endPtrs = [
    [kernelMemory, scratchPtr + scratchBytes(program)],
    [simdMemory, simdScratchPtr + interpreterScratchBytes(program)],
  ] as const;
  for (const [memory, endPtr] of endPtrs) {
    growTo(memory, endPtr);
    const words = new Int32Array(memory.buffer);
    // Executors must not depend on private memory and outputs, so these start as garbage.
    words.fill(0x5a5a5a5a, outputPtr / 4, Math.ceil(endPtr / 4));
    words.set(work.quads, groupsPtr / 4);
    words.set(work.primitives, primitivesPtr / 4);
    words.set(constants, constantsPtr / 4);
  }
  const interpreterMemory = kernelMemory.buffer.slice(0, scratchPtr);
  const call: Call = { program, groupCount, options, instructionBudget, addresses };
  const quadWords = program.stage === 'vertex' ? 0 : work.quads.length;
  const collect = (status: number, buffer: ArrayBufferLike): StageRun => ({
    status,
    outputs: new Int32Array(buffer, outputPtr, outputWords).slice(),
    quads: new Int32Array(buffer, groupsPtr, quadWords).slice(),
  });
  return {
    interpreter: collect(runInterpreter(call, interpreterMemory), interpreterMemory),
    kernel: collect(runKernel(call, kernelMemory), kernelMemory.buffer),
    simdInterpreter: collect(runSimdInterpreter(call, simdMemory), simdMemory.buffer),
  };
}

function runInterpreter(
  { program, groupCount, options, instructionBudget, addresses }: Call,
  memory: ArrayBuffer,
): number {
  const { groupsPtr, primitivesPtr, constantsPtr, outputPtr } = addresses;
  const textures = options.textureReader ?? null;
  const call = { memory, outputPtr, constantsPtr, textures, instructionBudget };
  return program.stage === 'vertex'
    ? interpretVertexStage(program, { ...call, inputPtr: groupsPtr, groupCount })
    : interpretFragmentStage(program, {
        ...call,
        quadsPtr: groupsPtr,
        quadCount: groupCount,
        primitivesPtr,
      });
}

function runKernel(
  { program, groupCount, options, instructionBudget, addresses }: Call,
  memory: WebAssembly.Memory,
): number {
  const { groupsPtr, primitivesPtr, constantsPtr, outputPtr, scratchPtr } = addresses;
  const textures = options.textureKernels ?? null;
  const run = instantiateKernel(generateKernel(program, { textures, instructionBudget }), memory);
  return program.stage === 'vertex'
    ? run(groupsPtr, outputPtr, groupCount, constantsPtr, 0, scratchPtr)
    : run(groupsPtr, groupCount, primitivesPtr, outputPtr, constantsPtr, 0, scratchPtr);
}

function runSimdInterpreter(
  { program, groupCount, options, instructionBudget, addresses }: Call,
  memory: WebAssembly.Memory,
): number {
  const { groupsPtr, primitivesPtr, constantsPtr, outputPtr } = addresses;
  const { scratchPtr: programPtr, simdScratchPtr: scratchPtr } = addresses;
  writeProgramImage(memory.buffer, programPtr, program, instructionBudget);
  const simd = simdInterpreterOn(memory, options.textureReader);
  if (program.stage === 'vertex') {
    return simd.runVertex(
      programPtr,
      groupsPtr,
      outputPtr,
      groupCount,
      constantsPtr,
      0,
      scratchPtr,
    );
  }
  return simd.runFragment(
    programPtr,
    groupsPtr,
    groupCount,
    primitivesPtr,
    outputPtr,
    constantsPtr,
    0,
    scratchPtr,
  );
}

function alignedEnd(ptr: number, wordCount: number): number {
  return Math.ceil((ptr + wordCount * 4) / VECTOR_BYTES) * VECTOR_BYTES;
}
