/** Names the timing of a frame, so that no estimate is taken for a simulation of all chiplets. */
import type { FrameStatus } from '../api/types.ts';

/** Returns the timing and the coupling in words. */
export function describeTiming({
  timing,
  coupling,
}: Pick<FrameStatus['options'], 'timing' | 'coupling'>): string {
  if (timing === 'functional') return 'timing functional';
  return coupling === 'exact'
    ? 'timing cycle, coupling exact'
    : 'timing cycle, coupling none (estimate)';
}
