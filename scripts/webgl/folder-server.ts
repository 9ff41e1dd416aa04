/**
 * Server that delivers the files of a folder to a browser. It listens on a free port of the
 * loopback address only, because pages read files of their origin, which `file:` addresses do not
 * permit.
 */
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.bmp': 'image/bmp',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.ogv': 'video/ogg',
  '.ogg': 'video/ogg',
};

/** Running server of a folder. */
export interface FolderServer {
  /** Address of the folder, without a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts the server for the files below `root`. */
export async function startFolderServer(root: string): Promise<FolderServer> {
  const server = createServer((request, response) => sendFile(root, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Sends a file, or the range of it that a video element asks for. */
function sendFile(root: string, request: IncomingMessage, response: ServerResponse): void {
  const path = locate(root, request.url ?? '/');
  const size = path === null ? null : sizeOf(path);
  if (path === null || size === null) {
    response.writeHead(404).end();
    return;
  }
  const type = TYPE_BY_EXTENSION[extname(path).toLowerCase()] ?? 'text/plain';
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const start = range === null ? 0 : Number(range[1]);
  const end = range === null || range[2] === '' ? size - 1 : Math.min(Number(range[2]), size - 1);
  if (range !== null && start > end) {
    response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  response.writeHead(range === null ? 200 : 206, {
    'Content-Type': type,
    'Content-Length': end - start + 1,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'max-age=3600',
    ...(range === null ? {} : { 'Content-Range': `bytes ${start}-${end}/${size}` }),
  });
  if (size === 0 || request.method === 'HEAD') response.end();
  else createReadStream(path, { start, end }).pipe(response);
}

/** Returns the path of an address, always below `root`, or `null` if it is not well-formed. */
function locate(root: string, address: string): string | null {
  try {
    return join(root, join('/', decodeURIComponent(address.replace(/[?#].*/, ''))));
  } catch {
    return null;
  }
}

function sizeOf(path: string): number | null {
  const status = statSync(path, { throwIfNoEntry: false });
  return status?.isFile() === true ? status.size : null;
}
