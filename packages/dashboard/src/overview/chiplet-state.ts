/** State of a chiplet in words. */
import type { ChipletStatus } from '../api/types.ts';

const MODE_TEXTS: Readonly<Record<ChipletStatus['mode'], string>> = {
  idle: 'idle',
  visibility: 'visibility',
  'coarse-bin-rendering': 'rendering bins',
};

/** Describes the state of a chiplet. For a quarantined chiplet, says until when. */
export function describeChipletState({
  mode,
  isReady,
  setAsideUntilMs,
}: Pick<ChipletStatus, 'mode' | 'isReady' | 'setAsideUntilMs'>): string {
  if (setAsideUntilMs !== null) {
    return `quarantined until ${new Date(setAsideUntilMs).toLocaleTimeString()}`;
  }
  return isReady ? MODE_TEXTS[mode] : 'not ready';
}
