/**
 * Server that delivers WebGL programs to a browser on a loopback port: the examples of
 * packages/webgl and the library programs of the tests, each with its libraries in one module, the
 * files that they load, and a page that runs one program.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { rolldown } from 'rolldown';

const REPOSITORY = join(import.meta.dirname, '../..');
const EXAMPLE = /^\/(packages\/webgl\/examples|test\/webgl\/libraries)\/[a-z-]+\.mjs$/;
/** Content types by extension; other files are of no type that a browser checks. */
const TYPES: Readonly<Record<string, string>> = {
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.json': 'application/json',
  '.glb': 'model/gltf-binary',
  '.pbf': 'application/x-protobuf',
};
const FILES = '/test/webgl/libraries/files/';
/** Scripts of MapLibre, which starts a worker by the address of its module. */
const MAPLIBRE = '/node_modules/maplibre-gl/dist/';

/** Page that runs a program; its script defines `renderExample`. */
const PAGE = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<style>body { margin: 0 } canvas { display: block }</style>
<body>
<canvas></canvas>
<script type="importmap">{ "imports": { "maplibre-gl/dist/": "${MAPLIBRE}" } }</script>
<script type="module" src="/example-page.mjs"></script>
`;

/** Running server of the examples. */
export interface ExampleServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Starts the server on a free port of 127.0.0.1. */
export async function startExampleServer(): Promise<ExampleServer> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    readServed(path).then(
      (content) => response.writeHead(200, { 'Content-Type': typeOf(path) }).end(content),
      (error) => response.writeHead(404).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

async function readServed(path: string): Promise<string | Uint8Array> {
  if (path === '/') return PAGE;
  if (path === '/example-page.mjs') return await readFile(join(import.meta.dirname, path));
  if (path.startsWith(FILES) || path.startsWith(MAPLIBRE))
    return await readFile(join(REPOSITORY, path));
  if (!EXAMPLE.test(path)) throw new Error(`${path} is not served`);
  const bundle = await rolldown({
    input: join(REPOSITORY, path),
    platform: 'browser',
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}

function typeOf(path: string): string {
  return TYPES[extname(path)] ?? 'text/html';
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
