/**
 * Chiplets whose memories hold the pixels that passes draw, under a placement of targets and
 * framebuffer.
 */
import type { ChipletId, PlacedTexture, Placement, TargetPlacementName } from '@tessera/frame';
import { binOf, CLEARED, NO_OWNER, ownerOf } from '../passes/target-owners.ts';
import { sharedPlacement } from '../placement/parse-placement.ts';
import { type MeasuredTexture, sentBytesOf } from './frame-measurement.ts';
import type { PassState } from './simulation-state.ts';

const LINE_BYTES = 64;

/** Holder of pixels that all chiplets know. */
const EVERY_CHIPLET = -1;
/** Holder of pixels whose pages are in the memories in turn. */
const IN_TURN = -2;

/** Bytes that a chiplet holds. */
export interface HeldBytes {
  readonly chipletId: ChipletId;
  readonly bytes: number;
}

/** Holders of the pixels of a simulation. */
export class TargetHolders {
  /** Placement of what passes draw and later passes read. */
  readonly targets: TargetPlacementName;
  readonly #framebuffer: TargetPlacementName;
  readonly #chipletCount: number;

  constructor(placement: Placement | undefined, chipletCount: number) {
    const shared = sharedPlacement(placement, chipletCount);
    this.targets = shared?.targets ?? 'gathered';
    this.#framebuffer = shared?.framebuffer ?? 'gathered';
    this.#chipletCount = chipletCount;
  }

  /** Returns the placement of what a pass draws. */
  placementOf({ measurement }: PassState): TargetPlacementName {
    const { targetClass = 'framebuffer' } = measurement.targets ?? {};
    return targetClass === 'targets' ? this.targets : this.#framebuffer;
  }

  /** Returns the bytes of a bin that leave over the output bus and go to chiplet 0. */
  sentBytesOf(pass: PassState, binIndex: number): number {
    const bin = pass.measurement.bins[binIndex]!;
    const { pixels } = bin;
    if (pixels === undefined) return bin.resultBytes;
    if (this.placementOf(pass) !== 'gathered') return pixels.headerBytes;
    // Pixels that a bin leaves as they were may be in other memories.
    const isThere = this.targets === 'gathered' || pixels.contents.length === 0;
    return isThere ? sentBytesOf(bin) : bin.resultBytes;
  }

  /** Returns the bytes of a bin's pixels that stay in memory. */
  storedBytesOf(pass: PassState, binIndex: number): number {
    const { pixels } = pass.measurement.bins[binIndex]!;
    if (this.placementOf(pass) === 'gathered' || pixels === undefined) return 0;
    return pixels.isEmpty ? 0 : pixels.bytes;
  }

  /** Returns the lines that chiplet 0 stores when a bin arrives. */
  gatheredLinesOf(pass: PassState, binIndex: number): number {
    const { pixels } = pass.measurement.bins[binIndex]!;
    if (pixels === undefined || this.placementOf(pass) !== 'gathered') return 0;
    const isSent = this.sentBytesOf(pass, binIndex) > pixels.headerBytes;
    return isSent ? Math.ceil(pixels.bytes / LINE_BYTES) : 0;
  }

  /** Lists the bytes that a bin loads from the memories of other chiplets. */
  contentsOf(pass: PassState, binIndex: number, chipletId: ChipletId): readonly HeldBytes[] {
    const { pixels } = pass.measurement.bins[binIndex]!;
    if (pixels === undefined || this.targets === 'gathered') return [];
    if (pixels.isEmpty && this.placementOf(pass) !== 'gathered') return [];
    const bytes = new Array<number>(this.#chipletCount).fill(0);
    for (const part of pixels.contents) this.#addHeld(bytes, pass, part.owner, part.bytes);
    return bytes
      .map((held, id) => ({ chipletId: id, bytes: held }))
      .filter((held) => held.bytes > 0 && held.chipletId !== chipletId);
  }

  /** Returns the bytes of each chiplet that drew a pass, for work in proportion to them. */
  drawnBytesOf(pass: PassState): number[] {
    const bytes = new Array<number>(this.#chipletCount).fill(0);
    const placement = this.placementOf(pass);
    if (placement === 'gathered') bytes[0] = 1;
    else if (placement === 'interleaved') bytes.fill(1);
    else {
      for (const [binIndex, { resultBytes }] of pass.measurement.bins.entries()) {
        bytes[pass.bins[binIndex]!.chipletId]! += resultBytes;
      }
    }
    return bytes;
  }

  /**
   * Returns the bytes of the framebuffer that each chiplet holds, after the pass that draws it.
   * Pixels that only have the clear value are in no memory.
   */
  framebufferBytesOf(pass: PassState): number[] {
    const bytes = new Array<number>(this.#chipletCount).fill(0);
    for (const [binIndex, { pixels }] of pass.measurement.bins.entries()) {
      if (pixels === undefined) continue;
      if (!pixels.isEmpty) {
        const { firstPass = 0 } = pass.measurement.targets ?? {};
        const owner = ownerOf(pass.passIndex - firstPass, binIndex);
        this.#addHeld(bytes, pass, owner, pixels.bytes);
        continue;
      }
      // Contents may include depth, of which the display reads nothing.
      const loaded = pixels.contents.reduce((sum, part) => sum + part.bytes, 0);
      let before = 0;
      for (const part of pixels.contents) {
        const from = Math.floor((pixels.bytes * before) / loaded);
        before += part.bytes;
        const to = Math.floor((pixels.bytes * before) / loaded);
        this.#addHeld(bytes, pass, part.owner, to - from);
      }
    }
    return bytes;
  }

  /** Returns the cells of a drawn texture's level 0 that each chiplet holds. */
  cellsOf(pass: PassState, { images }: MeasuredTexture): number[] {
    const cells = new Array<number>(this.#chipletCount).fill(0);
    if (this.targets === 'interleaved') return cells.fill(1);
    for (const { level, map } of images) {
      if (level > 0) continue;
      for (const owner of map.owners) this.#addHeld(cells, pass, owner, 1);
    }
    return cells;
  }

  /** Returns the homes of the textures of a pass in memory. */
  placeTextures(pass: PassState): readonly PlacedTexture[] {
    const { textures = [] } = pass.measurement.targets ?? {};
    const drawn = new Set(
      pass.measurement.resources.filter(({ isDrawn }) => isDrawn).map(({ sha256 }) => sha256),
    );
    return textures.map(({ texture, images }) => {
      if (!drawn.has(texture.sha256)) return { texture, homes: null };
      if (this.targets === 'interleaved') return { texture, homes: 'interleaved' };
      return {
        texture,
        homes: images.map(({ level, slice, map: { columns, owners } }) => ({
          ...{ level, slice, columns },
          homes: this.#mapOwners(pass, owners),
        })),
      };
    });
  }

  #mapOwners(pass: PassState, owners: Int32Array): Int32Array {
    const homes = new Map<number, number>();
    return owners.map((owner) => {
      let home = homes.get(owner);
      if (home === undefined) {
        home = this.#holderOf(pass, owner);
        homes.set(owner, home);
      }
      return home;
    });
  }

  #addHeld(counts: number[], pass: PassState, owner: number, count: number): void {
    const holder = this.#holderOf(pass, owner);
    if (holder >= 0) counts[holder]! += count;
    else if (holder === IN_TURN) {
      for (let id = 0; id < counts.length; id++) {
        const upTo = (part: number) => Math.floor((count * part) / counts.length);
        counts[id]! += upTo(id + 1) - upTo(id);
      }
    }
  }

  /** Returns the chiplet that holds pixels of an owner, EVERY_CHIPLET or IN_TURN. */
  #holderOf({ frame, measurement }: PassState, owner: number): number {
    if (owner === NO_OWNER) return 0;
    if (owner === CLEARED) return EVERY_CHIPLET;
    const { passIndex, binIndex } = binOf(owner);
    const drawer = frame.passes[passIndex + (measurement.targets?.firstPass ?? 0)]!;
    const placement = this.placementOf(drawer);
    if (placement === 'gathered') return 0;
    if (placement === 'interleaved') return IN_TURN;
    // A pass whose pixels are not read yet may not have drawn them.
    return drawer.bins[binIndex]?.chipletId ?? 0;
  }
}
