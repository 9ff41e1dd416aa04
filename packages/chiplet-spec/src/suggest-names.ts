/** Suggestions for names that do not exist. */

/** Largest edit distance of a suggestion, and their largest number. */
const MAX_DISTANCE = 4;
const MAX_SUGGESTIONS = 3;

/** Returns `; did you mean …?` with the nearest of `names`, or nothing if none is near. */
export function suggestNames(name: string, names: readonly string[]): string {
  const wanted = name.toLowerCase();
  // A name without limit would cost time in proportion to its length.
  if (wanted.length > 64) return '';
  const near = names
    .map((known) => ({ known, distance: distanceOf(wanted, known.toLowerCase()) }))
    .filter(({ known, distance }) => {
      return distance <= MAX_DISTANCE || known.toLowerCase().includes(wanted);
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ known }) => known);
  return near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
}

/** Returns the edit distance of two texts (Levenshtein). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
