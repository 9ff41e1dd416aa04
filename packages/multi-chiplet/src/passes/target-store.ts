/**
 * Contents of targets between passes. Images of textures are texels with row 0 at the bottom. The
 * screen, and depth and stencil that belong to a color, have row 0 at the top.
 */
import { createHash } from 'node:crypto';
import {
  levelSizeOf,
  type Sha256,
  type TargetCopy,
  TEXTURE_FORMATS,
  type TextureFormat,
  type TextureImage,
  type TextureResource,
  texelBytesOf,
} from '@tessera/frame';
import { resolveSamples } from './resolve-samples.ts';

/** Contents of an attachment that is copied. */
interface CopySource {
  /** Texels, row 0 at the top. */
  readonly texels: Uint8Array;
  readonly format: TextureFormat;
  readonly widthPx: number;
  readonly sampleCount: number;
}

/** Size of the lower left part of an image. */
export interface PartSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Textures, screen and depth buffers of one frame. */
export class TargetStore {
  /** Textures with their current contents: as given, or as drawn by passes. */
  readonly #textures: TextureResource[];
  readonly #drawn = new Set<number>();
  /** Levels that only the store holds, so that they can be changed in place. */
  readonly #own = new Set<Uint8Array>();
  readonly #ownDepths = new Map<string, Uint8Array>();
  #screen: Uint8Array | null = null;

  constructor(textures: readonly TextureResource[]) {
    this.#textures = [...textures];
  }

  /** Returns a texture for its name and layout. A later pass can change its levels. */
  texture(textureIndex: number): TextureResource {
    return this.#textures[textureIndex]!;
  }

  /** Returns a texture to keep, whose levels do not change. */
  keepTexture(textureIndex: number): TextureResource {
    const texture = this.#textures[textureIndex]!;
    for (const level of texture.levels) this.#own.delete(level);
    return texture;
  }

  /** Textures that passes drew into, by index, to keep. */
  get drawnTextures(): ReadonlyMap<number, TextureResource> {
    return new Map([...this.#drawn].map((index) => [index, this.keepTexture(index)]));
  }

  /**
   * Texels of the screen, row 0 at the top, with their samples until the last pass to the screen;
   * null until a pass draws to it.
   */
  get screen(): Uint8Array | null {
    return this.#screen;
  }

  set screen(texels: Uint8Array) {
    this.#screen = texels;
  }

  /** Returns the depth and stencil that belong to a color. */
  ownDepth(key: string): Uint8Array | undefined {
    return this.#ownDepths.get(key);
  }

  setOwnDepth(key: string, depthStencil: Uint8Array): void {
    this.#ownDepths.set(key, depthStencil);
  }

  /**
   * Reads an image, or its lower left part, with row 0 at the top. Contents that were neither given
   * nor drawn are zero.
   */
  readImage(image: TextureImage, part?: PartSize): Uint8Array {
    const { rowBytes, texelBytes, texels } = this.#imageOf(image);
    const partRowBytes = part === undefined ? rowBytes : part.widthPx * texelBytes;
    const partRows = part?.heightPx ?? texels.length / rowBytes;
    if (partRowBytes === rowBytes)
      return flipRows(texels.subarray(0, partRows * rowBytes), rowBytes);
    const topDown = new Uint8Array(partRows * partRowBytes);
    for (let row = 0; row < partRows; row++) {
      const from = row * rowBytes;
      topDown.set(texels.subarray(from, from + partRowBytes), (partRows - 1 - row) * partRowBytes);
    }
    return topDown;
  }

  /**
   * Replaces an image or its lower left part.
   *
   * @param topDown Texels, row 0 at the top.
   */
  writeImage(image: TextureImage, topDown: Uint8Array, part: PartSize): void {
    const { rowBytes, texelBytes, texels } = this.#imageOf(image);
    const partRowBytes = part.widthPx * texelBytes;
    const rows = flipRows(topDown, partRowBytes);
    if (rows.length === texels.length) {
      this.#replace(image, rows);
      return;
    }
    const whole = texels.slice();
    for (let row = 0; row < part.heightPx; row++) {
      const from = row * partRowBytes;
      whole.set(rows.subarray(from, from + partRowBytes), row * rowBytes);
    }
    this.#replace(image, whole);
  }

  /**
   * Returns the texels of an image, row 0 at the bottom. Contents that were neither given nor drawn
   * are zero.
   */
  #imageOf({ textureIndex, level = 0, slice = 0 }: TextureImage) {
    const texture = this.#textures[textureIndex]!;
    const { rowBytes, sliceBytes } = measureImage(texture, level);
    const start = slice * sliceBytes;
    const texels =
      texture.levels[level]?.subarray(start, start + sliceBytes) ?? new Uint8Array(sliceBytes);
    return { rowBytes, texelBytes: texelBytesOf(texture), texels };
  }

  /** Copies from an attachment to a texture. */
  copy(
    copy: TargetCopy,
    { texels: drawn, format, widthPx: stridePx, sampleCount }: CopySource,
  ): void {
    const { into, widthPx, heightPx, sourceX, sourceY, intoX, intoY, aspect } = copy;
    const texture = this.#textures[into.textureIndex]!;
    const { rowBytes } = measureImage(texture, into.level ?? 0);
    const intoBytes = texelBytesOf(texture);
    const isResolved = sampleCount > 1 && (texture.sampleCount ?? 1) === 1;
    const sourceBytes = texelBytesOf({ format, sampleCount });
    const source = flipRows(drawn, stridePx * sourceBytes);
    const texels = flipRows(this.readImage(into), rowBytes);
    const isSame = format === texture.format && copy.swizzle === undefined;
    for (let y = 0; y < heightPx; y++) {
      const from = ((sourceY + y) * stridePx + sourceX) * sourceBytes;
      const row = source.subarray(from, from + widthPx * sourceBytes);
      const resolved = isResolved ? resolveSamples(row, format, sampleCount) : row;
      const to = (intoY + y) * rowBytes + intoX * intoBytes;
      if (isSame && aspect !== undefined) {
        const stored = texels.subarray(to, to + resolved.length);
        texels.set(mergeAspect(resolved, stored, aspect), to);
      } else {
        const { channels } = TEXTURE_FORMATS[format];
        const { bytesPerTexel } = TEXTURE_FORMATS[texture.format];
        texels.set(
          isSame ? resolved : convertBytes(resolved, channels, bytesPerTexel, copy.swizzle),
          to,
        );
      }
    }
    this.#replace(into, texels);
  }

  /**
   * Replaces the texels of an image.
   *
   * @param texels Texels of the image, row 0 at the bottom.
   */
  #replace({ textureIndex, level = 0, slice = 0 }: TextureImage, texels: Uint8Array): void {
    const texture = this.#textures[textureIndex]!;
    const levels = [...texture.levels];
    for (let below = levels.length; below <= level; below++) {
      const { sliceBytes, sliceCount } = measureImage(texture, below);
      levels.push(new Uint8Array(sliceBytes * sliceCount));
    }
    const { sliceBytes } = measureImage(texture, level);
    const whole = levels[level]!;
    if (whole.length === texels.length) levels[level] = texels;
    else {
      const changed = this.#own.has(whole) ? whole : whole.slice();
      changed.set(texels, slice * sliceBytes);
      this.#own.add(changed);
      levels[level] = changed;
    }
    const sha256 = nameDrawn(texture, `${level} ${slice}`, texels);
    this.#textures[textureIndex] = { ...texture, sha256, levels };
    this.#drawn.add(textureIndex);
  }
}

/**
 * Names a texture by its earlier name and its new contents, so that the rest need not be hashed
 * again.
 */
function nameDrawn(texture: TextureResource, place: string, texels: Uint8Array): Sha256 {
  const { format, widthPx, heightPx, isMipmapGenerated, levels } = texture;
  const isWhole = levelSizeOf(texture, 0).sliceCount === 1 && levels.length <= 1 && place === '0 0';
  const before = isWhole && texture.levelCount === undefined ? '' : texture.sha256;
  const mipmaps = isMipmapGenerated ? 'generated' : '1';
  const samples = (texture.sampleCount ?? 1) === 1 ? '' : `x${texture.sampleCount}`;
  return createHash('sha256')
    .update(`drawn ${format} ${widthPx}x${heightPx}${samples} ${mipmaps} ${place} ${before}\n`)
    .update(texels)
    .digest('hex');
}

/**
 * Merges words of depth and stencil: takes one aspect from `source`, the other from `stored`.
 * Stencil is the high byte.
 */
function mergeAspect(
  source: Uint8Array,
  stored: Uint8Array,
  aspect: 'depth' | 'stencil',
): Uint8Array {
  return Uint8Array.from(source, (byte, at) =>
    (at % 4 === 3) === (aspect === 'stencil') ? byte : stored[at]!,
  );
}

function measureImage(texture: TextureResource, level: number) {
  const { widthPx, heightPx, sliceCount } = levelSizeOf(texture, level);
  const rowBytes = widthPx * texelBytesOf(texture);
  return { rowBytes, sliceBytes: rowBytes * heightPx, sliceCount };
}

function flipRows(bytes: Uint8Array, rowBytes: number): Uint8Array {
  const flipped = new Uint8Array(bytes.length);
  for (let from = 0; from < bytes.length; from += rowBytes) {
    flipped.set(bytes.subarray(from, from + rowBytes), bytes.length - rowBytes - from);
  }
  return flipped;
}

/**
 * Converts texels of 8-bit channels to other channels. A missing channel is 0, a missing alpha is
 * 255.
 */
function convertBytes(
  texels: Uint8Array,
  fromChannels: number,
  toChannels: number,
  swizzle: TargetCopy['swizzle'] = ['red', 'green', 'blue', 'alpha'],
): Uint8Array {
  const count = texels.length / fromChannels;
  const converted = new Uint8Array(count * toChannels);
  const texel = { red: 0, green: 0, blue: 0, alpha: 255, zero: 0, one: 255 };
  const names = ['red', 'green', 'blue', 'alpha'] as const;
  for (let index = 0; index < count; index++) {
    for (let c = 0; c < fromChannels; c++) texel[names[c]!] = texels[index * fromChannels + c]!;
    for (let c = 0; c < toChannels; c++) converted[index * toChannels + c] = texel[swizzle[c]!];
  }
  return converted;
}
