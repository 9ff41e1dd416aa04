/**
 * The kernels of a chiplet: shader stages and output mergers, compiled once per content and bound to the
 * chiplet's memory.
 */
import {
  type IsaProgram,
  type PreparedDraw,
  type PreparedFrame,
  RenderError,
  type ShaderProgram,
} from '@tessera/frame';
import {
  canPackFragments,
  generateKernel,
  KernelCache,
  type PackedFragments,
  scratchBytes,
} from '@tessera/shader/codegen';
import { instantiateKernel } from '../kernel/instantiate-kernel.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { generateMergeKernel, type MergeRun } from '../output/merge/merge-kernel.ts';
import { type MergeKey, mergeKeyString } from '../output/merge/merge-key.ts';
import {
  generateTraversalKernel,
  type TraversalKey,
  type TraversalRun,
} from '../raster/coverage/traversal-kernel.ts';
import { ExecutionLog, isLogging } from '../shading/execution-log.ts';
import { packedOutputsOf } from '../shading/lane-packing.ts';
import type { FragmentKernel, VertexKernel } from '../shading/shader-kernel.ts';
import {
  type SamplingState,
  samplingStateKey,
  samplingStateOf,
  usesLevelOfDetail,
} from '../texture/filter/sampling-state.ts';
import { SampleKernels } from '../texture/sample/sample-kernel.ts';

/** Kernels kept at once. The bytes bound the memory that a few very long shaders leave behind. */
const CACHED_KERNELS = { maxKernels: 512, maxModuleBytes: 8 * 2 ** 20 };

/** How each texture slot of a draw is sampled; `null` where it has no texture. */
export type Samplings = readonly (SamplingState | null)[];

/** Makes and keeps kernels. */
export class KernelLibrary {
  /** Of the kernels that log. */
  readonly executionLog: ExecutionLog;
  readonly #memory: ChipletMemory;
  readonly #shaderKernels: KernelCache;
  readonly #mergeKernels = new Map<string, MergeRun>();
  readonly #traversalKernels = new Map<string, TraversalRun>();
  readonly #packing: PackedFragments;
  readonly #keyBySamplings = new WeakMap<Samplings, string>();
  readonly #instructionBudget: number;

  /** @param instructionBudget Of one shader invocation; see ChipletSpec. */
  constructor(memory: ChipletMemory, instructionBudget: number) {
    this.#memory = memory;
    this.executionLog = new ExecutionLog(memory);
    this.#shaderKernels = new KernelCache(memory.memory, CACHED_KERNELS, memory.stopWords.memory);
    this.#instructionBudget = instructionBudget;
    this.#packing = {
      primitiveOffset: memory.packedPrimitivesPtr - memory.packedPositionsPtr,
      outputPlaneBytes: memory.outputPlaneBytes,
    };
  }

  /** The sampling states of a draw's texture slots. */
  samplingsOf(frame: PreparedFrame, draw: PreparedDraw): Samplings {
    return draw.textures.map((binding) => {
      if (binding === null) return null;
      const texture = frame.textures[binding.textureIndex];
      if (texture === undefined) throw new Error(`draw: no texture ${binding.textureIndex}`);
      return samplingStateOf(texture.format, binding.sampler, texture.dimension);
    });
  }

  /**
   * The kernel of a vertex stage: the program's full one or the one for positions.
   *
   * @param isTimed Lookups and loops go to {@link executionLog}.
   */
  vertexKernel(
    program: ShaderProgram,
    stage: IsaProgram,
    samplings: Samplings,
    isTimed: boolean,
  ): VertexKernel {
    const name = stage === program.positionOnly ? 'positionOnly' : 'vertex';
    const logs = isTimed && isLogging(stage);
    const kernel = this.#shaderKernel(program, name, stage, samplings, logs);
    return logs ? this.executionLog.vertexKernel(kernel, stage) : kernel;
  }

  /**
   * The kernel of the fragment stage.
   *
   * @param isClamped Whether all targets clamp their colours, so that any NaN is 0 to them.
   */
  fragmentKernel(
    program: ShaderProgram,
    samplings: Samplings,
    isTimed: boolean,
    isClamped: boolean,
  ): FragmentKernel {
    const { fragment } = program;
    const logs = isTimed && isLogging(fragment);
    const kernel = this.#shaderKernel(program, 'fragment', fragment, samplings, logs, isClamped);
    return logs ? this.executionLog.fragmentKernel(kernel, fragment) : kernel;
  }

  /** The kernel of a fragment stage for packed fragments; `null` if its lanes need their quads. */
  packedFragmentKernel(
    program: ShaderProgram,
    samplings: Samplings,
    isClamped: boolean,
  ): FragmentKernel | null {
    const { fragment } = program;
    const needsQuads = (slot: number): boolean => {
      const state = samplings[slot] ?? null;
      return state !== null && usesLevelOfDetail(state.sampler);
    };
    if (!canPackFragments(fragment, needsQuads)) return null;
    return this.#shaderKernel(program, 'packed', fragment, samplings, false, isClamped);
  }

  /** Made once for the stages of a draw. */
  #samplingsKey(samplings: Samplings): string {
    if (samplings.length === 0) return '';
    const key = this.#keyBySamplings.get(samplings) ?? samplings.map(samplingStateKey).join('|');
    this.#keyBySamplings.set(samplings, key);
    return key;
  }

  #shaderKernel(
    program: ShaderProgram,
    name: 'vertex' | 'positionOnly' | 'fragment' | 'packed',
    stage: IsaProgram,
    samplings: Samplings,
    logs: boolean,
    isNaNIndifferent = false,
  ): (...pointers: number[]) => number {
    const bytes = scratchBytes(stage);
    if (bytes > this.#memory.scratchBytes) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `program: arrays of ${bytes} bytes, a chiplet has ${this.#memory.scratchBytes}`,
      );
    }
    const key = `${program.sha256}|${name}|${logs}|${isNaNIndifferent}|${this.#samplingsKey(samplings)}`;
    const { executionLogPtr, executionLogBytes } = this.#memory;
    return this.#shaderKernels.get(key, () =>
      generateKernel(stage, {
        textures: new SampleKernels(samplings, logs ? executionLogPtr : null),
        instructionBudget: this.#instructionBudget,
        isStoppable: true,
        isNaNIndifferent,
        ...(name === 'packed' ? { packed: this.#packing } : {}),
        ...(logs ? { log: { ptr: executionLogPtr, bytes: executionLogBytes } } : {}),
      }),
    );
  }

  /** The output merger's kernel for a state. @param isPacked Whether fragments are packed. */
  mergeKernel(key: MergeKey, isPacked = false): MergeRun {
    const name = `${isPacked} ${mergeKeyString(key)}`;
    const packed = isPacked ? packedOutputsOf(this.#memory) : null;
    const kernel =
      this.#mergeKernels.get(name) ??
      instantiateKernel<MergeRun>(generateMergeKernel(key, packed), this.#memory.memory);
    this.#mergeKernels.set(name, kernel);
    return kernel;
  }

  /** The kernel of tile traversal for a depth state. */
  traversalKernel(key: TraversalKey): TraversalRun {
    const { depthStage, depthCompare, isDepthWritten, edgeCount, isMultisampled } = key;
    const depth = depthStage === 'early' ? `${depthCompare} ${isDepthWritten}` : depthStage;
    const name = `${edgeCount} ${isMultisampled} ${depth}`;
    const kernel =
      this.#traversalKernels.get(name) ??
      instantiateKernel<TraversalRun>(
        generateTraversalKernel(this.#memory, key),
        this.#memory.memory,
      );
    this.#traversalKernels.set(name, kernel);
    return kernel;
  }
}
