/**
 * Addresses of a frame's data in the local memory of a chiplet (HMGPU, 2013): regions for shader
 * programs, images, textures, user data and primitive batches, and a separate display store. The
 * map is a pure function of frame and specification, so addresses never depend on earlier frames.
 *
 *     programs: two rings of blocks, vertex and fragment
 *     images:   color, then depth and stencil, of the bin
 *     textures: consecutive, level after level
 *     user:     pages of buffers, display lists, snapshots of queries, the visibility stream
 *     batches:  buffers of primitive batches: records, then fine-bin lists
 *
 * The page table of translated addresses follows the regions.
 *
 * Addresses are in bytes. A line has 64 bytes.
 */

import { DRAW_STATE_LINES, LINE_BYTES, LIST_LINE_ENTRIES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type IsaProgram,
  type PreparedDraw,
  type PreparedFrame,
  RenderError,
} from '@tessera/frame';
import { MAX_FRAGMENT_INPUTS, primitiveCapacityOf } from '../memory/chiplet-memory.ts';
import { recordLinesOf } from '../run-log/batch-lines.ts';
import { PAGE_BYTES, PageAllocator } from './page-allocator.ts';
import { PagedIndex } from './paged-index.ts';
import { ProgramBlocks } from './program-blocks.ts';
import { type TextureExtent, TextureIndex } from './texture-index.ts';

/** Size of a draw's state in its display list, without constants, in bytes. */
const DRAW_STATE_BYTES = DRAW_STATE_LINES * LINE_BYTES;
/** Upper bound on the lines of a primitive's record. */
const MAX_RECORD_LINES = recordLinesOf(MAX_FRAGMENT_INPUTS);
/** Largest size of a pixel's color in all targets, and size of depth with stencil, in bytes. */
const MAX_COLOR_BYTES = 64;
const DEPTH_BYTES = 4;

/** First byte and size of a region. */
export interface Region {
  readonly baseBytes: number;
  readonly sizeBytes: number;
}

/** Names of the regions of local memory. */
export const REGION_NAMES = ['programs', 'images', 'textures', 'user', 'batches'] as const;
/** Name of a region of local memory. */
export type RegionName = (typeof REGION_NAMES)[number];

/**
 * Returns the fixed partition of local memory. The display store is behind the output bus and not
 * part of it.
 */
export function partitionMemory(spec: ChipletSpec): Readonly<Record<RegionName, Region>> {
  // A bin's edge may leave most of a fine bin empty, on two sides.
  const pixels = spec.maxBinPixels + 2 * spec.fineBinPx * 8192;
  const sizes = {
    programs: 2 * spec.programBlocks * spec.programBlockBytes,
    images: pixels * (MAX_COLOR_BYTES + DEPTH_BYTES),
    textures: spec.texturePoolBytes,
    user: Math.floor(spec.userMemoryBytes / PAGE_BYTES) * PAGE_BYTES,
    batches: spec.batchBuffers * bufferLines(spec) * LINE_BYTES,
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
    batches: place(sizes.batches),
  };
}

/** Returns the room for the records of a batch in lines. */
function recordRoomLines(spec: ChipletSpec): number {
  return primitiveCapacityOf(spec) * MAX_RECORD_LINES;
}

/** Returns the size of a batch buffer in lines: every primitive may be in every fine bin. */
function bufferLines(spec: ChipletSpec): number {
  const bins = Math.ceil(spec.maxBinPixels / spec.fineBinPx ** 2) + 2 * spec.fineBinPx;
  const entries = primitiveCapacityOf(spec) * bins;
  return recordRoomLines(spec) + Math.ceil(entries / LIST_LINE_ENTRIES) + bins;
}

/** Addresses of one frame's data. */
export class AddressMap {
  readonly regions: Readonly<Record<RegionName, Region>>;
  readonly #spec: ChipletSpec;
  readonly #textures: TextureIndex;
  readonly #buffers: PagedIndex;
  readonly #displayLists: PagedIndex;
  readonly #queryBase: number;
  readonly #streamBase: number;
  readonly #streamRoomBytes: number;
  readonly #listByDraw = new Map<PreparedDraw, number>();

  /**
   * @param textures Textures by texture index of the frame.
   * @throws {RenderError} FRAME_UNSUPPORTED if the frame needs more index blocks than exist;
   *   LIMIT_EXCEEDED if a region is too small.
   */
  constructor(
    spec: ChipletSpec,
    { commands, buffers }: Pick<PreparedFrame, 'commands' | 'buffers'>,
    textures: readonly TextureExtent[],
  ) {
    this.#spec = spec;
    this.regions = partitionMemory(spec);
    const region = this.regions.textures;
    this.#textures = new TextureIndex({
      baseBytes: region.baseBytes,
      sizeBytes: region.sizeBytes,
      blockCount: spec.textureIndexBlocks,
      levelCount: spec.textureIndexLevels,
    });
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
    // Contents that earlier passes left in a target are images, not buffer objects.
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
    const queryCount = Math.max(...commands.passes.map(({ queries }) => queries?.length ?? 0), 0);
    const queryPages = Math.ceil((queryCount * LINE_BYTES) / PAGE_BYTES);
    this.#queryBase = baseBytes + (pages.pageCount - pages.freePages) * PAGE_BYTES;
    this.#streamBase = this.#queryBase + queryPages * PAGE_BYTES;
    this.#streamRoomBytes = (pages.freePages - queryPages) * PAGE_BYTES;
    if (this.#streamRoomBytes < 0) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `user area: ${queryCount} queries need ${queryPages} pages, but only ${pages.freePages} are free (userMemoryBytes)`,
      );
    }
  }

  /**
   * Returns the address of level 0 of a texture. Its other levels follow at the offsets of its
   * extent.
   */
  textureBase(textureIndex: number): number {
    return this.#textures.levelBase(textureIndex, 0);
  }

  /**
   * Returns the address of a buffer's first byte. Pages come from a new free list, so the remainder
   * follows without gaps.
   */
  bufferBase(bufferIndex: number): number {
    return this.#buffers.pagesOf(bufferIndex)[0]! * PAGE_BYTES + this.regions.user.baseBytes;
  }

  /** Returns address and size of a draw's display list: its state and constants. */
  displayList(draw: PreparedDraw): Region {
    const id = this.#listByDraw.get(draw);
    if (id === undefined) throw new Error('address map: the draw is not part of the frame');
    return {
      baseBytes: this.#displayLists.addressOf(id, 0),
      sizeBytes: this.#displayLists.sizeOf(id),
    };
  }

  /** Returns the line of a query's snapshots, by its index in the pass. */
  queryLine(query: number): number {
    return this.#queryBase / LINE_BYTES + query;
  }

  /**
   * Returns the address of a run's visibility stream, after buffers, display lists and snapshots.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if no pages are left.
   */
  streamBase(sizeBytes: number): number {
    if (sizeBytes > this.#streamRoomBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `user area: a visibility stream needs ${sizeBytes} bytes, but only ${this.#streamRoomBytes} are free (userMemoryBytes)`,
      );
    }
    return this.#streamBase;
  }

  /**
   * Lines of the batch buffers: the first one, the distance between two, and the distance from the
   * records of one to its lists.
   */
  get batchPlaces(): { batchLine: number; batchLines: number; batchListLines: number } {
    return {
      batchLine: this.regions.batches.baseBytes / LINE_BYTES,
      batchLines: bufferLines(this.#spec),
      batchListLines: recordRoomLines(this.#spec),
    };
  }

  /** First line of the page table, which is above all regions. */
  get pageTableLine(): number {
    const { baseBytes, sizeBytes } = this.regions.batches;
    return Math.ceil((baseBytes + sizeBytes) / LINE_BYTES);
  }

  /** Returns the empty blocks of a stage's programs. */
  makeProgramBlocks(stage: 'vertex' | 'fragment'): ProgramBlocks {
    const { programBlockBytes, programBlocks } = this.#spec;
    const first = stage === 'vertex' ? 0 : programBlocks * programBlockBytes;
    const { baseBytes } = this.regions.programs;
    return new ProgramBlocks(baseBytes + first, programBlockBytes, programBlocks);
  }
}

/**
 * Returns the size of a program in its block, in bytes.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED if a block is too small for it.
 */
export function programBytes({ code, literals }: IsaProgram, blockBytes: number): number {
  const bytes = code.byteLength + literals.byteLength;
  if (bytes > blockBytes) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `program: ${bytes} bytes do not fit in a block of ${blockBytes} (programBlockBytes)`,
    );
  }
  return bytes;
}
