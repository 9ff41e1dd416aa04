/** `POST /v1/studies`: checks the sweep and starts it. */

import { readSpec, summarizeSpec } from '@tessera/chiplet-spec';
import { defineEnergyOptions } from '@tessera/energy';
import {
  DEFAULT_FRAME_LIMITS,
  DEFAULT_OPTIONS,
  RenderError,
  type SpecSummary,
} from '@tessera/frame';
import { DEFAULT_OVERLAP } from '@tessera/multi-chiplet/rendering';
import {
  checkKinds,
  checkRequest,
  checkSharing,
  countPoints,
  countSimulations,
  listPoints,
  parseSize,
  type SceneKind,
  type StudyRequest,
} from '@tessera/study';
import type { FastifyReply } from 'fastify';
import type { ClientQuotas } from '../../admission/client-quotas.ts';
import type { Access } from '../../config/access.ts';
import type { Config } from '../../config/config.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import { refuseLargeBudgets } from '../../specs/instruction-limits.ts';
import { requestedSpec } from '../../specs/requested-spec.ts';
import { atPlace, type NamedSpecs, type SpecStore } from '../../specs/spec-store.ts';
import type { StudyRunner } from '../../studies/study-runner.ts';
import type { StudyStore, StudySubject } from '../../studies/study-store.ts';
import { clientOf } from '../access/client-of.ts';
import { requireFrame } from '../frames/frame-results.ts';
import { readInterconnect } from '../frames/link-options.ts';
import { isModel, refuseLargeImage } from '../frames/read-frame-options.ts';
import { JSON_TYPE } from '../protocol/response-schemas.ts';
import type { Validated } from '../protocol/validated-request.ts';
import type { StudyBody } from './study-schemas.ts';
import { studyStatus } from './study-status.ts';

/** Services that `POST /v1/studies` uses. */
export interface PostStudyOptions {
  readonly access: Access;
  readonly quotas: ClientQuotas;
  readonly studies: StudyStore;
  readonly runner: StudyRunner;
  readonly store: FrameStore;
  readonly specs: SpecStore;
  readonly config: Config;
}

/** Upper bound on the body of a study. */
export const MAX_BODY_BYTES = 2 ** 20;

/** Upper bound on files and resources of all frames of a study together. */
const MAX_STUDY_FILES = 2 ** 16;

const nameOf = (field: string) => `body.${field}`;

/**
 * Admits a study and starts it.
 *
 * @throws {RenderError} NOT_FOUND for an unknown frame, LIMIT_EXCEEDED, or REQUEST_INVALID for an
 *   unknown specification or a swept value that is not valid.
 */
export async function postStudy(
  request: Validated<{ body: StudyBody }>,
  reply: FastifyReply,
  { access, quotas, studies, runner, store, specs, config }: PostStudyOptions,
): Promise<FastifyReply> {
  const client = clientOf(request, access);
  quotas.refuseBytes(client, 0);
  const { request: sweep, subjects } = await readStudy(request.body, config, specs, async (id) => {
    const { name, source, options } = requireFrame(store, id);
    return { title: name, source, options };
  });
  const study = studies.add(sweep, subjects, client);
  runner.start(study);
  reply.header('Location', `/v1/studies/${study.id}`);
  return reply.code(202).type(JSON_TYPE).send(studyStatus(study));
}

/**
 * Returns the request and the subjects of a study.
 *
 * @param subjectOf Returns the subject of a frame by its id; throws NOT_FOUND.
 * @throws {RenderError} The errors of {@link postStudy}.
 */
export async function readStudy(
  body: StudyBody,
  config: Config,
  specs: NamedSpecs,
  subjectOf: (frameId: string) => Promise<StudySubject>,
): Promise<{ request: StudyRequest; subjects: StudySubject[] }> {
  const known = completeRequest(body, config, specs);
  const subjects: StudySubject[] = [];
  for (const id of known.frames) subjects.push(await subjectOf(id));
  const request = { ...known, kinds: subjects.map(kindOf) };
  refuseLargeStudy(request, config);
  checkKinds(request, nameOf);
  checkSubjects(request, subjects, config);
  for (const size of request.sizes) {
    for (const { source, options } of subjects) {
      refuseLargeImage(source.kind, { ...options, ...size }, config);
    }
  }
  refuseManyFiles(subjects);
  return { request, subjects };
}

/**
 * Checks the ways to share frames, with the values that frames have if the study does not sweep
 * them.
 *
 * @throws {RenderError} REQUEST_INVALID, naming the axis and the frame.
 */
function checkSubjects(
  request: StudyRequest,
  subjects: readonly StudySubject[],
  { TESSERA_VISIBILITY_RENDERS: isVisibilityChipletRendering }: Config,
): void {
  for (const [i, { options }] of subjects.entries()) {
    const own = { ...options, isVisibilityChipletRendering };
    checkSharing(request, own, (field) => `${nameOf(field)}: frame ${request.frames[i]}`);
  }
}

/** Rejects a study that would put too many files into its row of the journal. */
function refuseManyFiles(subjects: readonly StudySubject[]): void {
  const files = subjects.reduce((sum, { source }) => sum + source.files.length, 0);
  if (files <= MAX_STUDY_FILES) return;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `body.frames: ${subjects.length} frames have ${files} files; at most ${MAX_STUDY_FILES}`,
  );
}

/**
 * Adds the defaults to a body. The kinds of its scenes are not known yet.
 *
 * @throws {RenderError} LIMIT_EXCEEDED if the sweep is too large, or REQUEST_INVALID.
 */
function completeRequest(body: StudyBody, config: Config, specs: NamedSpecs): StudyRequest {
  const link = readInterconnect({}, config);
  const wanted = body.specs ?? [null];
  if (body.bins !== undefined && body.grids !== undefined) {
    throw new RenderError('REQUEST_INVALID', 'body.grids: replace body.bins; give one of them');
  }
  const request = {
    title: body.title ?? '',
    frames: body.frames,
    kinds: body.frames.map(() => 'frame' as const),
    chiplets: [...body.chiplets].sort((a, b) => a - b),
    policies: body.policies ?? [DEFAULT_OPTIONS.policy],
    specs: wanted.map((spec) => (typeof spec === 'object' && spec !== null ? null : spec)),
    sweep: body.sweep ?? {},
    bins: body.bins ?? [DEFAULT_OPTIONS.bins],
    grids: body.grids ?? [],
    splits: body.splits ?? [],
    visibility: body.visibility ?? [DEFAULT_OPTIONS.visibility],
    occlusion: body.occlusion ?? [],
    organizations: body.organizations ?? [],
    visibilityChiplets: body.visibilityChiplets ?? [],
    visibilityDelivery: body.visibilityDelivery ?? [],
    sizes: (body.sizes ?? []).map((text) =>
      parseSize(text, DEFAULT_FRAME_LIMITS.maxEdgePx, 'body.sizes'),
    ),
    frameIndices: body.frameIndices ?? [],
    linkTopologies: body.linkTopologies ?? [link.topology],
    linkBytesPerCycle: body.linkBytesPerCycle ?? [link.bytesPerCycle],
    linkLatencyCycles: body.linkLatencyCycles ?? [link.latencyCycles],
    placements: body.placements ?? [DEFAULT_OPTIONS.placement],
    overlaps: body.overlaps ?? [DEFAULT_OVERLAP],
    coupling: body.coupling ?? DEFAULT_OPTIONS.coupling,
    counters: body.counters ?? [],
    energy: body.energy === undefined ? undefined : defineEnergyOptions(body.energy),
  };
  refuseLargeStudy(request, config);
  checkRequest(request, nameOf);
  const bases = wanted.map((spec) => resolveSpec(spec, specs, config));
  const named = request.specs.map((name, i) =>
    typeof wanted[i] === 'object' && wanted[i] !== null ? bases[i]!.name : name,
  );
  const complete: StudyRequest = { ...request, specs: named, bases };
  // Checks every combination.
  const points = atPlace('body.sweep', () => listPoints(complete));
  for (const { spec } of points) refuseLargeBudgets(spec, config, 'body.sweep');
  return complete;
}

/** Returns the specification of a name, of an object, or of the service for null. */
function resolveSpec(
  spec: NonNullable<StudyBody['specs']>[number] | null,
  specs: NamedSpecs,
  config: Config,
): SpecSummary {
  if (typeof spec === 'object' && spec !== null) {
    return summarizeSpec(atPlace('body.specs', () => readSpec(spec)));
  }
  return requestedSpec({}, specs, config, spec ?? config.TESSERA_SPEC, 'body.specs');
}

function refuseLargeStudy(
  request: Omit<StudyRequest, 'bases'>,
  { TESSERA_STUDY_FRAMES: maxPoints, TESSERA_STUDY_ROWS: maxRows }: Config,
): void {
  const pointCount = countPoints(request);
  const rowCount = pointCount * countSimulations(request);
  if (pointCount <= maxPoints && rowCount <= maxRows) return;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `body: ${pointCount} frames to render and ${rowCount} rows; at most ${maxPoints} and ${maxRows}`,
  );
}

function kindOf({ source }: StudySubject): SceneKind {
  if (isModel(source.kind)) return 'model';
  return source.kind === 'capture' ? 'capture' : 'frame';
}
