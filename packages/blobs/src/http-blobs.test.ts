/** Faults of servers and of the network. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type BlobServer, HttpBlobs } from './http-blobs.ts';
import { openBlobStore } from './open-blob-store.ts';
import { s3Server } from './s3-server.ts';
import { startCuttingProxy } from './testing/cutting-proxy.ts';
import { HAS_NGINX, startNginxDav } from './testing/nginx-dav.ts';
import { startSignedBucket, TEST_CREDENTIALS, TEST_REGION } from './testing/signed-bucket.ts';
import { testContent } from './testing/test-content.ts';
import { davServer } from './web-servers.ts';

const WAITS_MS = [5, 10, 20];
const AWAY = { name: 'BlobStoreUnavailableError' };
const { sha256, bytes, content, open } = testContent(3_000_000);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const bucketAt = (port: number, environment: Readonly<Record<string, string>> = TEST_CREDENTIALS) =>
  s3Server(
    new URL(`s3://bucket?endpoint=http://127.0.0.1:${port}&region=${TEST_REGION}`),
    environment,
  );

const SERVERS = {
  nginx: {
    start: startNginxDav,
    at: (port: number) => davServer(new URL(`http://127.0.0.1:${port}/blobs`), undefined),
  },
  'a bucket': { start: startSignedBucket, at: bucketAt },
};

/** Starts a server, a store that reaches it through a proxy, and a store that reaches it. */
async function setUp(name: keyof typeof SERVERS) {
  const { start, at } = SERVERS[name];
  const server = await start();
  closers.push('close' in server ? server.close : server.kill);
  const proxy = await startCuttingProxy(server.port);
  closers.push(proxy.close);
  return {
    server,
    proxy,
    blobs: new HttpBlobs(at(proxy.port), WAITS_MS),
    direct: new HttpBlobs(at(server.port), WAITS_MS),
  };
}

describe.each(['nginx', 'a bucket'] as const)('HttpBlobs of %s', (name) => {
  const test = it.skipIf(name === 'nginx' && !HAS_NGINX);

  test('repeats an upload that was cut, from its beginning', async () => {
    const { proxy, blobs } = await setUp(name);
    let opened = 0;
    proxy.cuts = { afterBytes: 1_000_000, from: 'client', count: 2 };
    await blobs.put(sha256, bytes, () => {
      opened++;
      return open();
    });
    expect(opened).toBe(3);
    expect((await buffer(await blobs.get(sha256))).equals(content)).toBe(true);
  });

  test('stores no part of an upload that is always cut', async () => {
    const { proxy, blobs, direct } = await setUp(name);
    proxy.cuts = { afterBytes: 1_000_000, from: 'client', count: 100 };
    await expect(blobs.put(sha256, bytes, open)).rejects.toMatchObject(AWAY);
    // One attempt more than there are waits.
    expect(100 - proxy.cuts.count).toBe(WAITS_MS.length + 1);
    expect(await direct.size(sha256)).toBeNull();
  });

  test('fails the stream of a download that is cut', async () => {
    const { proxy, blobs, direct } = await setUp(name);
    await direct.put(sha256, bytes, open);
    proxy.cuts = { afterBytes: 1_000_000, from: 'server', count: 1 };
    await expect(buffer(await blobs.get(sha256))).rejects.toMatchObject(AWAY);
    expect((await buffer(await blobs.get(sha256))).equals(content)).toBe(true);
  });

  test('says that a killed server is away, and finds its blobs after the restart', async () => {
    const { server, direct } = await setUp(name);
    await direct.put(sha256, bytes, open);
    await server.kill();
    const away = { ...AWAY, status: null };
    await expect(direct.size(sha256)).rejects.toMatchObject(away);
    await expect(direct.get(sha256)).rejects.toMatchObject(away);
    await expect(direct.delete(sha256)).rejects.toMatchObject(away);
    await expect(direct.put(sha256, bytes, open)).rejects.toMatchObject(away);
    await server.start();
    expect((await buffer(await direct.get(sha256))).equals(content)).toBe(true);
  });

  test('does not notice that the server restarts between attempts', async () => {
    const { server } = await setUp(name);
    const blobs = new HttpBlobs(SERVERS[name].at(server.port), Array(100).fill(50));
    await server.kill();
    const put = blobs.put(sha256, bytes, open);
    await sleep(100);
    await server.start();
    await put;
    expect(await blobs.size(sha256)).toBe(bytes);
  });
});

describe('HttpBlobs', () => {
  async function serve(listener: RequestListener): Promise<BlobServer> {
    const server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
    const { port } = server.address() as { port: number };
    return davServer(new URL(`http://127.0.0.1:${port}/`), 'token of the test');
  }

  it.each([500, 503, 429, 408])('repeats a request that was answered with %i', async (status) => {
    let requests = 0;
    const server = await serve((_request, response) => {
      response.writeHead(++requests < 3 ? status : 200, { 'Content-Length': 7 }).end();
    });
    expect(await new HttpBlobs(server, WAITS_MS).size(sha256)).toBe(7);
    expect(requests).toBe(3);
  });

  it.each([400, 401, 403, 413, 301])('does not repeat one answered with %i', async (status) => {
    let requests = 0;
    const server = await serve((_request, response) => {
      requests++;
      response.writeHead(status).end('the reason');
    });
    const refused = new HttpBlobs(server, WAITS_MS).get(sha256);
    await expect(refused).rejects.toMatchObject({ ...AWAY, status });
    await expect(refused).rejects.toThrow(/status \d+; expected 200, 404: the reason$/);
    expect(requests).toBe(1);
  });

  it('sends its token, the length of content, and the path of nginx', async () => {
    const seen: unknown[] = [];
    const server = await serve((request, response) => {
      const { authorization, 'content-length': length } = request.headers;
      seen.push([request.method, request.url, authorization, length]);
      request
        .resume()
        .on('end', () => response.writeHead(request.method === 'PUT' ? 201 : 404).end());
    });
    await new HttpBlobs(server, WAITS_MS).put(sha256, bytes, open);
    const path = `/${sha256.slice(0, 2)}/${sha256}`;
    expect(seen).toEqual([
      ['HEAD', path, 'Bearer token of the test', undefined],
      ['PUT', path, 'Bearer token of the test', String(bytes)],
    ]);
  });

  it('does not take a shorter answer without a length for the blob', async () => {
    const server = await serve((_request, response) => {
      response.write(content.subarray(0, 1000));
      response.end();
    });
    const read = buffer(await new HttpBlobs(server, WAITS_MS).get(sha256));
    await expect(read).rejects.toMatchObject({ name: 'BlobDamagedError', sha256 });
  });

  it('holds no blob in memory while a reader pauses', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Length': 2 ** 30 });
      const send = () => {
        while (response.write(content));
      };
      response.on('drain', send);
      send();
    });
    const stream = await new HttpBlobs(server, WAITS_MS).get(sha256);
    await sleep(200);
    expect(stream.readableLength).toBeLessThan(2 ** 18);
    stream.destroy();
  });
});

describe('a bucket', () => {
  it.each([
    [{ ...TEST_CREDENTIALS, AWS_SECRET_ACCESS_KEY: 'wrong' }, 'SignatureDoesNotMatch'],
    [{ ...TEST_CREDENTIALS, AWS_ACCESS_KEY_ID: 'unknown' }, 'InvalidAccessKeyId'],
  ])('refuses wrong credentials: %s', async (environment, code) => {
    const bucket = await startSignedBucket();
    closers.push(bucket.kill);
    const refused = new HttpBlobs(bucketAt(bucket.port, environment), WAITS_MS).get(sha256);
    await expect(refused).rejects.toMatchObject({ ...AWAY, status: 403 });
    await expect(refused).rejects.toThrow(code);
  });
});

describe('openBlobStore', () => {
  it.each([
    ['ftp://host/path', /found 'ftp:'; give file:\/path, http\(s\):\/\/host\/path, gateway/],
    ['/srv/blobs', /found 'no scheme'; give file:/],
    ['', /found 'no scheme'; give file:/],
    ['file:blobs', /found 'file:'; give file:/],
    ['file://host/blobs', /found 'file:'; give file:/],
    ['gateway+file:/blobs', /found 'gateway\+file:'; give file:/],
    ['http://user:secret@host/blobs', /the URL may have no user, password/],
    ['gateway+https://host/v1/blobs?x=1', /the URL may have no user, password/],
    ['s3://', /give s3:\/\/bucket\/prefix/],
    ['s3://bucket?zone=1', /unknown parameter 'zone'; permitted: endpoint, region/],
    ['s3://bucket?endpoint=host', /endpoint 'host' has not the form https:\/\/host/],
    ['s3://bucket/a+b', /prefix '\/a\+b' has characters/],
  ])('refuses %s', (url, message) => {
    expect(() => openBlobStore(url, { env: TEST_CREDENTIALS })).toThrow(message);
    expect(() => openBlobStore(url, { env: TEST_CREDENTIALS })).not.toThrow('secret');
  });

  it('names the credential that is missing', () => {
    const env = { AWS_ACCESS_KEY_ID: 'x' };
    expect(() => openBlobStore('s3://bucket', { env })).toThrow('AWS_SECRET_ACCESS_KEY is not set');
  });

  it.each([
    ['s3://bucket/of', 'https://bucket.s3.eu-north-1.amazonaws.com/of/'],
    ['s3://dotted.bucket', 'https://s3.eu-north-1.amazonaws.com/dotted.bucket/'],
    ['s3://bucket/of/?endpoint=https://host/', 'https://host/bucket/of/'],
    ['s3://bucket?region=r', 'https://bucket.s3.r.amazonaws.com/'],
  ])('finds the address of %s', (url, prefix) => {
    const env = { ...TEST_CREDENTIALS, AWS_REGION: 'eu-north-1' };
    expect(s3Server(new URL(url), env).urlOf(sha256).href).toBe(prefix + sha256);
  });
});
