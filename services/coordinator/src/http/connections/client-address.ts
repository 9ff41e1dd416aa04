/** Addresses as limits count them: one client has one IPv4 address or one IPv6 network. */
import { isIPv6 } from 'node:net';
import { isLoopbackHost } from '@tessera/wire';
import type { FastifyRequest } from 'fastify';

/** Groups of the part of an IPv6 address that a provider gives to one customer: 64 bits. */
const NETWORK_GROUPS = 4;

/** What limits of one client count by: an IPv4 address, or the /64 network of an IPv6 address. */
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
 * Whether a request comes from this machine. Only the socket's own address counts: one that a header names is never
 * local, whoever wrote the header.
 */
export function isFromThisMachine({ ip, ips }: FastifyRequest): boolean {
  const isForwarded = ips !== undefined && ips.length > 1;
  return !isForwarded && isLoopbackHost(ip.replace(/^::ffff:/, ''));
}
