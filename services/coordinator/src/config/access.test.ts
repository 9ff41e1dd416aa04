import { describe, expect, it } from 'vitest';
import { readAccess } from './access.ts';
import { readConfig } from './config.ts';

const TOKENS = { TESSERA_HTTP_TOKENS: 'a-token-of-one-client' };
const SECRET = { TESSERA_CHIPLET_SECRET: 'the-secret-of-the-chiplets' };
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
    expect(access({ ...gateway, TESSERA_TENANTS_FILE: '/tenants.json' })()).toMatchObject({
      tokens: [],
    });
    const cell = { ...gateway, TESSERA_ROLE: 'cell', TESSERA_TENANTS_FILE: '/tenants.json' };
    expect(access(cell)).toThrow(/^TESSERA_HTTP_TOKENS: required.*\nTESSERA_CHIPLET_SECRET/);
  });

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])(
    'that listens on %s needs none',
    (host) => {
      expect(access({ TESSERA_HOST: host })()).toMatchObject({ tokens: [], chipletSecret: null });
    },
  );
});
