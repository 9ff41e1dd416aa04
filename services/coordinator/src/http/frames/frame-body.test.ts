import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import multipart from '@fastify/multipart';
import fastCheck from 'fast-check';
import { fastify } from 'fastify';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openTestStore, removeTestStores } from '../../testing/temporary-data-folder.ts';
import { answerError, type Problem } from '../protocol/problem.ts';
import { Uploads } from '../protocol/uploads.ts';
import { MAX_FILES, receiveBody } from './frame-body.ts';

const MAX_BYTES = 4096;
const { blobs, path } = openTestStore();
const uploads = new Uploads(2 ** 20);
const app = fastify();
app.setErrorHandler(answerError);
await app.register(multipart, { limits: { fileSize: MAX_BYTES, files: MAX_FILES, fields: 0 } });
app.post('/', async (request) => {
  const { kind, files } = await receiveBody(request, { blobs, uploads, maxBytes: MAX_BYTES });
  blobs.release(files);
  return { kind, files: files.map(({ name, bytes }) => `${name} ${bytes}`) };
});
afterAll(async () => {
  await app.close();
  removeTestStores();
});

const TYPE = 'multipart/form-data; boundary=b';
const part = (name: string, content: string, field = 'f') =>
  `--b\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n` +
  `Content-Type: application/octet-stream\r\n\r\n${content}\r\n`;
const form = (...parts: string[]) => `${parts.join('')}--b--\r\n`;
const GOOD = form(part('model.gltf', '{}'), part('model.bin', '1234'));

const post = (payload: string | Buffer, type = TYPE) =>
  app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload });

function expectNothingLeft(): void {
  expect(uploads.bytes).toBe(0);
  expect(blobs.totalBytes).toBe(0);
}

afterEach(async () => {
  // Files of refused bodies are removed outside the event loop.
  await expect.poll(() => readdirSync(join(path, 'incoming'))).toEqual([]);
});

describe('a form', () => {
  it('is read: the model first, then the files it names', async () => {
    const answer = await post(GOOD);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ kind: 'gltf', files: ['model.gltf 2', 'model.bin 4'] });
    expectNothingLeft();
  });

  it.each([
    ['has no boundary', GOOD, 'multipart/form-data'],
    ['has an empty boundary', GOOD, 'multipart/form-data; boundary='],
    ['has a boundary that is too long', GOOD, `multipart/form-data; boundary=${'b'.repeat(257)}`],
    ['has another boundary', GOOD, 'multipart/form-data; boundary=c'],
    ['is empty', '', TYPE],
    ['is no form', 'nonsense', TYPE],
    ['is cut off in its first boundary', '--', TYPE],
    ['is cut off in the head of a part', GOOD.slice(0, 30), TYPE],
    ['is cut off after the head of a part', GOOD.slice(0, GOOD.indexOf('{}')), TYPE],
    ['is cut off in a part', GOOD.slice(0, GOOD.indexOf('{}') + 1), TYPE],
    ['is cut off in its second part', GOOD.slice(0, GOOD.indexOf('34')), TYPE],
    ['has no end', GOOD.slice(0, -'--b--\r\n'.length), TYPE],
    ['has a head that is none', `--b\r\nnonsense\r\n\r\n1234\r\n--b--\r\n`, TYPE],
    ['has a field', form('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'), TYPE],
    ['has a file without a name', form(part('', '1')), TYPE],
    ['has a field of the prototype', form(part('model.gltf', '{}', '__proto__')), TYPE],
    ['has a file twice', form(part('a.gltf', '{}'), part('a.gltf', '{}')), TYPE],
    ['has two models', form(part('a.gltf', '{}'), part('b.glb', '1')), TYPE],
  ])('that %s gets 400, or 413 for a limit of its parser', async (title, payload, type) => {
    const answer = await post(payload, type);
    const { code, detail } = answer.json() as Problem;
    // No fields are allowed, so one is too many.
    const isLimit = title === 'has a field';
    expect([answer.statusCode, code], detail).toEqual(
      isLimit ? [413, 'LIMIT_EXCEEDED'] : [400, 'REQUEST_INVALID'],
    );
    expectNothingLeft();
  });

  it.each([
    ['too many files', form(...Array.from({ length: MAX_FILES + 1 }, (_, i) => part(`${i}`, '1')))],
    ['a file that is too large', form(part('model.glb', '1'.repeat(MAX_BYTES + 1)))],
    [
      'files that are too large',
      form(part('a.gltf', '1'.repeat(3000)), part('b', '1'.repeat(3000))),
    ],
  ])('with %s gets 413', async (_title, payload) => {
    const answer = await post(payload);
    expect([answer.statusCode, (answer.json() as Problem).code]).toEqual([413, 'LIMIT_EXCEEDED']);
    expectNothingLeft();
  });

  it('that is damaged anywhere is answered with 200 or 4xx, and leaves nothing', async () => {
    const damage = fastCheck.record({
      at: fastCheck.nat(GOOD.length),
      removed: fastCheck.nat(20),
      inserted: fastCheck.oneof(
        fastCheck.constantFrom('', '\r\n', '--b', '--b--', '\r\n--b\r\n', '"', ';', ': ', '\0'),
        fastCheck.string({ unit: 'binary', maxLength: 5 }),
      ),
    });
    const boundary = fastCheck.oneof(
      { weight: 4, arbitrary: fastCheck.constant('b') },
      fastCheck.stringMatching(/^[ -~]{0,80}$/),
    );
    await fastCheck.assert(
      fastCheck.asyncProperty(
        fastCheck.array(damage, { minLength: 1, maxLength: 4 }),
        boundary,
        async (damages, name) => {
          let payload = GOOD;
          for (const { at, removed, inserted } of damages) {
            payload = payload.slice(0, at) + inserted + payload.slice(at + removed);
          }
          const answer = await post(Buffer.from(payload), `multipart/form-data; boundary=${name}`);
          expect([200, 400, 413, 415], answer.body).toContain(answer.statusCode);
          expectNothingLeft();
        },
      ),
      { numRuns: 500 },
    );
  });
});
