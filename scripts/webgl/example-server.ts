/**
 * Server that delivers the examples of packages/webgl to a browser on a loopback port: each example
 * with its libraries in one module, and a page that runs one example.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const REPOSITORY = join(import.meta.dirname, '../..');
const EXAMPLE = /^\/packages\/webgl\/examples\/[a-z-]+\.mjs$/;

/**
 * Page that defines `renderExample`, which returns the canvas's texels as Base64, lowest row first.
 */
const PAGE = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<canvas></canvas>
<script type="module">
  window.renderExample = async (address, widthPx, heightPx, frameIndex) => {
    const example = await import(address);
    const canvas = document.querySelector('canvas');
    canvas.width = widthPx;
    canvas.height = heightPx;
    const gl = canvas.getContext(example.contextName ?? 'webgl2', {
      preserveDrawingBuffer: true, stencil: true, ...example.contextAttributes,
    });
    const draw = (await example.main({ canvas, gl })) ?? (() => new Promise(requestAnimationFrame));
    for (let frame = 0; frame <= frameIndex; frame++) await draw(frame);
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
      (error) => response.writeHead(404).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => closeServer(server) };
}

async function readServed(path: string): Promise<string> {
  if (path === '/') return PAGE;
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
  return path === '/' ? 'text/html' : 'text/javascript';
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
