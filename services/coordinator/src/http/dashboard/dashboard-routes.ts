/**
 * The page at `/`. Its scripts are TypeScript; their types are stripped when they are first asked for. All files are small and
 * kept in memory from then on, as they are and compressed, and asked for again by their tag.
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
/** What addresses of the page's files begin with. */
const PREFIX = '/dashboard/';
/** Stands in the page for hints at all scripts, so that they are fetched at once and not one import after the other. */
const PRELOAD_MARK = '<!-- scripts -->';

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

/** All files of the page by their paths, read when they are first asked for. */
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

/** Types out, all else at its place. */
function stripTypes(source: string): string {
  const { emitWarning } = process;
  // Node warns once that this function may change; the operator of a service can do nothing about it.
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(source, { mode: 'strip' });
  } finally {
    process.emitWarning = emitWarning;
  }
}
