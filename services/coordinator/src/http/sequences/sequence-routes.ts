/**
 * Routes of sequences: frames in order, their report, their timeline, an archive of their images.
 */
import type { App } from '../protocol/app.ts';
import { MAX_LABEL_BYTES } from '../protocol/labels.ts';
import { problems } from '../protocol/response-schemas.ts';
import { PostSequenceHandler, type PostSequenceOptions } from './post-sequence.ts';
import { type SequenceHandlerOptions, SequenceHandlers } from './sequence-handlers.ts';
import {
  DELETE_SEQUENCE_SCHEMA,
  LABEL_SEQUENCE_SCHEMA,
  POST_SEQUENCE_SCHEMA,
  SEQUENCE_IMAGES_SCHEMA,
  SEQUENCE_REPORT_ROUTE_SCHEMA,
  SEQUENCE_TIMELINE_SCHEMA,
} from './sequence-route-schemas.ts';
import {
  SEQUENCE_LIST_QUERY_SCHEMA,
  SEQUENCE_LIST_RESPONSE,
  SEQUENCE_PARAMS_SCHEMA,
  SEQUENCE_STATUS_SCHEMA,
} from './sequence-schemas.ts';

/** Adds `PATCH /v1/sequences/{id}`. Bodies are parsed before. */
export function addLabelSequence(app: App, options: SequenceHandlerOptions): void {
  const handlers = new SequenceHandlers(options);
  app.patch('/v1/sequences/:id', {
    bodyLimit: MAX_LABEL_BYTES,
    schema: LABEL_SEQUENCE_SCHEMA,
    handler: async (request, reply) => handlers.label(request, reply),
  });
}

/** Services that the sequence routes use. */
export interface SequenceRouteOptions extends PostSequenceOptions, SequenceHandlerOptions {}

/** Adds the routes of sequences. */
export function addSequenceRoutes(app: App, options: SequenceRouteOptions): void {
  const posts = new PostSequenceHandler(options);
  const handlers = new SequenceHandlers(options);

  app.post('/v1/sequences', {
    schema: POST_SEQUENCE_SCHEMA,
    // Runs before the body is read.
    onRequest: async () => options.sequences.refuseTooMany(),
    handler: async (request, reply) => posts.handlePost(request, reply),
  });

  app.get('/v1/sequences', {
    schema: {
      operationId: 'listSequences',
      summary: 'List sequences, newest first',
      description: 'Returns one page; `next` is the address of the next page.',
      tags: ['sequences'],
      querystring: SEQUENCE_LIST_QUERY_SCHEMA,
      response: { 200: SEQUENCE_LIST_RESPONSE, ...problems(400, 406) },
    },
    handler: async (request, reply) => handlers.list(request, reply),
  });

  app.get('/v1/sequences/:id', {
    schema: {
      operationId: 'getSequence',
      summary: 'Get the status of a sequence',
      tags: ['sequences'],
      params: SEQUENCE_PARAMS_SCHEMA,
      response: { 200: SEQUENCE_STATUS_SCHEMA, ...problems(404, 406) },
    },
    handler: async (request) => handlers.get(request),
  });

  app.get('/v1/sequences/:id/report', {
    schema: SEQUENCE_REPORT_ROUTE_SCHEMA,
    handler: async (request, reply) => handlers.sendReport(request, reply),
  });

  app.get('/v1/sequences/:id/timeline', {
    schema: SEQUENCE_TIMELINE_SCHEMA,
    handler: async (request, reply) => handlers.sendTimeline(request, reply),
  });

  app.get('/v1/sequences/:id/images', {
    schema: SEQUENCE_IMAGES_SCHEMA,
    handler: async (request, reply) => handlers.sendArchive(request, reply),
  });

  app.delete('/v1/sequences/:id', {
    schema: DELETE_SEQUENCE_SCHEMA,
    handler: async (request, reply) => handlers.delete(request, reply),
  });
}
