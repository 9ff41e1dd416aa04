/** Routes of studies: sweeps over chiplets, policies, presets, bins and visibility shaders. */
import type { App } from '../protocol/app.ts';
import { JSON_TYPE, problems } from '../protocol/response-schemas.ts';
import { MAX_BODY_BYTES, type PostStudyOptions, postStudy } from './post-study.ts';
import { addStudyDataRoutes } from './study-data-routes.ts';
import { requireStudy, type StudyHandlerOptions, StudyHandlers } from './study-handlers.ts';
import {
  STUDY_BODY_SCHEMA,
  STUDY_LIST_RESPONSE,
  STUDY_PARAMS_SCHEMA,
  STUDY_QUERY_SCHEMA,
  STUDY_REF,
  STUDY_STATUS_REF,
} from './study-schemas.ts';

/** Services that the study routes use. */
export interface StudyRouteOptions extends PostStudyOptions, StudyHandlerOptions {}

const POST_STUDY_SCHEMA = {
  operationId: 'postStudy',
  summary: 'Sweep over chiplets, policies, presets, bins and visibility shaders',
  description:
    'Renders every frame once per preset, number of bins and visibility shader, and simulates all numbers of ' +
    'chiplets and all policies from that. An admitted study continues after a restart of the service.',
  tags: ['studies'],
  body: STUDY_BODY_SCHEMA,
  response: {
    202: { description: 'Admitted', content: { [JSON_TYPE]: { schema: STUDY_STATUS_REF } } },
    ...problems(400, 404, 413, 415, 503, 507),
  },
};

/** Adds the routes of studies. */
export function addStudyRoutes(app: App, options: StudyRouteOptions): void {
  const handlers = new StudyHandlers(options);

  app.post('/v1/studies', {
    bodyLimit: MAX_BODY_BYTES,
    schema: POST_STUDY_SCHEMA,
    handler: async (request, reply) => postStudy(request, reply, options),
  });

  app.get('/v1/studies', {
    schema: {
      operationId: 'listStudies',
      summary: 'List studies, newest first',
      tags: ['studies'],
      response: { 200: STUDY_LIST_RESPONSE, ...problems(406) },
    },
    handler: async (request, reply) => handlers.list(request, reply),
  });

  app.get('/v1/studies/:id', {
    schema: {
      operationId: 'getStudy',
      summary: 'Get the status of a study and its rows so far',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      querystring: STUDY_QUERY_SCHEMA,
      response: { 200: STUDY_REF, ...problems(400, 404, 406) },
    },
    handler: async (request, reply) => handlers.get(request, reply),
  });

  addStudyDataRoutes(app, (_request, id) => {
    const { request } = requireStudy(options.studies, id);
    return {
      id,
      request,
      readPoints: (first, end) => options.studies.rowsOfPoints(id, first, end),
      rowLists: () => options.studies.rowsByPoint(id),
    };
  });

  app.delete('/v1/studies/:id', {
    schema: {
      operationId: 'deleteStudy',
      summary: 'Cancel an unfinished study or delete a finished one',
      tags: ['studies'],
      params: STUDY_PARAMS_SCHEMA,
      response: { 204: { description: 'Done', type: 'null' }, ...problems(404) },
    },
    handler: async (request, reply) => handlers.delete(request, reply),
  });
}
