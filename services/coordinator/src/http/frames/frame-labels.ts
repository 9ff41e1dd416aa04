/** `PATCH /v1/frames/{id}`: changes the name or tags of a frame. */
import type { FrameStore } from '../../frames/frame-store.ts';
import type { App } from '../protocol/app.ts';
import { LABELS_SCHEMA, MAX_LABEL_BYTES, readLabelChanges } from '../protocol/labels.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import { JSON_TYPE, problems } from '../protocol/response-schemas.ts';
import { requireFrame } from './frame-results.ts';
import { FRAME_PARAMS_SCHEMA, FRAME_STATUS_REF } from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';

/** Adds `PATCH /v1/frames/{id}`. Bodies are parsed before. */
export function addLabelFrame(app: App, { store }: { readonly store: FrameStore }): void {
  app.patch('/v1/frames/:id', {
    bodyLimit: MAX_LABEL_BYTES,
    schema: {
      operationId: 'labelFrame',
      summary: 'Change the name or tags of a frame',
      description: 'Changes no result. Omitted fields keep their values.',
      tags: ['frames'],
      params: FRAME_PARAMS_SCHEMA,
      body: LABELS_SCHEMA,
      response: { 200: FRAME_STATUS_REF, ...problems(400, 404, 406, 413, 415, 507) },
    },
    handler: async (request, reply) => {
      chooseMediaType(request.headers.accept, [JSON_TYPE]);
      const changes = readLabelChanges(request.body);
      reply.header('Cache-Control', 'no-cache');
      return frameStatus(store.label(requireFrame(store, request.params.id), changes));
    },
  });
}
