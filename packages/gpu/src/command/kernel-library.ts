/**
 * Kernels of a chiplet: shader stages and output mergers, compiled once per content and bound to
 * the chiplet's memory. Here the ISA programs of `@tessera/shader` become WebAssembly.
 */
import type { ChipletSpec } from '@tessera/chiplet-spec';
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

/** Limits of the kernel cache. The byte limit bounds the memory of a few very long shaders. */
const CACHED_KERNELS = { maxKernels: 512, maxModuleBytes: 8 * 2 ** 20 };

/** Sampling state of each texture slot of a draw; `null` for slots without a texture. */
export type Samplings = readonly (SamplingState | null)[];

/** Parameters of a chiplet that determine its kernels. */
export type KernelSpec = Pick<ChipletSpec, 'invocationInstructionBudget' | 'helperLaneLookups'>;

/** Compiles and caches kernels. */
export class KernelLibrary {
  /** Log that timed kernels write. */
  readonly executionLog: ExecutionLog;
  readonly #memory: ChipletMemory;
  readonly #shaderKernels: KernelCache;
  readonly #mergeKernels = new Map<string, MergeRun>();
  readonly #traversalKernels = new Map<string, TraversalRun>();
  readonly #packing: PackedFragments;
  readonly #keyBySamplings = new WeakMap<Samplings, string>();
  readonly #spec: KernelSpec;

  constructor(memory: ChipletMemory, spec: KernelSpec) {
    this.#memory = memory;
    this.executionLog = new ExecutionLog(memory);
    this.#shaderKernels = new KernelCache(memory.memory, CACHED_KERNELS, memory.stopWords.memory);
    this.#spec = spec;
    this.#packing = {
      primitiveOffset: memory.packedPrimitivesPtr - memory.packedPositionsPtr,
      outputPlaneBytes: memory.outputPlaneBytes,
    };
  }

  /** Returns the sampling states of a draw's texture slots. */
  samplingsOf(frame: PreparedFrame, draw: PreparedDraw): Samplings {
    return draw.textures.map((binding) => {
      if (binding === null) return null;
      const texture = frame.textures[binding.textureIndex];
      if (texture === undefined)
        throw new Error(`draw: texture ${binding.textureIndex} does not exist`);
      return samplingStateOf(texture.format, binding.sampler, texture.dimension);
    });
  }

  /**
   * Returns the kernel of a vertex stage: the full program or the slice for positions.
   *
   * @param isTimed Whether lookups and loops are logged to {@link executionLog}.
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
   * Returns the kernel of the fragment stage.
   *
   * @param isClamped Whether all targets clamp their colors, which turns NaN into 0.
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

  /**
   * Returns the kernel of a fragment stage for packed fragments; `null` if lanes need their quads.
   */
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

  /** Cache key of sampling states, computed once for the stages of a draw. */
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
        `program: arrays of ${bytes} bytes; a chiplet has room for ${this.#memory.scratchBytes}`,
      );
    }
    const key = `${program.sha256}|${name}|${logs}|${isNaNIndifferent}|${this.#samplingsKey(samplings)}`;
    const { executionLogPtr, executionLogBytes } = this.#memory;
    const log = {
      ptr: executionLogPtr,
      bytes: executionLogBytes,
      helperLookups: this.#spec.helperLaneLookups,
    };
    return this.#shaderKernels.get(key, () =>
      generateKernel(stage, {
        textures: new SampleKernels(samplings, logs ? executionLogPtr : null),
        instructionBudget: this.#spec.invocationInstructionBudget,
        isStoppable: true,
        isNaNIndifferent,
        ...(name === 'packed' ? { packed: this.#packing } : {}),
        ...(logs ? { log } : {}),
      }),
    );
  }

  /**
   * Returns the kernel of the output merger for a state.
   *
   * @param isPacked Whether fragments are packed.
   */
  mergeKernel(key: MergeKey, isPacked = false): MergeRun {
    const name = `${isPacked} ${mergeKeyString(key)}`;
    const packed = isPacked ? packedOutputsOf(this.#memory) : null;
    const kernel =
      this.#mergeKernels.get(name) ??
      instantiateKernel<MergeRun>(generateMergeKernel(key, packed), this.#memory.memory);
    this.#mergeKernels.set(name, kernel);
    return kernel;
  }

  /** Returns the kernel of tile traversal for a depth state. */
  traversalKernel(key: TraversalKey): TraversalRun {
    const { depthStage, depthCompare, isDepthWritten, edgeCount, sampleCount } = key;
    const { depthBounds } = key;
    const depth = depthStage === 'early' ? `${depthCompare} ${isDepthWritten}` : depthStage;
    const name = `${edgeCount} ${sampleCount} ${depth} ${depthBounds}`;
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
