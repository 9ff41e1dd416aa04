/** Records draws of programs, immediate-mode primitives, bitmaps and pixel rectangles. */
import {
  type Draw,
  defaultPipelineState,
  type IndexSource,
  type PipelineState,
  type RectPx,
  RenderError,
  type SamplerState,
  type TargetAspect,
  TEXTURE_FORMATS,
  type TextureBinding,
  type Topology,
} from '@tessera/frame';
import { GL } from '../api/constants.ts';
import type { DrawProgram } from '../fixed/draw-programs.ts';
import type { BufferState } from '../objects/buffers/buffer-objects.ts';
import { viewCountOf, viewsOf } from '../objects/framebuffers/framebuffer-views.ts';
import type { SamplerParameters } from '../objects/samplers/sampler-parameters.ts';
import type { DrawnLevel, TexelBox } from '../objects/textures/texture-contents.ts';
import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { TextureState } from '../objects/textures/texture-state.ts';
import type { AttributeInputs } from '../objects/vertex-arrays/vertex-array.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { MatrixStacks } from '../state/fixed/matrix-stacks.ts';
import type { PrimitiveKind } from '../state/polygon-mode.ts';
import type { RasterState } from '../state/raster-state.ts';
import { type ImageStage, makeImageDraw, type RasterImage } from './generated/image-draw.ts';
import { type BatchedPrimitive, ImmediateBatch } from './generated/immediate-batch.ts';
import { ProgramVariants } from './generated/program-variants.ts';
import { copyStencilValues } from './generated/stencil-values.ts';
import { STIPPLE_SAMPLING, stippleTexture } from './generated/stipple-texture.ts';
import { collectAttributeSources } from './inputs/attribute-sources.ts';
import {
  collectPlainUniforms,
  collectUniforms,
  type DrawConstants,
} from './inputs/collect-uniforms.ts';
import { ProgramInputCache } from './inputs/program-inputs.ts';
import type { SamplerElements } from './inputs/sampler-elements.ts';
import { hasSingleComparisons } from './inputs/single-comparisons.ts';
import { refuseSpreadSource } from './passes/color-stores.ts';
import {
  FEEDBACK_TARGET,
  imagesOf,
  type PassAttachments,
  type PassTarget,
  withoutEncoding,
} from './passes/pass-attachments.ts';
import type { Recording } from './recording.ts';

/** Parts of a context that draws depend on. */
interface DrawParts {
  readonly rules: ApiRules;
  readonly buffers: BufferState;
  readonly capabilities: Capabilities;
  readonly raster: RasterState;
  readonly textures: TextureState;
  readonly matrices: MatrixStacks;
  readonly fixed: FixedState;
  readonly recording: Recording;
}

/** Draw call with validated arguments. */
export interface DrawCall {
  readonly topology: Topology;
  readonly first: number;
  readonly count: number;
  readonly instanceCount: number;
  /**
   * Index bytes with the offset of the first index, in which case `first` is 0. `null` for a draw
   * without indices.
   */
  readonly indices: (Omit<IndexSource, 'bufferIndex'> & { readonly bytes: Uint8Array }) | null;
  /** Edge flags of the triangles of an instance. Default: all edges are drawn. */
  readonly edgeFlags?: Uint8Array;
  /** Largest vertex index that the draw reads. */
  readonly lastVertex: number;
  readonly inputs: AttributeInputs;
  /** Element of instanced arrays that the first instance reads. */
  readonly baseInstance: number;
  readonly constants: DrawConstants;
  /** Pipeline state that replaces the context's state. */
  readonly state?: PipelineState;
}

/** Program of an image, with the data of its fragments. */
interface FixedImage {
  readonly program: DrawProgram;
  readonly uniforms: Draw['uniforms'];
}

/** Recorder of draws. */
export class DrawRecorder {
  readonly #parts: DrawParts;
  readonly #variants = new ProgramVariants();
  readonly #programs = new ProgramInputCache();

  constructor(parts: DrawParts) {
    this.#parts = parts;
  }

  /**
   * Records a draw once per view of the target. Returns the reason if its vertex arrays, uniform
   * blocks or textures are invalid, else `null`.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for state that a frame cannot hold, LIMIT_EXCEEDED for
   *   too large a frame.
   */
  draw(call: DrawCall, program: DrawProgram, target: PassTarget): string | null {
    if (viewCountOf(target.framebuffer) === 1) return this.#drawView(call, program, target);
    for (const [view, each] of viewsOf(target).entries()) {
      const constants = { ...call.constants, gl_ViewID_OVR: view };
      const problem = this.#drawView({ ...call, constants }, program, each);
      if (problem !== null) return problem;
    }
    return null;
  }

  #drawView(call: DrawCall, program: DrawProgram, target: PassTarget): string | null {
    const { recording } = this.#parts;
    if (recording.isWanted) return this.#draw(call, program, target);
    return recording.record(target, () => this.#draw(call, program, target));
  }

  /** Records a draw of transform feedback. Returns the reason if it is rejected, as `draw`. */
  drawFeedback(call: DrawCall, program: DrawProgram): string | null {
    return this.#draw(call, program, FEEDBACK_TARGET);
  }

  #draw(call: DrawCall, program: DrawProgram, target: PassTarget): string | null {
    const { topology, first, count, instanceCount, indices, edgeFlags, inputs } = call;
    const { recording, raster } = this.#parts;
    const read = this.#programs.inputsOf(program);
    const problem = recording.contents?.prepareDraw(read.samplers, target) ?? null;
    if (problem !== null) return problem;
    // Resolving may start a new frame, so resources are added only afterwards.
    const { assembler } = recording;
    const attributes = collectAttributeSources(read.attributes, inputs, call, assembler);
    if (typeof attributes === 'string') return attributes;
    const uniforms = collectUniforms(program, this.#parts, call.constants);
    if (typeof uniforms === 'string') return uniforms;
    recording.flushBatch();
    const state = call.state ?? raster.pipelineState(target.heightPx, kindOf(topology));
    const attachments = recording.attachmentsOf(target);
    const textures = this.#bindTextures(program, read.samplers, attachments);
    recording.append(target, attachments, {
      programIndex: this.#addProgram(program, attachments),
      topology,
      first,
      count,
      indices:
        indices === null
          ? null
          : {
              bufferIndex: assembler.addBuffer(indices.bytes),
              offsetBytes: indices.offsetBytes,
              componentType: indices.componentType,
            },
      ...(edgeFlags === undefined
        ? {}
        : { edgeFlags: { bufferIndex: assembler.addBuffer(edgeFlags), offsetBytes: 0 } }),
      instanceCount,
      attributes,
      uniforms,
      textures,
      state,
    });
    return null;
  }

  /**
   * Records immediate-mode primitives. Primitives join the pending batch if no state has changed.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for state that a frame cannot hold, LIMIT_EXCEEDED for
   *   too large a frame.
   */
  drawImmediate(primitive: BatchedPrimitive, program: DrawProgram, target: PassTarget): void {
    this.#parts.recording.record(target, () => this.#drawImmediate(primitive, program, target));
  }

  #drawImmediate(primitive: BatchedPrimitive, program: DrawProgram, target: PassTarget): void {
    const { recording, raster } = this.#parts;
    if (target.framebuffer !== null) recording.flushBatch();
    const { topology } = primitive;
    const attachments = recording.attachmentsOf(target);
    const draw = {
      programIndex: this.#addProgram(program, attachments),
      topology,
      uniforms: collectPlainUniforms(program, this.#parts),
      textures: this.#bindTextures(program, this.#programs.inputsOf(program).samplers, attachments),
      state: raster.pipelineState(target.heightPx, kindOf(topology)),
    };
    const isSame =
      recording.batch !== null &&
      recording.batch.target.framebuffer === target.framebuffer &&
      recording.batch.vertices.accepts(draw, primitive);
    if (!isSame) {
      recording.flushBatch();
      recording.batch = { target, vertices: new ImmediateBatch(draw, program.attributes) };
    }
    recording.batch!.vertices.add(primitive, program.attributes);
    // Later calls depend on whether a texture was drawn into, so draws into textures are not
    // batched.
    if (target.framebuffer !== null) recording.flushBatch();
  }

  /**
   * Records a draw of a bitmap or a pixel rectangle.
   *
   * @param change Returns the pipeline state from that of polygons.
   * @param fixed Program for colors that pass fixed functions other than the alpha test.
   */
  drawImage(
    image: RasterImage,
    target: PassTarget,
    change: (state: PipelineState) => PipelineState = (state) => state,
    fixed: FixedImage | null = null,
  ): void {
    const { recording, raster } = this.#parts;
    recording.record(target, () => {
      recording.flushBatch();
      const { widthPx, heightPx } = target;
      const { polygonMode: _none, ...filled } = raster.pipelineState(heightPx, 'polygons');
      const state = change(filled);
      const { assembler } = recording;
      const attachments = recording.attachmentsOf(target);
      const stage = fixed === null ? undefined : this.#bindImage(fixed, attachments);
      const draw = makeImageDraw(image, state, widthPx, heightPx, assembler, stage);
      recording.append(target, attachments, draw);
    });
  }

  #bindImage({ program, uniforms }: FixedImage, attachments: PassAttachments): ImageStage {
    const { samplers } = this.#programs.inputsOf(program);
    return {
      programIndex: this.#addProgram(program, attachments),
      uniforms: { ...collectPlainUniforms(program, this.#parts), ...uniforms },
      textures: this.#bindTextures(program, samplers, attachments),
    };
  }

  /**
   * Copies a rectangle of a target into a new texture of the frame.
   *
   * @param rect Rectangle inside the target, with rows counted from the lowest.
   * @returns Index of the texture; `null` if a skipped frame does not record the source.
   */
  copyOut(source: PassTarget, rect: RectPx, aspect: TargetAspect): number | null {
    const { recording } = this.#parts;
    if (!recording.isWanted && source.framebuffer === null) return null;
    recording.flushBatch();
    const attachments = recording.attachmentsOf(source, true);
    const isDepth = aspect === 'depth';
    const image = aspect === 'color' ? (attachments.colors[0] ?? null) : attachments[aspect];
    if (image === null) {
      throw new RenderError('FRAME_UNSUPPORTED', 'copyPixels: the read buffer does not exist');
    }
    const { x, y, width: widthPx, height: heightPx } = rect;
    if (aspect === 'stencil') {
      return copyStencilValues(
        attachments,
        { sourceX: x, sourceY: y, widthPx, heightPx },
        recording,
      );
    }
    if (!isDepth) refuseSpreadSource('copyPixels', attachments.stores, []);
    const ofScreen = isDepth ? 'depth24unorm-stencil8' : 'rgba8unorm';
    return recording.passes.copyOut(
      attachments,
      {
        source: isDepth ? 'depth-stencil' : 0,
        ...{ sourceX: x, sourceY: y, intoX: 0, intoY: 0, widthPx, heightPx },
      },
      {
        format: image === 'screen' ? ofScreen : image.format,
        ...{ widthPx, heightPx, levels: [], isMipmapGenerated: false },
      },
    );
  }

  /**
   * Replaces a box of texels in an image that passes have drawn.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for a format that a pass cannot draw exactly.
   */
  replaceTexels(image: DrawnLevel, box: TexelBox): void {
    const { recording } = this.#parts;
    const { object, level, slice, format, widthPx, heightPx } = image;
    // Unknown contents stay unknown if only a part of them is replaced.
    if (recording.passes.contents.indexOf(object) === null) return;
    const { kind, isTarget } = TEXTURE_FORMATS[format];
    if (kind !== 'float' || !isTarget) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `texture ${object.name}: a part of a rendered image of format ${format} is replaced`,
      );
    }
    recording.flushBatch();
    // Texels of sRGB formats are replaced without decoding and encoding.
    const color = { object, level, slice, format };
    const attachments = withoutEncoding({
      colors: [color],
      hasAlpha: true,
      depth: null,
      stencil: null,
    });
    const content = {
      format: format === 'rgba8unorm-srgb' ? 'rgba8unorm' : format,
      widthPx: box.widthPx,
      heightPx: box.heightPx,
      levels: [box.texels],
      isMipmapGenerated: false,
    };
    const draw = makeImageDraw(
      {
        kind: 'texels',
        content,
        color: [0, 0, 0, 0],
        edges: [box.x, box.y, box.x + box.widthPx, box.y + box.heightPx],
        depth: 0,
        alphaTest: null,
      },
      defaultPipelineState(widthPx, heightPx),
      widthPx,
      heightPx,
      recording.assembler,
    );
    recording.passes.append(draw, attachments);
    object.markDrawnInto();
  }

  #addProgram({ source }: DrawProgram, { colors }: PassAttachments): number {
    const { rules, recording, capabilities } = this.#parts;
    const colorCount = rules.isFragColorBroadcast ? colors.length : 1;
    // Programs of fixed functions have their planes in generated code.
    const clipMask = rules.hasFixedFunctions ? 0 : capabilities.clipMask;
    return recording.assembler.addProgram(this.#variants.sourceFor(source, colorCount, clipMask));
  }

  #bindTextures(
    program: DrawProgram,
    samplers: SamplerElements,
    attachments: PassAttachments,
  ): Readonly<Record<string, TextureBinding>> {
    const { textures, fixed, recording, capabilities } = this.#parts;
    const { elements } = samplers;
    const isCubeSeamless = capabilities.has(GL.TEXTURE_CUBE_MAP_SEAMLESS);
    for (let index = 0; index < elements.length; index++) {
      const { units, element, target, isStipple, reflectedName } = elements[index]!;
      if (isStipple) {
        const pattern = stippleTexture(fixed.polygonStipple);
        samplers.bind(index, recording.assembler.addTexture(pattern), STIPPLE_SAMPLING);
        continue;
      }
      const unit = units[element]!;
      const texture = textures.bound(unit, target);
      texture.buffer?.update(texture);
      // Sampler objects do not apply to buffer textures.
      const parameters =
        texture.buffer === null ? textures.samplers.bound(unit)?.parameters : undefined;
      const depthMode = sampledDepthMode(texture.depthMode, program);
      const options = [parameters, depthMode, isCubeSeamless] as const;
      const sampler = texture.sampler(...options);
      // With a renderer, the content resolver has already rejected feedback loops.
      if (recording.renderer === null) refuseLoop(reflectedName, texture, sampler, attachments);
      const isDrawn = recording.passes.contents.indexOf(texture) !== null;
      const drawn = isDrawn ? texture.drawnSampler(...options) : sampler;
      // An incomplete texture reads black, like an unbound one.
      samplers.bind(index, this.#textureIndexOf(texture, parameters), drawn);
    }
    return samplers.bindings();
  }

  /** Returns the index of a texture in the frame, or `null` if the texture is incomplete. */
  #textureIndexOf(texture: TextureObject, parameters?: SamplerParameters): number | null {
    const { passes, assembler } = this.#parts.recording;
    const drawnIndex = passes.contents.indexOf(texture);
    if (drawnIndex === null) {
      const content = texture.contentForSampling(parameters);
      return content === null ? null : assembler.addTexture(content);
    }
    const drawn = texture.drawnForSampling(parameters);
    if (drawn === null) return null;
    if (drawn.readsMipmaps) assembler.generateMipmaps(drawnIndex);
    return drawnIndex;
  }
}

/** Returns the kind of primitives that a topology produces. */
export function kindOf(topology: Topology): PrimitiveKind {
  if (topology === 'points') return 'points';
  return topology.startsWith('line') ? 'lines' : 'polygons';
}

/**
 * Returns the mode in which a program reads depths. Lookups of GLSL 1.30 and later return one
 * component of a comparison, which mode ALPHA would set to 0; Mesa reads an intensity instead.
 */
function sampledDepthMode(mode: number, { source }: DrawProgram): number {
  return mode === GL.ALPHA && hasSingleComparisons(source) ? GL.INTENSITY : mode;
}

/**
 * Rejects a draw that samples a texture it also writes.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED for such a draw.
 */
function refuseLoop(
  name: string,
  texture: TextureObject,
  { mipmapFilter }: SamplerState,
  attachments: PassAttachments,
): void {
  const isRead = (level: number) => texture.readsLevel(level, mipmapFilter !== 'none');
  if (imagesOf(attachments).some(({ object, level }) => object === texture && isRead(level))) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `sampler ${name}: texture ${texture.name} is also the target of the draw`,
    );
  }
}
