import type { CapturedCall } from '../format/capture-reader.ts';
import type { CapturedValue } from '../format/captured-value.ts';

/** Returns the source of a `glShaderSource` call: its strings, cut to their lengths and joined. */
export function joinShaderSource(args: CapturedCall['args']): string {
  const { string: strings, length: lengths } = args;
  if (!Array.isArray(strings)) return '';
  return strings
    .map((part: CapturedValue, i) => {
      if (typeof part !== 'string') return '';
      const length: CapturedValue = Array.isArray(lengths) ? (lengths[i] as CapturedValue) : -1;
      return typeof length === 'number' && length >= 0 ? part.slice(0, length) : part;
    })
    .join('');
}
