/** Marks of the blocks of a bin that compress, in the records of tile traversal. */

import type { RecordRing } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { RectPx } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import type { TargetLayout } from '../../output/target/target-layout.ts';
import { ColorCompression } from './color-compression.ts';
import { DepthCompression } from './depth-compression.ts';

/** Compression of a bin's depth and color. */
export class TargetCompression {
  /** `null` if depth, or color, is not compressed. */
  readonly #depth: DepthCompression | null;
  readonly #color: ColorCompression | null;
  /** Number of the first block of the quad list. */
  #firstListed = 0;

  constructor(memory: ChipletMemory, spec: ChipletSpec) {
    this.#depth = spec.hasDepthCompression ? new DepthCompression(memory) : null;
    this.#color = spec.hasColorCompression ? new ColorCompression(memory) : null;
  }

  /** Starts a bin, whose blocks follow in `blocks`. */
  begin(rect: RectPx, targets: TargetLayout, blocks: RecordRing): void {
    this.#depth?.begin(rect, targets.sampleCount);
    this.#color?.begin(rect, targets);
    this.#firstListed = blocks.end;
  }

  /** Marks blocks whose depth compresses after early tests, from number `first` on. */
  markDepth(blocks: RecordRing, first: number): void {
    this.#depth?.mark(blocks, first);
  }

  /** Marks the blocks of a list of quads whose colors compress after it was drawn. */
  endList(blocks: RecordRing): void {
    this.#color?.mark(blocks, this.#firstListed);
    this.#firstListed = blocks.end;
  }
}
