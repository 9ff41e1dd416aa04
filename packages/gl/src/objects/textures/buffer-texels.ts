/** Texels of a buffer texture, which follow the contents of its buffer. */
import { RenderError } from '@tessera/frame';
import type { UnpackLayout } from '../../texels/texel-formats.ts';
import type { BufferObject } from '../buffers/buffer-objects.ts';
import type { BufferLayout } from './buffer-formats.ts';
import { convertUpload, measureTexels } from './texel-upload.ts';
import type { TextureLevel } from './texture-levels.ts';
import type { TextureObject } from './texture-object.ts';

/** Maximum number of texels: that of Mesa's softpipe. */
const MAX_TEXELS = 65_536;
/** Upper bound on the texels of a row in a frame. */
const MAX_ROW_TEXELS = 8192;

/** Layout of texels that follow each other without gaps. */
const TIGHT_LAYOUT: UnpackLayout = Object.freeze({
  ...{ alignmentBytes: 1, rowLengthPx: 0, skipRows: 0, skipPx: 0 },
  ...{ imageHeightPx: 0, skipImages: 0 },
});

/** Range of a buffer. */
export interface ByteRange {
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** Texels of one attachment of a buffer to a texture. */
export class BufferTexels {
  readonly #buffer: BufferObject | null;
  readonly #layout: BufferLayout;
  readonly #range: ByteRange | null;
  #last: { readonly contents: Uint8Array; readonly level: TextureLevel } | null = null;

  /** @param range Range that is read; `null` for the whole buffer. */
  constructor(buffer: BufferObject | null, layout: BufferLayout, range: ByteRange | null) {
    this.#buffer = buffer;
    this.#layout = layout;
    this.#range = range;
  }

  /**
   * Returns the level with the current contents, in rows of equal length. Returns the same object
   * until the contents change, and an empty level without texels.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for a number of texels that has no such rows.
   */
  read(): TextureLevel {
    const contents = this.#buffer?.share() ?? new Uint8Array(0);
    if (this.#last?.contents !== contents) {
      this.#last = { contents, level: this.#convert(contents) };
    }
    return this.#last.level;
  }

  /**
   * Updates the level of a buffer texture.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED as {@link read}.
   */
  update(texture: TextureObject): void {
    const level = this.read();
    if (level !== texture.level(0)) texture.setLevel(0, level);
  }

  #convert(contents: Uint8Array): TextureLevel {
    const { format, type, storage } = this.#layout;
    const first = this.#range?.offsetBytes ?? 0;
    const bytes = contents.subarray(first, first + (this.#range?.sizeBytes ?? contents.length));
    const one = { format, type, widthPx: 1, heightPx: 1 };
    const texelBytes = measureTexels(one, TIGHT_LAYOUT)!.sizeBytes;
    const count = Math.min(Math.floor(bytes.length / texelBytes), MAX_TEXELS);
    const heightPx = rowCountOf(count);
    const size = { widthPx: count / heightPx, heightPx, depthPx: 1 };
    const texels = convertUpload(storage, { ...one, ...size }, bytes, TIGHT_LAYOUT);
    return { ...size, ...storage, texels };
  }
}

/** Returns the least number of rows of equal length, at most {@link MAX_ROW_TEXELS} each. */
function rowCountOf(count: number): number {
  const fewest = Math.max(1, Math.ceil(count / MAX_ROW_TEXELS));
  for (let rows = fewest; rows <= MAX_ROW_TEXELS; rows++) {
    if (count % rows === 0) return rows;
  }
  throw new RenderError(
    'FRAME_UNSUPPORTED',
    `a buffer texture of ${count} texels, which do not fill rows of at most ${MAX_ROW_TEXELS}`,
  );
}
