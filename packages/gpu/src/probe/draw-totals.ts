/** Fragments and instructions by draw of a pass. */
import type { DrawCounts } from '@tessera/frame';
import { type FragmentObserver, zeroDrawCounts } from '../modes/fragment-probe.ts';

/** Observer that adds the counts of the draws over bins. It looks at no single fragment. */
export class DrawTotals implements FragmentObserver {
  readonly #totals = new Map<number, DrawCounts>();

  /** Returns the counts of a draw, which are 0 if no bin lists it. */
  countsOf(drawIndex: number): DrawCounts {
    return this.#totals.get(drawIndex) ?? zeroDrawCounts();
  }

  observes(): boolean {
    return false;
  }

  beginBin(): void {}
  onCovered(): void {}
  onTested(): void {}
  onShaded(): void {}
  onMerging(): void {}
  onMerged(): void {}

  endBin(countsByDraw: ReadonlyMap<number, DrawCounts>): void {
    for (const [draw, counts] of countsByDraw) {
      const total = this.#totals.get(draw) ?? zeroDrawCounts();
      for (const name of Object.keys(total) as (keyof DrawCounts)[]) total[name] += counts[name];
      this.#totals.set(draw, total);
    }
  }
}
