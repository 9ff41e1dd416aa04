/**
 * Forms of a program that depend on the state of a draw. Pragmas at the end of a shader choose
 * them, which changes no line number.
 *
 * A shader that writes `gl_FragColor` writes to every draw buffer (OpenGL 2.1, section 4.2.1;
 * GL_EXT_draw_buffers). In WebGL 2 it writes only to the first (OpenGL ES 3.0, section 4.2.1). Clip
 * distances clip if their planes are enabled (EXT_clip_cull_distance).
 */
import type { ProgramSource } from '@tessera/frame';

const NAMES_COLOR = /\bgl_FragColor\b/;
const NAMES_DISTANCE = /\bgl_ClipDistance\b/;

/** Program with its forms by the pragmas of the vertex and the fragment shader. */
interface KnownProgram {
  readonly namesColor: boolean;
  readonly namesDistance: boolean;
  readonly forms: Map<string, ProgramSource>;
}

/** Cache of the forms of programs. */
export class ProgramVariants {
  readonly #known = new WeakMap<ProgramSource, KnownProgram>();

  /**
   * Returns the form of a program for a draw.
   *
   * @param colorCount Number of colors that `gl_FragColor` is written to.
   * @param clipMask Enabled clip distances, one bit each.
   */
  sourceFor(source: ProgramSource, colorCount: number, clipMask: number): ProgramSource {
    if (colorCount < 2 && clipMask === 0) return source;
    const known = this.#know(source);
    const colors =
      colorCount > 1 && known.namesColor ? [`tessera_color_targets(${colorCount})`] : [];
    const distances =
      clipMask !== 0 && known.namesDistance ? [`tessera_clip_distances(${clipMask})`] : [];
    if (colors.length + distances.length === 0) return source;
    const key = [...colors, ...distances].join();
    let form = known.forms.get(key);
    if (form === undefined) {
      form = {
        ...source,
        vertexSource: addPragmas(source.vertexSource, distances),
        fragmentSource: addPragmas(source.fragmentSource, [...colors, ...distances]),
      };
      known.forms.set(key, form);
    }
    return form;
  }

  #know(source: ProgramSource): KnownProgram {
    let known = this.#known.get(source);
    if (known === undefined) {
      known = {
        namesColor: NAMES_COLOR.test(source.fragmentSource),
        namesDistance: NAMES_DISTANCE.test(source.vertexSource),
        forms: new Map(),
      };
      this.#known.set(source, known);
    }
    return known;
  }
}

function addPragmas(source: string, pragmas: readonly string[]): string {
  if (pragmas.length === 0) return source;
  return `${source}\n\n${pragmas.map((pragma) => `#pragma ${pragma}\n`).join('')}`;
}
