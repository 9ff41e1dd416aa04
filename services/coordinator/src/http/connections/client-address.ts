/** Addresses for limits per client. A client has one IPv4 address or one IPv6 network. */
import { isIPv6 } from 'node:net';
import { isLoopbackHost } from '@tessera/wire';
import type { FastifyRequest } from 'fastify';

/** Groups of an IPv6 address that identify the network of one customer: 64 bits. */
const NETWORK_GROUPS = 4;

/**
 * Returns the key of a client in limits: an IPv4 address, or the /64 network of an IPv6 address.
 */
export function clientKey(address: string): string {
  const bare = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(bare)) return bare;
  const [head = '', tail] = bare.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...new Array<string>(zeros).fill('0'), ...after];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`;
}

/**
 * Whether a request comes from this machine. Only the address of the socket counts. An address from
 * a header is never local.
 */
export function isFromThisMachine({ ip, ips }: FastifyRequest): boolean {
  const isForwarded = ips !== undefined && ips.length > 1;
  return !isForwarded && isLoopbackHost(ip.replace(/^::ffff:/, ''));
}
