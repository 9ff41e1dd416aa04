import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobStoreUnavailableError, openBlobStore } from '@tessera/blobs';
import { RenderError } from '@tessera/frame';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  blobsUrl,
  KEEP_UPLOADS_MS,
  startTestGateway,
  type TestGateway,
} from '../testing/test-gateway.ts';
import type { BlobRouteOptions } from './blob-routes.ts';

const MAX_BYTES = 2 ** 22;
const CONTENT = Buffer.alloc(3_000_000, 'content of a capture');
const SHA256 = sha256Of(CONTENT);
const HALF = 1_500_000;

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

describe('the routes of blobs', () => {
  let folder: string;
  let gateway: TestGateway;
  let url: string;
  let admitted: [string, number][];
  let stored: unknown[];

  const blobsOf = () => openBlobStore(blobsUrl(folder));

  /** Starts a gateway, or another one on the same folders. */
  async function start(options: Partial<BlobRouteOptions> = {}): Promise<void> {
    gateway = await startTestGateway(folder, {
      maxBytes: MAX_BYTES,
      maxSpoolBytes: 4 * MAX_BYTES,
      admit: async (tenant, bytes) => {
        admitted.push([tenant, bytes]);
      },
      stored: async (...row) => {
        stored.push(row);
      },
      ...options,
    });
    url = `${gateway.origin}/v1/blobs`;
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-'));
    admitted = [];
    stored = [];
    await start();
  });
  afterEach(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });

  const send = (method: string, sha256: string, init: RequestInit = {}) =>
    fetch(`${url}/${sha256}`, { method, ...init });

  function put(content: Buffer, sha256 = sha256Of(content)): Promise<Response> {
    const headers = { 'Content-Type': 'application/octet-stream' };
    return send('PUT', sha256, { headers, body: new Uint8Array(content) });
  }

  function patch(
    content: Buffer,
    offset: number,
    { sha256 = SHA256, length = CONTENT.length, tenant = 'default' } = {},
  ): Promise<Response> {
    const headers = {
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
      'Upload-Length': String(length),
      'X-Tenant': tenant,
    };
    return send('PATCH', sha256, { headers, body: new Uint8Array(content) });
  }

  /** Begins a PATCH of all content over a connection of its own and sends some bytes of it. */
  async function beginPatch(sentBytes: number) {
    const { port, host, pathname } = new URL(`${url}/${SHA256}`);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `PATCH ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/offset+octet-stream\r\n` +
        `Upload-Offset: 0\r\nUpload-Length: ${CONTENT.length}\r\nContent-Length: ${CONTENT.length}\r\n\r\n`,
    );
    socket.write(CONTENT.subarray(0, sentBytes));
    await waitUntil(async () => (await offsetOf()) === sentBytes);
    return socket;
  }

  const offsetOf = async (tenant = 'default') => {
    const { headers } = await send('HEAD', SHA256, { headers: { 'X-Tenant': tenant } });
    const offset = headers.get('upload-offset');
    return offset === null ? null : Number(offset);
  };

  async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
    while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async function expectProblem(response: Response, status: number, code: string): Promise<string> {
    const problem = (await response.json()) as { code: string; detail: string };
    expect([response.status, problem.code]).toEqual([status, code]);
    return problem.detail;
  }

  const spooled = () =>
    readdirSync(join(folder, 'spool'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);

  it('store a whole blob and send it', async () => {
    expect((await send('HEAD', SHA256)).status).toBe(404);
    await expectProblem(await send('GET', SHA256), 404, 'NOT_FOUND');
    expect((await put(CONTENT)).status).toBe(201);
    expect((await put(CONTENT)).status).toBe(204);
    const head = await send('HEAD', SHA256);
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(CONTENT.length));
    const got = await send('GET', SHA256);
    expect(got.headers.get('etag')).toBe(`"${SHA256}"`);
    expect(Buffer.from(await got.arrayBuffer()).equals(CONTENT)).toBe(true);
    const headers = { 'If-None-Match': `"${SHA256}"` };
    expect((await send('GET', SHA256, { headers })).status).toBe(304);
    expect(admitted).toEqual([['default', CONTENT.length]]);
    expect(stored).toEqual(Array(2).fill(['default', SHA256, CONTENT.length]));
    expect(spooled()).toEqual([]);
  });

  it('are a store for processes of the cluster', async () => {
    const blobs = openBlobStore(`gateway+${url}`);
    expect(await blobs.size(SHA256)).toBeNull();
    await blobs.put(SHA256, CONTENT.length, () => Readable.from([CONTENT]));
    expect(await blobs.size(SHA256)).toBe(CONTENT.length);
    expect((await buffer(await blobs.get(SHA256))).equals(CONTENT)).toBe(true);
    await expect(blobs.delete(SHA256)).rejects.toThrow('the server deletes no blobs on request');
  });

  it('store an empty blob', async () => {
    const empty = Buffer.alloc(0);
    expect((await put(empty)).status).toBe(201);
    expect(await (await send('GET', sha256Of(empty))).text()).toBe('');
  });

  it('store a blob in parts, and tell the offset', async () => {
    const first = await patch(CONTENT.subarray(0, HALF), 0);
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, String(HALF)]);
    expect(await offsetOf()).toBe(HALF);
    const second = await patch(CONTENT.subarray(HALF), HALF);
    expect(second.status).toBe(201);
    expect(second.headers.get('upload-offset')).toBe(String(CONTENT.length));
    expect((await buffer(await blobsOf().get(SHA256))).equals(CONTENT)).toBe(true);
    expect(spooled()).toEqual([]);
    expect(admitted).toEqual([['default', CONTENT.length]]);
  });

  it('continue an upload whose connection was cut', async () => {
    (await beginPatch(1_000_000)).resetAndDestroy();
    await waitUntil(async () => (await patch(Buffer.alloc(0), 1_000_000)).status === 204);
    expect((await patch(CONTENT.subarray(1_000_000), 1_000_000)).status).toBe(201);
    expect((await buffer(await blobsOf().get(SHA256))).equals(CONTENT)).toBe(true);
    const unplanned = gateway.errors.filter((error) => !(error instanceof RenderError));
    expect(unplanned).toMatchObject([{ code: 'ECONNRESET' }]);
  });

  it('continue an upload after a restart of the gateway', async () => {
    await patch(CONTENT.subarray(0, HALF), 0);
    const socket = await beginNothing();
    await gateway.close();
    socket.destroy();
    await start();
    expect(await offsetOf()).toBe(HALF);
    expect((await patch(CONTENT.subarray(HALF), HALF)).status).toBe(201);
  });

  /** Opens a connection, so that the gateway is closed while it has one. */
  async function beginNothing() {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  it('continue an upload at another gateway that shares the spool folder', async () => {
    await patch(CONTENT.subarray(0, HALF), 0);
    const first = gateway;
    await start();
    expect(await offsetOf()).toBe(HALF);
    expect((await patch(CONTENT.subarray(HALF), HALF)).status).toBe(201);
    await first.close();
  });

  it('store a blob that two gateways receive at once', async () => {
    const first = gateway;
    const one = patch(CONTENT, 0);
    await start();
    const answers = await Promise.all([one, patch(CONTENT, 0)]);
    for (const { status } of answers) expect([201, 204, 409]).toContain(status);
    await waitUntil(async () => (await patch(CONTENT, 0)).status === 204);
    expect((await buffer(await blobsOf().get(SHA256))).equals(CONTENT)).toBe(true);
    for (const { errors } of [first, gateway]) {
      for (const error of errors) expect(error).toBeInstanceOf(RenderError);
    }
    await first.close();
  });

  it('tell the right offset to a request with a wrong one', async () => {
    await patch(CONTENT.subarray(0, HALF), 0);
    for (const offset of [0, HALF - 1, HALF + 1]) {
      const refused = await patch(CONTENT.subarray(0, 10), offset);
      expect(refused.headers.get('upload-offset')).toBe(String(HALF));
      const detail = await expectProblem(refused, 409, 'UPLOAD_OFFSET_WRONG');
      expect(detail).toContain(`${HALF} of ${CONTENT.length} bytes have arrived`);
    }
    const unknown = await patch(CONTENT.subarray(1, 10), 1, { tenant: 'other' });
    expect(unknown.headers.get('upload-offset')).toBe('0');
  });

  it('refuse wrong content and start the upload over', async () => {
    const wrong = Buffer.from(CONTENT);
    wrong[HALF]! ^= 1;
    const whole = await put(wrong, SHA256);
    expect(await expectProblem(whole, 422, 'CONTENT_MISMATCH')).toContain(sha256Of(wrong));
    await patch(wrong.subarray(0, HALF), 0);
    const refused = await patch(wrong.subarray(HALF), HALF);
    expect(refused.headers.get('upload-offset')).toBe('0');
    await expectProblem(refused, 422, 'CONTENT_MISMATCH');
    expect(await offsetOf()).toBeNull();
    expect(spooled()).toEqual([]);
    expect((await patch(CONTENT, 0)).status).toBe(201);
  });

  it('start over if the length of the content changes', async () => {
    await patch(CONTENT.subarray(0, HALF), 0, { length: CONTENT.length + 1 });
    expect((await patch(CONTENT, 0)).status).toBe(201);
    expect(spooled()).toEqual([]);
  });

  it('let one of two clients send, and answer both when the blob is stored', async () => {
    const socket = await beginPatch(1_000_000);
    const busy = await patch(CONTENT, 0);
    expect(busy.headers.get('retry-after')).toBe('1');
    await expectProblem(busy, 409, 'UPLOAD_BUSY');
    socket.write(CONTENT.subarray(1_000_000));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /);
    socket.destroy();
    expect((await patch(CONTENT, 0)).status).toBe(204);
    expect((await buffer(await blobsOf().get(SHA256))).equals(CONTENT)).toBe(true);
  });

  it('let another request take over from one whose bytes stopped', async () => {
    await gateway.close();
    await start({ stalledMs: 0 });
    const stalled = await beginPatch(1_000_000);
    const lost = once(stalled, 'close');
    expect((await patch(CONTENT.subarray(1_000_000), 1_000_000)).status).toBe(201);
    await lost;
  });

  it('keep the uploads of two tenants apart', async () => {
    await patch(Buffer.alloc(HALF, 'poison'), 0, { tenant: 'a' });
    expect(await offsetOf('b')).toBeNull();
    expect((await patch(CONTENT, 0, { tenant: 'b' })).status).toBe(201);
    expect(stored).toEqual([['b', SHA256, CONTENT.length]]);
    // The content is there, so what the other tenant sent is of no use.
    expect((await patch(CONTENT, 0, { tenant: 'a' })).status).toBe(204);
    expect(spooled()).toEqual([]);
  });

  it('refuse a blob beyond the limit before they receive it', async () => {
    const large = Buffer.alloc(MAX_BYTES + 1);
    const limit = `${MAX_BYTES + 1} is more than ${MAX_BYTES} bytes`;
    const whole = await expectProblem(await put(large), 413, 'LIMIT_EXCEEDED');
    expect(whole).toBe(`Content-Length: ${limit}`);
    const part = await patch(large.subarray(0, 1), 0, { length: MAX_BYTES + 1 });
    expect(await expectProblem(part, 413, 'LIMIT_EXCEEDED')).toBe(`Upload-Length: ${limit}`);
    expect((await put(large.subarray(1))).status).toBe(201);
    expect(spooled()).toEqual([]);
  });

  it('refuse a body that is longer than the upload', async () => {
    const announced = await patch(CONTENT, 0, { length: 10 });
    expect(await expectProblem(announced, 400, 'REQUEST_INVALID')).toContain('the upload lacks 10');
    const streamed = await send('PATCH', SHA256, {
      headers: {
        'Content-Type': 'application/offset+octet-stream',
        'Upload-Offset': '0',
        'Upload-Length': '10',
      },
      body: new Blob([new Uint8Array(CONTENT)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(await expectProblem(streamed, 400, 'REQUEST_INVALID')).toContain('longer than the 10');
  });

  it.each([
    ['Upload-Offset', { 'Upload-Length': '1' }],
    ['Upload-Length', { 'Upload-Offset': '0' }],
    ['Upload-Offset', { 'Upload-Length': '1', 'Upload-Offset': '-1' }],
    ['Upload-Length', { 'Upload-Length': '1e99', 'Upload-Offset': '0' }],
  ])('name the header %s that is missing or wrong', async (name, given) => {
    const headers = { 'Content-Type': 'application/offset+octet-stream', ...given };
    const refused = await send('PATCH', SHA256, { headers, body: 'x' });
    const detail = await expectProblem(refused, 400, 'REQUEST_INVALID');
    expect(detail).toContain(name.toLowerCase());
  });

  it('refuse other types of bodies and names that are no hashes', async () => {
    const headers = { 'Content-Type': 'text/html' };
    const typed = await send('PUT', SHA256, { headers, body: 'x' });
    await expectProblem(typed, 415, 'MEDIA_TYPE_UNSUPPORTED');
    await expectProblem(await send('GET', '..%2f..%2fetc'), 400, 'REQUEST_INVALID');
  });

  it('ask for the quota of the tenant before an upload begins', async () => {
    await gateway.close();
    await start({
      admit: async (tenant, bytes) => {
        const message = `tenant ${tenant}: ${bytes} bytes are more than the quota allows`;
        throw new RenderError('QUEUE_FULL', message);
      },
    });
    await expectProblem(await put(CONTENT), 429, 'QUEUE_FULL');
    await expectProblem(await patch(CONTENT, 0), 429, 'QUEUE_FULL');
    expect(spooled()).toEqual([]);
  });

  it('refuse an upload for which the spool has no room', async () => {
    await gateway.close();
    await start({ maxSpoolBytes: 2 * CONTENT.length - 1 });
    expect((await patch(CONTENT.subarray(0, HALF), 0)).status).toBe(204);
    const other = Buffer.from(CONTENT).fill(1);
    await expectProblem(await put(other), 507, 'STORAGE_FULL');
    const begun = await patch(other, 0, { sha256: sha256Of(other) });
    await expectProblem(begun, 507, 'STORAGE_FULL');
    expect((await patch(CONTENT.subarray(HALF), HALF)).status).toBe(201);
    expect((await put(other)).status).toBe(201);
  });

  it('keep what arrived while the store is away', async () => {
    await gateway.close();
    let isAway = true;
    const blobs = blobsOf();
    const away = async () => {
      if (isAway) throw new BlobStoreUnavailableError('blob store of the test: is away');
    };
    await start({
      blobs: {
        ...blobs,
        size: (hash) => blobs.size(hash),
        put: async (...given) => {
          await away();
          await blobs.put(...given);
        },
      },
    });
    const refused = await patch(CONTENT, 0);
    expect(refused.headers.get('retry-after')).toBe('1');
    await expectProblem(refused, 503, 'BLOBS_UNAVAILABLE');
    expect(await offsetOf()).toBe(CONTENT.length);
    isAway = false;
    expect((await patch(Buffer.alloc(0), CONTENT.length)).status).toBe(201);
  });

  it('delete uploads that received nothing for a day', async () => {
    await patch(CONTENT.subarray(0, HALF), 0);
    await patch(CONTENT.subarray(0, HALF), 0, { tenant: 'young' });
    const [old] = readdirSync(join(folder, 'spool'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.includes(SHA256),
    );
    const seconds = (Date.now() - KEEP_UPLOADS_MS - 60_000) / 1000;
    utimesSync(join(folder, 'spool', old!), seconds, seconds);
    await gateway.close();
    await start();
    const left = [await offsetOf(), await offsetOf('young')];
    expect(left.sort()).toEqual([HALF, null]);
  });
});
