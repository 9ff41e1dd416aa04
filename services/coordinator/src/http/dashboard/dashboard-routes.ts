/**
 * Serves the page at `/`. Its scripts are TypeScript, whose types are stripped on first use. All
 * files are small, so they are kept in memory after that, plain and compressed. Clients revalidate
 * them by their entity tags.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DASHBOARD_POLICY } from '../access/security-headers.ts';
import type { App } from '../protocol/app.ts';
import { isNotModified } from '../protocol/negotiation.ts';

interface PageFile {
  readonly mediaType: string;
  readonly content: Buffer;
  readonly gzipped: Buffer;
  readonly etag: string;
}

const DASHBOARD_FOLDER = join(import.meta.dirname, '../../../../../packages/dashboard');
/** Prefix of the addresses of the page's files. */
const PREFIX = '/dashboard/';
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

function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): FastifyReply {
  reply.header('ETag', file.etag).header('Cache-Control', 'no-cache');
  reply.header('Vary', 'Accept-Encoding');
  if (isNotModified(request.headers['if-none-match'], file.etag)) {
    return reply.code(304).send(null);
  }
  const canUnzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (canUnzip) reply.header('Content-Encoding', 'gzip');
  return reply.type(file.mediaType).send(canUnzip ? file.gzipped : file.content);
}

/** Returns all files of the page by path. Each is read on first use. */
function readPageFiles(): Map<string, () => PageFile> {
  const read = (name: string) => readFileSync(join(DASHBOARD_FOLDER, name), 'utf8');
  const files = new Map<string, () => PageFile>();
  const scripts = readdirSync(join(DASHBOARD_FOLDER, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort();
  for (const name of scripts) {
    const code = () => stripTypes(read(`src/${name}`));
    files.set(`${PREFIX}${name}`, makeFile('text/javascript; charset=utf-8', code));
  }
  for (const [name, mediaType] of [
    ['style.css', 'text/css; charset=utf-8'],
    ['icon.svg', 'image/svg+xml'],
  ] as const) {
    files.set(
      `${PREFIX}${name}`,
      makeFile(mediaType, () => read(name)),
    );
  }
  const preloads = scripts.map((name) => `<link rel="modulepreload" href="${PREFIX}${name}">`);
  const page = () => read('index.html').replace(PRELOAD_MARK, preloads.join('\n'));
  return files.set('/', makeFile('text/html; charset=utf-8', page));
}

function makeFile(mediaType: string, read: () => string): () => PageFile {
  let file: PageFile | null = null;
  return () => {
    if (file !== null) return file;
    const content = Buffer.from(read());
    const hash = createHash('sha256').update(content).digest('base64url');
    file = { mediaType, content, gzipped: gzipSync(content), etag: `"${hash}"` };
    return file;
  };
}

/** Removes types and keeps all positions. */
function stripTypes(source: string): string {
  const { emitWarning } = process;
  // Node warns once that this function may change, which an operator cannot act on.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source, { mode: 'strip' });
  } finally {
    process.emitWarning = emitWarning;
  }
}
