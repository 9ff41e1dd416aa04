/** Builder of frames. Equal buffers, textures and programs are stored once. */
import { createHash } from 'node:crypto';
import type {
  BufferResource,
  Draw,
  Frame,
  Pass,
  PassClear,
  ProgramSource,
  Sha256,
  TextureFormat,
  TextureResource,
} from '@tessera/frame';

/** Texture to add. */
export interface TextureImage {
  readonly format: TextureFormat;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Tightly packed texels of level 0, 1, …, row 0 at texture coordinate t = 0. */
  readonly levels: readonly Uint8Array[];
  /** Size of a block of 4×4 texels in memory. Default: that of 16 texels. */
  readonly blockBytes?: 8 | 16;
  /** Whether the chiplet generates the other levels. */
  readonly isMipmapGenerated: boolean;
}

/** Texture that passes draw into. */
export type TargetTexture = Pick<
  TextureResource,
  'format' | 'dimension' | 'widthPx' | 'heightPx' | 'sliceCount' | 'levelCount' | 'sampleCount'
>;

/** Collects the resources and draws of a frame. */
export class FrameBuilder {
  readonly #buffers: BufferResource[] = [];
  readonly #textures: TextureResource[] = [];
  readonly #programs: ProgramSource[] = [];
  readonly #passes: Pass[] = [];
  readonly #draws: Draw[] = [];
  readonly #indexByKey = new Map<string, number>();

  /**
   * Returns the index of a buffer with these bytes. The bytes are shared, not copied, and must not
   * change.
   */
  addBuffer(bytes: Uint8Array): number {
    const sha256 = sha256Of('', bytes);
    return this.#addOnce(`buffer ${sha256}`, this.#buffers, { sha256, bytes });
  }

  /** Returns the bytes of a buffer as they will be in the frame. */
  bufferBytes(bufferIndex: number): Uint8Array {
    return this.#buffers[bufferIndex]!.bytes;
  }

  /** Returns the index of a texture with this content. The texels are shared, not copied. */
  addTexture(image: TextureImage): number {
    const { format, widthPx, heightPx, levels, blockBytes, isMipmapGenerated } = image;
    const blocks = blockBytes === undefined ? '' : ` ${blockBytes}`;
    const given = levels.length === 1 ? 'given' : `given ${levels.length}`;
    const made = isMipmapGenerated ? 'generated' : given;
    const head = `${format} ${widthPx}x${heightPx} ${made}${blocks}\n`;
    const sha256 = sha256Of(head, ...levels);
    return this.#addOnce(`texture ${sha256}`, this.#textures, { sha256, ...image });
  }

  /** Returns the index of a texture that exists already, such as one that another frame drew. */
  addMadeTexture(texture: TextureResource): number {
    return this.#addOnce(`texture ${texture.sha256}`, this.#textures, texture);
  }

  /** Returns the index of a new texture that is empty until a pass draws into it. */
  addTarget(target: TargetTexture): number {
    const sha256 = sha256Of(`target ${this.#textures.length}`, new Uint8Array());
    const empty = { levels: [], isMipmapGenerated: false };
    return this.#textures.push({ sha256, ...empty, ...target }) - 1;
  }

  /** Returns the index of a program with this source. */
  addProgram(source: ProgramSource): number {
    const key = `program ${source.vertexSource}\0${source.fragmentSource}`;
    return this.#addOnce(key, this.#programs, source);
  }

  /** Appends a pass. Passes run in the order in which they were added. */
  addPass(pass: Pass): void {
    this.#passes.push(pass);
  }

  /** Appends a draw to the last pass, that to the screen. */
  addDraw(draw: Draw): void {
    this.#draws.push(draw);
  }

  /**
   * Returns the frame of everything added so far. Its last pass goes to the screen.
   *
   * @param sampleCount Samples per pixel of the screen.
   */
  build(widthPx: number, heightPx: number, clear: PassClear, sampleCount = 1): Frame {
    return {
      widthPx,
      heightPx,
      ...(sampleCount === 1 ? {} : { sampleCount }),
      buffers: [...this.#buffers],
      textures: [...this.#textures],
      programs: [...this.#programs],
      passes: [...this.#passes, { clear, draws: [...this.#draws] }],
    };
  }

  /** Returns the frame of the passes alone, which draw only into textures. */
  buildPasses(): Frame {
    return {
      ...this.build(1, 1, { color: [0, 0, 0, 0], depth: 1, stencil: 0 }),
      passes: [...this.#passes],
    };
  }

  #addOnce<T>(key: string, list: T[], entry: T): number {
    const known = this.#indexByKey.get(key);
    if (known !== undefined) return known;
    this.#indexByKey.set(key, list.length);
    list.push(entry);
    return list.length - 1;
  }
}

function sha256Of(head: string, ...parts: readonly Uint8Array[]): Sha256 {
  const hash = createHash('sha256').update(head);
  for (const bytes of parts) hash.update(bytes);
  return hash.digest('hex');
}

/** Returns the bytes of a typed array, shared. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
