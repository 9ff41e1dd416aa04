/**
 * Headers that restrict what browsers do with answers. Answers of the API may do nothing. The
 * dashboard may use its own scripts, styles and images. Swagger UI under /docs also needs inline
 * styles.
 */
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { App } from '../protocol/app.ts';

/** Policy of JSON, images, CSV and problems, which may be shown but not executed or framed. */
const INTERFACE_POLICY = {
  'default-src': ["'none'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
};

/** Policy of the page at `/`: nothing from other origins, no inline scripts or styles. */
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

/** Policy of /docs, where Swagger UI uses inline styles and shows images from answers. */
export const API_PAGE_POLICY = {
  ...DASHBOARD_POLICY,
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:', 'blob:'],
};

/**
 * Adds the headers. Call it before routes are added.
 *
 * @param isSecure Whether the port uses TLS.
 */
export async function addSecurityHeaders(app: App, isSecure: boolean): Promise<void> {
  const options: FastifyHelmetOptions = {
    contentSecurityPolicy: { useDefaults: false, directives: INTERFACE_POLICY },
    strictTransportSecurity: isSecure,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
    // Browsers ignore the header over plain HTTP and log a warning. The dashboard sends timelines
    // to the window of Perfetto that it opens.
    crossOriginOpenerPolicy: isSecure && { policy: 'same-origin-allow-popups' },
    originAgentCluster: isSecure,
  };
  await app.register(helmet, options);
}
