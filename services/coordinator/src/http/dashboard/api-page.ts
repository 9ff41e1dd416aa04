/** Serves the page at `/docs`: Swagger UI over `/openapi.json`, in a frame of our own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_PAGE_POLICY } from '../access/security-headers.ts';
import type { App } from '../protocol/app.ts';
import { DASHBOARD_FOLDER } from './dashboard-routes.ts';
import { makeFile, sendFile } from './page-files.ts';

/** Files of Swagger UI that the page loads. */
const SWAGGER_FILES = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
] as const;

/** Adds the page and the files of Swagger UI. */
export function addApiPage(app: App): void {
  const swagger = fileURLToPath(import.meta.resolve('@fastify/swagger-ui/package.json'));
  const read = (folder: string, name: string) => () => readFileSync(join(folder, name), 'utf8');
  const page = makeFile('text/html; charset=utf-8', read(DASHBOARD_FOLDER, 'api.html'));
  const helmet = { contentSecurityPolicy: { useDefaults: false, directives: API_PAGE_POLICY } };
  for (const path of ['/docs', '/docs/']) {
    app.get(path, { helmet, schema: { hide: true } }, async (request, reply) =>
      sendFile(request, reply, page()),
    );
  }
  for (const [name, mediaType] of SWAGGER_FILES) {
    const file = makeFile(mediaType, read(join(swagger, '../static'), name));
    app.get(`/docs/${name}`, { schema: { hide: true } }, async (request, reply) =>
      sendFile(request, reply, file()),
    );
  }
}
