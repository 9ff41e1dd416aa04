/**
 * Records clears. A clear of a whole, untouched target sets the initial contents of its pass. Any
 * other clear becomes a draw.
 */
import { type PassClear, TARGET_ASPECTS } from '@tessera/frame';
import { viewsOf } from '../objects/framebuffers/framebuffer-views.ts';
import type { RasterState } from '../state/raster-state.ts';
import { type ClearMask, makeClearDraw } from './generated/clear-draw.ts';
import { markDrawnInto } from './mark-drawn-into.ts';
import { clearedColors } from './passes/confine-draw.ts';
import { hasImages, type PassTarget } from './passes/pass-attachments.ts';
import type { Recording } from './recording.ts';

/** Parts of a context that clears depend on. */
interface ClearParts {
  readonly raster: RasterState;
  readonly recording: Recording;
}

/** Recorder of clears. */
export class ClearRecorder {
  readonly #parts: ClearParts;

  constructor(parts: ClearParts) {
    this.#parts = parts;
  }

  /** Records a clear of the buffers in `mask`, in all views of the target. */
  clear(mask: ClearMask, target: PassTarget): void {
    const { recording } = this.#parts;
    for (const view of viewsOf(target)) {
      recording.withoutCounting(() => recording.record(view, () => this.#clear(mask, view)));
    }
  }

  #clear(mask: ClearMask, target: PassTarget): void {
    const { raster, recording } = this.#parts;
    recording.flushBatch();
    const isReplaced = recording.contents !== null && this.#clearsAll(mask, target);
    recording.contents?.prepareClear(target, isReplaced);
    const attachments = recording.attachmentsOf(target);
    if (!hasImages(attachments)) return;
    const { hasAlpha } = attachments;
    // Writes to alpha have no effect if the target does not store it.
    const masks = raster.targetMasks ?? [raster.colorMask];
    const colorMask = masks.flatMap((mask) => (hasAlpha ? mask : mask.slice(0, 3)));
    const writes: ClearMask = {
      color: mask.color && colorMask.includes(true),
      depth: mask.depth && raster.isDepthWritten && attachments.depth !== null,
      stencil: mask.stencil && raster.stencilWriteMask !== 0 && attachments.stencil !== null,
    };
    const pass = recording.passes.passFor(attachments, isReplaced);
    markDrawnInto(target);
    const isWhole = pass.draws.length === 0 && this.#coversTarget(target);
    const whole: ClearMask = {
      color: isWhole && writes.color && !colorMask.includes(false),
      depth: isWhole && writes.depth,
      stencil: isWhole && writes.stencil && raster.stencilWriteMask === 255,
    };
    pass.clear = {
      ...(whole.color ? clearedColors(raster.clearColor, attachments) : colorsOf(pass.clear)),
      depth: whole.depth ? raster.clearDepth : pass.clear.depth,
      stencil: whole.stencil ? raster.clearStencil : pass.clear.stencil,
    };
    for (const aspect of TARGET_ASPECTS) if (whole[aspect]) pass.loads.delete(aspect);
    const rest: ClearMask = {
      color: writes.color && !whole.color,
      depth: writes.depth && !whole.depth,
      stencil: writes.stencil && !whole.stencil,
    };
    if (!rest.color && !rest.depth && !rest.stencil) return;
    const { widthPx, heightPx } = target;
    const { colors } = attachments;
    const draw = makeClearDraw(rest, raster, colors, widthPx, heightPx, recording.assembler);
    recording.append(target, attachments, draw);
  }

  /** Whether a clear replaces all contents of a target. */
  #clearsAll(mask: ClearMask, target: PassTarget): boolean {
    const { raster, recording } = this.#parts;
    const { colors, depth, stencil } = recording.attachmentsOf(target);
    const hasColor = colors.some((color) => color !== null);
    return (
      this.#coversTarget(target) &&
      (!hasColor ||
        (mask.color && raster.targetMasks === null && !raster.colorMask.includes(false))) &&
      (depth === null || (mask.depth && raster.isDepthWritten)) &&
      (stencil === null || (mask.stencil && raster.stencilWriteMask === 255))
    );
  }

  #coversTarget({ widthPx, heightPx }: PassTarget): boolean {
    const scissor = this.#parts.raster.activeScissor(heightPx);
    if (scissor === null) return true;
    const { x, y, width, height } = scissor;
    return x <= 0 && y <= 0 && x + width >= widthPx && y + height >= heightPx;
  }
}

function colorsOf({ color, colors }: PassClear): Pick<PassClear, 'color' | 'colors'> {
  return colors === undefined ? { color } : { color, colors };
}
