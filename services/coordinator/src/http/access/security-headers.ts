/**
 * Headers that tell browsers what answers may do. Answers of the interface: nothing at all. The dashboard: its own
 * scripts, styles and pictures. The documentation under /docs is a page of others, which sets its own policy.
 */
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { App } from '../protocol/app.ts';

/** Of JSON, pictures, CSV and problems: to be looked at, not to be run or framed. */
const INTERFACE_POLICY = {
  'default-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** Of the page at `/`: nothing from elsewhere, no script or style within the page. */
export const DASHBOARD_POLICY = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
};

/** Of /docs: Swagger UI has its styles and pictures within the page. */
export const DOCUMENTATION_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** To be called before routes are added. @param isSecure Whether the port speaks TLS. */
export async function addSecurityHeaders(app: App, isSecure: boolean): Promise<void> {
  const options: FastifyHelmetOptions = {
    contentSecurityPolicy: { useDefaults: false, directives: INTERFACE_POLICY },
    strictTransportSecurity: isSecure,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Over plain HTTP browsers take no notice and complain.
    crossOriginOpenerPolicy: isSecure,
    originAgentCluster: isSecure,
  };
  await app.register(helmet, options);
}
