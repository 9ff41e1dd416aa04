/** The routes of studies: sweeps over chiplets, policies, presets, bins and visibility shaders. */
import { RenderError } from '@tessera/frame';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import { csvPieces, listPoints, type StudyRequest } from '../../compute/study-request.ts';
import type { Config } from '../../config/config.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import { plotStudy, STUDY_PLOTS } from '../../studies/study-plots.ts';
import type { StudyRunner } from '../../studies/study-runner.ts';
import type { StudyRecord, StudyStore, StudySubject } from '../../studies/study-store.ts';
import { requireFrame } from '../frames/result-routes.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import {
  CSV_TYPE,
  JSON_TYPE,
  problems,
  SVG_TYPE,
  textContent,
} from '../protocol/response-schemas.ts';
import { jsonWithList, streamPieces } from '../protocol/stored-results.ts';
import {
  STUDY_BODY_SCHEMA,
  STUDY_LIST_RESPONSE,
  STUDY_PARAMS_SCHEMA,
  STUDY_PLOT_PARAMS_SCHEMA,
  STUDY_REF,
  STUDY_STATUS_REF,
  type StudyBody,
  type StudyStatusBody,
} from './study-schemas.ts';

export interface StudyRouteOptions {
  readonly studies: StudyStore;
  readonly runner: StudyRunner;
  readonly store: FrameStore;
  readonly registry: ChipletRegistry;
  readonly config: Config;
}

const LISTED_STUDIES = 100;
const MAX_BODY_BYTES = 2 ** 20;
/** Files and resources that all frames of a study name together. */
const MAX_STUDY_FILES = 2 ** 16;

export function addStudyRoutes(app: App, options: StudyRouteOptions): void {
  const { studies, runner, store, registry, config } = options;

  app.post('/v1/studies', {
    bodyLimit: MAX_BODY_BYTES,
    schema: {
      operationId: 'postStudy',
      summary: 'Sweep over chiplets, policies, presets, bins and visibility shaders',
      description:
        'Every frame is rendered once for each preset, number of bins and visibility shader; all numbers of chiplets ' +
        'and all policies follow from that. A study that was admitted goes on after a restart.',
      tags: ['studies'],
      body: STUDY_BODY_SCHEMA,
      response: {
        202: { description: 'Admitted', content: { [JSON_TYPE]: { schema: STUDY_STATUS_REF } } },
        ...problems(400, 404, 413, 415, 503, 507),
      },
    },
    handler: async (request, reply) => {
      const studyRequest = completeRequest(request.body, config);
      for (const spec of studyRequest.specs) registry.requireSpec(spec);
      const subjects = studyRequest.frames.map((id) => {
        const { title, source, options: asked } = requireFrame(store, id);
        return { title, source, options: asked };
      });
      refuseManyFiles(subjects);
      const study = studies.add(studyRequest, subjects);
      runner.start(study);
      reply.header('Location', `/v1/studies/${study.id}`);
      return reply.code(202).type(JSON_TYPE).send(studyStatus(study));
    },
  });

  app.get('/v1/studies', {
    schema: {
      operationId: 'listStudies',
      summary: 'Studies, the newest first',
      tags: ['studies'],
      response: { 200: STUDY_LIST_RESPONSE, ...problems(406) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const statuses = listStatuses(studies.ids(LISTED_STUDIES));
      return reply.type(JSON_TYPE).send(jsonWithList({}, 'studies', statuses));
    },
  });

  app.get('/v1/studies/:id', {
    schema: {
      operationId: 'getStudy',
      summary: 'How far a study is, and its rows so far',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      response: { 200: STUDY_REF, ...problems(404, 406) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const study = requireStudy(request.params.id);
      // Rows leave as they are in the journal; each point's are a list that is not empty, without its brackets here.
      const rows = studies
        .rowsJson(study.id)
        .filter((json) => json !== '[]')
        .map((json) => json.slice(1, -1));
      return reply.type(JSON_TYPE).send(jsonWithList(studyStatus(study), 'rows', rows));
    },
  });

  app.get('/v1/studies/:id/results.csv', {
    schema: {
      operationId: 'getStudyCsv',
      summary: 'The rows so far as CSV',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      response: { 200: textContent(CSV_TYPE, 'A header and a row each'), ...problems(404, 406) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [CSV_TYPE]);
      const { id } = requireStudy(request.params.id);
      reply.header('Content-Disposition', `attachment; filename="study-${id}.csv"`);
      const pieces = csvPieces(studies.rowsByPoint(id));
      return reply.type(`${CSV_TYPE}; charset=utf-8`).send(streamPieces(pieces));
    },
  });

  app.get('/v1/studies/:id/plots/:plot', {
    schema: {
      operationId: 'getStudyPlot',
      summary: 'A figure over the number of chiplets, as SVG',
      tags: ['studies'],
      params: STUDY_PLOT_PARAMS_SCHEMA,
      response: { 200: textContent(SVG_TYPE, 'The plot'), ...problems(400, 404, 406, 409) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [SVG_TYPE]);
      const { id, request: swept } = requireStudy(request.params.id);
      const plot = await plotStudy(request.params.plot, swept, studies.rowsByPoint(id));
      if (plot === null) throw new RenderError('RESULT_NOT_READY', 'nothing is measured yet');
      return reply.type(SVG_TYPE).send(plot);
    },
  });

  app.delete('/v1/studies/:id', {
    schema: {
      operationId: 'deleteStudy',
      summary: 'Cancel a study that is not over, forget one that is',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404) },
    },
    handler: async (request, reply) => {
      const { id, status } = requireStudy(request.params.id);
      if (status === 'running') runner.cancel(id);
      else studies.forget(id);
      return reply.code(204).send(null);
    },
  });

  /** JSON of the statuses; a study that was deleted meanwhile is left out. */
  function* listStatuses(ids: readonly string[]): Generator<string, void> {
    for (const id of ids) {
      const study = studies.get(id);
      if (study !== undefined) yield JSON.stringify(studyStatus(study));
    }
  }

  function requireStudy(id: string): StudyRecord {
    const study = studies.get(id);
    if (study === undefined) throw new RenderError('NOT_FOUND', `no study ${id}`);
    return study;
  }
}

/** The journal has the list of files in each study. @throws {RenderError} LIMIT_EXCEEDED. */
function refuseManyFiles(subjects: readonly StudySubject[]): void {
  const files = subjects.reduce((sum, { source }) => sum + source.files.length, 0);
  if (files <= MAX_STUDY_FILES) return;
  const message = `body.frames: ${subjects.length} frames name ${files} files; at most ${MAX_STUDY_FILES}`;
  throw new RenderError('LIMIT_EXCEEDED', message);
}

/** @throws {RenderError} LIMIT_EXCEEDED. */
function completeRequest(body: StudyBody, config: Config): StudyRequest {
  const request: StudyRequest = {
    title: body.title ?? '',
    frames: body.frames,
    chiplets: [...body.chiplets].sort((a, b) => a - b),
    policies: body.policies ?? ['dynamic'],
    specs: body.specs ?? [null],
    bins: body.bins ?? [32],
    visibility: body.visibility ?? ['minimal'],
  };
  const pointCount = listPoints(request).length;
  const rowCount = pointCount * request.chiplets.length * request.policies.length;
  const { TESSERA_STUDY_FRAMES: maxPoints, TESSERA_STUDY_ROWS: maxRows } = config;
  if (pointCount > maxPoints || rowCount > maxRows) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `body: ${pointCount} frames to render, ${rowCount} rows; at most ${maxPoints} and ${maxRows}`,
    );
  }
  return request;
}

/** A study as answers and events show it. */
export function studyStatus(study: StudyRecord): StudyStatusBody {
  const self = `/v1/studies/${study.id}`;
  const { title, ...sweep } = study.request;
  const { pointsDone, pointCount, measuredMs } = study;
  const left = study.status === 'running' ? pointCount - pointsDone : 0;
  return {
    id: study.id,
    title,
    status: study.status,
    submittedAt: study.submittedAt.toISOString(),
    sweep: {
      frames: [...sweep.frames],
      chiplets: [...sweep.chiplets],
      policies: [...sweep.policies],
      specs: [...sweep.specs],
      bins: [...sweep.bins],
      visibility: [...sweep.visibility],
    },
    progress: {
      done: pointsDone,
      total: pointCount,
      secondsLeft: pointsDone === 0 ? null : (left * measuredMs) / pointsDone / 1000,
    },
    error: study.error,
    links: {
      self,
      csv: `${self}/results.csv`,
      events: `${self}/events`,
      plots: Object.fromEntries(
        Object.keys(STUDY_PLOTS).map((plot) => [plot, `${self}/plots/${plot}`]),
      ),
    },
  };
}
