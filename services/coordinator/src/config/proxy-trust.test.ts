import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { addRateLimit } from '../http/connections/request-limits.ts';
import type { App } from '../http/protocol/app.ts';
import { answerError } from '../http/protocol/problem.ts';
import { readConfig } from './config.ts';
import { readProxyTrust } from './proxy-trust.ts';

const REAL = '203.0.113.9';

async function makeApp(proxies: string): Promise<App> {
  const app = fastify({ trustProxy: readProxyTrust(proxies) }) as unknown as App;
  app.setErrorHandler(answerError);
  await addRateLimit(app, readConfig({ TESSERA_REQUESTS_PER_MINUTE: '3' }));
  app.get('/', async ({ ip, protocol }) => ({ ip, protocol }));
  return app;
}

/** Returns the address that an application sees as the client. */
async function ipOf(proxies: string, remoteAddress: string, forwarded: string): Promise<string> {
  const headers = { 'x-forwarded-for': forwarded };
  const app = await makeApp(proxies);
  return ((await app.inject({ url: '/', remoteAddress, headers })).json() as { ip: string }).ip;
}

describe('the client behind proxies', () => {
  it.each([
    ['', '127.0.0.1', REAL, '127.0.0.1'],
    ['false', '127.0.0.1', REAL, '127.0.0.1'],
    ['1', '127.0.0.1', `198.51.100.1, ${REAL}`, REAL],
    ['2', '127.0.0.1', `198.51.100.1, ${REAL}, 10.0.0.2`, REAL],
    ['127.0.0.1', '127.0.0.1', `127.0.0.1, ${REAL}`, REAL],
    ['loopback, 10.0.0.0/8', '127.0.0.1', `198.51.100.1, ${REAL}, 10.0.0.2`, REAL],
    ['10.0.0.0/8', '127.0.0.1', REAL, '127.0.0.1'],
    ['::1', '::1', REAL, REAL],
  ])(
    "is whom the last trusted one names: '%s', socket %s, header %s",
    async (proxies, socket, header, ip) => {
      expect(await ipOf(proxies, socket, header)).toBe(ip);
    },
  );

  it.each([
    ['1', (claim: string) => `${claim}, ${REAL}`],
    ['127.0.0.1', (claim: string) => `${claim}, ${REAL}`],
    ['127.0.0.1', () => '127.0.0.1'],
    ['127.0.0.1', () => '127.0.0.1, 127.0.0.1'],
    ['1', () => '::1'],
  ])('evades the limit of requests by no header: %s, case %#', async (proxies, forwarded) => {
    const app = await makeApp(proxies);
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const headers = { 'x-forwarded-for': forwarded(i % 2 === 0 ? '127.0.0.1' : '::1') };
      statuses.push((await app.inject({ url: '/', headers })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });

  it('is counted by its network with IPv6, and is exempt on this machine', async () => {
    const app = await makeApp('');
    const ask = async (remoteAddress: string) =>
      (await app.inject({ url: '/', remoteAddress })).statusCode;
    for (const address of [
      '2001:db8:0:7::1',
      '2001:0db8:0000:0007:ffff:0:0:1',
      '2001:DB8:0:7:abcd::',
    ]) {
      expect(await ask(address)).toBe(200);
    }
    expect(await ask('2001:db8:0:7::9')).toBe(429);
    expect(await ask('2001:db8:0:8::9')).toBe(200);
    for (let i = 0; i < 5; i++) {
      for (const local of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
        expect(await ask(local)).toBe(200);
      }
    }
  });
});

describe('TESSERA_TRUST_PROXY', () => {
  it.each([
    'true',
    '0',
    '17',
    '-1',
    '1.5',
    'yes',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0/8',
    ',',
    '::1/129',
    'proxy.example',
    '1,127.0.0.1',
  ])("refuses '%s'", (text) => {
    expect(() => readProxyTrust(text)).toThrow(/^TESSERA_TRUST_PROXY: '.*' is n/);
  });
});
