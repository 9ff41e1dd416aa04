import { describe, expect, it } from 'vitest';
import { readEnvironment } from './environment.ts';

const TABLE = {
  PORT: { kind: 'integer', default: 8080, min: 0, max: 65_535, meaning: 'port' },
  IS_ON: { kind: 'boolean', default: true, meaning: 'switch' },
  LEVEL: { kind: 'choice', default: 'info', allowed: ['info', 'warn'], meaning: 'level' },
  LINK: { kind: 'url', default: '', schemes: ['ws:', 'wss:'], meaning: 'address' },
  NAME: { kind: 'text', default: 'x', meaning: 'name' },
} as const;

describe('readEnvironment', () => {
  it('gives defaults for what is missing or empty', () => {
    expect(readEnvironment(TABLE, { PORT: '' })).toEqual({
      PORT: 8080,
      IS_ON: true,
      LEVEL: 'info',
      LINK: '',
      NAME: 'x',
    });
  });

  it('reads each kind', () => {
    const variables = { PORT: '0', IS_ON: 'false', LEVEL: 'warn', LINK: 'ws://a:1/b', NAME: 'n' };
    expect(readEnvironment(TABLE, variables)).toEqual({ ...variables, PORT: 0, IS_ON: false });
  });

  it.each([
    ['PORT', '65536', '0 to 65535'],
    ['PORT', '80x', "'80x'"],
    ['PORT', '1e3', "'1e3'"],
    ['IS_ON', '1', 'true or false'],
    ['LEVEL', 'loud', 'info, warn'],
    ['LINK', 'http://a', 'ws: or wss:'],
    ['LINK', 'nowhere', 'ws: or wss:'],
  ])('refuses %s=%s', (name, value, complaint) => {
    expect(() => readEnvironment(TABLE, { [name]: value })).toThrow(`${name}: `);
    expect(() => readEnvironment(TABLE, { [name]: value })).toThrow(complaint);
  });

  it('names every wrong variable at once', () => {
    expect(() => readEnvironment(TABLE, { PORT: 'a', IS_ON: 'b' })).toThrow(/PORT.*\nIS_ON/);
  });
});
