/** Checks the values of a request that depend on each other, before anything is rendered. */
import { COUNTERS, parseGridRequest, RenderError } from '@tessera/frame';
import {
  defineInterconnect,
  parsePlacement,
  refuseManyMachines,
  requireLink,
  resolvePolicyName,
} from '@tessera/multi-chiplet/rendering';
import { atField } from './at-field.ts';
import { checkSharing, type SharingField } from './check-sharing.ts';
import {
  type ImageSize,
  listSimulations,
  STUDY_TIMING,
  type StudyRequest,
} from './study-request.ts';

/** Fields that messages name. */
export type CheckedField =
  | 'policies'
  | 'grids'
  | 'placements'
  | 'link'
  | 'counters'
  | 'sizes'
  | 'frameIndices'
  | SharingField;

/**
 * Checks grids, policies, links, placements, overlap, ways to share frames, counters and energy.
 * Specifications, sizes and limits are checked by the caller, which knows them.
 *
 * @param nameOf Returns the name of a field in messages, such as `body.policies`.
 * @throws {RenderError} REQUEST_INVALID, naming the field, the value and the choices;
 *   LIMIT_EXCEEDED for too many coupled chiplets.
 */
export function checkRequest(
  request: Omit<StudyRequest, 'bases'>,
  nameOf: (field: CheckedField) => string = (field) => field,
): void {
  const { coupling = 'none', chiplets, counters, grids, placements } = request;
  const at = <T>(field: CheckedField, check: () => T): T => atField(nameOf(field), check);
  if (coupling === 'exact') refuseManyMachines(Math.max(...chiplets));
  for (const text of grids) requireFixedGrid(text, nameOf('grids'));
  for (const text of placements) at('placements', () => parsePlacement(text));
  for (const each of listSimulations(request)) {
    at('policies', () => resolvePolicyName(each.policy));
    const interconnect = at('link', () => defineInterconnect(each.interconnect));
    const placement = parsePlacement(each.placement);
    at('link', () => requireLink({ timing: STUDY_TIMING, coupling, placement, interconnect }));
  }
  checkSharing(request, {}, nameOf);
  requireCounters(counters, coupling === 'exact', nameOf('counters'));
  if (request.energy !== undefined) requireExact(coupling === 'exact', nameOf('energy'));
}

/**
 * Checks that the axes of models and captures apply to one of the scenes.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the field.
 */
export function checkKinds(
  { kinds, sizes, frameIndices }: Pick<StudyRequest, 'kinds' | 'sizes' | 'frameIndices'>,
  nameOf: (field: CheckedField) => string = (field) => field,
): void {
  const refuse = (field: CheckedField, reason: string): never => {
    throw new RenderError('REQUEST_INVALID', `${nameOf(field)}: ${reason}`);
  };
  if (sizes.length > 0 && !kinds.includes('model')) {
    refuse(
      'sizes',
      'none of the scenes is a model; captures and native frames have their own size',
    );
  }
  if (frameIndices.length > 0 && !kinds.includes('capture')) {
    refuse('frameIndices', 'none of the scenes is a capture; only a capture has several frames');
  }
}

/**
 * Reads a size as users write it: `640x480`.
 *
 * @param maxEdgePx Upper bound on width and height.
 * @throws {RenderError} REQUEST_INVALID, naming the field, the value and the range.
 */
export function parseSize(text: string, maxEdgePx: number, field = 'sizes'): ImageSize {
  const match = /^(\d{1,6})x(\d{1,6})$/.exec(text);
  const [widthPx, heightPx] = [Number(match?.[1]), Number(match?.[2])];
  const isEdge = (edge: number) => edge >= 1 && edge <= maxEdgePx;
  if (match !== null && isEdge(widthPx) && isEdge(heightPx)) return { widthPx, heightPx };
  throw new RenderError(
    'REQUEST_INVALID',
    `${field}: '${text}' is not WIDTHxHEIGHT with edges from 1 to ${maxEdgePx} pixels`,
  );
}

/** A rendered frame serves all numbers of chiplets, so its grid may not depend on them. */
function requireFixedGrid(text: string, field: string): void {
  const { kind } = parseGridRequest(text, field);
  if (kind === 'shape' || kind === 'bins') return;
  throw new RenderError(
    'REQUEST_INVALID',
    `${field}: '${text}' depends on the number of chiplets; give columns × rows such as 8x4, or a number of bins`,
  );
}

function requireCounters(names: readonly string[], isExact: boolean, field: string): void {
  const unknown = names.find((name) => !Object.hasOwn(COUNTERS, name));
  if (unknown !== undefined) {
    throw new RenderError(
      'REQUEST_INVALID',
      `${field}: '${unknown}' is no counter; see docs/counters.md or tessera counters`,
    );
  }
  if (names.length > 0) requireExact(isExact, field);
}

function requireExact(isExact: boolean, field: string): void {
  if (isExact) return;
  throw new RenderError(
    'REQUEST_INVALID',
    `${field}: needs coupling exact, because bins that are timed by themselves count other cache lines`,
  );
}
