/**
 * Keeps web pages of others away from a service on loopback, which has no tokens: a page cannot read an answer,
 * since there are no CORS headers, but it could post, or make a name of its own point to this machine.
 *
 * Changes that come from a page of another origin are refused, by `Origin` and `Sec-Fetch-Site`, which browsers set
 * and pages cannot. Without tokens, so is every request under a host name that is not known: an address in numbers,
 * `localhost`, the name that the service listens on, and those that it is told.
 */
import { RenderError } from '@tessera/frame';
import { isLoopbackHost } from '@tessera/wire';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { App } from './app.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const OWN_SITES = [undefined, 'same-origin', 'none'];

/** To be called before routes are added. @param areTokensAsked Whether a page would lack a token anyway. */
export function addOriginCheck(app: App, config: Config, areTokensAsked: boolean): void {
  const allowed = new Set(
    config.TESSERA_ALLOWED_HOSTS.toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
  );
  const known = new Set([...allowed, config.TESSERA_HOST.toLowerCase()]);
  app.addHook('onRequest', async (request) => {
    if (!areTokensAsked) refuseUnknownHost(request, known);
    if (!SAFE_METHODS.includes(request.method)) refuseOtherOrigin(request, allowed);
  });
}

function refuseUnknownHost({ hostname, headers }: FastifyRequest, known: Set<string>): void {
  if (headers.host === undefined) return; // HTTP/1.0: no browser
  const name = hostname.toLowerCase();
  if (known.has(name) || isLoopbackHost(name) || isAddress(name)) return;
  throw new RenderError(
    'ORIGIN_REFUSED',
    `Host: '${name}' is no name of this service; TESSERA_ALLOWED_HOSTS adds one`,
  );
}

/** Whether a host is an address in numbers, which no name server can change. */
function isAddress(host: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host) || /^\[?[\da-f:.]+\]?$/.test(host);
}

function refuseOtherOrigin(request: FastifyRequest, allowed: Set<string>): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  const isOwnSite = OWN_SITES.includes(site as string | undefined);
  if (origin === undefined && isOwnSite) return;
  const from = origin !== undefined && URL.canParse(origin) ? new URL(origin) : null;
  const isOwn = from?.host === request.host.toLowerCase() && isOwnSite;
  if (isOwn || (from !== null && allowed.has(from.hostname))) return;
  throw new RenderError(
    'ORIGIN_REFUSED',
    `Origin: a page of '${origin ?? site}' may not change anything here`,
  );
}
