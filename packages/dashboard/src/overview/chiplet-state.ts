/** What a chiplet is at, in words. */
import type { ChipletStatus } from '../api/types.ts';

const MODE_TEXTS: Readonly<Record<ChipletStatus['mode'], string>> = {
  idle: 'idle',
  visibility: 'visibility',
  'coarse-bin-rendering': 'renders bins',
};

/** What a chiplet is at; of one that answered wrongly too often, and so gets no work, until when. */
export function describeChipletState({
  mode,
  isReady,
  setAsideUntilMs,
}: Pick<ChipletStatus, 'mode' | 'isReady' | 'setAsideUntilMs'>): string {
  if (setAsideUntilMs !== null) {
    return `set aside until ${new Date(setAsideUntilMs).toLocaleTimeString()}`;
  }
  return isReady ? MODE_TEXTS[mode] : 'not ready';
}
