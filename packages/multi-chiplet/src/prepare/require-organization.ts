/** Checks that an organization fits the other options of a frame. */
import {
  DEFAULT_PLACEMENT,
  type Placement,
  RenderError,
  type VisibilityDelivery,
} from '@tessera/frame';
import { isShared } from '../placement/parse-placement.ts';
import { DEFAULT_ORGANIZATION, type Organization } from '../simulated-time/organization.ts';

/** Options on which an organization depends. */
export interface OrganizationOptions {
  /** Way in which chiplets share frames; `binned` by default. */
  readonly organization?: Organization | undefined;
  readonly visibilityChiplets?: number | undefined;
  readonly visibilityDelivery?: VisibilityDelivery | undefined;
  readonly isVisibilityChipletRendering?: boolean | undefined;
  readonly placement?: Placement | undefined;
  readonly splits?: number | undefined;
}

/**
 * Returns the organization of a frame.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the option that only `binned` has: a shared
 *   visibility phase, or one that is streamed, a chiplet 0 that renders no bins, shared memories,
 *   split bins.
 */
export function requireOrganization(options: OrganizationOptions): Organization {
  const { organization = DEFAULT_ORGANIZATION, placement = DEFAULT_PLACEMENT } = options;
  if (organization === 'binned') return organization;
  const refuse = (isRefused: boolean, option: string) => {
    if (!isRefused) return;
    const message = `organization: ${organization} is possible only ${option}`;
    throw new RenderError('REQUEST_INVALID', message);
  };
  refuse((options.visibilityChiplets ?? 1) > 1, 'with visibilityChiplets 1');
  refuse(options.visibilityDelivery === 'stream', 'with visibilityDelivery phase');
  refuse(options.isVisibilityChipletRendering === false, 'if chiplet 0 renders bins');
  refuse(isShared(placement), 'with placement replicated');
  refuse(organization === 'sort-last' && (options.splits ?? 0) > 0, 'with split 0');
  return organization;
}
