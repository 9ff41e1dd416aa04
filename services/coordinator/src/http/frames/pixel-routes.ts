/** Routes that look into a frame: heat maps, histories of pixels, draws. */
import type { App } from '../protocol/app.ts';
import { binaryContent, JSON_TYPE, PNG_TYPE, problems } from '../protocol/response-schemas.ts';
import type { FrameProbing } from './frame-probing.ts';
import { FRAME_PARAMS_SCHEMA } from './frame-schemas.ts';
import {
  DRAWS_RESPONSE,
  HEAT_MAP_QUERY_SCHEMA,
  HEAT_MAP_RESPONSE,
  PIXEL_HISTORY_RESPONSE,
  PIXEL_PARAMS_SCHEMA,
  PIXEL_QUERY_SCHEMA,
} from './pixel-schemas.ts';

/** Problems of all routes that look into a frame. */
export const PROBE_PROBLEMS = problems(400, 404, 406, 409, 410, 413, 422, 500, 503, 504, 507);

/** Services that the pixel routes use. */
export interface PixelRouteOptions {
  readonly probing: FrameProbing;
}

/** Adds the routes of heat maps, histories of pixels and draws. */
export function addPixelRoutes(app: App, { probing }: PixelRouteOptions): void {
  app.get('/v1/frames/:id/heatmap', {
    schema: {
      operationId: 'getFrameHeatMap',
      summary: 'Get counts by pixel, as values or as an image',
      description:
        'Renders a pass again and counts where the counters count, so the sum over all pixels of all passes ' +
        'equals the counter of the report. Helper lanes beyond the edge of the image count at the nearest pixel. ' +
        '`remoteBytes` simulates the GPU of the frame again, for frames whose chiplets share their memories.',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      querystring: HEAT_MAP_QUERY_SCHEMA,
      response: {
        200: {
          description: 'Heat map',
          content: { [JSON_TYPE]: { schema: HEAT_MAP_RESPONSE }, ...binaryContent(PNG_TYPE) },
        },
        304: { description: 'The heat map matches If-None-Match', type: 'null' },
        ...PROBE_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { metric, pass, block, home, format } = request.query;
      const isPng = format === 'png';
      const query = { kind: 'heat-map', metric, pass, blockPx: block, home, format } as const;
      return probing.send(request, reply, query, isPng ? PNG_TYPE : JSON_TYPE);
    },
  });

  app.get('/v1/frames/:id/pixels/:x/:y', {
    schema: {
      operationId: 'getPixelHistory',
      summary: 'Get every fragment that reached a pixel, with its tests, outputs and colors',
      tags: ['frames'],
      params: PIXEL_PARAMS_SCHEMA,
      querystring: PIXEL_QUERY_SCHEMA,
      response: {
        200: {
          description: 'History of the pixel',
          content: { [JSON_TYPE]: { schema: PIXEL_HISTORY_RESPONSE } },
        },
        304: { description: 'The history matches If-None-Match', type: 'null' },
        ...PROBE_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { x, y } = request.params;
      const query = { kind: 'pixel', x, y, ...request.query } as const;
      return probing.send(request, reply, query, JSON_TYPE);
    },
  });

  app.get('/v1/frames/:id/draws', {
    schema: {
      operationId: 'listFrameDraws',
      summary: 'List the draws of a frame with their state and cost',
      description: 'The image after a draw is GET /v1/frames/{id}/image?target=PASS&draw=DRAW.',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      response: {
        200: { description: 'Draws', content: { [JSON_TYPE]: { schema: DRAWS_RESPONSE } } },
        304: { description: 'The draws match If-None-Match', type: 'null' },
        ...PROBE_PROBLEMS,
      },
    },
    handler: async (request, reply) => probing.send(request, reply, { kind: 'draws' }, JSON_TYPE),
  });
}
