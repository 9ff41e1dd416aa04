/**
 * Bitmaps and pixel rectangles of OpenGL 1.0 to 2.1 (sections 3.6 and 3.7), drawn at the current
 * raster position. Methods have the names of the API.
 */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { DrawTargets } from '../draw/draw-targets.ts';
import type { DrawRecorder } from '../recording/draw-recorder.ts';
import type { RasterImage } from '../recording/generated/image-draw.ts';
import type { SavedState } from '../state/fixed/attribute-stack.ts';
import { toVector4 } from '../state/fixed/lighting-state.ts';
import {
  INITIAL_RASTER_POSITION,
  projectRasterPosition,
  type RasterPosition,
} from '../state/fixed/raster-position.ts';
import { convertTexels, findSourceFormat, measureUpload } from '../texels/texel-formats.ts';

const MAX_EDGE_PX = 8192;
/**
 * Tolerance for text at whole pixels, which matrices reach only approximately. Mesa has the same
 * tolerance.
 */
const ROUNDING_PX = 0.0001;

/** Parts of a context that bitmaps and pixel rectangles depend on. */
interface RectangleParts extends SavedState {
  readonly errors: GlErrors;
  readonly targets: DrawTargets;
  readonly recorder: DrawRecorder;
}

/** Bitmaps and pixel rectangles of one context. */
export class PixelRectangles {
  readonly #parts: RectangleParts;
  #position: RasterPosition = INITIAL_RASTER_POSITION;
  #zoom: readonly [number, number] = [1, 1];

  constructor(parts: RectangleParts) {
    this.#parts = parts;
  }

  rasterPos(position: readonly number[]): void {
    const { matrices, raster, vertexArrays } = this.#parts;
    const color = vertexArrays.currentValue('gl_Color');
    this.#position = projectRasterPosition(toVector4(position), color, matrices, raster);
  }

  windowPos(position: readonly number[]): void {
    const [x = 0, y = 0, z = 0] = position;
    const [near, far] = this.#parts.raster.depthRange;
    const depth = near + Math.min(1, Math.max(0, z)) * (far - near);
    const color = this.#parts.vertexArrays.currentValue('gl_Color');
    this.#position = { window: [x, y, depth], isValid: true, color };
  }

  pixelZoom(x: number, y: number): void {
    this.#zoom = [x, y];
  }

  /**
   * Draws a bitmap in the current color and moves the position.
   *
   * @param bytes Rows from the bottom in the `pixelStorei` layout, the most significant bit
   *   leftmost; `null` for no bits.
   * @throws {RenderError} FRAME_UNSUPPORTED with lighting, fog or texturing.
   */
  bitmap(
    widthPx: number,
    heightPx: number,
    originX: number,
    originY: number,
    moveX: number,
    moveY: number,
    bytes: Uint8Array | null,
  ): void {
    if (widthPx < 0 || heightPx < 0 || widthPx > MAX_EDGE_PX || heightPx > MAX_EDGE_PX) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `bitmap: size ${widthPx}×${heightPx} is not in 0..${MAX_EDGE_PX}`,
      );
      return;
    }
    const { window, isValid, color } = this.#position;
    if (!isValid) return;
    const [x, y, depth] = window;
    this.#position = { ...this.#position, window: [x + moveX, y + moveY, depth] };
    if (widthPx === 0 || heightPx === 0 || bytes === null) return;
    this.#requirePlain('bitmap');
    const texels = this.#spreadBits(widthPx, heightPx, bytes);
    if (texels === null) return;
    const left = Math.floor(x - originX + ROUNDING_PX);
    const bottom = Math.floor(y - originY + ROUNDING_PX);
    this.#drawImage({
      kind: 'bits',
      content: {
        format: 'r8unorm',
        widthPx,
        heightPx,
        levels: [texels],
        isMipmapGenerated: false,
      },
      color,
      edges: [left, bottom, left + widthPx, bottom + heightPx],
      depth,
    });
  }

  /**
   * Draws a pixel rectangle.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for depth and stencil, and with fog or texturing.
   */
  drawPixels(
    widthPx: number,
    heightPx: number,
    format: number,
    type: number,
    bytes: Uint8Array,
  ): void {
    if (widthPx < 0 || heightPx < 0 || widthPx > MAX_EDGE_PX || heightPx > MAX_EDGE_PX) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `drawPixels: size ${widthPx}×${heightPx} is not in 0..${MAX_EDGE_PX}`,
      );
      return;
    }
    const source = findSourceFormat(format, type);
    if (source === null || format === GL.DEPTH_COMPONENT || format === GL.STENCIL_INDEX) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `drawPixels: format ${nameOfEnum(format)} of type ${nameOfEnum(type)} is not supported`,
      );
    }
    const { window, isValid, color } = this.#position;
    if (!isValid || widthPx === 0 || heightPx === 0) return;
    this.#requirePlain('drawPixels');
    const layout = this.#parts.textures.pixelStore.unpackLayout;
    const { sizeBytes } = measureUpload(source, widthPx, heightPx, layout);
    if (bytes.length < sizeBytes) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `drawPixels: ${bytes.length} bytes of data are fewer than the ${sizeBytes} required`,
      );
      return;
    }
    const [x, y, depth] = window;
    const [zoomX, zoomY] = this.#zoom;
    this.#drawImage({
      kind: 'texels',
      content: {
        format: 'rgba8unorm',
        widthPx,
        heightPx,
        levels: [convertTexels('rgba', source, widthPx, heightPx, bytes, layout)],
        isMipmapGenerated: false,
      },
      color,
      edges: [x, y, x + zoomX * widthPx, y + zoomY * heightPx],
      depth,
    });
  }

  #drawImage(image: Omit<RasterImage, 'alphaTest'>): void {
    const { capabilities, fixed } = this.#parts;
    if (capabilities.has(GL.RASTERIZER_DISCARD)) return;
    const alphaTest = capabilities.has(GL.ALPHA_TEST) ? fixed.alphaTest : null;
    this.#record({ ...image, alphaTest });
  }

  /**
   * Checks that lighting, fog and texturing are off. They would also apply to the fragments of
   * images.
   */
  #requirePlain(caller: string): void {
    const { capabilities } = this.#parts;
    const isTextured = [FIXED.TEXTURE_1D, GL.TEXTURE_2D, GL.TEXTURE_3D, GL.TEXTURE_CUBE_MAP].some(
      (target) => capabilities.has(target),
    );
    const isLit = caller === 'bitmap' && capabilities.has(FIXED.LIGHTING);
    if (isTextured || isLit || capabilities.has(FIXED.FOG)) {
      throw new RenderError('FRAME_UNSUPPORTED', `${caller}: with texturing, fog or lighting`);
    }
  }

  /** Expands each bit to a texel. Returns `null` and raises an error if there are too few bits. */
  #spreadBits(widthPx: number, heightPx: number, bytes: Uint8Array): Uint8Array | null {
    const { unpackLayout, isLeastBitFirst } = this.#parts.textures.pixelStore;
    const { alignmentBytes, rowLengthPx, skipRows, skipPx } = unpackLayout;
    const rowBytes = Math.ceil((rowLengthPx || widthPx) / 8);
    const strideBytes = Math.ceil(rowBytes / alignmentBytes) * alignmentBytes;
    const lastBit = (skipRows + heightPx - 1) * strideBytes * 8 + skipPx + widthPx - 1;
    if (lastBit >= bytes.length * 8) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `bitmap: ${bytes.length} bytes of data are too few for ${widthPx}×${heightPx} bits`,
      );
      return null;
    }
    const texels = new Uint8Array(widthPx * heightPx);
    for (let row = 0; row < heightPx; row++) {
      for (let column = 0; column < widthPx; column++) {
        const bit = skipPx + column;
        const byte = bytes[(skipRows + row) * strideBytes + (bit >> 3)]!;
        const place = isLeastBitFirst ? bit & 7 : 7 - (bit & 7);
        if (((byte >> place) & 1) === 1) texels[row * widthPx + column] = 255;
      }
    }
    return texels;
  }

  #record(image: RasterImage): void {
    const { targets, recorder } = this.#parts;
    const target = targets.current('bitmap');
    if (target !== null) recorder.drawImage(image, target);
  }
}
