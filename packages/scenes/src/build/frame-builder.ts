/** Collects the resources and draws of a one-pass frame; equal buffers, textures and programs are kept once. */
import { createHash } from 'node:crypto';
import type {
  BufferResource,
  Draw,
  Frame,
  PassClear,
  ProgramSource,
  Sha256,
  TextureFormat,
  TextureResource,
} from '@tessera/frame';

/** Level 0 of a texture that is to be added. */
export interface TextureImage {
  readonly format: TextureFormat;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Tightly packed, row 0 at texture coordinate t = 0. */
  readonly texels: Uint8Array;
  /** Whether the chiplet makes the other levels. */
  readonly isMipmapGenerated: boolean;
}

export class FrameBuilder {
  readonly #buffers: BufferResource[] = [];
  readonly #textures: TextureResource[] = [];
  readonly #programs: ProgramSource[] = [];
  readonly #draws: Draw[] = [];
  readonly #indexByKey = new Map<string, number>();

  /** Index of a buffer with these bytes. The bytes are shared, not copied: leave them as they are. */
  addBuffer(bytes: Uint8Array): number {
    const sha256 = sha256Of('', bytes);
    return this.#addOnce(`buffer ${sha256}`, this.#buffers, { sha256, bytes });
  }

  /** The bytes of a buffer as the frame will have them. */
  bufferBytes(bufferIndex: number): Uint8Array {
    return this.#buffers[bufferIndex]!.bytes;
  }

  /** Index of a texture with this content. The texels are shared, not copied. */
  addTexture(image: TextureImage): number {
    const { format, widthPx, heightPx, texels, isMipmapGenerated } = image;
    const head = `${format} ${widthPx}x${heightPx} ${isMipmapGenerated ? 'generated' : 'given'}\n`;
    const sha256 = sha256Of(head, texels);
    return this.#addOnce(`texture ${sha256}`, this.#textures, {
      sha256,
      format,
      widthPx,
      heightPx,
      levels: [texels],
      isMipmapGenerated,
    });
  }

  /** Index of a program with this source. */
  addProgram(source: ProgramSource): number {
    const key = `program ${source.vertexSource}\0${source.fragmentSource}`;
    return this.#addOnce(key, this.#programs, source);
  }

  /** Appends a draw; draws run in the order in which they were added. */
  addDraw(draw: Draw): void {
    this.#draws.push(draw);
  }

  /** The frame of everything added so far: one pass to the screen. */
  build(widthPx: number, heightPx: number, clear: PassClear): Frame {
    return {
      widthPx,
      heightPx,
      buffers: [...this.#buffers],
      textures: [...this.#textures],
      programs: [...this.#programs],
      passes: [{ clear, draws: [...this.#draws] }],
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

function sha256Of(head: string, bytes: Uint8Array): Sha256 {
  return createHash('sha256').update(head).update(bytes).digest('hex');
}

/** The bytes of a typed array, shared. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
