/** Routes of the shaders of a frame: their code, and the cost of its instructions and lines. */
import { RenderError } from '@tessera/frame';
import type { App } from '../protocol/app.ts';
import { JSON_TYPE } from '../protocol/response-schemas.ts';
import type { FrameProbing } from './frame-probing.ts';
import { FRAME_PARAMS_SCHEMA } from './frame-schemas.ts';
import { PROBE_PROBLEMS } from './pixel-routes.ts';
import {
  SHADER_PARAMS_SCHEMA,
  SHADER_PROFILE_RESPONSE,
  SHADER_QUERY_SCHEMA,
  SHADERS_QUERY_SCHEMA,
  SHADERS_RESPONSE,
} from './shader-schemas.ts';

/** Services that the routes of shaders use. */
export interface ShaderRouteOptions {
  readonly probing: FrameProbing;
}

/** Adds the routes of shaders. */
export function addShaderRoutes(app: App, { probing }: ShaderRouteOptions): void {
  app.get('/v1/frames/:id/shaders', {
    schema: {
      operationId: 'listFrameShaders',
      summary: 'List the programs of a frame with their draws and costs',
      description:
        'Renders the frame again with records of its warps. The sums over all programs and stages equal counters of ' +
        'the report with timing=cycle: issued shaderCore.warpInstructions, issueCycles shaderCore.cyclesBusy, lookups textureUnit.requests.',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      querystring: SHADERS_QUERY_SCHEMA,
      response: {
        200: { description: 'Programs', content: { [JSON_TYPE]: { schema: SHADERS_RESPONSE } } },
        304: { description: 'The programs match If-None-Match', type: 'null' },
        ...PROBE_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { waits } = request.query;
      return probing.send(request, reply, { kind: 'shaders', waits }, JSON_TYPE);
    },
  });

  app.get('/v1/frames/:id/shaders/:program', {
    schema: {
      operationId: 'getShaderProfile',
      summary: 'Get the GLSL and the instructions of a program, with the cost of each line',
      tags: ['frames'],
      params: SHADER_PARAMS_SCHEMA,
      querystring: SHADER_QUERY_SCHEMA,
      response: {
        200: {
          description: 'Profile of the program',
          content: { [JSON_TYPE]: { schema: SHADER_PROFILE_RESPONSE } },
        },
        304: { description: 'The profile matches If-None-Match', type: 'null' },
        ...PROBE_PROBLEMS,
      },
    },
    handler: async (request, reply) => {
      const { program } = request.params;
      const { pass, draw, waits } = request.query;
      if (pass !== undefined && draw === undefined) {
        throw new RenderError('REQUEST_INVALID', 'pass: names the pass of draw, which is missing');
      }
      const query = { kind: 'shader-profile', program, pass, draw, waits } as const;
      return probing.send(request, reply, query, JSON_TYPE);
    },
  });
}
