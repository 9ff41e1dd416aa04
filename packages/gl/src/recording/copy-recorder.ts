/** Records copies of rendered images into images of textures. */
import type { RectPx, TargetCopy } from '@tessera/frame';
import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { BaseFormat } from '../texels/texel-formats.ts';
import { refuseSpreadSource } from './passes/color-stores.ts';
import type { PassTarget } from './passes/pass-attachments.ts';
import type { Recording } from './recording.ts';

/**
 * Sources of the four channels of a copy, by base format of the texture. Other formats copy each
 * channel unchanged.
 */
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

/** Image of a texture, by level and slice. */
interface TextureImage {
  readonly texture: TextureObject;
  readonly level: number;
  readonly slice: number;
}

/** Recorder of copies. */
export class CopyRecorder {
  readonly #parts: { readonly recording: Recording };

  constructor(parts: { readonly recording: Recording }) {
    this.#parts = parts;
  }

  /**
   * Records a copy of a rectangle. Texels that the source does not cover stay unchanged.
   *
   * @param rect Rectangle of the source. Row 0 is the lowest.
   * @param at Position in the texture of the rectangle's lower left corner.
   */
  copy(
    source: PassTarget,
    rect: RectPx,
    into: TextureImage,
    at: { readonly x: number; readonly y: number },
  ): void {
    const { recording } = this.#parts;
    const { texture, slice } = into;
    const level = texture.level(into.level, texture.dimension === 'cube' ? slice : 0);
    if (level === null) throw new Error('copy: the source level is not defined');
    recording.contents?.prepareCopy(source, into);
    if (!recording.isWanted && source.framebuffer === null) {
      // A skipped frame does not record draws to the screen, so the copied texels are unknown.
      recording.passes.contents.drop([texture]);
    } else {
      recording.flushBatch();
      const x = Math.max(0, rect.x);
      const y = Math.max(0, rect.y);
      const widthPx = Math.min(source.widthPx, rect.x + rect.width) - x;
      const heightPx = Math.min(source.heightPx, rect.y + rect.height) - y;
      if (widthPx <= 0 || heightPx <= 0) return;
      const swizzle = COPY_SWIZZLES.get(level.base);
      const attachments = recording.attachmentsOf(source, true);
      if (level.base !== 'depth') {
        refuseSpreadSource('copyTexImage', attachments.stores, [level.base]);
      }
      recording.passes.copy(
        attachments,
        {
          source: level.base === 'depth' ? 'depth-stencil' : 0,
          sourceX: x,
          sourceY: y,
          widthPx,
          heightPx,
          intoX: at.x + x - rect.x,
          intoY: at.y + y - rect.y,
          ...(swizzle === undefined ? {} : { swizzle }),
        },
        { object: texture, level: into.level, slice, format: level.format },
      );
    }
    texture.markDrawnInto();
  }
}
