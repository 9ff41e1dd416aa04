/** Bisection of what is in the order of its ends. */

/**
 * Returns the index of the first of `count` items that ends after a cycle; `count` if none does.
 *
 * @param endOf Returns the last cycle of an item; it does not descend.
 */
export function firstEndingAfter(
  count: number,
  endOf: (index: number) => number,
  cycle: number,
): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(middle) > cycle) high = middle;
    else low = middle + 1;
  }
  return low;
}
