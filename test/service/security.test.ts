/**
 * Access control: tokens, sessions, the chiplets' secret, pages of other origins, clients that
 * exceed limits.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const TOKEN = 'a-token-of-one-client';
const OTHER_TOKEN = 'a-token-of-the-launcher';
const SECRET = 'the-secret-of-the-chiplets';
const BEARER = { Authorization: `Bearer ${TOKEN}` };

/** Returns the code of a problem. */
async function codeOf(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}

/** Sends a request with headers that `fetch` would set itself. */
function ask(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end();
  });
}

/** Returns the bytes that the server sends until it closes. */
function exchange(url: string, sent: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(sent));
    let received = '';
    socket.setEncoding('utf8').on('data', (part) => {
      received += part;
    });
    socket.on('close', () => resolve(received)).on('error', reject);
  });
}

describe('a service with tokens and a secret', () => {
  it('admits clients that send them, and no others', async () => {
    const { url, service, lines } = await startTestService({
      workerCount: 1,
      environment: {
        TESSERA_HOST: '0.0.0.0',
        TESSERA_CROSSLINK_HOST: '0.0.0.0',
        TESSERA_CROSSLINK_PUBLIC_URL: '',
        TESSERA_HTTP_TOKENS: `${OTHER_TOKEN}, ${TOKEN}`,
        TESSERA_CHIPLET_SECRET: SECRET,
      },
    });

    // Tokens.
    const model = await makeKnotModel();
    const small = '?width=64&height=64';
    for (const headers of [
      {},
      { Authorization: `Bearer ${TOKEN}x` },
      { Authorization: 'Basic x' },
    ]) {
      const refused = await postModel(url, model, small, headers as Record<string, string>);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain('Bearer');
      expect(await codeOf(refused)).toBe('UNAUTHENTICATED');
    }
    expect((await postModel(url, model, small, BEARER)).status).toBe(200);
    for (const path of [
      '/metrics',
      '/v1/chiplets',
      '/v1/frames',
      '/docs/',
      '/openapi.json',
      '/x',
    ]) {
      expect((await fetch(url + path)).status, path).toBe(401);
    }
    expect((await fetch(`${url}/metrics`, { headers: BEARER })).status).toBe(200);
    for (const path of ['/livez', '/readyz', '/', '/dashboard/scripts/main.js']) {
      expect((await fetch(url + path)).status, path).toBe(200);
    }

    // A session for pages.
    const signIn = (token: string) =>
      fetch(`${url}/v1/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token }),
      });
    expect((await signIn(`${TOKEN}x`)).status).toBe(401);
    const signedIn = await signIn(TOKEN);
    expect(signedIn.status).toBe(204);
    const set = signedIn.headers.get('set-cookie') ?? '';
    expect(set).toContain('HttpOnly; SameSite=Strict');
    expect(set).not.toContain(TOKEN);
    const Cookie = set.split(';', 1)[0]!;
    expect((await ask(`${url}/v1/chiplets`, 'GET', { Cookie })).status).toBe(200);
    const later = Cookie.replace(/=(\d)/, (_all, digit) => `=${Number(digit) + 1}`);
    expect((await ask(`${url}/v1/chiplets`, 'GET', { Cookie: later })).status).toBe(401);
    const state = await ask(`${url}/v1/session`, 'GET', { Cookie });
    expect(JSON.parse(state.body)).toEqual({ isRequired: true, isSignedIn: true });

    // Chiplets: the secret is required by both servers. It gives access to nothing else except the
    // health checks.
    const secret = { Authorization: `Bearer ${SECRET}` };
    expect((await fetch(`${url}/v1/chiplets`, { headers: secret })).status).toBe(200);
    expect((await fetch(`${url}/v1/frames`, { headers: secret })).status).toBe(401);
    const upgrade = (path: string, extra: string) =>
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${extra}\r\n`;
    const crosslink = lines.join('\n').match(/"crosslinkUrl":"ws:\/\/[^:]+:(\d+)/)?.[1];
    const ports = [
      [url, '/chiplets'],
      [`http://127.0.0.1:${crosslink}`, '/crosslink'],
    ] as const;
    for (const [server, path] of ports) {
      expect(await exchange(server, upgrade(path, '')), path).toContain(' 401 ');
      const wrong = upgrade(path, `Authorization: Bearer ${TOKEN}\r\n`);
      expect(await exchange(server, wrong), path).toContain(' 401 ');
      const page = `Authorization: Bearer ${SECRET}\r\nOrigin: http://127.0.0.1\r\n`;
      expect(await exchange(server, upgrade(path, page)), path).toContain(' 403 ');
    }
    const said = lines.join('\n');
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain(TOKEN);
    await service.stop();
  });

  it('does not start without tokens where others reach it', async () => {
    const start = (environment: Record<string, string>) =>
      startTestService({ workerCount: 0, environment });
    // The launcher creates a secret; access.test.ts of the coordinator tests the rest.
    await expect(start({ TESSERA_HOST: '0.0.0.0' })).rejects.toThrow(
      /TESSERA_HTTP_TOKENS: required/,
    );
    await expect(start({ TESSERA_HTTP_TOKENS: 'short' })).rejects.toThrow(/at least 16/);
    await expect(start({ TESSERA_TRUST_PROXY: 'true' })).rejects.toThrow(
      /TESSERA_TRUST_PROXY: 'true' is neither a number of proxies \(such as 1\) nor an address/,
    );
  });

  it('creates the missing secret file, and starts insecure if configured', async () => {
    const file = join(makeDataFolder(), 'secret');
    const { url, service } = await startTestService({
      workerCount: 0,
      environment: {
        TESSERA_HOST: '0.0.0.0',
        TESSERA_INSECURE_HTTP: 'true',
        TESSERA_CHIPLET_SECRET_FILE: file,
      },
    });
    const headers = { Authorization: `Bearer ${readFileSync(file, 'utf8').trim()}` };
    expect((await fetch(`${url}/v1/chiplets`, { headers })).status).toBe(200);
    await service.stop();
  });
});

describe('a service on loopback', () => {
  it('rejects requests of foreign pages, and answers only under its own names', async () => {
    const { url, service } = await startTestService({
      workerCount: 0,
      environment: { TESSERA_ALLOWED_HOSTS: 'render.example, other.example' },
    });
    const { host, port } = new URL(url);
    const session = `${url}/v1/session`;
    const refused: Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { Origin: `http://127.0.0.1:${Number(port) + 1}` },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of refused) {
      const answer = await ask(session, 'DELETE', headers);
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'ORIGIN_REFUSED' });
    }
    const own = { Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
    expect((await ask(session, 'DELETE', own)).status).toBe(204);
    for (const Host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example']) {
      expect((await ask(`${url}/livez`, 'GET', { Host })).status, Host).toBe(403);
    }
    for (const Host of [host, `localhost:${port}`, '[::1]:1', 'Render.example', '192.0.2.7']) {
      expect((await ask(`${url}/livez`, 'GET', { Host })).status, Host).toBe(200);
    }
    await service.stop();
  });

  it('restricts its answers in browsers by headers', async () => {
    const { url, service } = await startTestService({ workerCount: 0 });
    for (const path of ['/v1/chiplets', '/v1/frames/x/image', '/nothing', '/']) {
      const { headers } = await fetch(url + path);
      expect(headers.get('content-security-policy'), path).toContain("default-src 'none'");
      expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'");
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin');
      expect(headers.get('access-control-allow-origin'), path).toBeNull();
    }
    expect((await fetch(`${url}/`)).headers.get('content-security-policy')).toContain(
      "script-src 'self'",
    );
    const docs = (await fetch(`${url}/docs/`)).headers.get('content-security-policy');
    expect(docs).toContain("script-src 'self';");
    await service.stop();
  });

  it('limits requests, heads, the time for them, connections and streams', async () => {
    const { url, service } = await startTestService({
      workerCount: 0,
      environment: {
        TESSERA_TRUST_PROXY: '127.0.0.1',
        TESSERA_REQUESTS_PER_MINUTE: '5',
        TESSERA_MAX_HEADER_BYTES: '4096',
        TESSERA_HEADERS_MS: '300',
        TESSERA_REQUEST_MS: '1500',
        TESSERA_MAX_STREAMS: '2',
        TESSERA_MAX_CONNECTIONS: '40',
      },
    });
    const client = { 'X-Forwarded-For': '192.0.2.1' };
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      statuses.push((await fetch(`${url}/v1/counters`, { headers: client })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const limited = await fetch(`${url}/v1/counters`, { headers: client });
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await codeOf(limited)).toBe('RATE_LIMITED');
    expect((await fetch(`${url}/livez`, { headers: client })).status).toBe(200);
    expect((await fetch(`${url}/v1/counters`)).status).toBe(200);

    const large = await exchange(
      url,
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(9000)}\r\n`,
    );
    expect(large).toContain(' 431 ');
    expect(large).toContain('HEADERS_TOO_LARGE');
    const slowHead = await exchange(url, 'GET / HTTP/1.1\r\nHost: localhost\r\n');
    expect(slowHead).toContain(' 408 ');
    expect(slowHead).toContain('REQUEST_TIMEOUT');
    const slowBody = await exchange(
      url,
      'POST /v1/frames HTTP/1.1\r\nHost: localhost\r\nContent-Type: model/gltf-binary\r\nContent-Length: 99\r\n\r\nglTF',
    );
    expect(slowBody).toContain(' 408 ');
    expect(await exchange(url, 'nonsense\r\n\r\n')).toContain(' 400 ');

    const streams = [await fetch(`${url}/v1/events`), await fetch(`${url}/v1/events`)];
    const third = await fetch(`${url}/v1/events`);
    expect(third.status).toBe(503);
    expect(await codeOf(third)).toBe('TOO_MANY_STREAMS');
    for (const { body } of streams) await body?.cancel();
    await expect
      .poll(async () => {
        const { status, body } = await fetch(`${url}/v1/events`);
        await body?.cancel();
        return status;
      })
      .toBe(200);

    const port = Number(new URL(url).port);
    const sockets = Array.from({ length: 60 }, () => connect(port, '127.0.0.1'));
    let closed = 0;
    for (const socket of sockets) {
      socket.on('error', () => {}).on('close', () => closed++);
    }
    await expect.poll(() => closed).toBeGreaterThanOrEqual(20);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await fetch(`${url}/livez`)).status).toBe(200);
    await service.stop();
  });
});

describe('limits of a frame', () => {
  it('are those of the variables', async () => {
    const { url, service } = await startTestService({
      workerCount: 0,
      environment: {
        TESSERA_VISIBILITY_RENDERS: 'false', // so no chiplet renders
        TESSERA_FRAME_MS: '300',
        TESSERA_MAX_PRIMITIVES: '8',
        TESSERA_STUDY_FRAMES: '1',
        TESSERA_SEQUENCE_FRAMES: '2',
      },
    });
    const refused = async (answer: Promise<Response>) => {
      const { code, detail } = (await (await answer).json()) as { code: string; detail: string };
      return `${code} ${detail}`;
    };
    const knot = await makeKnotModel();
    expect(await refused(postModel(url, knot, '?width=64&height=64'))).toMatch(
      /^LIMIT_EXCEEDED .*at most 8 \(maxTriangles\)/,
    );
    const triangle = await makeModelGlb();
    expect(await refused(postModel(url, triangle, '?width=64&height=64&chiplets=2'))).toBe(
      'FRAME_TIMEOUT rendering took longer than 300 ms',
    );
    const post = (path: string, contentType: string, body: BodyInit) =>
      fetch(url + path, { method: 'POST', headers: { 'Content-Type': contentType }, body });
    const sweep = JSON.stringify({ frames: ['x'], chiplets: [1], bins: [4, 8] });
    expect(await refused(post('/v1/studies', 'application/json', sweep))).toMatch(
      /^LIMIT_EXCEEDED .*at most 1 and/,
    );
    const model = new Uint8Array(triangle);
    const query = '/v1/sequences?frames=3&width=64&height=64&chiplets=2';
    expect(await refused(post(query, 'model/gltf-binary', model))).toMatch(
      /^LIMIT_EXCEEDED .*at most 2/,
    );
    await service.stop();
  });
});

describe('TLS', () => {
  it('works on both ports, and chiplets trust the configured certificate', async () => {
    const folder = makeDataFolder();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout ${key} -out ${cert}`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    );
    const { url, service } = await startTestService({
      workerCount: 1,
      environment: {
        TESSERA_TLS_CERT: cert,
        TESSERA_TLS_KEY: key,
        TESSERA_TLS_CA: cert,
        TESSERA_CHIPLET_SECRET: SECRET,
        TESSERA_MAX_CONNECTIONS: '24',
      },
    });
    expect(url).toContain('https:');
    // Connections that send nothing, before and after the handshake, and links that stay open.
    const port = Number(new URL(url).port);
    const silent: Socket[] = [];
    for (let i = 0; i < 40; i++) {
      const socket =
        i % 2 === 0
          ? connect(port, '127.0.0.1')
          : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
      silent.push(socket.on('error', () => {}));
      await Promise.race([
        once(socket, i % 2 === 0 ? 'connect' : 'secureConnect'),
        once(socket, 'close'),
      ]);
    }
    const live = await fetch(`${url}/livez`);
    expect(live.headers.get('strict-transport-security')).toContain('max-age');
    expect((await postModel(url, await makeModelGlb(), '?width=64&height=64')).status).toBe(200);
    expect(service.pids().size).toBe(3);
    for (const socket of silent) socket.destroy();
    await service.stop();
  });
});
