/** Pixels of the lines that the traces of fragment warps name. */
import { END_OF_TRACE, TRACE } from '@tessera/chip/records';

/**
 * Returns the pixel of each line, by the word of the traces that names the line.
 *
 * @param words Words of traces that follow one another; see TRACE.
 * @param linePixels Pixels of the lines in the order of the words, as a LineObserver gets them.
 */
export function pixelsOfTraces(words: Int32Array, linePixels: readonly number[]): Int32Array {
  const pixels = new Int32Array(words.length);
  let line = 0;
  for (let at = 0; at < words.length; ) {
    if (words[at + TRACE.passes] === END_OF_TRACE) {
      at += TRACE.passes + 1;
      continue;
    }
    const first = at + TRACE.lines;
    at = first + words[at + TRACE.lineCount]!;
    for (let word = first; word < at; word++) pixels[word] = linePixels[line++]!;
  }
  if (line === linePixels.length) return pixels;
  throw new Error(`traces: ${line} lines, of which ${linePixels.length} were observed`);
}
