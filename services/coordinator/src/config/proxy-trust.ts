/**
 * Which proxies in front of this service may say who asks, by `X-Forwarded-For`, `-Host` and `-Proto`.
 *
 * A client can write these headers itself, and a proxy appends to what it finds. So only entries that a trusted proxy
 * added count: those before it are the client's claims.
 */
import { isIP, isIPv4 } from 'node:net';
import { EnvironmentError } from '@tessera/wire/environment';

/**
 * Fastify's `trustProxy`: whether the address at this distance is trusted, 0 being the other end of the socket; or
 * addresses and networks.
 */
export type ProxyTrust = false | string[] | ((address: string, hop: number) => boolean);

const MAX_HOPS = 16;
/** Names of networks that fastify knows. */
const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];
const VARIABLE = 'TESSERA_TRUST_PROXY';

/**
 * Reads a number of proxies, or addresses and networks between commas.
 *
 * @throws {EnvironmentError} For anything else, `true` included: it would believe what clients write.
 */
export function readProxyTrust(text: string): ProxyTrust {
  if (text === '' || text === 'false') return false;
  if (/^\d+$/.test(text)) {
    const hops = Number(text);
    if (hops >= 1 && hops <= MAX_HOPS) return (_address, hop) => hop < hops;
    throw new EnvironmentError(
      `${VARIABLE}: '${text}' is not a number of proxies from 1 to ${MAX_HOPS}`,
    );
  }
  const networks = text.split(/[\s,]+/).filter((network) => network !== '');
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong === undefined && networks.length > 0) return networks;
  throw new EnvironmentError(
    `${VARIABLE}: '${wrong ?? text}' is neither a number of proxies (such as 1) nor an address, a network ` +
      `(such as 10.0.0.0/8) or one of ${NETWORK_NAMES.join(', ')}`,
  );
}

function isNetwork(text: string): boolean {
  if (NETWORK_NAMES.includes(text)) return true;
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (isIP(address) === 0) return false;
  const maxPrefix = isIPv4(address) ? 32 : 128;
  return prefix === undefined || (Number(prefix) >= 1 && Number(prefix) <= maxPrefix);
}
