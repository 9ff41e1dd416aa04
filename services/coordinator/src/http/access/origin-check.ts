/**
 * Protects a service on loopback, which has no tokens, from web pages of other sites. Without CORS
 * headers a page cannot read an answer. It could still post, or make its own host name resolve to
 * this machine.
 *
 * Changes from a page of another origin are refused by `Origin` and `Sec-Fetch-Site`, which
 * browsers set and pages cannot. Without tokens, requests with an unknown host name are refused
 * too. The known hosts are IP addresses, `localhost`, the name that the service listens on, and the
 * names in `TESSERA_ALLOWED_HOSTS`.
 */
import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import { RenderError } from '@tessera/frame';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const OWN_SITES = [undefined, 'same-origin', 'none'];
/**
 * Authority: an IP literal in brackets or a name, with an optional port (RFC 3986, section 3.2).
 */
const AUTHORITY = /^(\[[^[\]]*\]|[^:[\]]*)(?::\d{0,5})?$/;
/** Request target in absolute form (RFC 9112, section 3.2.2); the group is its authority. */
const ABSOLUTE_TARGET = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

/**
 * Adds the check. Call it before routes are added.
 *
 * @param areTokensAsked Whether requests need a token, which a page does not have.
 */
export function addOriginCheck(app: App, config: Config, areTokensAsked: boolean): void {
  const allowed = new Set(
    config.TESSERA_ALLOWED_HOSTS.toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
  );
  const known = new Set([...allowed, config.TESSERA_HOST.toLowerCase(), 'localhost']);
  app.addHook('onRequest', async (request) => {
    refuseAmbiguousHost(request.raw);
    if (!areTokensAsked) refuseUnknownHost(request, known);
    if (!SAFE_METHODS.includes(request.method)) refuseOtherOrigin(request, allowed);
  });
}

/**
 * Rejects a request with two host names, because a proxy may have checked the one that is not used
 * here (RFC 9112, section 3.2).
 */
function refuseAmbiguousHost({ url = '', headers, rawHeaders }: IncomingMessage): void {
  const hostCount = rawHeaders.filter((text, i) => i % 2 === 0 && /^host$/i.test(text)).length;
  if (hostCount > 1) {
    throw new RenderError(
      'REQUEST_INVALID',
      `Host: the request has ${hostCount} Host headers; it must have one`,
    );
  }
  const authority = ABSOLUTE_TARGET.exec(url)?.[1];
  if (authority === undefined || headers.host === undefined) return;
  if (authority.toLowerCase() === headers.host.toLowerCase()) return;
  throw new RenderError(
    'REQUEST_INVALID',
    `Host: '${headers.host}' is not the host of the request target, '${authority}'`,
  );
}

function refuseUnknownHost(request: FastifyRequest, known: ReadonlySet<string>): void {
  const { host } = request.headers;
  if (host === undefined) return; // HTTP/1.0, which browsers do not send.
  // `request.host` is the host that a trusted proxy reports. A page can set that header too, so
  // both must be known.
  for (const authority of [host, request.host]) {
    const name = AUTHORITY.exec(authority)?.[1]?.toLowerCase() ?? '';
    if (known.has(name) || isAddress(name)) continue;
    throw new RenderError(
      'ORIGIN_REFUSED',
      `Host: '${authority}' is not a host name of this service; TESSERA_ALLOWED_HOSTS adds names`,
    );
  }
}

/**
 * Whether a host is an IP address, which no name server can redirect. An IPv6 address is in
 * brackets.
 */
function isAddress(host: string): boolean {
  const literal = /^\[(.*)\]$/.exec(host)?.[1];
  return literal === undefined ? isIPv4(host) : isIPv6(literal);
}

function refuseOtherOrigin(request: FastifyRequest, allowed: ReadonlySet<string>): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isOwnSite = OWN_SITES.includes(site as string | undefined);
  if (origin === undefined && isOwnSite) return;
  const from = origin !== undefined && URL.canParse(origin) ? new URL(origin) : null;
  const isOwn = from?.host === request.host.toLowerCase() && isOwnSite;
  if (isOwn || (from !== null && allowed.has(from.hostname))) return;
  throw new RenderError(
    'ORIGIN_REFUSED',
    `Origin: a page of '${origin ?? site}' may not change data of this service`,
  );
}
