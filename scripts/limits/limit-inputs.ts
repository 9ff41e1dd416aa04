/** Inputs at the limits of docs/limits.md, and the service that receives them. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Edge length of the largest image, in pixels. */
const LARGEST_EDGE_PX = 4096;
/** Smallest edge length with room for 1,024 coarse bins of whole fine bins. */
const MANY_BINS_EDGE_PX = 2048;
/** Smallest edge length with room for 256 coarse bins. */
const MIDDLE_EDGE_PX = 1024;
const MAX_BINS = 1024;
const MAX_CHIPLETS = 1024;
const POLL_MS = 100;
/** Number of buffers, slightly below the number of index blocks of a chiplet. */
const NAMED_BUFFERS = 4000;
const NAMED_TEXTURES = 1000;
/** Width of a texture with twelve small levels. */
const NAMED_TEXTURE_WIDTH_PX = 2048;
const PUTTERS = 32;
const FRAME_TYPE = 'application/json';
/** Six floats: a triangle that covers the target. */
const TRIANGLE = Buffer.from(new Float32Array([-1, -1, 3, -1, -1, 3]).buffer);
/** Shader that draws noise, which no encoder compresses. */
const NOISE = `precision highp float;
void main() {
  vec3 n = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * vec3(43758.5453, 22578.1459, 19642.349));
  gl_FragColor = vec4(n, 1.0);
}`;
const PLAIN = 'precision highp float; void main() { gl_FragColor = vec4(1.0, 0.5, 0.0, 1.0); }';

/** Ids of frames for the cases of routes. They are rendered before the measurement. */
export interface LimitFrames {
  /** Frame with the largest image, of noise. */
  readonly largest: string;
  /** Frame with the most coarse bins on the most chiplets, with cycles. */
  readonly widest: string;
  /** Frame with 256 coarse bins, with cycles, without coupling. */
  readonly middle: string;
  /** The same frame on chiplets that are coupled. */
  readonly coupled: string;
  /** Small frame of one bin, with cycles. */
  readonly small: string;
}

/** The service under test. */
export interface LimitService {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Time after which the service has closed the connections of clients that do not read, in
   * milliseconds.
   */
  readonly stalledForMs: number;
  readonly frames: LimitFrames;
}

type Asked = Pick<LimitService, 'url' | 'headers'>;

/** Renders the frames for the cases. */
export async function prepareFrames(service: Asked): Promise<LimitFrames> {
  const largestQuery = `timing=functional&bins=${MAX_BINS}&chiplets=4`;
  const widestQuery = `timing=cycle&coupling=none&bins=${MAX_BINS}&chiplets=${MAX_CHIPLETS}`;
  const middle = nativeFrame(MIDDLE_EDGE_PX, PLAIN);
  const middleQuery = 'bins=256&chiplets=4';
  return {
    largest: await postFrame(service, nativeFrame(LARGEST_EDGE_PX, NOISE), largestQuery),
    widest: await postFrame(service, nativeFrame(MANY_BINS_EDGE_PX, PLAIN), widestQuery),
    middle: await postFrame(service, middle, `${middleQuery}&coupling=none`),
    coupled: await postFrame(service, middle, `${middleQuery}&coupling=exact`),
    small: await postFrame(service, nativeFrame(64, PLAIN), 'timing=cycle&bins=1&chiplets=4'),
  };
}

function nativeFrame(edgePx: number, fragmentSource: string, others: object = {}): string {
  const at = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
  return JSON.stringify({
    widthPx: edgePx,
    heightPx: edgePx,
    buffers: [TRIANGLE.toString('base64')],
    programs: [
      {
        vertexSource: 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }',
        fragmentSource,
      },
    ],
    passes: [{ draws: [{ programIndex: 0, count: 3, attributes: { at } }] }],
    ...others,
  });
}

/**
 * Uploads almost as many resources as a frame may name, then returns a frame that names them: as
 * many buffers and textures as a chiplet accepts, and the levels of the textures.
 */
export async function frameOfResources(service: Asked): Promise<string> {
  let count = 0;
  const contents: Buffer[] = [];
  const nameNext = (bytes: number): { sha256: string } => {
    const content = Buffer.alloc(bytes);
    content.writeUInt32LE(++count);
    contents.push(content);
    return { sha256: createHash('sha256').update(content).digest('hex') };
  };
  const names = Array.from({ length: NAMED_BUFFERS }, () => nameNext(4));
  const textures = Array.from({ length: NAMED_TEXTURES }, () => ({
    format: 'rgba8unorm',
    widthPx: NAMED_TEXTURE_WIDTH_PX,
    heightPx: 1,
    levels: Array.from({ length: Math.log2(NAMED_TEXTURE_WIDTH_PX) + 1 }, (_, level) =>
      nameNext((4 * NAMED_TEXTURE_WIDTH_PX) >> level),
    ),
  }));
  const putNext = async () => {
    for (let content = contents.pop(); content !== undefined; content = contents.pop()) {
      const sha256 = createHash('sha256').update(content).digest('hex');
      const headers = { ...service.headers, 'Content-Type': 'application/octet-stream' };
      const path = `${service.url}/v1/resources/${sha256}`;
      await ask(fetch(path, { method: 'PUT', headers, body: new Uint8Array(content) }));
    }
  };
  await Promise.all(Array.from({ length: PUTTERS }, putNext));
  const buffers = [TRIANGLE.toString('base64'), ...names];
  return nativeFrame(64, PLAIN, { buffers, textures });
}

/** Posts a frame, waits until it is finished and returns its id. */
export async function postFrame(service: Asked, body: string, query: string): Promise<string> {
  const headers = { ...service.headers, 'Content-Type': FRAME_TYPE };
  const path = `${service.url}/v1/frames?${query}`;
  const { id } = (await ask(fetch(path, { method: 'POST', headers, body }))) as { id: string };
  await waitFor(service, `/v1/frames/${id}`);
  return id;
}

/** Posts JSON, or an empty body. */
export function post(service: Asked, path: string, body: object | null): Promise<unknown> {
  if (body === null)
    return ask(fetch(service.url + path, { method: 'POST', headers: service.headers }));
  const headers = { ...service.headers, 'Content-Type': FRAME_TYPE };
  return ask(fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/**
 * Sends a request and discards the answer's body while it arrives.
 *
 * @throws {Error} If the answer is a problem.
 */
export async function drain({ url, headers }: Asked, path: string, method = 'GET'): Promise<void> {
  const response = await fetch(url + path, { method, headers });
  for await (const _chunk of response.body ?? []);
  if (!response.ok) throw new Error(`${method} ${path}: status ${response.status}`);
}

/**
 * Waits until a frame, sequence or study is finished.
 *
 * @throws {Error} If it fails.
 */
export async function waitFor({ url, headers }: Asked, path: string): Promise<void> {
  for (;;) {
    const state = (await ask(fetch(url + path, { headers }))) as {
      status: string;
      error: { message: string } | null;
    };
    if (state.status === 'done') return;
    if (state.error !== null) throw new Error(`${path}: ${state.error.message}`);
    await sleep(POLL_MS);
  }
}

/**
 * Returns the parsed answer.
 *
 * @throws {Error} If the answer is a problem.
 */
async function ask(pending: Promise<Response>): Promise<unknown> {
  const response = await pending;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/** Opens connections that send a request and do not read the answer. */
export async function openStalledReaders(
  { url, headers }: Asked,
  path: string,
  count: number,
): Promise<Socket[]> {
  const { hostname, port, host } = new URL(url);
  const fields = Object.entries({ Host: host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const request = `GET ${path} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {}); // The service closes the connection, as expected.
      await once(socket, 'connect');
      socket.pause().write(request);
      return socket;
    }),
  );
}
