/**
 * Checks the axes of the ways to share a frame. A study is every combination of its values, so one
 * combination that is impossible refuses the study. Each rule compares two values and holds for all
 * smaller ones, so the largest values stand for all.
 */
import { DEFAULT_OPTIONS, RenderError, type VisibilityDelivery } from '@tessera/frame';
import {
  type OrganizationOptions,
  parsePlacement,
  requireOrganization,
  requireVisibilityChiplets,
  requireVisibilityDelivery,
} from '@tessera/multi-chiplet/rendering';
import { atField } from './at-field.ts';
import type { StudyRequest } from './study-request.ts';

/** Axes that are checked here. */
export type SharingField =
  | 'organizations'
  | 'visibilityChiplets'
  | 'visibilityDelivery'
  | 'counters'
  | 'energy';

/** Axes on which the ways to share a frame depend. */
type CheckedAxes = Pick<StudyRequest, SharingField | 'chiplets' | 'splits' | 'placements'>;

/**
 * Values of a scene for the axes that a study does not sweep, and whether chiplet 0 renders bins.
 */
export type OwnSharing = Omit<OrganizationOptions, 'placement'>;

/**
 * Checks every combination of organization, division and delivery of visibility, splits, placement
 * and number of chiplets.
 *
 * @param own Values of the scene; those left out are the defaults.
 * @param nameOf Returns the name of a field in messages, such as `body.organizations`.
 * @throws {RenderError} REQUEST_INVALID, naming the field and the reason. `sort-last` is always
 *   refused: a rendering divides the draws among one number of chiplets, and the renderings of a
 *   study serve all numbers. So are counters and energy with `split-frame`: their counts depend on
 *   that number.
 */
export function checkSharing(
  request: CheckedAxes,
  own: OwnSharing,
  nameOf: (field: SharingField) => string,
): void {
  const { chiplets, placements } = request;
  const organizations = orOwn(request.organizations, own.organization);
  const visibilityChiplets = Math.max(
    ...orOwn(
      request.visibilityChiplets,
      own.visibilityChiplets ?? DEFAULT_OPTIONS.visibilityChiplets,
    ),
  );
  const deliveries = orOwn(request.visibilityDelivery, own.visibilityDelivery);
  const visibilityDelivery: VisibilityDelivery = deliveries.includes('stream') ? 'stream' : 'phase';
  const splits = Math.max(...orOwn(request.splits, own.splits ?? DEFAULT_OPTIONS.splits));
  const fewest = Math.min(...chiplets);
  if (organizations.includes('sort-last')) {
    throw new RenderError(
      'REQUEST_INVALID',
      `${nameOf('organizations')}: sort-last is not possible in a study, whose renderings serve all numbers of ` +
        'chiplets: with sort-last a rendering divides the draws among one number; post a frame for each',
    );
  }
  const hasCounters = request.counters.length > 0;
  if (organizations.includes('split-frame') && (hasCounters || request.energy !== undefined)) {
    throw new RenderError(
      'REQUEST_INVALID',
      `${nameOf(hasCounters ? 'counters' : 'energy')}: not possible with organization split-frame, with which every chiplet counts its own ` +
        'visibility phase: a rendering of a study serves all numbers of chiplets',
    );
  }
  if (visibilityChiplets > fewest) {
    throw new RenderError(
      'REQUEST_INVALID',
      `${nameOf('visibilityChiplets')}: ${visibilityChiplets} is more than the fewest chiplets of the study, ${fewest}`,
    );
  }
  for (const text of placements) {
    const placement = parsePlacement(text);
    atField(nameOf('visibilityChiplets'), () =>
      requireVisibilityChiplets({ visibilityChiplets, placement }, fewest),
    );
    atField(nameOf('visibilityDelivery'), () =>
      requireVisibilityDelivery({ visibilityDelivery, splits, placement }),
    );
    const shares = { ...own, visibilityChiplets, visibilityDelivery, splits, placement };
    for (const organization of organizations) {
      atField(nameOf('organizations'), () => requireOrganization({ ...shares, organization }));
    }
  }
}

function orOwn<Value>(values: readonly Value[], own: Value): readonly Value[] {
  return values.length === 0 ? [own] : values;
}
