/** Reads the list of frame ids that a sequence is made of. */
import type { Readable } from 'node:stream';
import { RenderError } from '@tessera/frame';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';

const MAX_LIST_BYTES = 2 ** 20;

/**
 * Returns the ids of the request's body, `{"frames": ["id", …]}`.
 *
 * @throws {RenderError} REQUEST_INVALID or LIMIT_EXCEEDED.
 */
export async function readFrameList(request: FastifyRequest, config: Config): Promise<string[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request.body as Readable) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_LIST_BYTES) {
      throw new RenderError('LIMIT_EXCEEDED', `body: more than ${MAX_LIST_BYTES} bytes`);
    }
    chunks.push(chunk as Buffer);
  }
  const list = parseList(Buffer.concat(chunks).toString());
  const ids = list.filter((id) => typeof id === 'string');
  if (ids.length !== list.length || list.length === 0) {
    throw new RenderError('REQUEST_INVALID', 'body.frames: must be a non-empty list of frame ids');
  }
  refuseLongSequence(ids.length, config);
  return ids;
}

/** @throws {RenderError} LIMIT_EXCEEDED if a sequence has too many frames. */
export function refuseLongSequence(
  frames: number,
  { TESSERA_SEQUENCE_FRAMES: limit }: Config,
): void {
  if (frames <= limit) return;
  throw new RenderError(
    'LIMIT_EXCEEDED',
    `frames: ${frames} frames; a sequence has at most ${limit}`,
  );
}

/** Returns `frames` of a JSON object, or an empty list if it is not a list. */
function parseList(text: string): readonly unknown[] {
  let body: { readonly frames?: unknown } | null;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new RenderError('REQUEST_INVALID', `body: ${(error as Error).message}`, { cause: error });
  }
  return Array.isArray(body?.frames) ? body.frames : [];
}
