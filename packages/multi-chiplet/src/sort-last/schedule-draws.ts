/**
 * CHOPIN's scheduler of draws (Ren and Lis, HPCA 2021): each draw goes to the chiplet with the
 * fewest primitives left. Chiplets are taken to process primitives at the same rate, so those left
 * are fewest where the fewest were given.
 */
import { type ChipletId, type PreparedDraw, primitiveCountOf } from '@tessera/frame';

/** Returns the chiplet of each draw; of several with as few primitives, the first. */
export function scheduleDraws(draws: readonly PreparedDraw[], chipletCount: number): ChipletId[] {
  const given = new Array<number>(chipletCount).fill(0);
  return draws.map((draw) => {
    const chipletId = given.indexOf(Math.min(...given));
    given[chipletId]! += primitiveCountOf(draw);
    return chipletId;
  });
}
