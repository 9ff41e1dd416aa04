/**
 * Programs that write a single color to all targets. A shader that writes `gl_FragColor` writes to
 * every draw buffer (OpenGL 2.1, section 4.2.1; GL_EXT_draw_buffers). In WebGL 2 it writes only to
 * the first (OpenGL ES 3.0, section 4.2.1).
 */
import type { ProgramSource } from '@tessera/frame';

const NAMES_COLOR = /\bgl_FragColor\b/;

/** Cache of programs with a broadcast color. */
export class ColorBroadcast {
  /** Cached programs by original source, then by number of targets. */
  readonly #known = new WeakMap<ProgramSource, Map<number, ProgramSource>>();

  /**
   * Returns the program for a draw into `colorCount` colors. A program that does not use
   * `gl_FragColor` is returned unchanged.
   */
  sourceFor(source: ProgramSource, colorCount: number): ProgramSource {
    if (colorCount < 2) return source;
    let byCount = this.#known.get(source);
    if (byCount === undefined) {
      byCount = new Map();
      this.#known.set(source, byCount);
    }
    let found = byCount.get(colorCount);
    if (found === undefined) {
      found = NAMES_COLOR.test(source.fragmentSource) ? spread(source, colorCount) : source;
      byCount.set(colorCount, found);
    }
    return found;
  }
}

/** Appends the broadcast pragma to a fragment shader. At the end it changes no line number. */
function spread(source: ProgramSource, colorCount: number): ProgramSource {
  const pragma = `#pragma tessera_color_targets(${colorCount})`;
  return { ...source, fragmentSource: `${source.fragmentSource}\n\n${pragma}\n` };
}
