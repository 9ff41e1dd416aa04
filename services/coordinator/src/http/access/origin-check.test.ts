import { once } from 'node:events';
import { connect, isIP } from 'node:net';
import fastCheck from 'fast-check';
import { fastify } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';
import { answerError } from '../protocol/problem.ts';
import { addOriginCheck } from './origin-check.ts';

const KNOWN = ['localhost', 'render.example', '127.0.0.1'];

function makeApp(options: { trustsProxy?: boolean; areTokensAsked?: boolean } = {}): App {
  const app = fastify({ trustProxy: options.trustsProxy ?? false }) as unknown as App;
  app.setErrorHandler(answerError);
  const config = readConfig({ TESSERA_ALLOWED_HOSTS: 'Render.example' });
  addOriginCheck(app, config, options.areTokensAsked ?? false);
  app.get('/', async () => 'ok');
  return app;
}

const app = makeApp();
const statusUnder = async (host: string, headers = {}) =>
  (await app.inject({ url: '/', headers: { host, ...headers } })).statusCode;

describe('the host check', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:8080',
    '192.0.2.7:1',
    '[::1]',
    '[::1]:8080',
    '[2001:DB8::7]:65535',
    'localhost',
    'LOCALHOST:8080',
    'Render.example:80',
  ])('accepts an address or a known name: %s', async (host) => {
    expect(await statusUnder(host)).toBe(200);
  });

  it.each([
    'bad.cafe',
    'bad.cafe:8080',
    'BAD.CAFE',
    'facade.de',
    'a1b2.cc',
    'abc.ee',
    '[bad.cafe]',
    '[bad.cafe]:80',
    'cafe',
    '0x7f.1',
    '127.1',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.1.',
    '127.0.0.256',
    '127.999.0.1',
    '127.0.0.1.evil.example',
    'localhost.',
    'localhost.evil.example',
    'sub.localhost',
    'render.example.',
    '[::1',
    '::1]',
    '[::1]evil.example',
    '[::1].evil.example',
    '[127.0.0.1]',
    '[localhost]',
    '127.0.0.1:80:evil.example',
    '127.0.0.1:x',
    '127.0.0.1/evil.example',
    'evil.example@127.0.0.1',
    ' ',
    ':8080',
  ])('refuses everything else: %s', async (host) => {
    expect(await statusUnder(host)).toBe(403);
  });

  it('refuses every host that net.isIP rejects and that is not a known name', async () => {
    const hexName = fastCheck
      .array(fastCheck.stringMatching(/^[0-9a-fA-F]{1,6}$/), { minLength: 1, maxLength: 5 })
      .map((labels) => labels.join('.'));
    const name = fastCheck.oneof(
      hexName,
      fastCheck.domain(),
      fastCheck.ipV4(),
      fastCheck.ipV4Extended(),
      fastCheck.ipV6(),
      fastCheck.stringMatching(/^[0-9a-fA-Fx:.[\]]{1,20}$/),
    );
    const host = fastCheck
      .tuple(
        name,
        fastCheck.constantFrom('', '.'),
        fastCheck.boolean(),
        fastCheck.constantFrom('', ':', ':80', ':99999'),
      )
      .map(
        ([text, dot, isInBrackets, port]) =>
          `${isInBrackets ? `[${text}${dot}]` : text + dot}${port}`,
      );
    await fastCheck.assert(
      fastCheck.asyncProperty(host, async (header) => {
        const withoutPort = header.replace(/:\d*$/, '');
        const inner = /^\[(.*)\]$/.exec(withoutPort)?.[1] ?? withoutPort;
        const mayPass =
          isIP(inner) !== 0 || isIP(header) !== 0 || KNOWN.includes(inner.toLowerCase());
        if (!mayPass) expect(await statusUnder(header), header).toBe(403);
      }),
      { numRuns: 2000 },
    );
  });

  it('prefers neither X-Forwarded-Host to Host nor Host to X-Forwarded-Host', async () => {
    const behindProxy = makeApp({ trustsProxy: true });
    const ask = async (host: string, forwarded: string) =>
      (
        await behindProxy.inject({
          url: '/',
          headers: { host, 'x-forwarded-host': forwarded },
        })
      ).statusCode;
    expect(await ask('127.0.0.1', 'render.example')).toBe(200);
    expect(await ask('evil.example', 'localhost')).toBe(403);
    expect(await ask('127.0.0.1', 'evil.example')).toBe(403);
  });
});

describe('the host of a request on a socket', () => {
  const listening = (areTokensAsked: boolean) => {
    const server = makeApp({ areTokensAsked });
    afterAll(() => server.close());
    return server.listen({ host: '127.0.0.1', port: 0 });
  };
  const open = listening(false);
  const withTokens = listening(true);

  /** Returns the status of the answer to these bytes. */
  async function statusOf(origin: Promise<string>, sent: string): Promise<number> {
    const socket = connect(Number(new URL(await origin).port), '127.0.0.1');
    socket.write(sent);
    const [received] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(received.toString('latin1').split(' ')[1]);
  }

  const request = (target: string, ...hosts: string[]) =>
    `GET ${target} HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`;

  it.each([
    ['one Host', request('/', '127.0.0.1'), 200],
    ['none', request('/'), 400],
    ['two of them', request('/', '127.0.0.1', 'evil.example'), 400],
    ['the same twice', request('/', '127.0.0.1', '127.0.0.1'), 400],
    ['an absolute target of the same host', request('http://localhost/', 'localhost'), 200],
    ['the same host in other letters', request('http://LocalHost/', 'localhost'), 200],
    ['an absolute target of another host', request('http://evil.example/', 'localhost'), 400],
    ['another port', request('http://localhost:81/', 'localhost'), 400],
    ['user information', request('http://localhost@evil.example/', 'localhost'), 400],
  ])('is said once, and the same everywhere: %s', async (_title, sent, status) => {
    expect(await statusOf(open, sent)).toBe(status);
    expect(await statusOf(withTokens, sent)).toBe(status);
  });
});
