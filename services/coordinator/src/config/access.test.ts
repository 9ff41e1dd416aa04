import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readAccess } from './access.ts';
import { NO_QUOTAS } from './clients.ts';
import { readConfig } from './config.ts';

const TOKENS = { TESSERA_HTTP_TOKENS: 'a-token-of-one-client' };
const SECRET = { TESSERA_CHIPLET_SECRET: 'the-secret-of-the-chiplets' };
const folder = mkdtempSync(join(tmpdir(), 'tessera-access-'));
afterAll(() => rmSync(folder, { recursive: true }));
const access = (variables: Record<string, string>) => () => readAccess(readConfig(variables));

describe('a coordinator', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'render.example'])(
    'that listens on %s needs tokens and a secret, or the word that it needs none',
    (TESSERA_HOST) => {
      const open = { TESSERA_HOST };
      expect(access(open)).toThrow(
        /^TESSERA_HTTP_TOKENS: required.*TESSERA_INSECURE_HTTP.*\nTESSERA_CHIPLET_SECRET: required.*TESSERA_INSECURE_CHIPLETS/,
      );
      expect(access({ ...open, ...TOKENS })).toThrow(/^TESSERA_CHIPLET_SECRET: required/);
      expect(access({ ...open, ...SECRET })).toThrow(/^TESSERA_HTTP_TOKENS: required/);
      expect(access({ ...open, ...TOKENS, ...SECRET })()).toMatchObject({
        tokens: [TOKENS.TESSERA_HTTP_TOKENS],
        chipletSecret: SECRET.TESSERA_CHIPLET_SECRET,
      });
      expect(
        access({ ...open, TESSERA_INSECURE_HTTP: 'true', TESSERA_INSECURE_CHIPLETS: 'true' })(),
      ).toMatchObject({ tokens: [], chipletSecret: null });
    },
  );

  it('that is a gateway needs tokens or tenants, and no secret, because it has no chiplets', () => {
    const gateway = { TESSERA_ROLE: 'gateway', TESSERA_HOST: '0.0.0.0' };
    expect(access(gateway)).toThrow(/^TESSERA_HTTP_TOKENS: required[^\n]*$/);
    expect(access({ ...gateway, ...TOKENS })()).toMatchObject({ chipletSecret: null });
    const TESSERA_TENANTS_FILE = join(folder, 'two.json');
    writeFileSync(TESSERA_TENANTS_FILE, JSON.stringify([{ name: 'a', tokens: ['a'.repeat(16)] }]));
    expect(access({ ...gateway, TESSERA_TENANTS_FILE })()).toMatchObject({
      tokens: ['a'.repeat(16)],
    });
    const cell = { ...gateway, TESSERA_ROLE: 'cell', TESSERA_TENANTS_FILE };
    expect(access(cell)).toThrow(/^TESSERA_HTTP_TOKENS: required.*\nTESSERA_CHIPLET_SECRET/);
  });

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])(
    'that listens on %s needs none',
    (host) => {
      expect(access({ TESSERA_HOST: host })()).toMatchObject({ tokens: [], chipletSecret: null });
    },
  );
});

describe('the file of tenants', () => {
  const TESSERA_TENANTS_FILE = join(folder, 'tenants.json');
  const read = (text: string) => {
    writeFileSync(TESSERA_TENANTS_FILE, text);
    return readAccess(readConfig({ TESSERA_TENANTS_FILE }));
  };
  const [first, second] = ['first-token-of-two', 'other-token-of-two'];

  it('gives names, tokens, weights and quotas, of which those left out are none', () => {
    const all = {
      name: 'all',
      tokens: [first],
      weight: 3,
      maxPlaces: 4,
      maxBytes: 5,
      maxConnections: 6,
      maxPrepareSeconds: 7.5,
      maxChipletSeconds: 8.5,
      periodSeconds: 60,
      maxQueuedUnits: 9,
    };
    const { tokens, clients } = read(JSON.stringify([all, { name: 'none', tokens: [second] }]));
    expect(tokens).toEqual([first, second]);
    expect(clients).toEqual([
      {
        name: 'all',
        tokens: [first],
        weight: 3,
        quotas: {
          places: 4,
          bytes: 5,
          connections: 6,
          prepareSeconds: 7.5,
          chipletSeconds: 8.5,
        },
        periodSeconds: 60,
      },
      { name: 'none', tokens: [second], weight: 1, quotas: NO_QUOTAS, periodSeconds: 3600 },
    ]);
  });

  it.each([
    ['{', /: not JSON: .*line 1/],
    ['[]', /: \/: must not have fewer than 1 items/],
    [[{ name: 'A', tokens: [first] }], /: \/0\/name: must match/],
    [[{ name: 'a', tokens: ['short'] }], /: \/0\/tokens\/0: a secret must have at least 16/],
    [[{ name: 'a', tokens: [first], places: 3 }], /: \/0\/places: unknown field; .* maxPlaces/],
    [[{ name: 'a', tokens: [first], weight: 0 }], /: \/0\/weight: must be >= 0.001/],
    [[{ name: 'a', tokens: [first], periodSeconds: 59 }], /: \/0\/periodSeconds: must be >= 60/],
    [[{ name: 'a', tokens: [first, first] }], /: \/0\/tokens\/1: the same token as \/0\/tokens\/0/],
    [
      [
        { name: 'a', tokens: [first] },
        { name: 'a', tokens: [second] },
      ],
      /: \/1\/name: the tenant a appears twice/,
    ],
  ])('is refused with the place of its first fault: %j', (content, message) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    expect(() => read(text)).toThrow(message);
    expect(() => read(text)).toThrow(`TESSERA_TENANTS_FILE: ${TESSERA_TENANTS_FILE}`);
  });
});
