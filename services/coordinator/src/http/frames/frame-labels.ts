/** Names and tags of frames, which clients choose and change. */
import { RenderError } from '@tessera/frame';
import Type from 'typebox';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { App } from '../protocol/app.ts';
import { chooseMediaType } from '../protocol/negotiation.ts';
import { JSON_TYPE, problems } from '../protocol/response-schemas.ts';
import { requireFrame } from './frame-results.ts';
import { FRAME_PARAMS_SCHEMA, FRAME_STATUS_REF } from './frame-schemas.ts';
import { frameStatus } from './frame-status.ts';

/** Upper bounds on the tags of a frame. */
export const TAG_LIMITS = { count: 20, characters: 50 } as const;

/** Upper bound on the bytes of a body. */
const MAX_BODY_BYTES = 16_384;

/** Body of `PATCH /v1/frames/{id}`. */
const LABELS_SCHEMA = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'New name' })),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: TAG_LIMITS.characters }), {
        maxItems: TAG_LIMITS.count,
        description: 'Tags that replace all tags of the frame; an empty list removes them',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** Adds `PATCH /v1/frames/{id}`. Bodies are parsed before. */
export function addLabelFrame(app: App, { store }: { readonly store: FrameStore }): void {
  app.patch('/v1/frames/:id', {
    bodyLimit: MAX_BODY_BYTES,
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
      const { name, tags } = request.body;
      const changes = {
        ...(name !== undefined && { name }),
        ...(tags !== undefined && { tags: checkTags(tags, 'body.tags') }),
      };
      reply.header('Cache-Control', 'no-cache');
      return frameStatus(store.label(requireFrame(store, request.params.id), changes));
    },
  });
}

/**
 * Returns the tags of a query, which commas separate, without repetitions.
 *
 * @param place Place in the request for errors, such as `query.tags`.
 * @throws {RenderError} REQUEST_INVALID.
 */
export function readTags(text: string | undefined, place: string): string[] {
  return text === undefined ? [] : checkTags(text.split(','), place);
}

/**
 * Returns tags without surrounding spaces and repetitions.
 *
 * @throws {RenderError} REQUEST_INVALID for an empty tag, a comma in one, or too many tags.
 */
function checkTags(given: readonly string[], place: string): string[] {
  const tags = [...new Set(given.map((tag) => tag.trim()))];
  for (const tag of tags) {
    const isLong = tag.length > TAG_LIMITS.characters;
    if (tag !== '' && !isLong && !tag.includes(',')) continue;
    const rule = `a tag has 1 to ${TAG_LIMITS.characters} characters and no comma`;
    throw new RenderError('REQUEST_INVALID', `${place}: '${tag}' is no tag; ${rule}`);
  }
  if (tags.length <= TAG_LIMITS.count) return tags;
  const counts = `${tags.length} tags; at most ${TAG_LIMITS.count}`;
  throw new RenderError('REQUEST_INVALID', `${place}: ${counts}`);
}
