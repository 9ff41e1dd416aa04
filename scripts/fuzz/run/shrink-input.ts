/** Shortens inputs by removing pieces of halving sizes (Zeller and Hildebrandt 2002, ddmin). */

/**
 * Returns the shortest input found for which `isKept` still holds.
 *
 * @param maxTries Upper bound on the calls of `isKept`.
 */
export async function shrinkInput(
  input: Uint8Array,
  isKept: (shorter: Uint8Array) => Promise<boolean>,
  maxTries: number,
): Promise<Uint8Array> {
  let shortest = input;
  let tries = 0;
  for (let size = input.length >> 1; size > 0 && tries < maxTries; size >>= 1) {
    for (let at = 0; at < shortest.length && tries < maxTries; tries++) {
      const shorter = new Uint8Array(at + Math.max(0, shortest.length - at - size));
      shorter.set(shortest.subarray(0, at));
      shorter.set(shortest.subarray(at + size), at);
      if (await isKept(shorter)) shortest = shorter;
      else at += size;
    }
  }
  return shortest;
}
