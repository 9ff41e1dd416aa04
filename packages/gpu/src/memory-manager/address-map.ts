/**
 * Where everything of a frame lies in the local memory of a chiplet (the memory manager paper): four regions, for
 * shader programs, images, textures and user data, and the display store apart. A pure function of frame and
 * specification, so that addresses never depend on what was rendered before.
 *
 *   programs: two rings of blocks, vertex and fragment        images: colour, then depth and stencil, of the bin
 *   textures: one after another, level after level            user:   pages of buffers, display lists, the stream
 *
 * Addresses are in bytes; a line has 64.
 */
import {
  type IsaProgram,
  type PreparedDraw,
  type PreparedFrame,
  RenderError,
} from '@tessera/frame';
import type { ChipletSpec } from '../spec/chiplet-spec.ts';
import { PAGE_BYTES, PageAllocator } from './page-allocator.ts';
import { PagedIndex } from './paged-index.ts';
import { ProgramBlocks } from './program-blocks.ts';
import { type TextureExtent, TextureIndex } from './texture-index.ts';

/** State of a draw beside its constants, as its display list holds it. */
const DRAW_STATE_BYTES = 256;
/** Colour, and depth with stencil, of a pixel. */
const PIXEL_BYTES = 4;

/** First byte and size of a region. */
export interface Region {
  readonly baseBytes: number;
  readonly sizeBytes: number;
}

export const REGION_NAMES = ['programs', 'images', 'textures', 'user'] as const;
export type RegionName = (typeof REGION_NAMES)[number];

/** The fixed partition of local memory. The display store lies behind the output bus and has no part of it. */
export function partitionMemory(spec: ChipletSpec): Readonly<Record<RegionName, Region>> {
  // A bin's edge may leave most of a fine bin empty, on two sides.
  const pixels = 2 * (spec.maxBinPixels + 2 * spec.fineBinPx * 8192);
  const sizes = {
    programs: 2 * spec.programBlocks * spec.programBlockBytes,
    images: pixels * PIXEL_BYTES,
    textures: spec.texturePoolBytes,
    user: Math.floor(spec.userMemoryBytes / PAGE_BYTES) * PAGE_BYTES,
  };
  let baseBytes = 0;
  const place = (sizeBytes: number): Region => {
    const region = { baseBytes, sizeBytes };
    baseBytes += Math.ceil(sizeBytes / PAGE_BYTES) * PAGE_BYTES;
    return region;
  };
  return {
    programs: place(sizes.programs),
    images: place(sizes.images),
    textures: place(sizes.textures),
    user: place(sizes.user),
  };
}

export class AddressMap {
  readonly regions: Readonly<Record<RegionName, Region>>;
  readonly #spec: ChipletSpec;
  readonly #textures: TextureIndex;
  readonly #buffers: PagedIndex;
  readonly #displayLists: PagedIndex;
  readonly #streamBase: number;
  readonly #streamRoomBytes: number;
  readonly #listByDraw = new Map<PreparedDraw, number>();

  /**
   * @param textures By texture index of the frame.
   * @throws {RenderError} FRAME_UNSUPPORTED if the frame needs more index blocks than there are; LIMIT_EXCEEDED if a
   *   region is too small for it.
   */
  constructor(
    spec: ChipletSpec,
    { commands, buffers }: Pick<PreparedFrame, 'commands' | 'buffers'>,
    textures: readonly TextureExtent[],
  ) {
    this.#spec = spec;
    this.regions = partitionMemory(spec);
    const region = this.regions.textures;
    this.#textures = new TextureIndex(
      region.baseBytes,
      region.sizeBytes,
      spec.textureIndexBlocks,
      spec.textureIndexLevels,
    );
    for (const texture of textures) this.#textures.store(texture);

    const { baseBytes, sizeBytes } = this.regions.user;
    const pages = new PageAllocator(sizeBytes / PAGE_BYTES);
    this.#buffers = new PagedIndex(
      pages,
      baseBytes,
      spec.bufferIndexBlocks,
      'buffers (bufferIndexBlocks)',
    );
    this.#displayLists = new PagedIndex(
      pages,
      baseBytes,
      spec.displayListIndexBlocks,
      'draws (displayListIndexBlocks)',
    );
    // What earlier passes left of a target are images, not buffer objects.
    const images = new Set(
      commands.passes.flatMap(({ contents }) => [
        ...(contents?.colorBufferIndices ?? []),
        contents?.depthStencilBufferIndex,
      ]),
    );
    for (const [index, { bytes }] of buffers.entries()) {
      if (!images.has(index)) this.#buffers.store(index, bytes.length);
    }
    for (const { draws } of commands.passes) {
      for (const draw of draws) {
        const list = this.#listByDraw.size;
        this.#listByDraw.set(draw, list);
        this.#displayLists.store(list, DRAW_STATE_BYTES + draw.constants.byteLength);
      }
    }
    this.#streamBase = baseBytes + (pages.pageCount - pages.freePages) * PAGE_BYTES;
    this.#streamRoomBytes = pages.freePages * PAGE_BYTES;
  }

  /** Address of level 0 of a texture; its other levels follow as they do in the texture pool. */
  textureBase(textureIndex: number): number {
    return this.#textures.levelBase(textureIndex, 0);
  }

  /** Address of the first byte of a buffer. Pages are taken from a fresh list, so the rest follows without gaps. */
  bufferBase(bufferIndex: number): number {
    return this.#buffers.pagesOf(bufferIndex)[0]! * PAGE_BYTES + this.regions.user.baseBytes;
  }

  /** Address and size of the display list of a draw: its state and constants. */
  displayList(draw: PreparedDraw): Region {
    const id = this.#listByDraw.get(draw);
    if (id === undefined) throw new Error('address map: no such draw');
    return {
      baseBytes: this.#displayLists.addressOf(id, 0),
      sizeBytes: this.#displayLists.sizeOf(id),
    };
  }

  /**
   * Address of the visibility stream of a run, behind buffers and display lists.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if no pages are left for it.
   */
  streamBase(sizeBytes: number): number {
    if (sizeBytes > this.#streamRoomBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `user area: a visibility stream of ${sizeBytes} bytes, ${this.#streamRoomBytes} are free (userMemoryBytes)`,
      );
    }
    return this.#streamBase;
  }

  /** The blocks of a stage's programs, nothing stored. */
  makeProgramBlocks(stage: 'vertex' | 'fragment'): ProgramBlocks {
    const { programBlockBytes, programBlocks } = this.#spec;
    const first = stage === 'vertex' ? 0 : programBlocks * programBlockBytes;
    const { baseBytes } = this.regions.programs;
    return new ProgramBlocks(baseBytes + first, programBlockBytes, programBlocks);
  }
}

/**
 * Bytes of a program in its block.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED if a block is too small for it.
 */
export function programBytes({ code, literals }: IsaProgram, blockBytes: number): number {
  const bytes = code.byteLength + literals.byteLength;
  if (bytes > blockBytes) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `program: ${bytes} bytes, a block has ${blockBytes} (programBlockBytes)`,
    );
  }
  return bytes;
}
