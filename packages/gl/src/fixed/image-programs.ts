/**
 * Programs of bitmaps and pixel rectangles whose fragments pass texturing, the color sum or fog.
 */
import { RenderError } from '@tessera/frame';
import type { ProgramReflection } from '../objects/programs/program-reflection.ts';
import { collectImageKey, type KeyState } from './collect-key.ts';
import { type DrawProgram, MadeUniforms } from './draw-programs.ts';
import { makeFragmentSource } from './fragment-source.ts';
import { type ImageKind, makeImageVertexSource } from './image-source.ts';

/** Program of an image. */
export interface ImageProgram {
  readonly program: DrawProgram;
  /** Texture units that the fragments sample. */
  readonly units: readonly number[];
}

/** Cache of the programs of images. */
export class ImagePrograms {
  readonly #state: KeyState;
  readonly #reflection: ProgramReflection;
  readonly #madeByKey = new Map<string, ImageProgram>();

  constructor(state: KeyState, reflection: ProgramReflection) {
    this.#state = state;
    this.#reflection = reflection;
  }

  /**
   * Returns the program for images under the current state, or `null` if their colors pass only the
   * alpha test.
   *
   * @throws {RenderError} SHADER_COMPILE_FAILED if the generated program does not compile.
   */
  choose(kind: ImageKind): ImageProgram | null {
    const key = collectImageKey(this.#state, kind);
    if (key.units.length === 0 && key.fog === null && !key.hasColorSum) return null;
    const text = JSON.stringify(key);
    const known = this.#madeByKey.get(text);
    if (known !== undefined) return known;
    const units = key.units.map(({ unit }) => unit);
    const vertexSource = makeImageVertexSource(units, key.fog !== null);
    const fragmentSource = makeFragmentSource(key);
    const reflected = this.#reflection.reflect(vertexSource, fragmentSource, 110);
    if (!reflected.isLinked) {
      throw new RenderError('SHADER_COMPILE_FAILED', `the program of an image: ${reflected.log}`);
    }
    const program = {
      source: { vertexSource, fragmentSource },
      attributes: [],
      uniforms: new MadeUniforms(reflected, null),
    };
    const made = { program, units };
    this.#madeByKey.set(text, made);
    return made;
  }
}
