/** Checks that link, placement, timing and coupling of a frame fit each other. */
import {
  type Coupling,
  DEFAULT_COUPLING,
  type Placement,
  RenderError,
  type Timing,
} from '@tessera/frame';
import { type InterconnectSpec, requireCrosslink } from '../interconnect/interconnect-spec.ts';
import { isShared } from './parse-placement.ts';

/** Options of a frame that depend on each other. */
export interface LinkOptions {
  readonly timing?: Timing | undefined;
  readonly coupling?: Coupling | undefined;
  readonly placement?: Placement | undefined;
  readonly interconnect?: InterconnectSpec | undefined;
}

/**
 * Rejects options that do not fit each other. Shared memories need chiplets that run together and
 * a link with a latency. Some topologies need the packet network.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option that needs another one.
 */
export function requireLink({
  timing = 'functional',
  coupling = DEFAULT_COUPLING,
  placement,
  interconnect,
}: LinkOptions): void {
  const areMemoriesShared = placement !== undefined && isShared(placement);
  const hasMachines = timing === 'cycle' && coupling === 'exact';
  if (areMemoriesShared && !hasMachines) {
    throw new RenderError(
      'REQUEST_INVALID',
      `placement: only replicated is possible with timing ${timing} and coupling ${coupling}; others need timing cycle and coupling exact`,
    );
  }
  if (areMemoriesShared && interconnect?.latencyCycles === 0) {
    throw new RenderError(
      'REQUEST_INVALID',
      'link latencyCycles: 0 is possible only with placement replicated; chiplets that share memories need at least 1',
    );
  }
  if (interconnect !== undefined && !hasMachines) requireCrosslink(interconnect);
}
