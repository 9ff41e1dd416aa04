/** Frame that a chiplet holds. Its resources are loaded and its draws bound on first use. */

import { LINE_BYTES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type CoarseBinId,
  type PreparedFrame,
  type PreparedPass,
  primitiveCountOf,
} from '@tessera/frame';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { AddressMap } from '../memory-manager/address-map.ts';
import { layOutTargets, PLAIN_FORMATS, type TargetLayout } from '../output/target/target-layout.ts';
import type { TextureLines } from '../run-log/texture-lines.ts';
import { layOutStoredResource, wordOfLineZero } from '../texture/layout/line-table.ts';
import type { StoredTexture } from '../texture/layout/stored-texture.ts';
import { selectLevels, writeTextureDescriptors } from '../texture/layout/texture-descriptor.ts';
import type { TexturePlacement, TexturePool } from '../texture/layout/texture-pool.ts';
import { type BoundDraw, bindDraw } from './bound-draw.ts';
import { chooseVisibilityShader } from './choose-visibility-shader.ts';
import { findEarlyBin } from './early-bin.ts';
import type { KernelLibrary } from './kernel-library.ts';

/** Shader and early bin of a pass's visibility phase (patent fig. 3: 306–320). */
export interface VisibilityPlan {
  readonly shader: 'minimal' | 'full';
  /** Bin rendered within the phase; `null` for none. */
  readonly earlyBinId: CoarseBinId | null;
}

/** Frame on one chiplet. */
export class ResidentFrame {
  readonly frame: PreparedFrame;
  /** Addresses of the frame's resources in simulated memory. */
  readonly addresses: AddressMap;
  readonly #spec: ChipletSpec;
  readonly #memory: ChipletMemory;
  readonly #library: KernelLibrary;
  readonly #targets: TargetLayout[] = [];
  readonly #boundDraws: BoundDraw[][] = [];
  readonly #primitiveCounts: (readonly number[])[] = [];
  readonly #visibilityPlans: VisibilityPlan[] = [];
  readonly #storedTextures: readonly StoredTexture[];
  #placements: readonly TexturePlacement[] = [];

  /** @throws {RenderError} See AddressMap, if the frame exceeds the chiplet's memory manager. */
  constructor(
    memory: ChipletMemory,
    library: KernelLibrary,
    spec: ChipletSpec,
    frame: PreparedFrame,
  ) {
    this.frame = frame;
    this.#spec = spec;
    this.#memory = memory;
    this.#library = library;
    this.#storedTextures = frame.textures.map((texture) =>
      layOutStoredResource(spec.textureLayout, texture),
    );
    const extents = this.#storedTextures.map(({ sizeBytes, levels }) => ({
      sizeBytes,
      levelOffsets: levels.map(({ offsetBytes }) => offsetBytes),
    }));
    this.addresses = new AddressMap(spec, frame, extents);
  }

  /** Returns the layout of a texture in simulated memory. */
  storedTexture(textureIndex: number): StoredTexture {
    return this.#storedTextures[textureIndex]!;
  }

  /** Loads the frame's textures into memory. This invalidates the placements of other frames. */
  placeTextures(pool: TexturePool): void {
    this.#placements = pool.placeFrame(this.frame.textures, () =>
      this.#memory.stopWords.throwIfStopped(),
    );
  }

  /**
   * Returns a pass.
   *
   * @throws {Error} If the frame has no such pass.
   */
  pass(passIndex: number): PreparedPass {
    const pass = this.frame.commands.passes[passIndex];
    if (pass === undefined) throw new Error(`frame: pass ${passIndex} does not exist`);
    return pass;
  }

  /** Returns a bound draw of a pass. */
  draw(passIndex: number, drawIndex: number): BoundDraw {
    this.#boundDraws[passIndex] ??= [];
    const bound = this.#boundDraws[passIndex];
    const found = bound[drawIndex];
    if (found !== undefined) return found;
    const draw = this.pass(passIndex).draws[drawIndex];
    if (draw === undefined) throw new Error(`frame: pass ${passIndex} has no draw ${drawIndex}`);
    const made = bindDraw(
      this.#library,
      this.frame,
      draw,
      drawIndex,
      this.visibilityPlan(passIndex).shader,
      this.targets(passIndex),
    );
    bound[drawIndex] = made;
    return made;
  }

  /** Returns the memory layout of a pass's color targets. */
  targets(passIndex: number): TargetLayout {
    const found = this.#targets[passIndex];
    if (found !== undefined) return found;
    const { colorFormats = PLAIN_FORMATS, sampleCount } = this.pass(passIndex);
    const made = layOutTargets(colorFormats, sampleCount);
    this.#targets[passIndex] = made;
    return made;
  }

  /** Returns the plan of a pass's visibility phase. */
  visibilityPlan(passIndex: number): VisibilityPlan {
    const found = this.#visibilityPlans[passIndex];
    if (found !== undefined) return found;
    const bin = findEarlyBin(this.frame, passIndex, this.#spec);
    const shader = chooseVisibilityShader(this.frame, passIndex, bin !== null);
    const plan = { shader, earlyBinId: shader === 'full' ? bin : null };
    this.#visibilityPlans[passIndex] = plan;
    return plan;
  }

  /** Returns the number of primitives of each draw of a pass. */
  primitiveCounts(passIndex: number): readonly number[] {
    const found = this.#primitiveCounts[passIndex];
    if (found !== undefined) return found;
    const counts = this.pass(passIndex).draws.map(primitiveCountOf);
    this.#primitiveCounts[passIndex] = counts;
    return counts;
  }

  /**
   * Returns the lines of a draw's textures in simulated memory. There a frame's textures are
   * consecutive, whatever earlier frames left in the pool.
   */
  textureLines({ draw }: BoundDraw): TextureLines {
    const { i32, lineTable } = this.#memory;
    const firstLines = Int32Array.from(draw.textures, (binding) =>
      binding === null ? 0 : this.addresses.textureBase(binding.textureIndex) / LINE_BYTES,
    );
    return { words: i32, lineZero: wordOfLineZero(lineTable), firstLines };
  }

  /** Writes a draw's constant bank and texture table. */
  uploadDrawState(draw: BoundDraw, constantsPtr: number, texturesPtr: number): void {
    this.#memory.u32.set(draw.draw.constants, constantsPtr >> 2);
    if (draw.draw.textures.length === 0) return;
    writeTextureDescriptors(
      this.#memory.memory,
      texturesPtr,
      draw.draw.textures.map((binding) =>
        binding === null
          ? null
          : selectLevels(this.#placements[binding.textureIndex]!, binding.sampler),
      ),
    );
  }
}
