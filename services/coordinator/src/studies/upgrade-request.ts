/** Requests of studies that earlier versions of the service stored. */
import { DEFAULT_INTERCONNECT, DEFAULT_OVERLAP } from '@tessera/multi-chiplet/rendering';
import type { StudyRequest } from '@tessera/study';
import { upgradeSpec } from '../specs/upgrade-spec.ts';

/** Axes that studies of earlier versions do not have, with the values of their rows. */
const FORMER_AXES = {
  sweep: {},
  grids: [],
  splits: [],
  occlusion: [],
  organizations: [],
  visibilityChiplets: [],
  visibilityDelivery: [],
  sizes: [],
  frameIndices: [],
  linkTopologies: [DEFAULT_INTERCONNECT.topology],
  linkBytesPerCycle: [DEFAULT_INTERCONNECT.bytesPerCycle],
  linkLatencyCycles: [DEFAULT_INTERCONNECT.latencyCycles],
  placements: ['replicated'],
  overlaps: [DEFAULT_OVERLAP],
  counters: [],
} as const satisfies Partial<StudyRequest>;

/** Request in a journal or an engine, which an earlier version may have written. */
export type StoredRequest = Omit<StudyRequest, 'bases' | 'kinds' | keyof typeof FORMER_AXES> &
  Partial<StudyRequest>;

/** Returns the request with all axes of this version. */
export function upgradeRequest(request: StoredRequest): StudyRequest {
  const { bases = request.specs, kinds = request.frames.map(() => 'frame' as const) } = request;
  return { ...FORMER_AXES, ...request, kinds, bases: bases.map(upgradeSpec) };
}
