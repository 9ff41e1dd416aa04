/**
 * Blits between framebuffers (OpenGL ES 3.0, section 4.3.3): checks of the specification. The
 * recorder renders the copies.
 */
import { TEXTURE_FORMATS } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { DrawTargets } from '../draw/draw-targets.ts';
import { describeAttachment } from '../objects/framebuffers/attached-images.ts';
import type { Attachment, AttachmentPoint } from '../objects/framebuffers/framebuffer-object.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import { BlitRecorder } from '../recording/blit-recorder.ts';
import type { BlitEdges } from '../recording/generated/blit.ts';
import type { PassTarget } from '../recording/passes/pass-attachments.ts';
import type { Recording } from '../recording/recording.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { RasterState } from '../state/raster-state.ts';

/** State that blits depend on. */
interface BlitParts {
  readonly fixed: Pick<FixedState, 'isDiscarding'>;
  readonly errors: GlErrors;
  readonly rules: ApiRules;
  readonly framebuffers: FramebufferState;
  readonly targets: DrawTargets;
  readonly raster: RasterState;
  readonly recording: Recording;
}

const MASK = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;

/** Framebuffer of a blit, with its multisampled images. */
interface Side extends PassTarget {
  readonly sampleCount: number;
}

/** Blits of one context. */
export class FramebufferBlits {
  readonly #parts: BlitParts;
  readonly #recorder: BlitRecorder;

  constructor(parts: BlitParts) {
    this.#parts = parts;
    this.#recorder = new BlitRecorder(parts);
  }

  blit(from: BlitEdges, to: BlitEdges, mask: number, filter: number): void {
    const refused = this.#findArgumentProblem(mask, filter) ?? this.#findIncomplete();
    if (refused !== null) {
      const [error, why] = refused;
      this.#parts.errors.raise(error, `blitFramebuffer: ${why}`);
      return;
    }
    const isLinear = filter === GL.LINEAR;
    const source = this.#side(this.#parts.framebuffers.readFramebuffer, true);
    const into = this.#side(this.#parts.framebuffers.drawFramebuffer, false);
    const color = (mask & GL.COLOR_BUFFER_BIT) !== 0;
    const problem =
      this.#findSampleProblem(source, into, from, to) ??
      (color ? this.#findColorProblem(source, into, isLinear) : null) ??
      this.#findDepthProblem(source, into, mask);
    if (problem !== null) {
      this.#parts.errors.raise(GL.INVALID_OPERATION, `blitFramebuffer: ${problem}`);
      return;
    }
    const isNothing = [from, to].some(([x0, y0, x1, y1]) => x0 === x1 || y0 === y1);
    if (isNothing || this.#parts.fixed.isDiscarding) return;
    this.#recorder.blit(
      {
        ...{ from, to, isLinear, color },
        depth: (mask & GL.DEPTH_BUFFER_BIT) !== 0,
        stencil: (mask & GL.STENCIL_BUFFER_BIT) !== 0,
      },
      source,
      into,
    );
  }

  #findArgumentProblem(mask: number, filter: number): readonly [number, string] | null {
    if ((mask & ~MASK) !== 0)
      return [GL.INVALID_VALUE, `mask ${mask} has bits that name no buffer`];
    if (filter !== GL.NEAREST && filter !== GL.LINEAR) {
      return [GL.INVALID_ENUM, `filter ${nameOfEnum(filter)} is not GL_NEAREST or GL_LINEAR`];
    }
    const isDepth = (mask & ~GL.COLOR_BUFFER_BIT) !== 0;
    return filter === GL.LINEAR && isDepth
      ? [GL.INVALID_OPERATION, 'depth and stencil require the filter GL_NEAREST']
      : null;
  }

  #findIncomplete(): readonly [number, string] | null {
    for (const target of [GL.READ_FRAMEBUFFER, GL.DRAW_FRAMEBUFFER]) {
      const status = this.#parts.framebuffers.checkStatus(target);
      if (status === GL.FRAMEBUFFER_COMPLETE) continue;
      return [
        GL.INVALID_FRAMEBUFFER_OPERATION,
        `a framebuffer is incomplete (${nameOfEnum(status)})`,
      ];
    }
    return null;
  }

  #side(bound: FramebufferState['readFramebuffer'], isRead: boolean): Side {
    const { drawingBuffer } = this.#parts.targets;
    const framebuffer = bound ?? drawingBuffer?.framebuffer ?? null;
    const sampleCount = this.#parts.framebuffers.sampleCountOf(framebuffer);
    if (bound === null) return { ...this.#parts.targets.screen(), sampleCount };
    const { widthPx, heightPx } = this.#parts.framebuffers.sizeOf(bound, isRead);
    const { isSrgbRaw } = this.#parts.targets;
    return { framebuffer: bound, widthPx, heightPx, sampleCount, isSrgbRaw };
  }

  #findSampleProblem(source: Side, into: Side, from: BlitEdges, to: BlitEdges): string | null {
    if (this.#parts.rules.areBlitsStrict && into.sampleCount > 1)
      return 'the draw framebuffer is multisampled';
    if (Math.max(source.sampleCount, into.sampleCount) === 1) return null;
    const size = ([x0, y0, x1, y1]: BlitEdges) => `${Math.abs(x1 - x0)}×${Math.abs(y1 - y0)}`;
    if (size(from) !== size(to)) return 'a multisampled image cannot be scaled';
    const isMoved = this.#parts.rules.areBlitsStrict && from.join() !== to.join();
    if (isMoved) return 'the rectangles of a multisampled blit must be equal';
    return null;
  }

  #findColorProblem(source: Side, into: Side, isLinear: boolean): string | null {
    const read = attachmentAt(source, source.framebuffer?.readPoint ?? 'color0');
    if (read === null) return null;
    const kind = TEXTURE_FORMATS[read.format].kind;
    if (isLinear && kind !== 'float') return `format ${read.format} requires the filter GL_NEAREST`;
    for (const point of into.framebuffer?.colorPoints ?? ['color0' as const]) {
      const written = attachmentAt(into, point);
      if (written === null) continue;
      if (TEXTURE_FORMATS[written.format].kind !== kind) {
        return `format ${read.format} cannot be copied into ${written.format}`;
      }
      if (!this.#parts.rules.areBlitsStrict) continue;
      if (source.sampleCount > 1 && !isSameFormat(read, written)) {
        return `multisampled format ${read.format} cannot be resolved into ${written.format}`;
      }
      if (isSameImage(read.attachment, written.attachment))
        return 'the source and the destination are the same color image';
    }
    return null;
  }

  #findDepthProblem(source: Side, into: Side, mask: number): string | null {
    for (const [bit, point] of [
      [GL.DEPTH_BUFFER_BIT, 'depth'],
      [GL.STENCIL_BUFFER_BIT, 'stencil'],
    ] as const) {
      if ((mask & bit) === 0) continue;
      const read = attachmentAt(source, point);
      const written = attachmentAt(into, point);
      if (read === null || written === null) continue;
      const [one, other] = [read, written].map(({ internalFormat }) => internalFormat);
      if (one !== null && other !== null && one !== other) {
        return `${point} of format ${nameOfEnum(one!)} cannot be copied into ${nameOfEnum(other!)}`;
      }
      if (this.#parts.rules.areBlitsStrict && isSameImage(read.attachment, written.attachment)) {
        return `the source and the destination are the same ${point} image`;
      }
    }
    return null;
  }
}

interface FoundImage
  extends Pick<NonNullable<ReturnType<typeof describeAttachment>>, 'format' | 'base'> {
  /** Attachment; `null` for the screen. */
  readonly attachment: Attachment | null;
  /** Internal format of a renderbuffer; `null` if unknown. */
  readonly internalFormat: number | null;
}

/** Returns the image attached at a point; `null` for none. The screen has all attachments. */
function attachmentAt({ framebuffer }: PassTarget, point: AttachmentPoint): FoundImage | null {
  if (framebuffer === null) {
    const format = point.startsWith('color') ? 'rgba8unorm' : 'depth24unorm-stencil8';
    const base = point.startsWith('color') ? 'rgba' : 'depth';
    return { attachment: null, internalFormat: null, format, base };
  }
  const attachment = framebuffer.attachments.get(point);
  const found = attachment === undefined ? null : describeAttachment(attachment);
  if (attachment === undefined || found === null) return null;
  const internalFormat =
    attachment.kind === 'renderbuffer' ? attachment.renderbuffer.internalFormat : null;
  return { attachment, internalFormat, format: found.format, base: found.base };
}

function isSameFormat(a: FoundImage, b: FoundImage): boolean {
  const isNamed = a.internalFormat !== null && b.internalFormat !== null;
  if (isNamed && a.internalFormat !== b.internalFormat) return false;
  return a.format === b.format && a.base === b.base;
}

function isSameImage(a: Attachment | null, b: Attachment | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'renderbuffer') {
    return b.kind === 'renderbuffer' && a.renderbuffer === b.renderbuffer;
  }
  if (b.kind === 'renderbuffer') return false;
  return a.texture === b.texture && a.level === b.level && a.slice === b.slice;
}
