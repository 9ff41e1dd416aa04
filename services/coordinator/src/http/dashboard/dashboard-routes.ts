/** Serves the page at `/`. Its scripts are TypeScript, whose types are stripped on first use. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { DASHBOARD_POLICY } from '../access/security-headers.ts';
import type { App } from '../protocol/app.ts';
import { makeFile, type PageFile, sendFile } from './page-files.ts';
import { listPageModules, PAGE_PREFIX } from './page-modules.ts';

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
/** Script of the page at /docs, which the dashboard does not load. */
const API_SCRIPT = 'api-page.ts';
/**
 * Placeholder in the page for preload hints of all scripts, which then load in parallel instead of
 * import by import.
 */
const PRELOAD_MARK = '<!-- scripts -->';

/** Adds the routes of the page and its files. */
export function addDashboardRoutes(app: App): void {
  const files = readPageFiles();
  const helmet = { contentSecurityPolicy: { useDefaults: false, directives: DASHBOARD_POLICY } };
  for (const [path, file] of files) {
    app.get(path, { helmet, schema: { hide: true } }, async (request, reply) =>
      sendFile(request, reply, file()),
    );
  }
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

/** Returns all files of the page by path. Each is read on first use. */
function readPageFiles(): Map<string, () => PageFile> {
  const read = (name: string) => readFileSync(join(DASHBOARD_FOLDER, name), 'utf8');
  const files = new Map<string, () => PageFile>();
  const scripts = listPageModules(join(DASHBOARD_FOLDER, 'src'));
  for (const { name, readCode } of scripts) {
    files.set(`${PAGE_PREFIX}${name}`, makeFile('text/javascript; charset=utf-8', readCode));
  }
  for (const [name, mediaType] of [
    ['style.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
    ['api.css', 'text/css; charset=utf-8'],
  ] as const) {
    files.set(
      `${PAGE_PREFIX}${name}`,
      makeFile(mediaType, () => read(name)),
    );
  }
  const preloads = scripts
    .filter(({ name }) => name !== API_SCRIPT)
    .map(({ name }) => `<link rel="modulepreload" href="${PAGE_PREFIX}${name}">`);
  const page = () => read('index.html').replace(PRELOAD_MARK, preloads.join('\n'));
  addDocuments(files);
  return files.set('/', makeFile('text/html; charset=utf-8', page));
}
