/** Routes of studies at a gateway: a study is a batch whose units are its points. */
import { randomUUID } from 'node:crypto';
import { UNIT_STATES } from '@tessera/engine';
import Type from 'typebox';
import { type FrameWork, type StudyWork, studyUnits } from '../cluster/cluster-work.ts';
import type { App } from '../http/protocol/app.ts';
import { JSON_TYPE, problems } from '../http/protocol/response-schemas.ts';
import { jsonWithList } from '../http/protocol/stored-results.ts';
import { MAX_BODY_BYTES, readStudy } from '../http/studies/post-study.ts';
import { addStudyDataRoutes } from '../http/studies/study-data-routes.ts';
import {
  STUDY_BODY_SCHEMA,
  STUDY_LIST_RESPONSE,
  STUDY_PARAMS_SCHEMA,
  STUDY_QUERY_SCHEMA,
  STUDY_REF,
  STUDY_STATUS_REF,
} from '../http/studies/study-schemas.ts';
import { PRESET_SPECS } from '../specs/spec-store.ts';
import { upgradeRequest } from '../studies/upgrade-request.ts';
import { requireClusterFrame } from './cluster-frames.ts';
import { ClusterStudies } from './cluster-studies.ts';
import type { GatewayServices } from './gateway-services.ts';
import { statusOfStudy } from './statuses.ts';
import { STATUS_STREAM_RESPONSE, streamStatus } from './stream-status.ts';

/** Length of the list of studies. */
const LISTED_STUDIES = 100;
/** Upper bound on the units of one page of the list of units. */
const MAX_LISTED_UNITS = 1000;

/** Adds the routes of studies. JSON bodies must be parsed in `app`. */
export function addClusterStudies(app: App, services: GatewayServices): void {
  const { config, withEngine, tenantOf, version } = services;
  const studies = new ClusterStudies(services);

  app.post('/v1/studies', {
    bodyLimit: MAX_BODY_BYTES,
    schema: {
      operationId: 'postStudy',
      summary: 'Sweep over chiplets, policies, presets, bins and visibility shaders',
      tags: ['studies'],
      body: STUDY_BODY_SCHEMA,
      response: {
        202: { description: 'Admitted', content: { [JSON_TYPE]: { schema: STUDY_STATUS_REF } } },
        ...problems(400, 404, 413, 415, 429, 503),
      },
    },
    handler: async (request, reply) => {
      const read = await readStudy(request.body, config, PRESET_SPECS, async (id) => {
        const { batch } = await requireClusterFrame(services, request, id);
        const { name, source, options } = batch.request as FrameWork; // A gateway wrote it.
        return { title: name, source, options };
      });
      const isVisibilityChipletRendering = config.TESSERA_VISIBILITY_RENDERS;
      const work: StudyWork = { kind: 'study', ...read, isVisibilityChipletRendering };
      const id = randomUUID();
      const batch = await withEngine(async (engine) => {
        await engine.submit({
          id,
          tenant: tenantOf(request),
          workClass: 'study',
          version,
          title: work.request.title,
          request: work,
          idempotencyKey: null,
          units: studyUnits(version, work),
        });
        return (await engine.batch(id))!;
      });
      reply.header('Location', `/v1/studies/${id}`);
      return reply.code(202).type(JSON_TYPE).send(statusOfStudy(batch));
    },
  });

  app.get('/v1/studies', {
    schema: {
      operationId: 'listStudies',
      summary: 'List the newest studies of the tenant',
      tags: ['studies'],
      response: { 200: STUDY_LIST_RESPONSE, ...problems(503) },
    },
    handler: async (request, reply) => {
      const filter = { tenant: tenantOf(request).name, limit: LISTED_STUDIES };
      const batches = await withEngine((engine) =>
        engine.batches({ ...filter, workClass: 'study' }),
      );
      const statuses = batches.map((batch) => JSON.stringify(statusOfStudy(batch)));
      return reply.type(JSON_TYPE).send(jsonWithList({}, 'studies', statuses));
    },
  });

  addStudyResults(app, services, studies);
  addStudyUnits(app, services, studies);
}

/** Adds the routes of rows and plots. */
function addStudyResults(app: App, { withEngine }: GatewayServices, studies: ClusterStudies): void {
  app.get('/v1/studies/:id', {
    schema: {
      operationId: 'getStudy',
      summary: 'Get the status of a study and its rows so far',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      querystring: STUDY_QUERY_SCHEMA,
      response: { 200: STUDY_REF, ...problems(400, 404, 503) },
    },
    handler: async (request, reply) => {
      const batch = await studies.require(request, request.params.id);
      const rows = request.query.rows ? studies.rowsJson(batch.id) : [];
      return reply.type(JSON_TYPE).send(jsonWithList(statusOfStudy(batch), 'rows', rows));
    },
  });

  addStudyDataRoutes(app, async (request, id) => {
    const batch = await studies.require(request, id);
    return {
      id,
      // A gateway wrote it, maybe of an earlier version.
      request: upgradeRequest((batch.request as StudyWork).request),
      readPoints: async (first, end) => {
        const units = await withEngine((engine) => engine.rows(id, first, end - first));
        return units.filter(({ position }) => position < end);
      },
      rowLists: () => studies.rowsByUnit(id),
    };
  });
}

/** Adds the routes of units and of one study. */
function addStudyUnits(app: App, { withEngine }: GatewayServices, studies: ClusterStudies): void {
  app.get('/v1/studies/:id/units', {
    schema: {
      operationId: 'listStudyUnits',
      summary: 'List units of a study with their states, errors and cells',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      querystring: Type.Object(
        {
          from: Type.Integer({ minimum: 0, default: 0, description: 'First position' }),
          limit: Type.Integer({ minimum: 1, maximum: MAX_LISTED_UNITS, default: 100 }),
          state: Type.Optional(
            Type.Enum([...UNIT_STATES], { description: 'Lists only units in this state' }),
          ),
        },
        { additionalProperties: false },
      ),
    },
    handler: async (request) => {
      const { id } = await studies.require(request, request.params.id);
      const units = await withEngine((engine) => engine.units(id, request.query));
      return {
        units: units.map(({ result, ...unit }) => ({ ...unit, digest: result?.digest ?? null })),
      };
    },
  });

  app.get('/v1/studies/:id/events', {
    schema: {
      operationId: 'watchStudy',
      summary: 'Follow a study (server-sent events)',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      response: STATUS_STREAM_RESPONSE,
    },
    handler: async (request, reply) => {
      const { id } = await studies.require(request, request.params.id);
      return streamStatus(reply, 'study', async () => {
        const batch = await studies.require(request, id);
        return { status: statusOfStudy(batch), isOver: batch.state !== 'open' };
      });
    },
  });

  app.delete('/v1/studies/:id', {
    schema: {
      operationId: 'deleteStudy',
      summary: 'Cancel an unfinished study',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404, 503) },
    },
    handler: async (request, reply) => {
      const { id } = await studies.require(request, request.params.id);
      await withEngine((engine) => engine.cancel(id));
      return reply.code(204).send(null);
    },
  });
}
