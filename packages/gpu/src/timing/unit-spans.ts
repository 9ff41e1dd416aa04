/** Intervals of the units of a simulated chip. */
import { BUSY, type ChipEngine, STALLED, STARVED, STATE_COUNT } from '@tessera/chip';
import type { UnitSpan } from '@tessera/frame';

/** Returns the intervals of each module over a run that is over, without gaps. */
export function unitSpansOf({
  moduleNames,
  intervalCount,
  intervalEnds,
  intervalSums,
}: ChipEngine): UnitSpan[] {
  const spans: UnitSpan[] = [];
  const words = moduleNames.length * STATE_COUNT;
  for (const [module, unit] of moduleNames.entries()) {
    for (let interval = 0; interval < intervalCount; interval++) {
      const cyclesIn = (state: number) => {
        const at = interval * words + module * STATE_COUNT + state;
        return intervalSums[at]! - (interval === 0 ? 0 : intervalSums[at - words]!);
      };
      spans.push({
        unit,
        startCycle: interval === 0 ? 0 : intervalEnds[interval - 1]!,
        endCycle: intervalEnds[interval]!,
        busyCycles: cyclesIn(BUSY),
        starvedCycles: cyclesIn(STARVED),
        stalledCycles: cyclesIn(STALLED),
      });
    }
  }
  return spans;
}
