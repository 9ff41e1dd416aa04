/** Serves the page at `/`, its scripts and those of the page at `/docs`, and the documents. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { RenderError } from '@tessera/frame';
import Type from 'typebox';
import { DASHBOARD_POLICY } from '../access/security-headers.ts';
import type { App } from '../protocol/app.ts';
import { makeFile, type PageFile, sendFile } from './page-files.ts';
import { PageScripts } from './page-scripts.ts';

/** Folder of the pages. */
export const DASHBOARD_FOLDER = join(import.meta.dirname, '../../../../../packages/dashboard');
/** Folder of the documents, which an image may omit. */
const DOCUMENTS_FOLDER = join(import.meta.dirname, '../../../../../docs');
const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
};
/** Prefix of the addresses of the pages' files. */
const PAGE_PREFIX = '/dashboard/';
/** First modules of the pages at `/` and `/docs`. */
export const PAGE_ENTRIES = ['main.ts', 'api-page.ts'].map((name) =>
  join(DASHBOARD_FOLDER, 'src', name),
);

/**
 * Adds the routes of the page and its files.
 *
 * @param role Role of the service, which decides what the page shows.
 */
export function addDashboardRoutes(app: App, role: 'service' | 'gateway'): void {
  const files = readPageFiles();
  const page = () => readFileSync(join(DASHBOARD_FOLDER, 'index.html'), 'utf8');
  const withRole = () => page().replace('data-role="service"', `data-role="${role}"`);
  files.set('/', makeFile('text/html; charset=utf-8', withRole));
  const helmet = { contentSecurityPolicy: { useDefaults: false, directives: DASHBOARD_POLICY } };
  for (const [path, file] of files) {
    app.get(path, { helmet, schema: { hide: true } }, async (request, reply) =>
      sendFile(request, reply, file()),
    );
  }
  const scripts = new PageScripts(PAGE_ENTRIES);
  app.get(
    `${PAGE_PREFIX}scripts/:name`,
    {
      helmet,
      schema: { hide: true, params: Type.Object({ name: Type.String({ maxLength: 100 }) }) },
    },
    async (request, reply) => {
      const file = await scripts.file(request.params.name);
      if (file === undefined) throw new RenderError('NOT_FOUND', 'no such script');
      return sendFile(request, reply, file);
    },
  );
}

/** Adds the documents and their images to the files of the page. */
function addDocuments(files: Map<string, () => PageFile>): void {
  if (!existsSync(DOCUMENTS_FOLDER)) return;
  for (const path of readdirSync(DOCUMENTS_FOLDER, { recursive: true, encoding: 'utf8' })) {
    const mediaType = DOCUMENT_TYPES[extname(path)];
    if (mediaType === undefined) continue;
    const read = () => readFileSync(join(DOCUMENTS_FOLDER, path));
    files.set(`${PAGE_PREFIX}docs/${path.replaceAll('\\', '/')}`, makeFile(mediaType, read));
  }
}

/** Returns all other files of the page by path. Each is read on first use. */
function readPageFiles(): Map<string, () => PageFile> {
  const files = new Map<string, () => PageFile>();
  for (const [path, name, mediaType] of [
    [`${PAGE_PREFIX}style.css`, 'style.css', 'text/css; charset=utf-8'],
    [`${PAGE_PREFIX}icon.svg`, 'icon.svg', 'image/svg+xml'],
    [`${PAGE_PREFIX}api.css`, 'api.css', 'text/css; charset=utf-8'],
  ] as const) {
    const read = () => readFileSync(join(DASHBOARD_FOLDER, name));
    files.set(path, makeFile(mediaType, read));
  }
  addDocuments(files);
  return files;
}
