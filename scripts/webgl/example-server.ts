/**
 * Server that delivers the examples of packages/webgl to a browser on a loopback port: the files of
 * the repository, an import map for the libraries, and a page that runs one example. regl is
 * CommonJS and is wrapped as a module.
 */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../..');
const SERVED_FOLDERS = ['/node_modules/', '/packages/webgl/examples/'];

const IMPORTS = {
  three: '/node_modules/three/build/three.module.js',
  'three/addons/': '/node_modules/three/examples/jsm/',
  '@babylonjs/core/': '/node_modules/@babylonjs/core/',
  regl: '/regl.mjs',
};

/**
 * Page that defines `renderExample`, which returns the canvas's texels as Base64, lowest row first.
 */
const PAGE = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script>
<canvas></canvas>
<script type="module">
  window.renderExample = async (address, widthPx, heightPx, frameIndex) => {
    const example = await import(address);
    const canvas = document.querySelector('canvas');
    canvas.width = widthPx;
    canvas.height = heightPx;
    const gl = canvas.getContext(example.contextName ?? 'webgl2', {
      antialias: false, preserveDrawingBuffer: true, stencil: true,
    });
    const draw = await example.main({ canvas, gl });
    for (let frame = 0; frame <= frameIndex; frame++) draw(frame);
    const texels = new Uint8Array(widthPx * heightPx * 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.readPixels(0, 0, widthPx, heightPx, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    const error = gl.getError();
    if (error !== 0) throw new Error('the context has error ' + error);
    let text = '';
    for (let at = 0; at < texels.length; at += 0x8000) {
      text += String.fromCharCode(...texels.subarray(at, at + 0x8000));
    }
    return btoa(text);
  };
</script>
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
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

async function readServed(path: string): Promise<string | Buffer> {
  if (path === '/') return PAGE;
  if (path === '/regl.mjs') {
    const source = await readFile(join(REPOSITORY, 'node_modules/regl/dist/regl.js'), 'utf8');
    return `const module = { exports: {} }; const exports = module.exports;\n${source}\nexport default module.exports;`;
  }
  const isServed = SERVED_FOLDERS.some((folder) => path.startsWith(folder));
  if (!isServed || normalize(path) !== path) throw new Error(`${path} is not served`);
  return readFile(join(REPOSITORY, path));
}

function typeOf(path: string): string {
  return path === '/' ? 'text/html' : 'text/javascript';
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
