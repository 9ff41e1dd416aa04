/** The OpenAPI document is complete and matches the generated client. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { TesseraClient, TesseraError } from '@tessera/client';
import Schema from 'typebox/schema';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateClient, type OpenApiDocument } from '../../scripts/generate/client-generator.ts';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const ROOT = resolve(import.meta.dirname, '../..');
const GENERATED = 'packages/client/src/generated.ts';

/** Schema with examples. */
interface Exemplified {
  readonly format?: string;
  readonly examples?: readonly unknown[];
}

interface Content {
  readonly schema?: Exemplified;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly { readonly name: string; readonly schema: Exemplified }[];
  readonly requestBody?: { readonly content: Record<string, Content> };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Content> }>>;
}

describe('the OpenAPI document', () => {
  let url: string;
  let document: OpenApiDocument & { openapi: string };
  let operations: Operation[];

  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 1 }));
    document = (await (await fetch(`${url}/openapi.json`)).json()) as typeof document;
    operations = Object.values(document.paths).flatMap(
      (path) => Object.values(path) as Operation[],
    );
  });

  /** Returns a schema with its references resolved. */
  function inline(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(inline);
    if (typeof schema !== 'object' || schema === null) return schema;
    const { $ref } = schema as { $ref?: string };
    if ($ref !== undefined) return inline(document.components.schemas[$ref.split('/').pop()!]);
    return Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, inline(part)]));
  }

  /** Expects an example that matches its schema. */
  function expectExample(schema: object, example: unknown, place: string): void {
    expect(example, place).toBeDefined();
    const isOfSchema = Schema.Check(inline(schema) as never, example);
    expect(isOfSchema, `${place}: ${JSON.stringify(example)?.slice(0, 200)}`).toBe(true);
  }

  it('has a valid example of every named schema and parameter', () => {
    const named = Object.entries(document.components.schemas as Record<string, Exemplified>);
    expect(named.length).toBeGreaterThan(4);
    for (const [name, schema] of named) expectExample(schema, schema.examples?.[0], name);
    for (const { operationId, parameters = [] } of operations) {
      for (const { name, schema } of parameters) {
        expectExample(schema, schema.examples?.[0], `${operationId}: ${name}`);
      }
    }
  });

  it('has a file or a valid example for every body of a request', () => {
    const bodies = operations.flatMap(({ operationId, requestBody }) =>
      Object.entries(requestBody?.content ?? {}).map(([type, body]) => ({
        place: `${operationId} ${type}`,
        ...body,
      })),
    );
    expect(bodies.length).toBeGreaterThan(10);
    for (const { place, schema, example } of bodies) {
      expect(schema, place).toBeDefined();
      const isForm = place.endsWith('multipart/form-data');
      if (schema!.format !== 'binary' && !isForm) expectExample(schema!, example, place);
    }
    const files = bodies.filter(({ schema }) => schema!.format === 'binary');
    expect(files.map(({ place }) => place)).toContain('putResource application/octet-stream');
    expect(files.map(({ place }) => place)).toContain('postFrame model/gltf-binary');
  });

  it('has a name, a summary, schemas and examples for every route', () => {
    expect(document.openapi).toBe('3.1.0');
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining([
        'postFrame',
        'listFrames',
        'watchFrame',
        'watchService',
        'postStudy',
      ]),
    );
    for (const { operationId, summary, responses } of operations) {
      expect(summary, operationId).toBeTruthy();
      for (const [status, { content }] of Object.entries(responses)) {
        const answer = `${operationId} ${status}`;
        if (['204', '304'].includes(status) || answer === 'putResource 201') continue;
        expect(content, answer).toBeDefined();
        for (const [mediaType, { schema, example }] of Object.entries(content!)) {
          const place = `${answer} ${mediaType}`;
          expect(schema, place).toBeDefined();
          if (schema!.format !== 'binary') expectExample(schema!, example, place);
        }
      }
    }
  });

  it('matches the generated client; else: npm run client:generate', () => {
    const format = ['format', `--stdin-file-path=${GENERATED}`];
    const biome = resolve(ROOT, 'node_modules/.bin/biome');
    const input = generateClient(document);
    const expected = execFileSync(biome, format, { cwd: ROOT, input, encoding: 'utf8' });
    expect(readFileSync(resolve(ROOT, GENERATED), 'utf8')).toBe(expected);
  });

  it('serves the client: a frame, its events, image, list, and problems', async () => {
    const client = new TesseraClient(url);
    const posted = await client.call('postFrame', {
      parameters: { width: 128, height: 96, timing: 'functional', 'idempotency-key': 'typed' },
      body: { mediaType: 'model/gltf-binary', value: await makeKnotModel() },
    });
    if (posted.status !== 202) throw new Error('not admitted');
    const { id } = posted.value;
    const statuses: unknown[] = [];
    for await (const { name, body } of client.events('watchFrame', { parameters: { id } })) {
      if (name === 'frame') statuses.push((body as { status: string }).status);
    }
    expect(statuses.at(-1)).toBe('done');
    const image = await client.call('getFrameImage', { parameters: { id } });
    if (image.status !== 200) throw new Error('no image');
    expect([...image.value.subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
    const headers = { 'If-None-Match': image.headers.etag! };
    expect((await client.call('getFrameImage', { parameters: { id }, headers })).status).toBe(304);
    const { value: report } = (await client.call('getFrameReport', { parameters: { id } })) as {
      value: { totals: { primitives: number } };
    };
    expect(report.totals.primitives).toBeGreaterThan(0);
    const { value: page } = await client.call('listFrames', { parameters: { limit: 1 } });
    expect(page.frames.map((frame) => frame.id)).toEqual([id]);
    await client.call('deleteFrame', { parameters: { id } });
    const gone = await client.call('getFrame', { parameters: { id } }).catch((error) => error);
    expect(gone).toBeInstanceOf(TesseraError);
    expect(gone).toMatchObject({ code: 'NOT_FOUND', status: 404, retryAfterSeconds: null });
  });
});
