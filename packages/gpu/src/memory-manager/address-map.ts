/**
 * Addresses of a frame's data in the local memory of a chiplet (HMGPU, 2013): regions for shader
 * programs, images, textures, user data and primitive batches, and a separate display store. The
 * map is a pure function of frame and specification, so addresses never depend on earlier frames.
 *
 *     programs: two rings of blocks, vertex and fragment
 *     images:   color, then depth and stencil, of the bin
 *     textures: consecutive, level after level
 *     user:     pages of buffers, snapshots of queries, display lists, the visibility stream
 *     batches:  buffers of primitive batches: records, then fine-bin lists; records of the bin that
 *               is rendered within a visibility phase
 *
 * The page table of translated addresses follows the regions.
 *
 * Addresses are in bytes. A line has 64 bytes.
 */

import { DRAW_STATE_LINES, LINE_BYTES, LIST_LINE_ENTRIES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { type IsaProgram, type PreparedFrame, RenderError } from '@tessera/frame';
import { MAX_FRAGMENT_INPUTS, primitiveCapacityOf } from '../memory/chiplet-memory.ts';
import { recordLinesOf } from '../run-log/batch-lines.ts';
import { PAGE_BYTES } from './page-allocator.ts';
import { ProgramBlocks } from './program-blocks.ts';
import { type TextureExtent, TextureIndex } from './texture-index.ts';
import { type Region, UserArea } from './user-area.ts';

/** Size of a draw's state in its display list, without constants, in bytes. */
const DRAW_STATE_BYTES = DRAW_STATE_LINES * LINE_BYTES;
/** Upper bound on the lines of a primitive's record. */
const MAX_RECORD_LINES = recordLinesOf(MAX_FRAGMENT_INPUTS);
/** Largest size of a pixel's color in all targets, and size of depth with stencil, in bytes. */
const MAX_COLOR_BYTES = 64;
const DEPTH_BYTES = 4;

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
    batches:
      (spec.batchBuffers * bufferLines(spec) + spec.earlyBinPrimitives * MAX_RECORD_LINES) *
      LINE_BYTES,
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
  readonly user: UserArea;
  readonly #spec: ChipletSpec;
  readonly #textures: TextureIndex;

  /**
   * @param textures Textures by texture index of the frame.
   * @throws {RenderError} FRAME_UNSUPPORTED if the frame needs more index blocks than exist;
   *   LIMIT_EXCEEDED if a region is too small.
   */
  constructor(
    spec: ChipletSpec,
    frame: Pick<PreparedFrame, 'commands' | 'buffers'>,
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

    this.user = new UserArea(
      this.regions.user,
      spec,
      frame,
      ({ constants }) => DRAW_STATE_BYTES + constants.byteLength,
    );
  }

  /**
   * Returns the address of level 0 of a texture. Its other levels follow at the offsets of its
   * extent.
   */
  textureBase(textureIndex: number): number {
    return this.#textures.levelBase(textureIndex, 0);
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

  /** First line of the records of a bin that is rendered within a visibility phase. */
  get earlyLine(): number {
    const { batchBuffers } = this.#spec;
    return this.batchPlaces.batchLine + batchBuffers * bufferLines(this.#spec);
  }

  /** First line of the page table, which is above all regions. */
  get pageTableLine(): number {
    const { baseBytes, sizeBytes } = this.regions.batches;
    return Math.ceil((baseBytes + sizeBytes) / LINE_BYTES);
  }
}

/** Returns the empty blocks of a stage's programs. */
export function makeProgramBlocks(spec: ChipletSpec, stage: 'vertex' | 'fragment'): ProgramBlocks {
  const { programBlockBytes, programBlocks } = spec;
  const first = stage === 'vertex' ? 0 : programBlocks * programBlockBytes;
  const { baseBytes } = partitionMemory(spec).programs;
  return new ProgramBlocks(baseBytes + first, programBlockBytes, programBlocks);
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
