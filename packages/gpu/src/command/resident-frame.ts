/** A frame that a chiplet holds: its resources in memory and its draws bound, each when first needed. */
import type { PreparedFrame, PreparedPass } from '@tessera/frame';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { KernelLibrary } from '../shading/kernel-library.ts';
import { writeTextureDescriptors } from '../texture/texture-descriptor.ts';
import type { TexturePlacement, TexturePool } from '../texture/texture-pool.ts';
import { type BoundDraw, bindDraw, primitiveCountOf } from './bound-draw.ts';

/** One frame on one chiplet. */
export class ResidentFrame {
  readonly frame: PreparedFrame;
  readonly #memory: ChipletMemory;
  readonly #library: KernelLibrary;
  readonly #boundDraws: BoundDraw[][] = [];
  readonly #primitiveCounts: (readonly number[])[] = [];
  #placements: readonly TexturePlacement[] = [];

  constructor(memory: ChipletMemory, library: KernelLibrary, frame: PreparedFrame) {
    this.frame = frame;
    this.#memory = memory;
    this.#library = library;
  }

  /** Brings the frame's textures into memory. Other frames' placements are void afterwards. */
  placeTextures(pool: TexturePool): void {
    this.#placements = pool.placeFrame(this.frame.textures);
  }

  /** @throws {Error} If the frame has no such pass. */
  pass(passIndex: number): PreparedPass {
    const pass = this.frame.commands.passes[passIndex];
    if (pass === undefined) throw new Error(`frame: no pass ${passIndex}`);
    return pass;
  }

  /** A draw of a pass, bound. */
  draw(passIndex: number, drawIndex: number): BoundDraw {
    this.#boundDraws[passIndex] ??= [];
    const bound = this.#boundDraws[passIndex];
    const found = bound[drawIndex];
    if (found !== undefined) return found;
    const draw = this.pass(passIndex).draws[drawIndex];
    if (draw === undefined) throw new Error(`frame: pass ${passIndex} has no draw ${drawIndex}`);
    const made = bindDraw(this.#library, this.frame, draw);
    bound[drawIndex] = made;
    return made;
  }

  /** Primitives of each draw of a pass. */
  primitiveCounts(passIndex: number): readonly number[] {
    const found = this.#primitiveCounts[passIndex];
    if (found !== undefined) return found;
    const counts = this.pass(passIndex).draws.map(primitiveCountOf);
    this.#primitiveCounts[passIndex] = counts;
    return counts;
  }

  /** Writes a draw's constant bank and texture table. */
  uploadDrawState(draw: BoundDraw, constantsPtr: number, texturesPtr: number): void {
    this.#memory.u32.set(draw.draw.constants, constantsPtr >> 2);
    if (draw.draw.textures.length === 0) return;
    writeTextureDescriptors(
      this.#memory.memory,
      texturesPtr,
      draw.draw.textures.map((binding) =>
        binding === null ? null : this.#placements[binding.textureIndex]!,
      ),
    );
  }
}
