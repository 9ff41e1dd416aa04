/**
 * One OpenGL context: OpenGL ES 2.0, the programmable part of OpenGL 2.1, WebGL 1 or WebGL 2. Methods carry the
 * names of the API, take numbers for enumerations and objects, raise GL errors as the specifications say
 * and, at the end of a frame, give what was drawn as a `Frame`. One method a function, in one file: they only
 * hand on to the kinds of objects in `state/` and to `record/`.
 */
import { type Frame, type RectPx, RenderError, type TextureResource } from '@tessera/frame';
import { GL, nameOfEnum } from './api/constants.ts';
import { type GlErrorRecord, GlErrors } from './api/gl-errors.ts';
import { type FrameRenderer, Residency } from './contents/residency.ts';
import { findDrawConflict } from './draw/draw-conflicts.ts';
import { FeedbackCapture } from './draw/feedback-capture.ts';
import {
  findLargest,
  INDEX_TYPE_BY_ENUM,
  type IndexType,
  MAX_ES_MODE,
  readBufferIndices,
  readIndices,
  restartIndexOf,
  splitAtRestarts,
  TOPOLOGY_BY_MODE,
} from './draw/index-sources.ts';
import {
  type ConvertedPrimitives,
  convertPieces,
  fillPrimitives,
  listPrimitives,
  makesPolygons,
  needsConversion,
  outlinePrimitives,
} from './draw/topologies.ts';
import type { DrawnKind } from './fixed/collect-key.ts';
import { type DrawProgram, DrawPrograms } from './fixed/draw-programs.ts';
import { reflectVariants } from './fixed/reflect-variants.ts';
import { BufferState } from './objects/buffers/buffer-objects.ts';
import {
  FramebufferState,
  hasSrgbTarget,
  MAX_COLOR_ATTACHMENTS,
  MAX_SAMPLES,
} from './objects/framebuffers/framebuffer-objects.ts';
import { type ProgramObject, ProgramState } from './objects/programs/program-objects.ts';
import type { ProgramReflection } from './objects/programs/program-reflection.ts';
import { ShaderState } from './objects/programs/shader-objects.ts';
import { QueryState } from './objects/queries/query-objects.ts';
import { TransformFeedbackState } from './objects/queries/transform-feedback.ts';
import { TextureState } from './objects/textures/texture-state.ts';
import type { CompressedUpload, Upload } from './objects/textures/texture-uploads.ts';
import {
  type AttributeInputs,
  type AttributeKey,
  type AttributeStorage,
  VertexArrayState,
} from './objects/vertex-arrays/vertex-array.ts';
import type { ParameterValue } from './parameters/parameter-state.ts';
import { readParameter } from './parameters/read-parameters.ts';
import { FramebufferBlits } from './pixels/framebuffer-blits.ts';
import { PixelReads } from './pixels/pixel-reads.ts';
import { PixelRectangles } from './pixels/pixel-rectangles.ts';
import { copiedStorage, TextureCopies } from './pixels/texture-copies.ts';
import { DrawRecorder, kindOf } from './recording/draw-recorder.ts';
import type { BlitEdges } from './recording/generated/blit.ts';
import { areBatchable } from './recording/generated/immediate-batch.ts';
import { DrawingBuffer, type DrawingBufferAttributes } from './recording/passes/drawing-buffer.ts';
import type { PassTarget } from './recording/passes/pass-attachments.ts';
import type { ApiRules, GlDialect } from './rules/api-rules.ts';
import { RULES_BY_DIALECT } from './rules/rules-by-dialect.ts';
import { SharedObjects } from './shared-objects.ts';
import { Capabilities } from './state/capabilities.ts';
import { FixedFunctions } from './state/fixed/fixed-functions.ts';
import { FixedState } from './state/fixed/fixed-state.ts';
import type { ImmediatePrimitive } from './state/fixed/immediate-vertices.ts';
import { MatrixStacks } from './state/fixed/matrix-stacks.ts';
import { RasterState } from './state/raster-state.ts';
import { INITIAL_PACK, type PackLayout, type ReadFormat } from './texels/read-formats.ts';

export interface GlContextOptions {
  readonly dialect: GlDialect;
  /** Size of the screen. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly reflection: ProgramReflection;
  /** Objects to share with another context; made anew when missing. */
  readonly shared?: SharedObjects;
  /** Called for each GL error. */
  readonly onError?: (error: GlErrorRecord) => void;
  /** Most bytes of buffers and textures in one frame. */
  readonly maxFrameBytes?: number;
  /**
   * Of WebGL contexts: renders what was recorded as soon as somebody wants to know what it drew. Frames that it is
   * given may draw into textures alone.
   */
  readonly renderer?: FrameRenderer;
  /** Of contexts with a renderer. Missing: alpha and depth, nothing preserved. */
  readonly drawingBuffer?: DrawingBufferAttributes;
}

const DEFAULT_DRAWING_BUFFER: DrawingBufferAttributes = Object.freeze({
  ...{ hasAlpha: true, hasDepth: true, hasStencil: false },
  isPreserved: false,
});

/** Where indices or vertices come from: an offset into the bound buffer, or the client's memory. */
export type ArrayLocation = number | Uint8Array;

const DEFAULT_MAX_FRAME_BYTES = 1 << 30;
/** Quads and outlines are given indices of their own, so their number is bounded by what those may take. */
const MAX_CONVERTED_VERTICES = 1 << 22;

/** Elements of a draw: vertices in a row, or indices. */
type Elements =
  | { readonly kind: 'row'; readonly first: number; readonly count: number }
  | {
      readonly kind: 'indices';
      readonly bytes: Uint8Array;
      readonly offsetBytes: number;
      readonly type: IndexType;
      readonly vertices: Uint32Array;
      readonly largest: number;
    };

/** What a context with a renderer has. */
interface ResidentParts {
  readonly drawingBuffer: DrawingBuffer;
  readonly reads: PixelReads;
  readonly copies: TextureCopies;
}

export class GlContext {
  /** Differences of the context's API from the others. */
  readonly rules: ApiRules;
  readonly shared: SharedObjects;
  readonly capabilities: Capabilities;
  readonly raster: RasterState;
  readonly buffers: BufferState;
  readonly textures: TextureState;
  readonly shaders: ShaderState<ProgramObject>;
  readonly programs: ProgramState;
  readonly vertexArrays: VertexArrayState;
  readonly framebuffers: FramebufferState;
  readonly feedback: TransformFeedbackState;
  readonly queries: QueryState;
  readonly matrices: MatrixStacks;
  /** State of fixed functions. */
  readonly fixedState: FixedState;
  /** Functions that desktop contexts have and OpenGL ES has not. */
  readonly fixed: FixedFunctions;
  /** Bitmaps and pixel rectangles, likewise. */
  readonly pixels: PixelRectangles;
  readonly #drawPrograms: DrawPrograms;
  readonly #errors: GlErrors;
  readonly #recorder: DrawRecorder;
  readonly #blits: FramebufferBlits;
  readonly #capture: FeedbackCapture;
  /** Of contexts with a renderer. */
  readonly #resident: ResidentParts | null;
  #widthPx: number;
  #heightPx: number;

  constructor(options: GlContextOptions) {
    const { dialect, widthPx, heightPx, reflection, onError } = options;
    const rules = RULES_BY_DIALECT[dialect];
    const shared = options.shared ?? new SharedObjects();
    const errors = new GlErrors(onError);
    this.rules = rules;
    this.shared = shared;
    this.#errors = errors;
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    const activeUnit = () => this.textures.activeUnit;
    this.capabilities = new Capabilities(errors, rules, activeUnit);
    this.raster = new RasterState(errors, rules, this.capabilities, widthPx, heightPx);
    this.vertexArrays = new VertexArrayState(errors);
    this.buffers = new BufferState(
      errors,
      shared.buffers,
      shared.budget,
      () => this.vertexArrays.current,
      rules,
    );
    this.textures = new TextureState(errors, shared.textures, shared.budget, rules, (image, box) =>
      this.#recorder.putOver(image, box),
    );
    this.shaders = new ShaderState(errors, shared.programs, reflection);
    this.programs = new ProgramState(
      errors,
      shared.programs,
      this.shaders,
      rules.hasFixedFunctions ? reflectVariants(reflection) : reflection,
      rules,
    );
    this.framebuffers = new FramebufferState(errors, shared.renderbuffers, rules);
    this.feedback = new TransformFeedbackState(errors, this.buffers);
    this.matrices = new MatrixStacks(errors, activeUnit);
    this.fixedState = new FixedState(errors, activeUnit);
    const { capabilities, raster, textures, vertexArrays, matrices, fixedState: fixed } = this;
    this.#drawPrograms = new DrawPrograms({ capabilities, fixed, textures, matrices }, reflection);
    const saved = { capabilities, raster, fixed, matrices, textures, vertexArrays };
    this.pixels = new PixelRectangles(errors, saved, (image) => {
      const target = this.#target('bitmap');
      if (target !== null) this.#recorder.drawImage(image, target);
    });
    this.fixed = new FixedFunctions(errors, saved, (primitive) => {
      const { mode, count, inputs } = primitive;
      this.#drawElements('begin', mode, { kind: 'row', first: 0, count }, 1, inputs, primitive);
    });
    const { renderer, drawingBuffer: attributes = DEFAULT_DRAWING_BUFFER } = options;
    const residency =
      renderer === undefined
        ? null
        : new Residency(renderer, new DrawingBuffer(attributes, widthPx, heightPx));
    this.#recorder = new DrawRecorder(
      {
        buffers: this.buffers,
        raster,
        textures,
        matrices,
        fixed,
        rules,
      },
      options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES,
      residency,
    );
    this.#blits = new FramebufferBlits(errors, this.framebuffers, this.#recorder, rules, {
      isSrgbRaw: () => rules.isSrgbEncodingOptional && !capabilities.has(GL.FRAMEBUFFER_SRGB),
      screen: () => ({
        framebuffer: residency?.drawingBuffer.framebuffer ?? null,
        widthPx: this.#widthPx,
        heightPx: this.#heightPx,
      }),
    });
    const capture = new FeedbackCapture(this.#recorder);
    this.#capture = capture;
    this.queries = new QueryState(errors, {
      countFragments: (isCounting) => this.#recorder.countFragments(isCounting),
      get feedbackPrimitives() {
        return capture.primitiveCount;
      },
    });
    if (residency === null) {
      this.#resident = null;
      return;
    }
    const { drawingBuffer } = residency;
    const { framebuffers, buffers } = this;
    const reads = new PixelReads(errors, framebuffers, buffers, this.#recorder, drawingBuffer);
    const copies = new TextureCopies(errors, reads, this.#recorder);
    this.#resident = { drawingBuffer, reads, copies };
  }

  get widthPx(): number {
    return this.#widthPx;
  }

  get heightPx(): number {
    return this.#heightPx;
  }

  /** Gives the screen another size; viewport and scissor stay. */
  resize(widthPx: number, heightPx: number): void {
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    if (this.#resident === null) return;
    this.#recorder.known?.resolveObject(this.#resident.drawingBuffer.color);
    this.#resident.drawingBuffer.resize(widthPx, heightPx);
  }

  /** Ends the frame. @throws {RenderError} FRAME_UNSUPPORTED if a frame cannot hold what was drawn. */
  takeFrame(): Frame {
    this.fixed.lists.startFrame();
    return this.#recorder.takeFrame(this.#widthPx, this.#heightPx);
  }

  /** Whether a frame taken now would have a picture of anything. */
  get hasPicture(): boolean {
    return this.#recorder.hasPicture;
  }

  /**
   * Takes what the frame drew into textures that was taken last, from whom rendered it: they are known then without
   * rendering it again.
   *
   * @param drawnTextures By index of the frame's textures.
   */
  settleFrame(drawnTextures: ReadonlyMap<number, TextureResource>): void {
    this.#recorder.settleFrame(drawnTextures);
  }

  /** Whether what is drawn from now on is of a frame that is wanted; it is, unless the caller skips frames. */
  setRecording(isRecording: boolean): void {
    this.#recorder.isRecording = isRecording;
  }

  /** Ends a frame that nobody wants; what it drew into textures is kept for those that sample it. */
  endSkippedFrame(): void {
    this.fixed.lists.startFrame();
    this.#recorder.endSkippedFrame();
  }

  /** Ends the frame without making one. */
  discardFrame(): void {
    this.fixed.lists.startFrame();
    this.#recorder.discardFrame();
  }

  getError(): number {
    return this.#errors.take();
  }

  /** A state variable or limit; `null`, with no error, for those that this package does not keep. */
  getParameter(parameter: number): ParameterValue | null {
    return this.capabilities.isCapability(parameter)
      ? this.capabilities.has(parameter)
      : readParameter(this, parameter);
  }

  enable(capability: number): void {
    this.capabilities.set(capability, true);
    this.fixed.noteEnabled(capability);
  }

  disable(capability: number): void {
    this.capabilities.set(capability, false);
  }

  isEnabled(capability: number): boolean {
    if (!this.capabilities.isCapability(capability)) {
      this.#errors.raise(GL.INVALID_ENUM, `isEnabled: ${nameOfEnum(capability)}`);
    }
    return this.capabilities.has(capability);
  }

  // Buffers

  genBuffers(count: number): number[] {
    return this.buffers.generate(count);
  }

  deleteBuffers(names: readonly number[]): void {
    for (const buffer of this.buffers.remove(names)) this.vertexArrays.detachBuffer(buffer);
  }

  bindBuffer(target: number, buffer: number): void {
    this.buffers.bind(target, buffer);
  }

  /** @param source The bytes, or their number for zeros. */
  bufferData(target: number, source: Uint8Array | number, usage: number): void {
    if (typeof source === 'number') this.buffers.allocate(target, source, null, usage);
    else this.buffers.allocate(target, source.length, source, usage);
  }

  bufferSubData(target: number, offsetBytes: number, source: Uint8Array): void {
    this.buffers.update(target, offsetBytes, source);
  }

  /** The bytes to write to until `unmapBuffer`; `null` after an error. */
  mapBuffer(target: number): Uint8Array | null {
    return this.buffers.map(target, 0, null);
  }

  mapBufferRange(target: number, offsetBytes: number, lengthBytes: number): Uint8Array | null {
    return this.buffers.map(target, offsetBytes, lengthBytes);
  }

  unmapBuffer(target: number): boolean {
    return this.buffers.unmap(target);
  }

  bindBufferBase(target: number, index: number, buffer: number): void {
    this.buffers.bindIndexed(target, index, buffer, 0, null);
  }

  bindBufferRange(
    target: number,
    index: number,
    buffer: number,
    offsetBytes: number,
    sizeBytes: number,
  ): void {
    this.buffers.bindIndexed(target, index, buffer, offsetBytes, sizeBytes);
  }

  copyBufferSubData(
    readTarget: number,
    writeTarget: number,
    readOffsetBytes: number,
    writeOffsetBytes: number,
    sizeBytes: number,
  ): void {
    this.buffers.copy(readTarget, writeTarget, readOffsetBytes, writeOffsetBytes, sizeBytes);
  }

  /** A copy of a part of the bound buffer; `null` after an error. */
  getBufferSubData(target: number, offsetBytes: number, sizeBytes: number): Uint8Array | null {
    return this.buffers.read(target, offsetBytes, sizeBytes);
  }

  // Vertex arrays

  genVertexArrays(count: number): number[] {
    return this.vertexArrays.generate(count);
  }

  deleteVertexArrays(names: readonly number[]): void {
    this.vertexArrays.remove(names);
  }

  bindVertexArray(name: number): void {
    this.vertexArrays.bind(name);
  }

  /** @param attribute Number, or name of one that GLSL declares by itself, such as `gl_Vertex`. */
  enableVertexAttribArray(attribute: AttributeKey): void {
    this.vertexArrays.setEnabled(attribute, true);
  }

  disableVertexAttribArray(attribute: AttributeKey): void {
    this.vertexArrays.setEnabled(attribute, false);
  }

  vertexAttribDivisor(index: number, divisor: number): void {
    this.vertexArrays.setDivisor(index, divisor);
  }

  /** @param location Offset into the buffer bound to GL_ARRAY_BUFFER, or client memory when none is bound. */
  vertexAttribPointer(
    attribute: AttributeKey,
    componentCount: number,
    type: number,
    isNormalized: boolean,
    strideBytes: number,
    location: ArrayLocation,
  ): void {
    const buffer = this.buffers.bound(GL.ARRAY_BUFFER);
    let storage: AttributeStorage | null = null;
    if (typeof location !== 'number') storage = { kind: 'client', bytes: location };
    else if (buffer !== null) storage = { kind: 'buffer', buffer, offsetBytes: location };
    this.vertexArrays.setPointer(
      attribute,
      componentCount,
      type,
      isNormalized,
      strideBytes,
      storage,
    );
  }

  /** Sets the value of an attribute whose array is off; missing components are 0, 0, 1. */
  vertexAttrib(attribute: AttributeKey, value: readonly number[]): void {
    this.fixed.attribute(attribute, value);
  }

  // Textures

  genTextures(count: number): number[] {
    return this.textures.generate(count);
  }

  deleteTextures(names: readonly number[]): void {
    for (const texture of this.textures.remove(names)) this.framebuffers.detachTexture(texture);
  }

  activeTexture(unit: number): void {
    this.textures.activate(unit);
  }

  bindTexture(target: number, texture: number): void {
    this.textures.bind(target, texture);
  }

  pixelStorei(parameter: number, value: number): void {
    this.textures.pixelStore.set(parameter, value);
  }

  /** Makes known what an upload leaves of a texture. @param isNewLevel Whether it defines the level anew. */
  #prepareUpload(target: number, level: number, isNewLevel: boolean): void {
    if (this.#resident === null) return;
    const texture = this.textures.uploads.textureOf(target);
    if (texture === null) return;
    const isReplaced = isNewLevel && texture.isOneImage && texture.level(level) !== null;
    if (texture.isDrawnInto && !isReplaced) this.#recorder.known?.resolveObject(texture);
    if (!texture.isBaseLevel(level)) texture.settleMipmaps();
  }

  texImage2D(internalFormat: number, upload: Upload): void {
    this.#prepareUpload(upload.target, upload.level, true);
    this.textures.uploads.image(internalFormat, upload);
  }

  texSubImage2D(x: number, y: number, upload: Upload): void {
    this.#prepareUpload(upload.target, upload.level, false);
    this.textures.uploads.subImage(x, y, upload);
  }

  texImage3D(internalFormat: number, upload: Upload): void {
    this.#prepareUpload(upload.target, upload.level, true);
    this.textures.uploads.image(internalFormat, upload);
  }

  texSubImage3D(x: number, y: number, z: number, upload: Upload): void {
    this.#prepareUpload(upload.target, upload.level, false);
    this.textures.uploads.subImage(x, y, upload, z);
  }

  /** @param upload Blocks of 4×4 texels. */
  compressedTexImage2D(internalFormat: number, upload: CompressedUpload): void {
    this.#prepareUpload(upload.target, upload.level, true);
    this.textures.uploads.compressedImage(internalFormat, upload);
  }

  compressedTexSubImage2D(x: number, y: number, format: number, upload: CompressedUpload): void {
    this.#prepareUpload(upload.target, upload.level, false);
    this.textures.uploads.compressedSubImage(x, y, format, upload);
  }

  texStorage2D(
    target: number,
    levelCount: number,
    internalFormat: number,
    widthPx: number,
    heightPx: number,
  ): void {
    this.textures.uploads.storage(target, levelCount, internalFormat, widthPx, heightPx);
  }

  texStorage3D(
    target: number,
    levelCount: number,
    internalFormat: number,
    widthPx: number,
    heightPx: number,
    depthPx: number,
  ): void {
    this.textures.uploads.storage(target, levelCount, internalFormat, widthPx, heightPx, depthPx);
  }

  /** Makes a level of a rectangle of the read framebuffer. */
  copyTexImage2D(
    target: number,
    level: number,
    internalFormat: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    this.#copyTexture(target, level, internalFormat, { x: 0, y: 0 }, { x, y, width, height });
  }

  copyTexSubImage2D(
    target: number,
    level: number,
    intoX: number,
    intoY: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    this.#copyTexture(target, level, null, { x: intoX, y: intoY }, { x, y, width, height });
  }

  /** @param intoZ Slice of the level. */
  copyTexSubImage3D(
    target: number,
    level: number,
    intoX: number,
    intoY: number,
    intoZ: number,
    ...[x, y, width, height]: readonly [number, number, number, number]
  ): void {
    const at = { x: intoX, y: intoY, z: intoZ };
    this.#copyTexture(target, level, null, at, { x, y, width, height });
  }

  #copyTexture(
    target: number,
    level: number,
    internalFormat: number | null,
    at: { readonly x: number; readonly y: number; readonly z?: number },
    rect: RectPx,
  ): void {
    const { width, height } = rect;
    const where = internalFormat === null ? 'copyTexSubImage2D' : 'copyTexImage2D';
    if (this.#resident !== null) {
      this.#copyResident(where, target, level, internalFormat, at, rect, this.#resident);
      return;
    }
    const source = this.framebuffers.readFramebuffer;
    if (this.framebuffers.checkStatus(GL.READ_FRAMEBUFFER) !== GL.FRAMEBUFFER_COMPLETE) {
      this.#errors.raise(GL.INVALID_FRAMEBUFFER_OPERATION, `${where}: what is read is incomplete`);
      return;
    }
    if (this.framebuffers.sampleCountOf(source) > 1) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: several samples a pixel are read`);
      return;
    }
    if (Math.min(width, height, at.x, at.y) < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: ${width}×${height} at ${at.x}, ${at.y}`);
      return;
    }
    const into = this.textures.uploads.copyTarget(target, level, internalFormat, width, height);
    if (into === null) return;
    const face = into.texture.dimension === 'cube' ? into.slice : 0;
    const { widthPx, heightPx, depthPx } = into.texture.level(level, face)!;
    const { z = 0 } = at;
    if (at.x + width > widthPx || at.y + height > heightPx || z < 0 || z >= depthPx) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: past the edge of the level`);
      return;
    }
    const size = source === null ? this : this.framebuffers.sizeOf(source, true);
    const from = { framebuffer: source, widthPx: size.widthPx, heightPx: size.heightPx };
    this.#recorder.copy(from, rect, { ...into, level, slice: into.slice + z }, at);
  }

  #copyResident(
    where: string,
    target: number,
    level: number,
    internalFormat: number | null,
    at: { readonly x: number; readonly y: number; readonly z?: number },
    rect: RectPx,
    { reads, copies, drawingBuffer }: ResidentParts,
  ): void {
    const { width, height, x, y } = rect;
    const found = reads.source(where);
    if (found === null) return;
    const { z = 0 } = at;
    if (Math.min(width, height, at.x, at.y, z) < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: ${width}×${height} at ${at.x}, ${at.y}`);
      return;
    }
    const { widthPx, heightPx } = found.storage;
    const framebuffer = this.framebuffers.readFramebuffer ?? drawingBuffer.framebuffer;
    const source = {
      ...found,
      target: { framebuffer, ...this.framebuffers.sizeOf(framebuffer, true) },
    };
    const texture = this.textures.uploads.textureOf(target);
    const face = this.textures.uploads.faceOf(target);
    const held = texture?.level(level, face) ?? null;
    const storage = internalFormat === null ? held : copiedStorage(internalFormat);
    if (!copies.isFitting(where, source, storage, internalFormat !== null)) return;
    const place = { level, slice: face + z, x: at.x, y: at.y };
    if (texture !== null && copies.isLoop(source, { ...place, texture })) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: from the image that it goes into`);
      return;
    }
    this.#prepareUpload(target, level, internalFormat !== null);
    const isInside = x >= 0 && y >= 0 && x + width <= widthPx && y + height <= heightPx;
    // What lies outside of the source is blank in a new level.
    if (internalFormat !== null && !isInside && held !== null && texture !== null) {
      texture.setLevel(
        level,
        { ...held, widthPx: 0, heightPx: 0, texels: new Uint8Array(0) },
        face,
      );
    }
    const into = this.textures.uploads.copyTarget(target, level, internalFormat, width, height);
    if (into === null) return;
    const size = into.texture.level(level, face)!;
    if (at.x + width > size.widthPx || at.y + height > size.heightPx || z >= size.depthPx) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: past the edge of the level`);
      return;
    }
    copies.copy(source, rect, { ...place, texture: into.texture });
  }

  texParameter(target: number, parameter: number, value: number): void {
    this.textures.setParameter(target, parameter, value);
  }

  createSampler(): number {
    return this.textures.samplers.create();
  }

  deleteSampler(sampler: number): void {
    this.textures.samplers.remove(sampler);
  }

  /** @param unit Number of the unit, from 0. */
  bindSampler(unit: number, sampler: number): void {
    this.textures.samplers.bind(unit, sampler);
  }

  samplerParameter(sampler: number, parameter: number, value: number): void {
    this.textures.samplers.setParameter(sampler, parameter, value);
  }

  getSamplerParameter(sampler: number, parameter: number): number | null {
    return this.textures.samplers.parameter(sampler, parameter);
  }

  generateMipmap(target: number): void {
    const texture = this.#resident === null ? null : this.textures.uploads.textureOf(target);
    if (texture !== null) this.#recorder.known?.resolveLevels(texture);
    this.textures.uploads.generateMipmap(target);
  }

  // Shaders and programs

  createShader(type: number): number {
    return this.shaders.create(type);
  }

  deleteShader(shader: number): void {
    this.shaders.remove(shader);
  }

  shaderSource(shader: number, source: string): void {
    this.shaders.setSource(shader, source);
  }

  compileShader(shader: number): void {
    this.shaders.compile(shader);
  }

  createProgram(): number {
    return this.programs.create();
  }

  deleteProgram(program: number): void {
    this.programs.remove(program);
  }

  attachShader(program: number, shader: number): void {
    this.programs.attach(program, shader);
  }

  detachShader(program: number, shader: number): void {
    this.programs.detach(program, shader);
  }

  bindAttribLocation(program: number, location: number, attribute: string): void {
    this.programs.bindLocation(program, location, attribute);
  }

  linkProgram(program: number): void {
    if (this.feedback.isCaptured(this.programs.linkedOf(program))) {
      this.#errors.raise(GL.INVALID_OPERATION, 'linkProgram: transform feedback uses the program');
      return;
    }
    this.programs.link(program);
  }

  useProgram(program: number): void {
    if (this.feedback.current.isCapturing) {
      this.#errors.raise(GL.INVALID_OPERATION, 'useProgram: transform feedback is active');
      return;
    }
    this.programs.use(program);
  }

  /** @param isSeparate Whether each output goes to a buffer of its own. */
  transformFeedbackVaryings(program: number, names: readonly string[], isSeparate: boolean): void {
    this.programs.setFeedback(program, names, isSeparate);
  }

  genTransformFeedbacks(count: number): number[] {
    return this.feedback.generate(count);
  }

  deleteTransformFeedbacks(names: readonly number[]): void {
    this.feedback.remove(names);
  }

  bindTransformFeedback(feedback: number): void {
    this.feedback.bind(feedback);
  }

  beginTransformFeedback(mode: number): void {
    this.feedback.begin(mode, this.programs.current?.linked ?? null);
  }

  endTransformFeedback(): void {
    this.feedback.end();
  }

  pauseTransformFeedback(): void {
    this.feedback.pause();
  }

  resumeTransformFeedback(): void {
    this.feedback.resume(this.programs.current?.linked ?? null);
  }

  genQueries(count: number): number[] {
    return this.queries.generate(count);
  }

  deleteQueries(names: readonly number[]): void {
    this.queries.remove(names);
  }

  beginQuery(target: number, query: number): void {
    this.queries.begin(target, query);
  }

  endQuery(target: number): void {
    this.queries.end(target);
  }

  /** What an ended query counted, 0 or 1 for samples; `null` after an error. */
  getQueryResult(query: number): number | null {
    return this.queries.result(query);
  }

  getAttribLocation(program: number, attribute: string): number {
    return this.programs.attributeLocation(program, attribute);
  }

  getUniformLocation(program: number, uniform: string): number {
    return this.programs.uniformLocation(program, uniform);
  }

  getUniformBlockIndex(program: number, block: string): number {
    return this.programs.blockIndex(program, block);
  }

  uniformBlockBinding(program: number, blockIndex: number, binding: number): void {
    this.programs.bindBlock(program, blockIndex, binding);
  }

  /** `uniform{1,2,3,4}uiv`. */
  uniformui(location: number, components: number, values: ArrayLike<number>): void {
    this.programs.setUniform(location, {
      scalarType: 'uint',
      rows: components,
      columns: 1,
      values,
    });
  }

  /** `uniform{1,2,3,4}fv`. @param components 1 to 4. */
  uniformf(location: number, components: number, values: ArrayLike<number>): void {
    this.programs.setUniform(location, {
      scalarType: 'float',
      rows: components,
      columns: 1,
      values,
    });
  }

  /** `uniform{1,2,3,4}iv`. */
  uniformi(location: number, components: number, values: ArrayLike<number>): void {
    this.programs.setUniform(location, { scalarType: 'int', rows: components, columns: 1, values });
  }

  /** `uniformMatrix{2,3,4}fv` and the forms that are not square; `values` column by column. */
  uniformMatrix(
    location: number,
    columns: number,
    rows: number,
    isTransposed: boolean,
    values: ArrayLike<number>,
  ): void {
    if (isTransposed && !this.rules.canTransposeUniforms) {
      this.#errors.raise(GL.INVALID_VALUE, 'uniformMatrix: transpose is true');
      return;
    }
    this.programs.setUniform(location, {
      scalarType: 'float',
      rows,
      columns,
      values: isTransposed ? transpose(values, columns, rows) : values,
    });
  }

  // Framebuffers

  genFramebuffers(count: number): number[] {
    return this.framebuffers.generateFramebuffers(count);
  }

  deleteFramebuffers(names: readonly number[]): void {
    this.framebuffers.removeFramebuffers(names);
  }

  bindFramebuffer(target: number, framebuffer: number): void {
    this.framebuffers.bindFramebuffer(target, framebuffer);
  }

  genRenderbuffers(count: number): number[] {
    return this.framebuffers.generateRenderbuffers(count);
  }

  deleteRenderbuffers(names: readonly number[]): void {
    this.framebuffers.removeRenderbuffers(names);
  }

  bindRenderbuffer(target: number, renderbuffer: number): void {
    this.framebuffers.bindRenderbuffer(target, renderbuffer);
  }

  renderbufferStorage(
    target: number,
    internalFormat: number,
    widthPx: number,
    heightPx: number,
  ): void {
    this.framebuffers.setRenderbufferStorage(target, internalFormat, widthPx, heightPx);
  }

  framebufferTexture2D(
    target: number,
    attachment: number,
    textureTarget: number,
    texture: number,
    level: number,
  ): void {
    const object = texture === 0 ? null : this.textures.object(texture);
    if (texture !== 0 && object === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `framebufferTexture2D: no texture ${texture}`);
      return;
    }
    if (object !== null && level > 0 && this.#resident !== null)
      this.#recorder.known?.settleLevels(object);
    this.framebuffers.attachTexture(target, attachment, textureTarget, object, level);
  }

  framebufferTextureLayer(
    target: number,
    attachment: number,
    texture: number,
    level: number,
    layer: number,
  ): void {
    const object = texture === 0 ? null : this.textures.object(texture);
    if (texture !== 0 && object === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `framebufferTextureLayer: no texture ${texture}`);
      return;
    }
    this.framebuffers.attachLayer(target, attachment, object, level, layer);
  }

  /**
   * Reads a rectangle of the framebuffer that is read; what lies outside of it leaves the destination as it is.
   *
   * @param destination Memory, or an offset into the buffer that is bound to `GL_PIXEL_PACK_BUFFER`.
   * @throws {Error} Without a renderer.
   */
  readPixels(
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    destination: Uint8Array | number,
    layout: PackLayout = INITIAL_PACK,
  ): void {
    if (this.#resident === null) throw new Error('readPixels: a context without a renderer');
    const rect = { x, y, width, height };
    this.#resident.reads.read(rect, { format, type }, destination, layout);
  }

  /** `GL_IMPLEMENTATION_COLOR_READ_FORMAT` and `…_TYPE`: how what is read is stored; `null` if there is no colour. */
  nativeReadFormat(): ReadFormat | null {
    return this.#resident?.reads.nativeFormat() ?? null;
  }

  readBuffer(buffer: number): void {
    const framebuffer = this.framebuffers.readFramebuffer;
    if (framebuffer !== null && buffer === GL.NONE) {
      framebuffer.readPoint = `color${MAX_COLOR_ATTACHMENTS}`;
    } else if (framebuffer !== null || this.#resident === null) {
      this.framebuffers.setReadBuffer(buffer);
    } else if (buffer === GL.BACK || buffer === GL.NONE) {
      this.#resident.drawingBuffer.framebuffer.readPoint = buffer === GL.BACK ? 'color0' : 'color1';
    } else {
      this.#errors.raise(GL.INVALID_OPERATION, `readBuffer: ${nameOfEnum(buffer)} of the canvas`);
    }
  }

  drawBuffers(buffers: readonly number[]): void {
    if (this.framebuffers.drawFramebuffer === null && this.#resident !== null) {
      const [buffer = GL.NONE] = buffers;
      if (buffers.length !== 1 || (buffer !== GL.BACK && buffer !== GL.NONE)) {
        this.#errors.raise(GL.INVALID_OPERATION, `drawBuffers: ${buffers.map(nameOfEnum)}`);
        return;
      }
      const { framebuffer } = this.#resident.drawingBuffer;
      framebuffer.colorPoints = [buffer === GL.BACK ? 'color0' : 'color1'];
      return;
    }
    this.framebuffers.setDrawBuffers(buffers);
  }

  framebufferRenderbuffer(
    target: number,
    attachment: number,
    renderbufferTarget: number,
    renderbuffer: number,
  ): void {
    this.framebuffers.attachRenderbuffer(target, attachment, renderbufferTarget, renderbuffer);
  }

  /** @param samples At least as many a pixel; 0 for one. */
  renderbufferStorageMultisample(
    target: number,
    samples: number,
    internalFormat: number,
    widthPx: number,
    heightPx: number,
  ): void {
    if (samples < 0 || samples > MAX_SAMPLES) {
      const error = samples > 0 ? this.rules.tooManySamplesError : GL.INVALID_VALUE;
      this.#errors.raise(error, `renderbufferStorageMultisample: ${samples} samples`);
      return;
    }
    this.framebuffers.setRenderbufferStorage(target, internalFormat, widthPx, heightPx, samples);
  }

  /** Copies a rectangle from the framebuffer that is read to the one that is drawn into. */
  blitFramebuffer(from: BlitEdges, to: BlitEdges, mask: number, filter: number): void {
    this.#blits.blit(from, to, mask, filter);
  }

  /** Which share of samples a fragment keeps at most while `GL_SAMPLE_COVERAGE` is on. */
  sampleCoverage(value: number, isInverted: boolean): void {
    this.raster.setSampleCoverage(value, isInverted);
  }

  checkFramebufferStatus(target: number): number {
    return this.framebuffers.checkStatus(target);
  }

  // Rasterisation and framebuffer state

  viewport(x: number, y: number, width: number, height: number): void {
    this.raster.setViewport({ x, y, width, height });
  }

  scissor(x: number, y: number, width: number, height: number): void {
    this.raster.setScissor({ x, y, width, height });
  }

  depthRange(near: number, far: number): void {
    this.raster.setDepthRange(near, far);
  }

  cullFace(face: number): void {
    this.raster.setCullFace(face);
  }

  frontFace(winding: number): void {
    this.raster.setFrontFace(winding);
  }

  polygonOffset(factor: number, units: number): void {
    this.raster.setPolygonOffset(factor, units);
  }

  polygonMode(face: number, mode: number): void {
    this.raster.setPolygonMode(face, mode);
  }

  lineWidth(widthPx: number): void {
    this.raster.setLineWidth(widthPx);
  }

  /** Size of points whose shader does not say it (desktop only). */
  pointSize(sizePx: number): void {
    this.fixedState.setPointSize(sizePx);
  }

  depthFunc(compare: number): void {
    this.raster.setDepthFunction(compare);
  }

  depthMask(isWritten: boolean): void {
    this.raster.isDepthWritten = isWritten;
  }

  colorMask(red: boolean, green: boolean, blue: boolean, alpha: boolean): void {
    this.raster.colorMask = [red, green, blue, alpha];
  }

  stencilFuncSeparate(face: number, compare: number, reference: number, mask: number): void {
    this.raster.setStencilFunction(face, compare, reference, mask);
  }

  stencilMaskSeparate(face: number, mask: number): void {
    this.raster.setStencilMask(face, mask);
  }

  stencilOpSeparate(face: number, stencilFail: number, depthFail: number, pass: number): void {
    this.raster.setStencilOperations(face, stencilFail, depthFail, pass);
  }

  blendColor(red: number, green: number, blue: number, alpha: number): void {
    const [r, g, b, a] = [red, green, blue, alpha].map((each) => Math.min(Math.max(each, 0), 1));
    this.raster.setBlendColor(r!, g!, b!, a!);
  }

  blendEquationSeparate(color: number, alpha: number): void {
    this.raster.setBlendEquations(color, alpha);
  }

  blendFuncSeparate(
    sourceColor: number,
    destinationColor: number,
    sourceAlpha: number,
    destinationAlpha: number,
  ): void {
    this.raster.setBlendFactors(sourceColor, destinationColor, sourceAlpha, destinationAlpha);
  }

  clearColor(red: number, green: number, blue: number, alpha: number): void {
    // Targets of floats take what is asked for, as do OpenGL ES 3.0 and the extensions of WebGL 1.
    const color = [red, green, blue, alpha] as const;
    if (this.#resident !== null && color.every(Number.isFinite)) this.raster.clearColor = color;
    else this.raster.setClearColor(red, green, blue, alpha);
  }

  clearDepth(depth: number): void {
    this.raster.setClearDepth(depth);
  }

  clearStencil(value: number): void {
    this.raster.setClearStencil(value);
  }

  // What makes pictures

  clear(mask: number): void {
    const known = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;
    const ignored = this.rules.hasFixedFunctions ? GL.ACCUM_BUFFER_BIT : 0;
    if ((mask & ~(known | ignored)) !== 0) {
      this.#errors.raise(GL.INVALID_VALUE, `clear: mask ${nameOfEnum(mask)}`);
      return;
    }
    const target = this.#target('clear');
    if (target === null || this.capabilities.has(GL.RASTERIZER_DISCARD)) return;
    this.#recorder.clear(
      {
        color: (mask & GL.COLOR_BUFFER_BIT) !== 0,
        depth: (mask & GL.DEPTH_BUFFER_BIT) !== 0,
        stencil: (mask & GL.STENCIL_BUFFER_BIT) !== 0,
      },
      target,
    );
  }

  /**
   * Clears the colour that one output of fragment shaders goes to (`clearBuffer…` of OpenGL ES 3.0).
   *
   * @param value As the format stores it, not clamped.
   */
  clearColorBuffer(drawBuffer: number, value: readonly [number, number, number, number]): void {
    const framebuffer =
      this.framebuffers.drawFramebuffer ?? this.#resident?.drawingBuffer.framebuffer;
    if (framebuffer === undefined)
      throw new Error('clearColorBuffer: a context without a renderer');
    const { colorPoints } = framebuffer;
    const { clearColor } = this.raster;
    framebuffer.colorPoints = colorPoints.map((point, i) =>
      i === drawBuffer ? point : (`color${MAX_COLOR_ATTACHMENTS + i}` as const),
    );
    this.raster.clearColor = value;
    this.clear(GL.COLOR_BUFFER_BIT);
    this.raster.clearColor = clearColor;
    framebuffer.colorPoints = colorPoints;
  }

  /** @param inputs Where attributes come from; missing: the vertex arrays. */
  drawArrays(
    mode: number,
    first: number,
    count: number,
    instanceCount = 1,
    inputs: AttributeInputs = this.vertexArrays,
  ): void {
    const where = 'drawArrays';
    if (!this.#isDrawable(where, mode, Math.min(first, count, instanceCount))) return;
    this.#drawElements(where, mode, { kind: 'row', first, count }, instanceCount, inputs);
  }

  /**
   * @param location Offset into the bound index buffer, or the indices themselves.
   * @param inputs Where attributes come from; missing: the vertex arrays.
   */
  drawElements(
    mode: number,
    count: number,
    type: number,
    location: ArrayLocation,
    instanceCount = 1,
    inputs: AttributeInputs = this.vertexArrays,
  ): void {
    const where = 'drawElements';
    if (!this.#isDrawable(where, mode, Math.min(count, instanceCount))) return;
    const indexType = INDEX_TYPE_BY_ENUM.get(type);
    if (indexType === undefined) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: type ${nameOfEnum(type)}`);
      return;
    }
    if (count === 0 || instanceCount === 0) {
      this.#target(where);
      return;
    }
    const isClient = typeof location !== 'number';
    const buffer = isClient ? null : this.buffers.bound(GL.ELEMENT_ARRAY_BUFFER);
    const bytes = isClient ? location : buffer?.share();
    const offsetBytes = isClient ? 0 : location;
    if (bytes === undefined) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: no index buffer is bound`);
      return;
    }
    const endBytes = offsetBytes + count * indexType.bytes;
    if (offsetBytes < 0 || offsetBytes % indexType.bytes !== 0 || endBytes > bytes.length) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `${where}: indices from byte ${offsetBytes} to ${endBytes} of ${bytes.length}`,
      );
      return;
    }
    const known = buffer && readBufferIndices(buffer, offsetBytes, count, indexType);
    const vertices = known?.list ?? readIndices(bytes, offsetBytes, count, indexType);
    const largest = known?.largest ?? findLargest(vertices);
    const source = { bytes, offsetBytes, type: indexType };
    const elements = { kind: 'indices', ...source, vertices, largest } as const;
    this.#drawElements(where, mode, elements, instanceCount, inputs);
  }

  #drawElements(
    where: string,
    mode: number,
    elements: Elements,
    instanceCount: number,
    inputs: AttributeInputs,
    immediate: ImmediatePrimitive | null = null,
  ): void {
    const target = this.#target(where);
    if (target === null) return;
    const isRow = elements.kind === 'row';
    const count = isRow ? elements.count : elements.vertices.length;
    const polygons = makesPolygons(mode) ? this.raster.drawnPolygons() : 'fill';
    const isConverted =
      polygons !== 'fill' || needsConversion(mode, this.fixedState.lighting.values.isFlat);
    const topology = TOPOLOGY_BY_MODE.get(mode) ?? 'triangles';
    let kind = kindOf(topology);
    if (polygons === 'line') kind = 'lines';
    if (polygons === 'point') kind = 'points';
    const program = this.#program(
      where,
      { kind, isAffine: (unit) => isAffine(inputs, unit) },
      target,
    );
    if (program === null) return;
    if (!this.#captureFeedback(where, mode, elements, instanceCount, inputs)) return;
    if (count === 0 || instanceCount === 0 || polygons === 'none') return;
    if (this.capabilities.has(GL.RASTERIZER_DISCARD)) return;
    const pieces = this.#piecesOf(elements);
    const isBatched = immediate !== null && areBatchable(program.attributes);
    if (!isConverted && !isBatched && pieces === null) {
      const common = { topology, count, instanceCount, inputs };
      this.#report(
        where,
        this.#recorder.draw(
          isRow
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
              },
          program,
          target,
        ),
      );
      return;
    }
    if (count > MAX_CONVERTED_VERTICES) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${where}: ${count} vertices of quads or outlines; at most ${MAX_CONVERTED_VERTICES}`,
      );
    }
    const vertices = isRow
      ? Uint32Array.from({ length: count }, (_, i) => elements.first + i)
      : elements.vertices.subarray(0, count);
    const isEdge = immediate?.isEdge ?? (() => true);
    const converted = convertPieces(pieces ?? [vertices], (piece): ConvertedPrimitives => {
      if (polygons !== 'fill') return outlinePrimitives(mode, piece, polygons, isEdge);
      return isBatched || !isConverted ? listPrimitives(mode, piece) : fillPrimitives(mode, piece);
    });
    if (converted.vertices.length === 0) return;
    if (isBatched) {
      const batched = { ...converted, vertexCount: count, inputs };
      this.#recorder.drawImmediate(batched, program, target);
      return;
    }
    const call = {
      topology: converted.topology,
      first: 0,
      count: converted.vertices.length,
      instanceCount,
      indices: {
        bytes: new Uint8Array(converted.vertices.buffer),
        offsetBytes: 0,
        componentType: 'uint32',
      },
      lastVertex: findLargest(converted.vertices),
      inputs,
    } as const;
    this.#report(where, this.#recorder.draw(call, program, target));
  }

  /** Gives the vertices of a draw to transform feedback; whether the draw goes on. */
  #captureFeedback(
    where: string,
    mode: number,
    elements: Elements,
    instanceCount: number,
    inputs: AttributeInputs,
  ): boolean {
    const object = this.feedback.current;
    if (!object.isCapturing) return true;
    if (elements.kind !== 'row' || mode !== object.active?.mode) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: transform feedback is of another mode`);
      return false;
    }
    if (this.#resident === null) {
      throw new RenderError('FRAME_UNSUPPORTED', `${where}: transform feedback`);
    }
    const { first, count } = elements;
    const problem = this.#capture.capture(object, { first, count, instanceCount, inputs });
    this.#report(where, problem);
    return problem === null;
  }

  /** What restarts cut a draw into, `null` without any. */
  #piecesOf(elements: Elements): readonly Uint32Array[] | null {
    const isOn =
      this.rules.isRestartAlwaysEnabled || this.capabilities.has(GL.PRIMITIVE_RESTART_FIXED_INDEX);
    if (!isOn || elements.kind === 'row') return null;
    const restart = restartIndexOf(elements.type);
    if (elements.largest < restart) return null;
    return splitAtRestarts(elements.vertices, restart);
  }

  #isDrawable(where: string, mode: number, smallest: number): boolean {
    const isMode = TOPOLOGY_BY_MODE.has(mode) || mode === GL.QUADS;
    if (!isMode || (!this.rules.hasFixedFunctions && mode > MAX_ES_MODE)) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: mode ${nameOfEnum(mode)}`);
      return false;
    }
    if (smallest < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: a negative number`);
      return false;
    }
    return true;
  }

  #target(where: string): PassTarget | null {
    const status = this.framebuffers.checkStatus(GL.FRAMEBUFFER);
    if (status !== GL.FRAMEBUFFER_COMPLETE) {
      this.#errors.raise(
        GL.INVALID_FRAMEBUFFER_OPERATION,
        `${where}: the framebuffer is incomplete (${nameOfEnum(status)})`,
      );
      return null;
    }
    const drawingBuffer = this.#resident?.drawingBuffer ?? null;
    const bound = this.framebuffers.drawFramebuffer;
    const framebuffer = bound ?? drawingBuffer?.framebuffer ?? null;
    const isRaw = this.rules.isSrgbEncodingOptional && !this.capabilities.has(GL.FRAMEBUFFER_SRGB);
    if (isRaw && framebuffer !== null && hasSrgbTarget(framebuffer)) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `${where}: an sRGB target is drawn into without GL_FRAMEBUFFER_SRGB`,
      );
    }
    const size = bound === null ? (drawingBuffer ?? this) : this.framebuffers.sizeOf(bound);
    return { framebuffer, widthPx: size.widthPx, heightPx: size.heightPx };
  }

  #program(where: string, drawn: DrawnKind, target: PassTarget): DrawProgram | null {
    const { current } = this.programs;
    if (this.rules.hasFixedFunctions) return this.#drawPrograms.choose(current, drawn);
    const linked = current?.linked ?? null;
    if (linked === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: no program is current`);
      return null;
    }
    const conflict = findDrawConflict(linked, {
      framebuffer: target.framebuffer,
      isDiscarding: this.capabilities.has(GL.RASTERIZER_DISCARD),
      areOutputsRequired: this.rules.areOutputsRequired && this.raster.colorMask.includes(true),
    });
    this.#report(where, conflict);
    return conflict === null ? linked : null;
  }

  #report(where: string, problem: string | null): void {
    if (problem !== null) this.#errors.raise(GL.INVALID_OPERATION, `${where}: ${problem}`);
  }
}

/** Whether the last texture coordinate of a unit is 1 at every vertex. */
function isAffine(inputs: AttributeInputs, unit: number): boolean {
  const key = `gl_MultiTexCoord${unit}`;
  const array = inputs.array(key);
  return array?.isEnabled === true ? array.componentCount < 4 : inputs.currentValue(key)[3] === 1;
}

/** Every element from rows to columns. */
function transpose(values: ArrayLike<number>, columns: number, rows: number): Float32Array {
  const length = columns * rows;
  return Float32Array.from(values, (_, i) => {
    const element = i - (i % length);
    const column = Math.floor((i % length) / rows);
    const row = (i % length) % rows;
    return values[element + row * columns + column]!;
  });
}
