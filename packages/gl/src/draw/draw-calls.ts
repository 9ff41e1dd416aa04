/**
 * Draw calls: arguments → elements → topology → recorder.
 *
 *     drawArrays ───┐             ┌─ program                   ┌─ as they are ──┐
 *     drawElements ─┼─► elements ─┤                 ─► pieces ─┤                ├─► recorder
 *     glBegin ──────┘             └─ feedback, if active       └─ converted ────┘
 *                       checked                       cut at restarts   quads, outlines
 */
import { type ProvokingVertex, RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { AssemblyPrograms } from '../assembly/assembly-programs.ts';
import type { DrawProgram, DrawPrograms } from '../fixed/draw-programs.ts';
import type { BufferState } from '../objects/buffers/buffer-objects.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import type { ProgramState } from '../objects/programs/program-objects.ts';
import type { TransformFeedbackState } from '../objects/queries/transform-feedback.ts';
import { readArrayElement } from '../objects/vertex-arrays/read-array-element.ts';
import type {
  ArrayLocation,
  AttributeInputs,
  VertexArrayState,
} from '../objects/vertex-arrays/vertex-array.ts';
import { type DrawRecorder, kindOf } from '../recording/draw-recorder.ts';
import { areBatchable } from '../recording/generated/immediate-batch.ts';
import type { DrawConstants } from '../recording/inputs/collect-uniforms.ts';
import type { PassTarget } from '../recording/passes/pass-attachments.ts';
import type { Recording } from '../recording/recording.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { ImmediatePrimitive } from '../state/fixed/immediate-vertices.ts';
import { areFilled, FILLED, kindsOf, type PrimitiveKind } from '../state/polygon-mode.ts';
import type { RasterState } from '../state/raster-state.ts';
import {
  type ConvertedPrimitives,
  convertPieces,
  fillPrimitives,
  listPrimitives,
  outlinePrimitives,
} from './convert-primitives.ts';
import { findDrawConflict } from './draw-conflicts.ts';
import type { DrawTargets } from './draw-targets.ts';
import { type Elements, findLargest, INDEX_TYPE_BY_ENUM, readElements } from './elements.ts';
import { type CapturedDraw, FeedbackCapture } from './feedback-capture.ts';
import { refusePrimitives } from './refuse-primitives.ts';
import { addBaseVertex, cutAtRestarts } from './restarts.ts';
import { MAX_ES_MODE, needsConversion, TOPOLOGY_BY_MODE } from './topologies.ts';

/** Upper bound on the vertices of a draw that gets generated indices. */
const MAX_CONVERTED_VERTICES = 1 << 22;

/** State that draws depend on. */
interface DrawParts {
  readonly errors: GlErrors;
  readonly rules: ApiRules;
  readonly capabilities: Capabilities;
  readonly raster: RasterState;
  readonly fixed: FixedState;
  readonly buffers: BufferState;
  readonly vertexArrays: VertexArrayState;
  readonly programs: ProgramState;
  readonly assembly: AssemblyPrograms;
  readonly feedback: TransformFeedbackState;
  readonly framebuffers: FramebufferState;
  readonly targets: DrawTargets;
  readonly recorder: DrawRecorder;
  readonly recording: Recording;
}

/** Arguments that most draws leave out. */
export interface DrawOptions {
  /** Source of attributes. Default: the vertex arrays. */
  readonly inputs?: AttributeInputs;
  /** Number added to each index after restarts are found. Default: 0. */
  readonly baseVertex?: number;
  /** Element of instanced arrays that the first instance reads. Default: 0. */
  readonly baseInstance?: number;
  /** Index of the draw in a call of several, `gl_DrawID` in shaders. Default: 0. */
  readonly drawId?: number;
}

/** Draw call with validated arguments. */
interface CheckedDraw {
  /** Name of the API function, for messages. */
  readonly caller: string;
  readonly mode: number;
  readonly elements: Elements;
  readonly instanceCount: number;
  readonly inputs: AttributeInputs;
  readonly baseVertex: number;
  readonly baseInstance: number;
  /** Number of the draw among those of one call. */
  readonly drawId: number;
  /** Vertices between `glBegin` and `glEnd`, else `null`. */
  readonly immediate: ImmediatePrimitive | null;
}

const NO_CONSTANTS: DrawConstants = {};

/** Returns the values of the uniforms that the draw itself sets, if the program has any. */
function constantsOf(
  { uniforms }: DrawProgram,
  { drawId }: CheckedDraw,
  sampleCount: number,
): DrawConstants {
  if (uniforms.builtInNames.length === 0) return NO_CONSTANTS;
  return { gl_DrawID: drawId, gl_NumSamples: sampleCount };
}

/** Draws of one context. */
export class DrawCalls {
  readonly #parts: DrawParts;
  readonly #fixedPrograms: DrawPrograms;
  readonly #capture: FeedbackCapture;
  /** Index that restarts primitives while `GL_PRIMITIVE_RESTART` is enabled. */
  restartIndex = 0;

  /** @param fixedPrograms Programs of contexts with fixed functions. */
  constructor(parts: DrawParts, fixedPrograms: DrawPrograms) {
    this.#parts = parts;
    this.#fixedPrograms = fixedPrograms;
    this.#capture = new FeedbackCapture(parts);
  }

  /** Number of primitives that transform feedback has written. */
  get feedbackPrimitives(): number {
    return this.#capture.primitiveCount;
  }

  /** Draws consecutive vertices. A base vertex has no effect. */
  drawArrays(
    mode: number,
    first: number,
    count: number,
    instanceCount = 1,
    options: DrawOptions = {},
  ): void {
    const caller = 'drawArrays';
    if (!this.#isDrawable(caller, mode, Math.min(first, count, instanceCount))) return;
    const elements = { kind: 'row', first, count } as const;
    this.#draw({ caller, mode, elements, instanceCount, ...this.#complete(options) });
  }

  /**
   * Draws indexed vertices.
   *
   * @param location Offset into the bound index buffer, or the indices themselves.
   */
  drawElements(
    mode: number,
    count: number,
    type: number,
    location: ArrayLocation,
    instanceCount = 1,
    options: DrawOptions = {},
  ): void {
    const caller = 'drawElements';
    if (!this.#isDrawable(caller, mode, Math.min(count, instanceCount))) return;
    const indexType = INDEX_TYPE_BY_ENUM.get(type);
    if (indexType === undefined) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `${caller}: type ${nameOfEnum(type)} is not an index type`,
      );
      return;
    }
    if (count === 0 || instanceCount === 0) {
      this.#parts.targets.current(caller);
      return;
    }
    const isClient = typeof location !== 'number';
    const source = isClient ? location : this.#parts.buffers.bound(GL.ELEMENT_ARRAY_BUFFER);
    const elements = readElements(source, isClient ? 0 : location, count, indexType);
    if (typeof elements === 'string') this.#report(caller, elements);
    else this.#draw({ caller, mode, elements, instanceCount, ...this.#complete(options) });
  }

  #complete({ inputs, baseVertex = 0, baseInstance = 0, drawId = 0 }: DrawOptions) {
    return {
      inputs: inputs ?? this.#parts.vertexArrays,
      baseVertex,
      baseInstance,
      drawId,
      immediate: null,
    };
  }

  /** Draws the vertices specified between `glBegin` and `glEnd`. */
  drawImmediate(primitive: ImmediatePrimitive): void {
    const { mode, count, inputs } = primitive;
    const elements = { kind: 'row', first: 0, count } as const;
    this.#draw({
      caller: 'begin',
      mode,
      elements,
      instanceCount: 1,
      ...this.#complete({ inputs }),
      immediate: primitive,
    });
  }

  #draw(draw: CheckedDraw): void {
    const { caller, mode, elements, instanceCount, inputs, immediate } = draw;
    const { capabilities, raster, fixed, framebuffers, recording, targets } = this.#parts;
    const target = targets.current(caller);
    if (target === null || fixed.isDiscarding) return;
    const sampleCount = framebuffers.sampleCountOf(target.framebuffer);
    const kind = kindOf(TOPOLOGY_BY_MODE.get(mode) ?? 'triangles');
    const polygons = kind === 'polygons' ? raster.drawnPolygons() : FILLED;
    const rasterized = kindsOf(kind, polygons ?? FILLED);
    const count = elements.kind === 'row' ? elements.count : elements.vertices.length;
    const program = this.#programFor(draw, kind, rasterized, target);
    if (program === null) return;
    const constants = constantsOf(program, draw, sampleCount);
    if (!this.#captureFeedback(draw, constants)) return;
    if (count === 0 || instanceCount === 0 || polygons === null) return;
    if (capabilities.has(GL.RASTERIZER_DISCARD) || !fixed.isRendering) return;
    const isSupported = recording.record(target, () => {
      refusePrimitives(capabilities, {
        ...{ mode, rasterized, vertexCount: count, isStippled: raster.areLinesStippled },
        sampleCount,
      });
      return true;
    });
    if (isSupported === null) return;
    const pieces = this.#cut(draw);
    const isBatched = immediate !== null && areBatchable(program.attributes);
    const isOutlined = !areFilled(polygons);
    const { provokingVertex } = raster;
    const isFlat = fixed.lighting.values.isFlat || provokingVertex === 'first';
    const isConverted = isOutlined || needsConversion(mode, isFlat);
    if (!isConverted && !isBatched && pieces === null) {
      this.#recordElements(draw, count, program, constants, target);
      return;
    }
    const form = isOutlined ? 'outlined' : isConverted && !isBatched ? 'filled' : 'listed';
    const converted = convert(draw, count, pieces, form, provokingVertex);
    if (converted.vertices.length === 0) return;
    if (isBatched) {
      const batched = { ...converted, vertexCount: count, inputs };
      this.#parts.recorder.drawImmediate(batched, program, target);
    } else {
      this.#recordConverted(draw, converted, program, constants, target);
    }
  }

  /** Returns the pieces between restarts with the base vertex; `null` for the whole draw. */
  #cut({ elements, baseVertex }: CheckedDraw): readonly Uint32Array[] | null {
    const { rules, capabilities } = this.#parts;
    const isFixed =
      rules.isRestartAlwaysEnabled || capabilities.has(GL.PRIMITIVE_RESTART_FIXED_INDEX);
    const isSet = capabilities.has(GL.PRIMITIVE_RESTART);
    const pieces =
      isFixed || isSet ? cutAtRestarts(elements, isFixed ? null : this.restartIndex) : null;
    if (elements.kind === 'row' || baseVertex === 0) return pieces;
    return addBaseVertex(pieces ?? [elements.vertices], baseVertex);
  }

  #recordElements(
    { caller, mode, elements, instanceCount, inputs, baseInstance }: CheckedDraw,
    count: number,
    program: DrawProgram,
    constants: DrawConstants,
    target: PassTarget,
  ): void {
    const topology = TOPOLOGY_BY_MODE.get(mode) ?? 'triangles';
    const common = { topology, count, instanceCount, inputs, baseInstance, constants };
    const call =
      elements.kind === 'row'
        ? {
            ...common,
            first: elements.first,
            indices: null,
            lastVertex: elements.first + count - 1,
          }
        : {
            ...common,
            first: 0,
            indices: {
              bytes: elements.bytes,
              offsetBytes: elements.offsetBytes,
              componentType: elements.type.componentType,
            },
            lastVertex: elements.largest,
          };
    this.#report(caller, this.#parts.recorder.draw(call, program, target));
  }

  #recordConverted(
    { caller, instanceCount, inputs, baseInstance }: CheckedDraw,
    { topology, vertices, edgeFlags }: ConvertedPrimitives,
    program: DrawProgram,
    constants: DrawConstants,
    target: PassTarget,
  ): void {
    const bytes = new Uint8Array(vertices.buffer);
    const call = {
      topology,
      first: 0,
      count: vertices.length,
      instanceCount,
      indices: { bytes, offsetBytes: 0, componentType: 'uint32' },
      ...(edgeFlags === undefined ? {} : { edgeFlags }),
      lastVertex: findLargest(vertices),
      inputs,
      baseInstance,
      constants,
    } as const;
    this.#report(caller, this.#parts.recorder.draw(call, program, target));
  }

  /** Captures the draw if transform feedback is active. Returns whether the draw continues. */
  #captureFeedback(draw: CheckedDraw, constants: DrawConstants): boolean {
    const { caller, instanceCount, inputs, baseInstance } = draw;
    const object = this.#parts.feedback.current;
    if (!object.isCapturing) return true;
    const { isFeedbackStrict } = this.#parts.rules;
    const vertices = this.#listCaptured(draw, object.active!.mode);
    const problem =
      typeof vertices === 'string'
        ? vertices
        : this.#capture.capture(object, {
            ...{ instanceCount, inputs, baseInstance, constants },
            ...{ vertices, isFeedbackStrict },
          });
    this.#report(caller, problem);
    return problem === null;
  }

  /** Returns the vertices of a draw's primitives, or the reason if they cannot be captured. */
  #listCaptured(draw: CheckedDraw, feedbackMode: number): CapturedDraw['vertices'] | string {
    const { mode, elements } = draw;
    if (elements.kind === 'row' && mode === feedbackMode) return { ...elements, list: null };
    if (this.#parts.rules.isFeedbackStrict) return 'transform feedback captures another mode';
    const length = elements.kind === 'row' ? elements.count : elements.vertices.length;
    const { topology, vertices: list } = convert(draw, length, this.#cut(draw), 'listed', 'last');
    if (topology !== TOPOLOGY_BY_MODE.get(feedbackMode)) {
      return `transform feedback captures no ${topology}`;
    }
    return { first: 0, count: list.length, list };
  }

  #isDrawable(caller: string, mode: number, smallest: number): boolean {
    const isMode = TOPOLOGY_BY_MODE.has(mode) || mode === GL.QUADS;
    if (!isMode || (!this.#parts.rules.hasFixedFunctions && mode > MAX_ES_MODE)) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `${caller}: mode ${nameOfEnum(mode)} is not a primitive type`,
      );
      return false;
    }
    if (smallest < 0) {
      this.#parts.errors.raiseCertain(
        GL.INVALID_VALUE,
        `${caller}: first, count or instance count is negative`,
      );
      return false;
    }
    return true;
  }

  /**
   * Returns the program of a draw, or `null` if no program is usable or it conflicts with the
   * target.
   */
  #programFor(
    { caller, inputs, immediate }: CheckedDraw,
    kind: PrimitiveKind,
    rasterized: ReadonlySet<PrimitiveKind>,
    target: PassTarget,
  ): DrawProgram | null {
    const { rules, capabilities, raster, programs, assembly } = this.#parts;
    const { current } = programs;
    if (rules.hasFixedFunctions) {
      return this.#fixedPrograms.choose(assembly.choose(current) ?? current, {
        kind,
        rasterized,
        isLineStippled: raster.areLinesStippled,
        isAffine: (unit) => isAffine(inputs, unit),
        materials: immediate?.materials ?? [],
      });
    }
    const linked = current?.linked ?? null;
    if (linked === null) {
      this.#report(caller, 'no program is current');
      return null;
    }
    const conflict = findDrawConflict(linked, {
      framebuffer: target.framebuffer,
      isDiscarding: capabilities.has(GL.RASTERIZER_DISCARD),
      needsOutput: (color) => rules.areOutputsRequired && raster.isColorWritten(color),
      secondColorUse: (color) => raster.secondColorUse(color),
    });
    this.#report(caller, conflict);
    return conflict === null ? linked : null;
  }

  #report(caller: string, problem: string | null): void {
    if (problem !== null) this.#parts.errors.raise(GL.INVALID_OPERATION, `${caller}: ${problem}`);
  }
}

/**
 * Converts elements into independent primitives: filled polygons as triangles, outlined ones as
 * triangles with edge flags, or points, lines and triangles of any mode.
 *
 * @throws {RenderError} LIMIT_EXCEEDED for too many vertices.
 */
function convert(
  { caller, mode, elements, inputs, immediate }: CheckedDraw,
  count: number,
  pieces: readonly Uint32Array[] | null,
  form: 'filled' | 'outlined' | 'listed',
  provoking: ProvokingVertex,
): ConvertedPrimitives {
  if (count > MAX_CONVERTED_VERTICES) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `${caller}: ${count} vertices of quads or outlines; at most ${MAX_CONVERTED_VERTICES}`,
    );
  }
  const vertices =
    elements.kind === 'row'
      ? Uint32Array.from({ length: count }, (_, i) => elements.first + i)
      : elements.vertices.subarray(0, count);
  const flags = inputs.array('gl_EdgeFlag');
  const isEdge =
    immediate?.isEdge ??
    ((vertex: number) => flags === null || readArrayElement(flags, vertex)?.[0] !== 0);
  return convertPieces(pieces ?? [vertices], (piece) => {
    if (form === 'outlined') return outlinePrimitives(mode, piece, isEdge, provoking);
    const list = form === 'filled' ? fillPrimitives : listPrimitives;
    return list(mode, piece, provoking);
  });
}

/** Returns whether the last texture coordinate of a unit is 1 at every vertex. */
function isAffine(inputs: AttributeInputs, unit: number): boolean {
  const key = `gl_MultiTexCoord${unit}`;
  const array = inputs.array(key);
  return array?.isEnabled === true ? array.componentCount < 4 : inputs.currentValue(key)[3] === 1;
}
