/**
 * Programs whose one colour goes to all targets: what a shader writes to `gl_FragColor` is for every draw buffer
 * (OpenGL 2.1, section 4.2.1; GL_EXT_draw_buffers). In WebGL 2 it is for the first alone (OpenGL ES 3.0, section 4.2.1).
 */
import type { ProgramSource } from '@tessera/frame';

const NAMES_COLOR = /\bgl_FragColor\b/;

export class ColorBroadcast {
  /** By program, then number of targets. */
  readonly #known = new WeakMap<ProgramSource, Map<number, ProgramSource>>();

  /** The program for a draw into this many colours, which is itself where it names its outputs one by one. */
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

/** Tells the compiler so at the end, where no line changes its number. */
function spread(source: ProgramSource, colorCount: number): ProgramSource {
  const pragma = `#pragma tessera_color_targets(${colorCount})`;
  return { ...source, fragmentSource: `${source.fragmentSource}\n\n${pragma}\n` };
}
