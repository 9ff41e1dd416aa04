/** Presets of the simulated chiplet that frames can request. */
import { getJson } from './requests.ts';
import type { ChipletStatus } from './types.ts';

/**
 * Returns the presets of the visibility chiplet; none while it is not connected.
 *
 * @throws {ProblemError}
 */
export async function getPresets(signal: AbortSignal): Promise<readonly string[]> {
  const { chiplets } = await getJson<{ chiplets: ChipletStatus[] }>('/v1/chiplets', signal);
  return chiplets.find(({ id }) => id === 0)?.presets ?? [];
}
