/**
 * Turns draws and clears into the passes of a frame: each draw takes along what the state was. A clear of
 * a whole, still untouched target is the pass's clear; any other is a draw of its own.
 */
import {
  DEFAULT_FRAME_LIMITS,
  type Draw,
  type Frame,
  type IndexSource,
  type PassClear,
  type PipelineState,
  RenderError,
  type TextureBinding,
  type Topology,
  type UniformValue,
} from '@tessera/frame';
import { GL } from '../constants.ts';
import type { FramebufferObject } from '../state/framebuffer-objects.ts';
import type { MatrixStacks } from '../state/matrix-stacks.ts';
import type { LinkedProgram } from '../state/program-objects.ts';
import type { RasterState } from '../state/raster-state.ts';
import type { TextureState } from '../state/texture-state.ts';
import type { VertexArrayState } from '../state/vertex-array.ts';
import { collectAttributeSources } from './attribute-sources.ts';
import { readBuiltInUniform } from './built-in-uniforms.ts';
import { type ClearMask, makeClearDraw } from './clear-draw.ts';
import { FrameAssembler } from './frame-assembler.ts';

/** What a pass draws into; `framebuffer` `null` is the screen. */
export interface PassTarget {
  readonly framebuffer: FramebufferObject | null;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** State that draws look at. */
export interface DrawState {
  readonly raster: RasterState;
  readonly textures: TextureState;
  readonly vertexArrays: VertexArrayState;
  readonly matrices: MatrixStacks;
  /** Whether textures of other sizes than powers of two are restricted. */
  readonly isPowerOfTwoOnly: boolean;
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
}

interface RecordedPass {
  readonly target: PassTarget;
  clear: PassClear;
  readonly draws: Draw[];
}

/** What a target that nobody cleared holds. */
const INITIAL_CLEAR: PassClear = { color: [0, 0, 0, 0], depth: 1, stencil: 0 };

export class DrawRecorder {
  readonly #state: DrawState;
  readonly #maxFrameBytes: number;
  #assembler: FrameAssembler;
  #passes: RecordedPass[] = [];
  #drawCount = 0;
  /** Whether draws and clears are kept; those of a frame that nobody wants only mark what they draw into. */
  isRecording = true;

  /** @param maxFrameBytes Most bytes of buffers and textures in one frame. */
  constructor(state: DrawState, maxFrameBytes: number) {
    this.#state = state;
    this.#maxFrameBytes = maxFrameBytes;
    this.#assembler = new FrameAssembler(maxFrameBytes);
  }

  /**
   * Records a draw; gives what is wrong with the vertex arrays, or `null`.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for state that a frame cannot hold, LIMIT_EXCEEDED.
   */
  draw(call: DrawCall, program: LinkedProgram, target: PassTarget): string | null {
    if (!this.isRecording) {
      markDrawnInto(target);
      return null;
    }
    const { topology, first, count, instanceCount, indices, lastVertex } = call;
    const attributes = collectAttributeSources(
      program.attributes,
      this.#state.vertexArrays,
      { lastVertex, instanceCount },
      this.#assembler,
    );
    if (typeof attributes === 'string') return attributes;
    const state: PipelineState = this.#state.raster.pipelineState(target.heightPx);
    const textures = this.#bindTextures(program);
    this.#append(target, {
      programIndex: this.#assembler.addProgram(program.source),
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
      uniforms: this.#collectUniforms(program),
      textures,
      state,
    });
    return null;
  }

  /** Records a clear of the named buffers. */
  clear(mask: ClearMask, target: PassTarget): void {
    if (!this.isRecording) {
      markDrawnInto(target);
      return;
    }
    const { raster } = this.#state;
    const writes: ClearMask = {
      color: mask.color && raster.colorMask.includes(true),
      depth: mask.depth && raster.isDepthWritten,
      stencil: mask.stencil && raster.stencilWriteMask !== 0,
    };
    const pass = this.#passFor(target);
    const isWhole = pass.draws.length === 0 && this.#coversTarget(target);
    const whole: ClearMask = {
      color: isWhole && writes.color && !raster.colorMask.includes(false),
      depth: isWhole && writes.depth,
      stencil: isWhole && writes.stencil && raster.stencilWriteMask === 255,
    };
    pass.clear = {
      color: whole.color ? raster.clearColor : pass.clear.color,
      depth: whole.depth ? raster.clearDepth : pass.clear.depth,
      stencil: whole.stencil ? raster.clearStencil : pass.clear.stencil,
    };
    const rest: ClearMask = {
      color: writes.color && !whole.color,
      depth: writes.depth && !whole.depth,
      stencil: writes.stencil && !whole.stencil,
    };
    if (!rest.color && !rest.depth && !rest.stencil) return;
    const { widthPx, heightPx } = target;
    this.#append(target, makeClearDraw(rest, raster, widthPx, heightPx, this.#assembler));
  }

  /**
   * The frame so far; the next one starts empty.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if something was drawn anywhere but to the screen.
   */
  takeFrame(widthPx: number, heightPx: number): Frame {
    const passes = this.#passes;
    const assembler = this.#assembler;
    this.discardFrame();
    passes.forEach(({ target, draws }, passIndex) => {
      if (target.framebuffer === null) return;
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `passes[${passIndex}]: ${draws.length} draws into framebuffer object ${target.framebuffer.name}; frames have one pass, to the screen`,
      );
    });
    const nothing: RecordedPass[] = [
      { target: { framebuffer: null, widthPx, heightPx }, clear: INITIAL_CLEAR, draws: [] },
    ];
    return assembler.build(widthPx, heightPx, passes.length === 0 ? nothing : passes);
  }

  /** Forgets the frame so far. */
  discardFrame(): void {
    this.#passes = [];
    this.#drawCount = 0;
    this.#assembler = new FrameAssembler(this.#maxFrameBytes);
  }

  #append(target: PassTarget, draw: Draw): void {
    const { maxDraws } = DEFAULT_FRAME_LIMITS;
    if (++this.#drawCount > maxDraws) {
      throw new RenderError('LIMIT_EXCEEDED', `the frame has more than ${maxDraws} draws`);
    }
    this.#passFor(target).draws.push(draw);
  }

  /** The pass that is under way, or a new one if the last had another target. */
  #passFor(target: PassTarget): RecordedPass {
    const last = this.#passes.at(-1);
    if (last !== undefined && last.target.framebuffer === target.framebuffer) return last;
    markDrawnInto(target);
    const pass: RecordedPass = { target, clear: INITIAL_CLEAR, draws: [] };
    this.#passes.push(pass);
    return pass;
  }

  #coversTarget({ widthPx, heightPx }: PassTarget): boolean {
    const scissor = this.#state.raster.activeScissor(heightPx);
    if (scissor === null) return true;
    const { x, y, width, height } = scissor;
    return x <= 0 && y <= 0 && x + width >= widthPx && y + height >= heightPx;
  }

  #collectUniforms({ uniforms }: LinkedProgram): Draw['uniforms'] {
    if (uniforms.builtInNames.length === 0) return uniforms.snapshot();
    const values: Record<string, UniformValue> = { ...uniforms.snapshot() };
    for (const name of uniforms.builtInNames) {
      const { matrices, raster } = this.#state;
      const value = readBuiltInUniform(name, matrices, raster);
      if (value === null) throw new RenderError('FRAME_UNSUPPORTED', `built-in uniform ${name}`);
      values[name] = value;
    }
    return values;
  }

  #bindTextures(program: LinkedProgram): Record<string, TextureBinding> {
    const bindings: Record<string, TextureBinding> = {};
    for (const { reflected, units } of program.uniforms.samplers()) {
      if (reflected.dimension !== '2d' || reflected.isShadow) {
        const kind = reflected.isShadow ? 'shadow' : reflected.dimension;
        throw new RenderError('FRAME_UNSUPPORTED', `sampler ${reflected.name}: ${kind} textures`);
      }
      units.forEach((unit, element) => {
        const texture = this.#state.textures.bound(unit, GL.TEXTURE_2D);
        const content = texture.contentForSampling(this.#state.isPowerOfTwoOnly);
        if (content === null) return; // an incomplete texture reads black, as no texture does
        const baseName = reflected.name.replace(/\[0\]$/, '');
        const name = baseName === reflected.name ? baseName : `${baseName}[${element}]`;
        const textureIndex = this.#assembler.addTexture(content);
        bindings[name] = { textureIndex, sampler: texture.sampler() };
      });
    }
    return bindings;
  }
}

/** The texels of a framebuffer's textures are no longer those that were uploaded. */
function markDrawnInto({ framebuffer }: PassTarget): void {
  for (const attachment of framebuffer?.attachments.values() ?? []) {
    if (attachment.kind === 'texture') attachment.texture.markDrawnInto();
  }
}
