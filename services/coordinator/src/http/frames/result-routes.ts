/** Routes of a frame's results: image, report, timeline, measurement. */
import type { App } from '../protocol/app.ts';
import {
  binaryContent,
  JSON_TYPE,
  PNG_TYPE,
  problems,
  REPORT_REF,
  TIMELINE_SCHEMA,
} from '../protocol/response-schemas.ts';
import { FRAME_PARAMS_SCHEMA, IMAGE_QUERY_SCHEMA } from './frame-schemas.ts';
import { MEASUREMENT_SCHEMA } from './measurement-schema.ts';
import { ResultHandlers, type ResultRouteOptions } from './result-handlers.ts';

const RESULT_PROBLEMS = problems(400, 404, 406, 409, 410, 413, 422, 500, 503, 504, 507);

/** Adds the routes of a frame's results. */
export function addResultRoutes(app: App, options: ResultRouteOptions): void {
  const handlers = new ResultHandlers(options);

  app.get('/v1/frames/:id/image', {
    schema: {
      operationId: 'getFrameImage',
      summary: 'Get the image of a frame or pass, with its bins drawn on request',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      querystring: IMAGE_QUERY_SCHEMA,
      response: {
        200: { description: 'Opaque image', content: binaryContent(PNG_TYPE) },
        304: { description: 'The image matches If-None-Match', type: 'null' },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => handlers.sendImage(request, reply),
  });

  app.get('/v1/frames/:id/report', {
    schema: {
      operationId: 'getFrameReport',
      summary: 'Get the report of a frame',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: {
        200: { description: 'Report', content: { [JSON_TYPE]: { schema: REPORT_REF } } },
        304: { description: 'The report matches If-None-Match', type: 'null' },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => handlers.sendReport(request, reply),
  });

  app.get('/v1/frames/:id/timeline', {
    schema: {
      operationId: 'getFrameTimeline',
      summary: 'Get phases, bins, transfers and unit activity as a Chrome trace for Perfetto',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: {
        200: {
          description:
            'Chrome trace: a process per chiplet, a thread per unit, 1 ns per cycle. A unit has one event per interval of at least 8,192 cycles, or of `timeline` cycles',
          content: { [JSON_TYPE]: { schema: TIMELINE_SCHEMA } },
        },
        304: { description: 'The timeline matches If-None-Match', type: 'null' },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => handlers.sendTimeline(request, reply),
  });

  app.get('/v1/frames/:id/measurement', {
    schema: {
      operationId: 'getFrameMeasurement',
      summary: 'Get the measured cycles and bytes of each phase and bin, for estimates',
      description:
        'From a measurement, any number of chiplets, policy and link can be simulated without rendering again. A frame with ' +
        'coupling=exact has records in its place, and that of organization=sort-last holds for its number of chiplets alone; ' +
        'both are answered with MEASUREMENT_MISSING.',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: {
        200: {
          description: 'Measurement',
          content: { [JSON_TYPE]: { schema: MEASUREMENT_SCHEMA } },
        },
        304: { description: 'The measurement matches If-None-Match', type: 'null' },
        ...RESULT_PROBLEMS,
      },
    },
    handler: async (request, reply) => handlers.sendMeasurement(request, reply),
  });
}
