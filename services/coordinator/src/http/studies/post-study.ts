/** `POST /v1/studies`: checks the sweep and starts it. */
import { DEFAULT_COUPLING, RenderError } from '@tessera/frame';
import { refuseManyMachines } from '@tessera/multi-chiplet/rendering';
import type { FastifyReply } from 'fastify';
import { countPoints, listPoints, type StudyRequest } from '../../compute/study-request.ts';
import type { Config } from '../../config/config.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import { refuseLargeBudgets } from '../../specs/instruction-limits.ts';
import { requestedSpec } from '../../specs/requested-spec.ts';
import { atPlace, type SpecStore } from '../../specs/spec-store.ts';
import type { StudyRunner } from '../../studies/study-runner.ts';
import type { StudyStore, StudySubject } from '../../studies/study-store.ts';
import { requireFrame } from '../frames/frame-results.ts';
import { JSON_TYPE } from '../protocol/response-schemas.ts';
import type { StudyBody } from './study-schemas.ts';
import { studyStatus } from './study-status.ts';

/** Services that `POST /v1/studies` uses. */
export interface PostStudyOptions {
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

const DEFAULT_BIN_COUNT = 32;

/**
 * Admits a study and starts it.
 *
 * @throws {RenderError} NOT_FOUND for an unknown frame, LIMIT_EXCEEDED, or REQUEST_INVALID for an
 *   unknown specification or a swept value that is not valid.
 */
export async function postStudy(
  body: StudyBody,
  reply: FastifyReply,
  { studies, runner, store, specs, config }: PostStudyOptions,
): Promise<FastifyReply> {
  const request = completeRequest(body, config, specs);
  const subjects = request.frames.map((id) => {
    const { title, source, options } = requireFrame(store, id);
    return { title, source, options };
  });
  refuseManyFiles(subjects);
  const study = studies.add(request, subjects);
  runner.start(study);
  reply.header('Location', `/v1/studies/${study.id}`);
  return reply.code(202).type(JSON_TYPE).send(studyStatus(study));
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
 * Adds the defaults to a body.
 *
 * @throws {RenderError} LIMIT_EXCEEDED if the sweep is too large, or REQUEST_INVALID.
 */
function completeRequest(body: StudyBody, config: Config, specs: SpecStore): StudyRequest {
  const names = body.specs ?? [null];
  const request = {
    title: body.title ?? '',
    frames: body.frames,
    chiplets: [...body.chiplets].sort((a, b) => a - b),
    policies: body.policies ?? ['dynamic'],
    specs: names,
    sweep: body.sweep ?? {},
    bins: body.bins ?? [DEFAULT_BIN_COUNT],
    visibility: body.visibility ?? ['minimal'],
    coupling: body.coupling ?? DEFAULT_COUPLING,
  };
  if (request.coupling === 'exact') refuseManyMachines(request.chiplets.at(-1)!);
  const pointCount = countPoints(request);
  const rowCount = pointCount * request.chiplets.length * request.policies.length;
  const { TESSERA_STUDY_FRAMES: maxPoints, TESSERA_STUDY_ROWS: maxRows } = config;
  if (pointCount > maxPoints || rowCount > maxRows) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `body: ${pointCount} frames to render and ${rowCount} rows; at most ${maxPoints} and ${maxRows}`,
    );
  }
  const bases = names.map((name) =>
    requestedSpec({}, specs, config, name ?? config.TESSERA_SPEC, 'body.specs'),
  );
  const complete: StudyRequest = { ...request, bases };
  // Checks every combination.
  const points = atPlace('body.sweep', () => listPoints(complete));
  for (const { spec } of points) refuseLargeBudgets(spec, config, 'body.sweep');
  return complete;
}
