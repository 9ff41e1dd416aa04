/**
 * Turns draws and clears into the passes of a frame: each draw takes along what the state was. A clear of
 * a whole, still untouched target is the pass's clear; any other is a draw of its own. What records is
 * in one file, since it shares the pass that is under way.
 */
import {
  DEFAULT_FRAME_LIMITS,
  type Draw,
  defaultPipelineState,
  type Frame,
  type IndexSource,
  type PipelineState,
  type RectPx,
  RenderError,
  type SamplerState,
  TARGET_ASPECTS,
  type TargetCopy,
  TEXTURE_FORMATS,
  type TextureBinding,
  type TextureResource,
  type Topology,
  type UniformValue,
} from '@tessera/frame';
import type { DrawProgram } from '../fixed/draw-programs.ts';
import type { BufferState } from '../objects/buffers/buffer-objects.ts';
import type { SamplerParameters } from '../objects/samplers/sampler-parameters.ts';
import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { TextureState } from '../objects/textures/texture-state.ts';
import type { DrawnLevel, TexelBox } from '../objects/textures/texture-uploads.ts';
import type { AttributeInputs } from '../objects/vertex-arrays/vertex-array.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { MatrixStacks } from '../state/fixed/matrix-stacks.ts';
import type { RasterState } from '../state/raster-state.ts';
import type { BaseFormat } from '../texels/texel-formats.ts';
import { ContentResolver } from './content-resolver.ts';
import { type Blit, listReplaced, recordBlit } from './generated/blit.ts';
import { type ClearMask, makeClearDraw } from './generated/clear-draw.ts';
import { ColorBroadcast } from './generated/color-broadcast.ts';
import { makeImageDraw, makeScreenDraw, type RasterImage } from './generated/image-draw.ts';
import { type BatchedPrimitive, ImmediateBatch } from './generated/immediate-batch.ts';
import { STIPPLE_SAMPLING, stippleTexture } from './generated/stipple-texture.ts';
import { collectAttributeSources } from './inputs/attribute-sources.ts';
import { readBuiltInUniform } from './inputs/built-in-uniforms.ts';
import { ProgramInputCache } from './inputs/program-inputs.ts';
import type { SamplerElements } from './inputs/sampler-elements.ts';
import type { PassRenderer } from './pass-renderer.ts';
import { ContentHashes, FrameAssembler } from './passes/frame-assembler.ts';
import {
  imagesOf,
  type PassAttachments,
  type PassTarget,
  resolveAttachments,
  storedColor,
} from './passes/pass-attachments.ts';
import { PassList } from './passes/pass-list.ts';
import { RecordedLoad } from './recorded-load.ts';

/** State that draws look at. */
export interface DrawState {
  readonly buffers: Pick<BufferState, 'uniformBytes'>;
  readonly raster: RasterState;
  readonly textures: TextureState;
  readonly matrices: MatrixStacks;
  readonly fixed: FixedState;
  readonly rules: ApiRules;
}

/** A draw call after its arguments were checked. */
export interface DrawCall {
  readonly topology: Topology;
  readonly first: number;
  readonly count: number;
  readonly instanceCount: number;
  /** Index bytes and where the draw's indices start; `first` is 0 then. */
  readonly indices: (Omit<IndexSource, 'bufferIndex'> & { readonly bytes: Uint8Array }) | null;
  /** Largest vertex number. */
  readonly lastVertex: number;
  readonly inputs: AttributeInputs;
  /** In place of the context's. */
  readonly state?: PipelineState;
}

/** Channels of a copy by what the texture stores; the others take theirs. */
const COPY_SWIZZLES: ReadonlyMap<BaseFormat, TargetCopy['swizzle']> = new Map<
  BaseFormat,
  TargetCopy['swizzle']
>([
  ['rgb', ['red', 'green', 'blue', 'one']],
  ['alpha', ['zero', 'zero', 'zero', 'alpha']],
  ['luminance', ['red', 'red', 'red', 'one']],
  ['luminance-alpha', ['red', 'red', 'red', 'alpha']],
  ['intensity', ['red', 'red', 'red', 'red']],
]);

/** Draws of earlier frames that are kept for what they drew into textures. */
const MAX_EARLIER_DRAWS = 20_000;

export class DrawRecorder {
  readonly #state: DrawState;
  readonly #maxFrameBytes: number;
  #assembler: FrameAssembler;
  #passes: PassList;
  #drawCount = 0;
  /** Primitives that are not a draw of their pass yet. */
  #batch: { readonly target: PassTarget; readonly vertices: ImmediateBatch } | null = null;
  #isRecording = true;
  readonly #hashes = new ContentHashes();
  readonly #broadcast = new ColorBroadcast();
  readonly #programs = new ProgramInputCache();
  /** `null`: what was drawn into textures is not known before the frame is rendered by others. */
  readonly #renderer: PassRenderer | null;
  /** Of contexts with a renderer. */
  readonly contents: ContentResolver | null;
  #load = new RecordedLoad();
  /** Whether fragments are counted, for queries. */
  #isCounting = false;
  #fragmentCount = 0;

  /** @param maxFrameBytes Most bytes of buffers and textures in one frame. */
  constructor(state: DrawState, maxFrameBytes: number, renderer: PassRenderer | null = null) {
    this.#state = state;
    this.#maxFrameBytes = maxFrameBytes;
    this.#renderer = renderer;
    const passesNow = () => this.#passes;
    this.contents =
      renderer &&
      new ContentResolver(
        renderer,
        {
          get passes() {
            return passesNow();
          },
          isFull: (target) => this.#load.isFull(this.#passes, target),
          resolve: () => this.resolve(),
        },
        state.textures,
      );
    this.#assembler = new FrameAssembler(maxFrameBytes, this.#hashes);
    this.#passes = new PassList(this.#assembler);
  }

  /**
   * Whether all draws and clears are kept. Of a frame that nobody wants those into textures are, as far as frames
   * can hold them, for what a later one samples.
   */
  set isRecording(isRecording: boolean) {
    this.#isRecording = isRecording;
    this.#passes.isEarlier = !isRecording;
  }

  /** Records what goes into a target, or marks that something did. */
  #record<Result>(target: PassTarget, record: () => Result): Result | null {
    if (this.#isRecording) return record();
    markDrawnInto(target);
    if (target.framebuffer === null) return null;
    try {
      return record();
    } catch (error) {
      this.#noteUnknown(target, error);
      return null;
    }
  }

  /** What a frame that nobody wants could not hold only counts if its target is read. */
  #noteUnknown({ framebuffer }: PassTarget, error: unknown): void {
    if (!(error instanceof RenderError)) throw error;
    if (error.code === 'LIMIT_EXCEEDED') {
      this.discardFrame();
    } else if (error.code === 'FRAME_UNSUPPORTED') {
      const attachments = [...(framebuffer?.attachments.values() ?? [])];
      this.#passes.contents.drop(
        attachments.map((each) => (each.kind === 'texture' ? each.texture : each.renderbuffer)),
      );
    } else {
      throw error;
    }
  }

  /**
   * Records a draw; gives what is wrong with the vertex arrays, or `null`.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for state that a frame cannot hold, LIMIT_EXCEEDED.
   */
  draw(call: DrawCall, program: DrawProgram, target: PassTarget): string | null {
    if (this.#isRecording) return this.#draw(call, program, target);
    return this.#record(target, () => this.#draw(call, program, target));
  }

  #draw(call: DrawCall, program: DrawProgram, target: PassTarget): string | null {
    const { topology, first, count, instanceCount, indices, lastVertex, inputs } = call;
    const read = this.#programs.inputsOf(program);
    const problem = this.contents?.prepareDraw(read.samplers, target) ?? null;
    if (problem !== null) return problem;
    const attributes = collectAttributeSources(
      read.attributes,
      inputs,
      { lastVertex, instanceCount },
      this.#assembler,
    );
    if (typeof attributes === 'string') return attributes;
    const uniforms = this.#collectUniforms(program);
    if (typeof uniforms === 'string') return uniforms;
    this.#flushBatch();
    const state: PipelineState =
      call.state ?? this.#state.raster.pipelineState(target.heightPx, kindOf(topology));
    const attachments = this.#attachmentsOf(target);
    const textures = this.#bindTextures(read.samplers, attachments);
    this.#append(target, attachments, {
      programIndex: this.#addProgram(program, attachments),
      topology,
      first,
      count,
      indices:
        indices === null
          ? null
          : {
              bufferIndex: this.#assembler.addBuffer(indices.bytes),
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
   * Records primitives of immediate mode, with those before them if nothing changed in between.
   *
   * @throws {RenderError} As `draw`.
   */
  drawImmediate(primitive: BatchedPrimitive, program: DrawProgram, target: PassTarget): void {
    this.#record(target, () => this.#drawImmediate(primitive, program, target));
  }

  #drawImmediate(primitive: BatchedPrimitive, program: DrawProgram, target: PassTarget): void {
    if (target.framebuffer !== null) this.#flushBatch();
    const { topology } = primitive;
    const attachments = this.#attachmentsOf(target);
    const draw = {
      programIndex: this.#addProgram(program, attachments),
      topology,
      uniforms: this.#collectPlainUniforms(program),
      textures: this.#bindTextures(this.#programs.inputsOf(program).samplers, attachments),
      state: this.#state.raster.pipelineState(target.heightPx, kindOf(topology)),
    };
    const isSame =
      this.#batch !== null &&
      this.#batch.target.framebuffer === target.framebuffer &&
      this.#batch.vertices.accepts(draw, primitive);
    if (!isSame) {
      this.#flushBatch();
      this.#batch = { target, vertices: new ImmediateBatch(draw, program.attributes) };
    }
    this.#batch!.vertices.add(primitive, program.attributes);
    // What is in a texture, and whether it is drawn into, must be known at once.
    if (target.framebuffer !== null) this.#flushBatch();
  }

  /** Records a bitmap or a rectangle of pixels. */
  drawImage(image: RasterImage, target: PassTarget): void {
    this.#record(target, () => {
      this.#flushBatch();
      const { widthPx, heightPx } = target;
      const state = this.#state.raster.pipelineState(heightPx, 'polygons');
      const draw = makeImageDraw(image, state, widthPx, heightPx, this.#assembler);
      this.#append(target, this.#attachmentsOf(target), draw);
    });
  }

  /** Records texels that are put over a part of what was drawn. */
  replaceTexels(image: DrawnLevel, box: TexelBox): void {
    const { object, level, slice, format, widthPx, heightPx } = image;
    // What is not known stays so with a part of it replaced.
    if (this.#passes.contents.indexOf(object) === null) return;
    const { kind, isTarget } = TEXTURE_FORMATS[format];
    if (kind !== 'float' || !isTarget || format.endsWith('srgb')) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `texture ${object.name}: a part of what was drawn, of ${format}, is replaced`,
      );
    }
    this.#flushBatch();
    const draw = makeImageDraw(
      {
        kind: 'texels',
        content: {
          format,
          widthPx: box.widthPx,
          heightPx: box.heightPx,
          levels: [box.texels],
          isMipmapGenerated: false,
        },
        color: [0, 0, 0, 0],
        edges: [box.x, box.y, box.x + box.widthPx, box.y + box.heightPx],
        depth: 0,
        alphaTest: null,
      },
      defaultPipelineState(widthPx, heightPx),
      widthPx,
      heightPx,
      this.#assembler,
    );
    const color = { object, level, slice, format };
    this.#passes.append(draw, { colors: [color], hasAlpha: true, depth: null, stencil: null });
    object.markDrawnInto();
  }

  #attachmentsOf({ framebuffer }: PassTarget, isRead = false): PassAttachments {
    return framebuffer === null || this.#renderer === null
      ? resolveAttachments(framebuffer, isRead)
      : this.#renderer.attachmentsOf(framebuffer, isRead);
  }

  /** Renders what is recorded, so that all that it drew is known. */
  resolve(): void {
    const renderer = this.#renderer;
    if (renderer === null) throw new Error('nobody renders what is recorded');
    this.#flushBatch();
    renderer.pending.resolve(this.#passes.contents);
    if (this.#passes.isEmpty) return;
    if (this.#passes.hasScreenPasses) this.contents?.leaveScreen();
    const recorded = { list: this.#passes, assembler: this.#assembler };
    this.#startOver();
    const fragments = renderer.render(recorded);
    if (this.#isCounting) this.#fragmentCount += fragments;
  }

  /**
   * Fragments that reached a target while they were counted, of all that was recorded so far.
   *
   * @param isCounting Whether those of what is recorded from now on count.
   * @throws {RenderError} FRAME_UNSUPPORTED where nobody renders what is recorded.
   */
  countFragments(isCounting: boolean): number {
    if (this.#renderer === null) {
      throw new RenderError('FRAME_UNSUPPORTED', 'queries of samples that passed');
    }
    this.resolve();
    this.#isCounting = isCounting;
    return this.#fragmentCount;
  }

  /** Records what is drawn by other calls than those of a program's draws. */
  withoutCounting<Result>(record: () => Result): Result {
    if (!this.#isCounting) return record();
    this.resolve();
    this.#isCounting = false;
    const result = record();
    this.resolve();
    this.#isCounting = true;
    return result;
  }

  /**
   * Records draws and renders them at once beside what is recorded, which goes on after them. They read no texture,
   * and their targets are their own.
   */
  renderApart<Result>(record: () => Result): Result {
    const renderer = this.#renderer;
    if (renderer === null) throw new Error('nobody renders what is recorded');
    this.#flushBatch();
    const kept = [this.#passes, this.#assembler, this.#load, this.#drawCount] as const;
    this.#startOver();
    try {
      const result = record();
      if (!this.#passes.isEmpty) {
        renderer.render({ list: this.#passes, assembler: this.#assembler });
      }
      return result;
    } finally {
      [this.#passes, this.#assembler, this.#load, this.#drawCount] = kept;
    }
  }

  /** Takes what passes of the frame drew that was taken last, from whom rendered it. */
  adoptFrame(drawnTextures: ReadonlyMap<number, TextureResource>): void {
    this.#renderer?.pending.adopt(drawnTextures, this.#passes.contents);
  }

  #startOver(): void {
    this.#drawCount = 0;
    this.#load = new RecordedLoad();
    this.#assembler = new FrameAssembler(this.#maxFrameBytes, this.#hashes);
    this.#passes = new PassList(this.#assembler);
    this.#passes.isEarlier = !this.#isRecording;
  }

  #flushBatch(): void {
    const batch = this.#batch;
    if (batch === null) return;
    this.#batch = null;
    const { target, vertices } = batch;
    this.#append(target, this.#attachmentsOf(target), vertices.finish(this.#assembler));
  }

  /** Records a clear of the named buffers. */
  clear(mask: ClearMask, target: PassTarget): void {
    if (this.#isRecording && !this.#isCounting) this.#clear(mask, target);
    else this.withoutCounting(() => this.#record(target, () => this.#clear(mask, target)));
  }

  #clear(mask: ClearMask, target: PassTarget): void {
    this.#flushBatch();
    const { raster } = this.#state;
    const isReplaced = this.contents !== null && this.#clearsAll(mask, target);
    this.contents?.prepareClear(target, isReplaced);
    const attachments = this.#attachmentsOf(target);
    if (!hasImages(attachments)) return;
    const { hasAlpha } = attachments;
    // A channel that is not stored need not be written.
    const colorMask = hasAlpha ? raster.colorMask : raster.colorMask.slice(0, 3);
    const writes: ClearMask = {
      color: mask.color && colorMask.includes(true),
      depth: mask.depth && raster.isDepthWritten && attachments.depth !== null,
      stencil: mask.stencil && raster.stencilWriteMask !== 0 && attachments.stencil !== null,
    };
    const pass = this.#passes.passFor(attachments, isReplaced);
    markDrawnInto(target);
    const isWhole = pass.draws.length === 0 && this.#coversTarget(target);
    const whole: ClearMask = {
      color: isWhole && writes.color && !colorMask.includes(false),
      depth: isWhole && writes.depth,
      stencil: isWhole && writes.stencil && raster.stencilWriteMask === 255,
    };
    pass.clear = {
      color: whole.color ? storedColor(raster.clearColor, hasAlpha) : pass.clear.color,
      depth: whole.depth ? raster.clearDepth : pass.clear.depth,
      stencil: whole.stencil ? raster.clearStencil : pass.clear.stencil,
    };
    for (const aspect of TARGET_ASPECTS) {
      if (!whole[aspect]) continue;
      pass.loads.delete(aspect);
    }
    const rest: ClearMask = {
      color: writes.color && !whole.color,
      depth: writes.depth && !whole.depth,
      stencil: writes.stencil && !whole.stencil,
    };
    if (!rest.color && !rest.depth && !rest.stencil) return;
    const { widthPx, heightPx } = target;
    const { colors } = attachments;
    const draw = makeClearDraw(rest, raster, colors, widthPx, heightPx, this.#assembler);
    this.#append(target, attachments, draw);
  }

  /**
   * Records a copy of a rectangle of what was drawn into an image of a texture. What lies outside of the source is
   * left as it is.
   *
   * @param rect In the source, rows from the lowest.
   * @param at Where its lower left corner goes.
   */
  copy(
    source: PassTarget,
    rect: RectPx,
    into: { readonly texture: TextureObject; readonly level: number; readonly slice: number },
    at: { readonly x: number; readonly y: number },
  ): void {
    const level = into.texture.level(
      into.level,
      into.texture.dimension === 'cube' ? into.slice : 0,
    );
    if (level === null) throw new Error('copy: the level is not there');
    this.contents?.prepareCopy(source, into);
    // What a frame that nobody wants drew to the screen is not kept.
    if (!this.#isRecording && source.framebuffer === null)
      this.#passes.contents.drop([into.texture]);
    else {
      this.#flushBatch();
      const x = Math.max(0, rect.x);
      const y = Math.max(0, rect.y);
      const widthPx = Math.min(source.widthPx, rect.x + rect.width) - x;
      const heightPx = Math.min(source.heightPx, rect.y + rect.height) - y;
      if (widthPx <= 0 || heightPx <= 0) return;
      const isDepth = level.base === 'depth';
      const swizzle = COPY_SWIZZLES.get(level.base);
      const attachments = this.#attachmentsOf(source, true);
      this.#passes.copy(
        attachments,
        {
          source: isDepth ? 'depth-stencil' : 0,
          ...{ sourceX: x, sourceY: y, widthPx, heightPx },
          ...{ intoX: at.x + x - rect.x, intoY: at.y + y - rect.y },
          ...(swizzle === undefined ? {} : { swizzle }),
        },
        { object: into.texture, level: into.level, slice: into.slice, format: level.format },
      );
    }
    into.texture.markDrawnInto();
  }

  /** Records a blit. Both framebuffers are complete and fit each other. */
  blit(
    blit: Blit,
    source: PassTarget & { readonly sampleCount: number },
    into: PassTarget & { readonly sampleCount: number },
  ): void {
    this.#record(into, () => {
      this.#flushBatch();
      const written = () => imagesOf(this.#attachmentsOf(into));
      // What a frame that nobody wants drew to the screen is not kept.
      if (!this.#isRecording && source.framebuffer === null) {
        this.#passes.contents.drop(written().map(({ object }) => object));
        return;
      }
      const scissor = this.#state.raster.activeScissor(into.heightPx);
      const sidesNow = () =>
        [
          { ...source, attachments: this.#attachmentsOf(source, true) },
          { ...into, attachments: this.#attachmentsOf(into) },
        ] as const;
      this.contents?.prepareClear(source, false);
      const replaced = listReplaced(blit, ...sidesNow(), scissor);
      this.contents?.prepareTarget(into, replaced);
      if (this.#renderer !== null) {
        const { drawingBuffer } = this.#renderer;
        // Depth and stencil of the screen are no image.
        const isDepth = blit.depth || blit.stencil;
        if (isDepth && into.framebuffer === drawingBuffer.framebuffer) this.contents?.leaveScreen();
      }
      const sides = sidesNow();
      const [, { attachments }] = sides;
      recordBlit(blit, ...sides, scissor, {
        passes: this.#passes,
        assembler: this.#assembler,
        replaced,
        append: (draw) => this.#append(into, attachments, draw),
      });
      markDrawnInto(into);
    });
  }

  /** The frame so far; the next one starts empty. */
  takeFrame(widthPx: number, heightPx: number): Frame {
    this.#flushBatch();
    if (this.#isCounting) this.resolve();
    if (this.#renderer !== null) return this.#takeShown(this.#renderer);
    const { list, assembler } = this.#passes.withoutUnread();
    const frame = assembler.build(widthPx, heightPx, list.finish());
    this.discardFrame();
    return frame;
  }

  /** Whether anything was drawn to the drawing buffer since the last frame, or is there from before. */
  get hasImage(): boolean {
    if (this.#renderer === null) return this.#passes.hasScreenPasses;
    const { isOnScreen, color } = this.#renderer.drawingBuffer;
    if (isOnScreen) return this.#passes.hasScreenPasses;
    return color.texels !== null || this.#passes.contents.indexOf(color) !== null;
  }

  /** The frame of which the drawing buffer is the picture. */
  #takeShown(renderer: PassRenderer): Frame {
    const { drawingBuffer } = renderer;
    const { widthPx, heightPx, screen, color } = drawingBuffer;
    if (!drawingBuffer.isOnScreen) {
      const drawn = this.#passes.contents.indexOf(color);
      const content = color.contentForDrawing();
      if (renderer.pending.isPending(color, this.#passes.contents))
        renderer.pending.resolve(this.#passes.contents);
      if (drawn !== null || color.texels !== null) {
        const image = drawn ?? this.#assembler.addTexture(content!);
        this.#passes.append(makeScreenDraw(image, widthPx, heightPx, this.#assembler), screen);
      }
    }
    const frame = this.#assembler.build(widthPx, heightPx, this.#passes.finish(screen, true));
    this.#startNext(renderer);
    return frame;
  }

  /** What is recorded from now on is of another frame; what this one drew into textures stays owed. */
  #startNext(renderer: PassRenderer): void {
    const recorded = { list: this.#passes, assembler: this.#assembler };
    renderer.drawingBuffer.startFrame();
    this.#startOver();
    renderer.pending.add(recorded);
  }

  /** Ends a frame that nobody wants: what it drew into textures is kept, and all else forgotten. */
  endSkippedFrame(): void {
    if (this.#renderer !== null) {
      this.#flushBatch();
      if (this.#isCounting) this.resolve();
      this.#startNext(this.#renderer);
      return;
    }
    this.#batch = null;
    const { list, assembler, draws } = this.#passes.keepForLater(MAX_EARLIER_DRAWS);
    this.#drawCount = draws;
    this.#assembler = assembler;
    this.#passes = list;
    this.#passes.isEarlier = !this.#isRecording;
  }

  /** Forgets the frame so far. */
  discardFrame(): void {
    this.#batch = null;
    this.#startOver();
  }

  #addProgram({ source }: DrawProgram, { colors }: PassAttachments): number {
    const { isFragColorBroadcast } = this.#state.rules;
    const drawn = isFragColorBroadcast ? this.#broadcast.sourceFor(source, colors.length) : source;
    return this.#assembler.addProgram(drawn);
  }

  #append(target: PassTarget, attachments: PassAttachments, draw: Draw): void {
    if (!hasImages(attachments)) return;
    const { maxDraws } = DEFAULT_FRAME_LIMITS;
    if (++this.#drawCount > maxDraws) {
      throw new RenderError('LIMIT_EXCEEDED', `the frame has more than ${maxDraws} draws`);
    }
    this.#load.count(draw);
    this.#passes.append(draw, attachments);
    markDrawnInto(target);
  }

  /** Whether nothing of what a target holds stays. */
  #clearsAll(mask: ClearMask, target: PassTarget): boolean {
    const { raster } = this.#state;
    const { colors, depth, stencil } = this.#attachmentsOf(target);
    const hasColor = colors.some((color) => color !== null);
    return (
      this.#coversTarget(target) &&
      (!hasColor || (mask.color && !raster.colorMask.includes(false))) &&
      (depth === null || (mask.depth && raster.isDepthWritten)) &&
      (stencil === null || (mask.stencil && raster.stencilWriteMask === 255))
    );
  }

  #coversTarget({ widthPx, heightPx }: PassTarget): boolean {
    const scissor = this.#state.raster.activeScissor(heightPx);
    if (scissor === null) return true;
    const { x, y, width, height } = scissor;
    return x <= 0 && y <= 0 && x + width >= widthPx && y + height >= heightPx;
  }

  /** Values by name, or what is wrong with the buffers of blocks. */
  #collectUniforms(program: DrawProgram): Draw['uniforms'] | string {
    const values = this.#collectPlainUniforms(program);
    const { blocks } = program;
    if (blocks === undefined || blocks.blocks.length === 0) return values;
    return blocks.addTo(values, (binding) => this.#state.buffers.uniformBytes(binding));
  }

  #collectPlainUniforms({ uniforms }: DrawProgram): Draw['uniforms'] {
    if (uniforms.builtInNames.length === 0) return uniforms.snapshot();
    const values: Record<string, UniformValue> = { ...uniforms.snapshot() };
    for (const name of uniforms.builtInNames) {
      const value = readBuiltInUniform(name, this.#state);
      if (value === null) throw new RenderError('FRAME_UNSUPPORTED', `built-in uniform ${name}`);
      values[name] = value;
    }
    return values;
  }

  #bindTextures(
    samplers: SamplerElements,
    attachments: PassAttachments,
  ): Readonly<Record<string, TextureBinding>> {
    const { elements } = samplers;
    for (let index = 0; index < elements.length; index++) {
      const { units, element, target, isStipple, reflectedName } = elements[index]!;
      if (isStipple) {
        const pattern = stippleTexture(this.#state.fixed.polygonStipple);
        samplers.bind(index, this.#assembler.addTexture(pattern), STIPPLE_SAMPLING);
        continue;
      }
      const unit = units[element]!;
      const texture = this.#state.textures.bound(unit, target);
      const parameters = this.#state.textures.samplers.bound(unit)?.parameters;
      const sampler = texture.sampler(parameters);
      // With a renderer it was seen to before.
      if (this.#renderer === null) refuseLoop(reflectedName, texture, sampler, attachments);
      // An incomplete texture reads black, as no texture does.
      samplers.bind(index, this.#textureIndexOf(texture, parameters), sampler);
    }
    return samplers.bindings();
  }

  /** `null` for an incomplete texture. */
  #textureIndexOf(texture: TextureObject, parameters?: SamplerParameters): number | null {
    const drawnIndex = this.#passes.contents.indexOf(texture);
    if (drawnIndex === null) {
      const content = texture.contentForSampling(parameters);
      return content === null ? null : this.#assembler.addTexture(content);
    }
    const drawn = texture.drawnForSampling(parameters);
    if (drawn === null) return null;
    if (drawn.readsMipmaps) this.#assembler.generateMipmaps(drawnIndex);
    return drawnIndex;
  }
}

/** What a topology makes. */
export function kindOf(topology: Topology): 'points' | 'lines' | 'polygons' {
  if (topology === 'points') return 'points';
  return topology.startsWith('line') ? 'lines' : 'polygons';
}

/** @throws {RenderError} FRAME_UNSUPPORTED for a texture that is what is drawn into. */
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
      `sampler ${name}: texture ${texture.name} is what is drawn into`,
    );
  }
}

/** Whether there is anything to draw into: no output may go anywhere, without depth and stencil. */
function hasImages({ colors, depth, stencil }: PassAttachments): boolean {
  return depth !== null || stencil !== null || colors.some((color) => color !== null);
}

/** The texels of textures that a framebuffer's draws go to are no longer those that were uploaded. */
function markDrawnInto({ framebuffer }: PassTarget): void {
  // The drawing buffer has no textures.
  if (framebuffer === null || framebuffer.name === 0) return;
  for (const [point, attachment] of framebuffer.attachments) {
    const isColor = point !== 'depth' && point !== 'stencil';
    // Of all colours only those that an output goes to.
    if (isColor && !framebuffer.colorPoints.includes(point)) continue;
    if (attachment.kind === 'texture') attachment.texture.markDrawnInto();
  }
}
