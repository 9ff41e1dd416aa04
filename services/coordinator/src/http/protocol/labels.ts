/** Names and tags of frames and sequences, which clients choose and change. */
import { RenderError } from '@tessera/frame';
import Type, { type Static } from 'typebox';
import type { Labels } from '../../frames/frame-record.ts';

/** Upper bounds on the tags of a frame or sequence. */
const TAG_LIMITS = { count: 20, characters: 50 } as const;

/** Upper bound on the bytes of a body with labels. */
export const MAX_LABEL_BYTES = 16_384;

/** Parameters of a query that name what is posted. */
export const LABEL_QUERY = {
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Name in lists, studies and plots, such as that of the file. By default the name of the file in a form, or else ' +
        'the kind of the file',
    }),
  ),
  tags: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: `Words by which it can be found, separated by commas; at most ${TAG_LIMITS.count} of ${TAG_LIMITS.characters} characters`,
    }),
  ),
};

/** Body that changes a name or tags. */
export const LABELS_SCHEMA = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'New name' })),
    tags: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: TAG_LIMITS.characters }), {
        maxItems: TAG_LIMITS.count,
        description: 'Tags that replace all others; an empty list removes them',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** Valid body that changes a name or tags. */
export type LabelsBody = Static<typeof LABELS_SCHEMA>;

/** Returns the labels that a body changes. @throws {RenderError} REQUEST_INVALID. */
export function readLabelChanges({ name, tags }: LabelsBody): Partial<Labels> {
  return {
    ...(name !== undefined && { name }),
    ...(tags !== undefined && { tags: checkTags(tags, 'body.tags') }),
  };
}

/**
 * Returns the tags of a query, which commas separate, without repetitions.
 *
 * @throws {RenderError} REQUEST_INVALID.
 */
export function readTags(text: string | undefined): string[] {
  return text === undefined ? [] : checkTags(text.split(','), 'query.tags');
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
