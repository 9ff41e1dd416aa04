/** Lists of numbers typed by users. */

const RANGE_LIMIT = 64;

/**
 * Parses numbers and ranges such as `1, 2, 4` or `1-4`. Returns each number once, in ascending
 * order.
 *
 * @throws {Error} If a part is neither, or a range has more than 64 numbers; the message names the
 *   part.
 */
export function parseNumberList(text: string): number[] {
  const numbers = new Set<number>();
  for (const part of text.split(/[\s,;]+/).filter(Boolean)) {
    const match = /^(\d{1,6})(?:[-–](\d{1,6}))?$/.exec(part);
    if (match === null) throw new Error(`'${part}' is neither a number nor a range such as 1-4`);
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (last - first >= RANGE_LIMIT)
      throw new Error(`the range '${part}' has more than ${RANGE_LIMIT} numbers`);
    if (last < first) throw new Error(`'${part}' is a descending range`);
    for (let number = first; number <= last; number++) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b);
}
