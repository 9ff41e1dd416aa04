import { describe, expect, it } from 'vitest';
import { clientOfToken } from '../../config/clients.ts';
import { clientOf } from './client-of.ts';
import { beginSession } from './session.ts';

const TOKENS = ['first-token-of-two', 'other-token-of-two'];
const clients = TOKENS.map(clientOfToken);

describe('clientOf', () => {
  it.each([
    ['127.0.0.1', 'address 127.0.0.1'],
    ['::ffff:192.0.2.7', 'address 192.0.2.7'],
    ['::1', 'address ::1'],
    ['2001:db8:1:2:3:4:5:6', 'address 2001:db8:1:2::/64'],
    ['2001:db8::5', 'address 2001:db8:0:0::/64'],
    ['2001:db8:1:2::', 'address 2001:db8:1:2::/64'],
  ])('without tokens is the address: %s', (ip, expected) => {
    expect(clientOf({ headers: {}, ip }, { clients: [] })).toBe(expected);
  });

  it('with tokens is the token, wherever its holder is and however it is shown', () => {
    const name = (headers: Record<string, string>) =>
      clientOf({ headers, ip: '192.0.2.7' }, { clients });
    const cookie = beginSession(TOKENS[1]!, Date.now(), false).split(';')[0]!;
    expect(name({ authorization: `Bearer ${TOKENS[0]}` })).toBe(clients[0]!.name);
    expect(name({ authorization: `Bearer ${TOKENS[1]}` })).toBe(clients[1]!.name);
    expect(name({ cookie })).toBe(clients[1]!.name);
    expect(name({})).toBe('address 192.0.2.7');
  });

  it('names a token by a hash that does not depend on the other tokens', () => {
    expect(clients[0]!.name).toMatch(/^token [0-9a-f]{12}$/);
    expect(clients[0]!.name).not.toBe(clients[1]!.name);
    expect(clientOfToken(TOKENS[1]!).name).toBe(clients[1]!.name);
  });
});
