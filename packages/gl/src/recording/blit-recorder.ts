/**
 * Records blits between framebuffers. The caller has checked that both are complete and compatible.
 */
import { type RectPx, RenderError } from '@tessera/frame';
import type { RasterState } from '../state/raster-state.ts';
import { type Blit, isExact, listReplaced, recordBlit } from './generated/blit.ts';
import { markDrawnInto } from './mark-drawn-into.ts';
import { imagesOf, type PassAttachments, type PassTarget } from './passes/pass-attachments.ts';
import type { Recording } from './recording.ts';
import { type DepthImage, scaleDepth } from './scale-depth.ts';

/** Parts of a context that blits depend on. */
interface BlitParts {
  readonly raster: RasterState;
  readonly recording: Recording;
}

/** Source or destination of a blit. */
type BlitSide = PassTarget & { readonly sampleCount: number };

/** Recorder of blits. */
export class BlitRecorder {
  readonly #parts: BlitParts;

  constructor(parts: BlitParts) {
    this.#parts = parts;
  }

  /**
   * Records a blit. A skipped frame cannot read the screen, so such a blit only makes the
   * destination unknown.
   */
  blit(blit: Blit, source: BlitSide, into: BlitSide): void {
    const { recording } = this.#parts;
    recording.withoutCounting(() => recording.record(into, () => this.#blit(blit, source, into)));
  }

  #blit(blit: Blit, source: BlitSide, into: BlitSide): void {
    const { raster, recording } = this.#parts;
    recording.flushBatch();
    if (!recording.isWanted && source.framebuffer === null) {
      // A skipped frame does not record draws to the screen, so the result of the blit is unknown.
      const written = imagesOf(recording.attachmentsOf(into));
      recording.passes.contents.drop(written.map(({ object }) => object));
      return;
    }
    const scissor = raster.activeScissor(into.heightPx);
    const sidesNow = () =>
      [
        { ...source, attachments: recording.attachmentsOf(source, true) },
        { ...into, attachments: recording.attachmentsOf(into) },
      ] as const;
    recording.contents?.prepareClear(source, false);
    const replaced = listReplaced(blit, ...sidesNow(), scissor);
    recording.contents?.prepareTarget(into, replaced);
    // A blit cannot write depth or stencil of the screen, so the drawing buffer moves to
    // renderbuffers.
    const isDepth = blit.depth || blit.stencil;
    const isScaled = isDepth && !isExact(blit);
    const screen = recording.renderer?.drawingBuffer.framebuffer;
    const isOfScreen = into.framebuffer === screen || (isScaled && source.framebuffer === screen);
    if (isDepth && isOfScreen) recording.contents?.leaveScreen();
    if (isScaled) this.#scaleDepth(blit, ...sidesNow(), scissor);
    const recorded = isScaled ? { ...blit, depth: false, stencil: false } : blit;
    if (!recorded.color && !recorded.depth && !recorded.stencil) return;
    const sides = sidesNow();
    const [, { attachments }] = sides;
    recordBlit(recorded, ...sides, scissor, {
      passes: recording.passes,
      assembler: recording.assembler,
      replaced,
      append: (draw) => recording.append(into, attachments, draw),
    });
    markDrawnInto(into);
  }
  /** Renders both images and computes the texels of the destination. */
  #scaleDepth(
    { from, to, depth, stencil }: Blit,
    source: SideNow,
    into: SideNow,
    scissor: RectPx | null,
  ): void {
    const { contents } = this.#parts.recording;
    const aspects = {
      depth: depth && hasAspect('depth', source, into),
      stencil: stencil && hasAspect('stencil', source, into),
    };
    const [read, written] = [depthImageOf(source), depthImageOf(into)];
    if (!aspects.depth && !aspects.stencil) return;
    if (contents === null || read === null || written === null) {
      const message = 'blitFramebuffer: depth or stencil, scaled or mirrored';
      throw new RenderError('FRAME_UNSUPPORTED', message);
    }
    contents.resolveObject(read.image.object);
    contents.resolveObject(written.image.object);
    scaleDepth({ from, to, ...aspects }, read, written, scissor);
  }
}

/** Side of a blit with its current attachments. */
type SideNow = BlitSide & { readonly attachments: PassAttachments };

function hasAspect(aspect: 'depth' | 'stencil', source: SideNow, into: SideNow): boolean {
  return source.attachments[aspect] !== null && into.attachments[aspect] !== null;
}

/**
 * Returns the image of depth and stencil of a side; `null` if it is the screen's or there is none.
 */
function depthImageOf({ attachments, widthPx, heightPx }: SideNow): DepthImage | null {
  const image = attachments.depth ?? attachments.stencil;
  return image === null || image === 'screen' ? null : { image, widthPx, heightPx };
}
