/**
 * Decides which proxies in front of this service may report the client, host and scheme of a
 * request by `X-Forwarded-For`, `-Host` and `-Proto`.
 *
 * A client can send these headers itself, and a proxy appends to those it receives. Only entries
 * that a trusted proxy added count. Earlier entries are claims of the client.
 */
import { isIP, isIPv4 } from 'node:net';
import { EnvironmentError } from '@tessera/wire/environment';

/**
 * `trustProxy` option of fastify: false, addresses and networks, or a function that returns whether
 * the address at a number of hops is trusted. Hop 0 is the peer of the socket.
 */
export type ProxyTrust = false | string[] | ((address: string, hop: number) => boolean);

const MAX_HOPS = 16;
/** Names of networks that fastify accepts. */
const NETWORK_NAMES = ['loopback', 'linklocal', 'uniquelocal'];
const VARIABLE = 'TESSERA_TRUST_PROXY';

/**
 * Reads a number of proxies, or comma-separated addresses and networks.
 *
 * @throws {EnvironmentError} For other values, including `true`, which would trust the claims of
 *   clients.
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
