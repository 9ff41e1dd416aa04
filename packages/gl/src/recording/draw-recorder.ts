/** Draws of programs, immediate-mode primitives, bitmaps and rectangles of texels. */
import {
  defaultPipelineState,
  type IndexSource,
  type PipelineState,
  RenderError,
  type SamplerState,
  TEXTURE_FORMATS,
  type TextureBinding,
  type Topology,
} from '@tessera/frame';
import type { DrawProgram } from '../fixed/draw-programs.ts';
import type { BufferState } from '../objects/buffers/buffer-objects.ts';
import type { SamplerParameters } from '../objects/samplers/sampler-parameters.ts';
import type { DrawnLevel, TexelBox } from '../objects/textures/texture-contents.ts';
import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { TextureState } from '../objects/textures/texture-state.ts';
import type { AttributeInputs } from '../objects/vertex-arrays/vertex-array.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { MatrixStacks } from '../state/fixed/matrix-stacks.ts';
import type { RasterState } from '../state/raster-state.ts';
import { ColorBroadcast } from './generated/color-broadcast.ts';
import { makeImageDraw, type RasterImage } from './generated/image-draw.ts';
import { type BatchedPrimitive, ImmediateBatch } from './generated/immediate-batch.ts';
import { STIPPLE_SAMPLING, stippleTexture } from './generated/stipple-texture.ts';
import { collectAttributeSources } from './inputs/attribute-sources.ts';
import { collectPlainUniforms, collectUniforms } from './inputs/collect-uniforms.ts';
import { ProgramInputCache } from './inputs/program-inputs.ts';
import type { SamplerElements } from './inputs/sampler-elements.ts';
import { imagesOf, type PassAttachments, type PassTarget } from './passes/pass-attachments.ts';
import type { Recording } from './recording.ts';

/** Parts of a context that draws depend on. */
interface DrawParts {
  readonly rules: ApiRules;
  readonly buffers: BufferState;
  readonly raster: RasterState;
  readonly textures: TextureState;
  readonly matrices: MatrixStacks;
  readonly fixed: FixedState;
  readonly recording: Recording;
}

/** Draw call whose arguments were checked. */
export interface DrawCall {
  readonly topology: Topology;
  readonly first: number;
  readonly count: number;
  readonly instanceCount: number;
  /** Index bytes with the offset of the first index; `first` is 0 then. `null` for vertices in a row. */
  readonly indices: (Omit<IndexSource, 'bufferIndex'> & { readonly bytes: Uint8Array }) | null;
  /** Largest vertex number. */
  readonly lastVertex: number;
  readonly inputs: AttributeInputs;
  /** Pipeline state in place of the context's. */
  readonly state?: PipelineState;
}

/** Recorder of draws. */
export class DrawRecorder {
  readonly #parts: DrawParts;
  readonly #broadcast = new ColorBroadcast();
  readonly #programs = new ProgramInputCache();

  constructor(parts: DrawParts) {
    this.#parts = parts;
  }

  /**
   * Records a draw. Returns what is wrong with its vertex arrays, blocks or textures, or `null`.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for state that a frame cannot hold, LIMIT_EXCEEDED.
   */
  draw(call: DrawCall, program: DrawProgram, target: PassTarget): string | null {
    const { recording } = this.#parts;
    if (recording.isWanted) return this.#draw(call, program, target);
    return recording.record(target, () => this.#draw(call, program, target));
  }

  #draw(call: DrawCall, program: DrawProgram, target: PassTarget): string | null {
    const { topology, first, count, instanceCount, indices, lastVertex, inputs } = call;
    const { recording, raster } = this.#parts;
    const read = this.#programs.inputsOf(program);
    const problem = recording.contents?.prepareDraw(read.samplers, target) ?? null;
    if (problem !== null) return problem;
    // Resources belong to the frame that is in progress after contents were resolved.
    const { assembler } = recording;
    const attributes = collectAttributeSources(
      read.attributes,
      inputs,
      { lastVertex, instanceCount },
      assembler,
    );
    if (typeof attributes === 'string') return attributes;
    const uniforms = collectUniforms(program, this.#parts);
    if (typeof uniforms === 'string') return uniforms;
    recording.flushBatch();
    const state = call.state ?? raster.pipelineState(target.heightPx, kindOf(topology));
    const attachments = recording.attachmentsOf(target);
    const textures = this.#bindTextures(read.samplers, attachments);
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
      instanceCount,
      attributes,
      uniforms,
      textures,
      state,
    });
    return null;
  }

  /**
   * Records primitives of immediate mode, in one draw with those before them if no state changed in between.
   *
   * @throws {RenderError} As `draw`.
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
      textures: this.#bindTextures(this.#programs.inputsOf(program).samplers, attachments),
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
    // Later calls depend on whether a texture was drawn into, so its draws do not wait.
    if (target.framebuffer !== null) recording.flushBatch();
  }

  /** Records a bitmap or a rectangle of pixels. */
  drawImage(image: RasterImage, target: PassTarget): void {
    const { recording, raster } = this.#parts;
    recording.record(target, () => {
      recording.flushBatch();
      const { widthPx, heightPx } = target;
      const state = raster.pipelineState(heightPx, 'polygons');
      const draw = makeImageDraw(image, state, widthPx, heightPx, recording.assembler);
      recording.append(target, recording.attachmentsOf(target), draw);
    });
  }

  /**
   * Records texels that replace a part of what passes have drawn.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for a format that a pass cannot draw exactly.
   */
  replaceTexels(image: DrawnLevel, box: TexelBox): void {
    const { recording } = this.#parts;
    const { object, level, slice, format, widthPx, heightPx } = image;
    // Unknown contents stay unknown if a part of them is replaced.
    if (recording.passes.contents.indexOf(object) === null) return;
    const { kind, isTarget } = TEXTURE_FORMATS[format];
    if (kind !== 'float' || !isTarget || format.endsWith('srgb')) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `texture ${object.name}: a part of a rendered image of format ${format} is replaced`,
      );
    }
    recording.flushBatch();
    const content = {
      format,
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
    const color = { object, level, slice, format };
    recording.passes.append(draw, { colors: [color], hasAlpha: true, depth: null, stencil: null });
    object.markDrawnInto();
  }

  #addProgram({ source }: DrawProgram, { colors }: PassAttachments): number {
    const { rules, recording } = this.#parts;
    const drawn = rules.isFragColorBroadcast
      ? this.#broadcast.sourceFor(source, colors.length)
      : source;
    return recording.assembler.addProgram(drawn);
  }

  #bindTextures(
    samplers: SamplerElements,
    attachments: PassAttachments,
  ): Readonly<Record<string, TextureBinding>> {
    const { textures, fixed, recording } = this.#parts;
    const { elements } = samplers;
    for (let index = 0; index < elements.length; index++) {
      const { units, element, target, isStipple, reflectedName } = elements[index]!;
      if (isStipple) {
        const pattern = stippleTexture(fixed.polygonStipple);
        samplers.bind(index, recording.assembler.addTexture(pattern), STIPPLE_SAMPLING);
        continue;
      }
      const unit = units[element]!;
      const texture = textures.bound(unit, target);
      const parameters = textures.samplers.bound(unit)?.parameters;
      const sampler = texture.sampler(parameters);
      // With a renderer, the resolver has rejected loops before.
      if (recording.renderer === null) refuseLoop(reflectedName, texture, sampler, attachments);
      // An incomplete texture reads black, as no texture does.
      samplers.bind(index, this.#textureIndexOf(texture, parameters), sampler);
    }
    return samplers.bindings();
  }

  /** Returns the frame's texture for a texture object; `null` for an incomplete one. */
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

/** Returns the kind of primitives of a topology. */
export function kindOf(topology: Topology): 'points' | 'lines' | 'polygons' {
  if (topology === 'points') return 'points';
  return topology.startsWith('line') ? 'lines' : 'polygons';
}

/** @throws {RenderError} FRAME_UNSUPPORTED for a texture that the draw also writes. */
function refuseLoop(
  name: string,
  texture: TextureObject,
  { mipmapFilter }: SamplerState,
  attachments: PassAttachments,
): void {
  const isRead = (level: number) => level === 0 || mipmapFilter !== 'none';
  if (imagesOf(attachments).some(({ object, level }) => object === texture && isRead(level))) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `sampler ${name}: texture ${texture.name} is also the target of the draw`,
    );
  }
}
