/**
 * Records blits between framebuffers. The caller has checked that both are complete and compatible.
 */
import type { RasterState } from '../state/raster-state.ts';
import { type Blit, listReplaced, recordBlit } from './generated/blit.ts';
import { imagesOf, type PassTarget } from './passes/pass-attachments.ts';
import { markDrawnInto, type Recording } from './recording.ts';

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
    if (isDepth && into.framebuffer === recording.renderer?.drawingBuffer.framebuffer) {
      recording.contents?.leaveScreen();
    }
    const sides = sidesNow();
    const [, { attachments }] = sides;
    recordBlit(blit, ...sides, scissor, {
      passes: recording.passes,
      assembler: recording.assembler,
      replaced,
      append: (draw) => recording.append(into, attachments, draw),
    });
    markDrawnInto(into);
  }
}
