/**
 * Identity of a request's sender for turns and places: its token, or its address if there are no
 * tokens.
 */
import { bearerOf, isSameSecret } from '@tessera/wire';
import type { FastifyRequest } from 'fastify';
import type { Access } from '../../config/access.ts';
import { ADDRESS_PREFIX, type Client } from '../../config/clients.ts';
import { hasSession } from './session.ts';

/**
 * Returns a name of the client that does not reveal its token: that of the holder of the token,
 * otherwise an address such as `address 192.0.2.7`. Only the network of an IPv6 address counts (64
 * bits), because one machine may use all addresses of its network.
 */
export function clientOf(
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
  access: Pick<Access, 'clients'>,
): string {
  return holderOf(request, access)?.name ?? `${ADDRESS_PREFIX}${networkOf(request.ip)}`;
}

/** Returns the client whose token or session a request shows; undefined if it shows none. */
export function holderOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { clients }: Pick<Access, 'clients'>,
): Client | undefined {
  const given = bearerOf(headers.authorization);
  const nowMs = Date.now();
  return clients.find(({ tokens }) =>
    tokens.some((token) =>
      given === null ? hasSession(headers.cookie, [token], nowMs) : isSameSecret(given, token),
    ),
  );
}

/** Returns an IPv4 address unchanged, and the first four groups of an IPv6 address. */
function networkOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!address.includes(':') || address === '::1') return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail?.split(':').filter((group) => group !== '') ?? [];
  const missing = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...new Array<string>(missing).fill('0'), ...after];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
