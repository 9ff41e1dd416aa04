/**
 * Forms with files: the reader of the coordinator behind its HTTP server, without a socket. The
 * first line of an input is the content type, the rest is the body.
 */
import multipart from '@fastify/multipart';
import { fastify } from 'fastify';
import {
  MAX_FILES,
  receiveBody,
} from '../../../services/coordinator/src/http/frames/frame-body.ts';
import { answerError } from '../../../services/coordinator/src/http/protocol/problem.ts';
import { Uploads } from '../../../services/coordinator/src/http/protocol/uploads.ts';
import { mutateBytes } from '../mutate/mutate-bytes.ts';
import { mutateWords } from '../mutate/mutate-words.ts';
import { CountingBlobs } from './counting-blobs.ts';
import { FORM_SEEDS, FORM_WORDS } from './form-seeds.ts';
import type { FuzzKind } from './fuzz-kind.ts';

const MAX_BYTES = 4096;
const NEWLINE = 0x0a;
/** Outcomes that a client expects: accepted, or a problem that names what is wrong. */
const isAnswer = (status: number) => status === 200 || (status >= 400 && status < 500);

/** Makes the kind with its undamaged forms. */
export async function formKind(): Promise<FuzzKind> {
  const blobs = new CountingBlobs();
  const uploads = new Uploads(2 ** 20);
  const app = fastify();
  app.setErrorHandler(answerError);
  await app.register(multipart, { limits: { fileSize: MAX_BYTES, files: MAX_FILES, fields: 0 } });
  app.addContentTypeParser('model/gltf-binary', (_request, body, done) => done(null, body));
  app.post('/', async (request) => {
    const body = await receiveBody(request, { blobs, uploads, maxBytes: MAX_BYTES });
    blobs.release(body.files);
    return { kind: body.kind };
  });
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder('latin1')];
  return {
    seeds: FORM_SEEDS.map((text) => encoder.encode(text)),
    mutate: (input, other, random) => {
      if (random.integer(0, 2) === 0) return mutateBytes(input, other, random);
      const texts = [input, other].map((one) => decoder.decode(one));
      const text = mutateWords(texts[0]!, texts[1]!, FORM_WORDS, random);
      return Uint8Array.from(Buffer.from(text, 'latin1'));
    },
    follow: async (input) => {
      const end = Math.max(0, input.indexOf(NEWLINE));
      // A header with other characters does not arrive.
      const type = decoder.decode(input.subarray(0, end)).replaceAll(/[^\t\x20-\x7e]/g, '');
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': type },
        payload: Buffer.from(input.subarray(end + 1)),
      });
      if (!isAnswer(statusCode)) throw new Error(`status ${statusCode}: ${body}`);
      if (uploads.bytes !== 0) throw new Error(`${uploads.bytes} bytes are still being received`);
      if (blobs.heldCount !== 0) throw new Error(`${blobs.heldCount} files are still held`);
      const { code, kind } = JSON.parse(body) as { readonly code?: string; readonly kind?: string };
      return kind ?? code ?? 'none';
    },
  };
}
