/** Values of a slider whose setting spans several orders of magnitude. */

/**
 * Returns the powers of two and the numbers halfway between them within a range, and both ends.
 *
 * @example
 * sliderValues({ min: 0, max: 10 }); // 0, 1, 2, 3, 4, 6, 8, 10
 */
export function sliderValues({ min, max }: { readonly min: number; readonly max: number }) {
  const values = [min];
  for (let power = 1; power <= max; power *= 2) values.push(power, power * 1.5);
  values.push(max);
  const inside = values.filter((value) => Number.isInteger(value) && value >= min && value <= max);
  return [...new Set(inside)].sort((a, b) => a - b);
}

/** Returns the index of the value that is closest on a logarithmic scale. */
export function nearestIndex(values: readonly number[], value: number): number {
  let nearest = 0;
  const distance = (other: number) => Math.abs(Math.log2(other + 1) - Math.log2(value + 1));
  for (const [index, other] of values.entries()) {
    if (distance(other) < distance(values[nearest]!)) nearest = index;
  }
  return nearest;
}
