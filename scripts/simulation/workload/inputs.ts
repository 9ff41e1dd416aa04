/** Small inputs of every kind that the simulated clients post. */
import { createHash } from 'node:crypto';
import { CaptureWriter } from '@tessera/gl/capture-writer';

/** Body that a client posts. */
export interface Input {
  readonly name: string;
  readonly mediaType: string;
  readonly body: Buffer;
  /** Query that belongs to the body. */
  readonly query: string;
}

const EDGE_PX = 24;
const NATIVE_TYPE = 'application/json';
const VERTEX_SOURCE = 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }';
const ATTRIBUTE = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
const CORNERS = Buffer.from(Float32Array.of(-1, -1, 3, -1, -1, 3).buffer);

/** Content that clients store as resources and name in frames. */
export const RESOURCES: readonly Buffer[] = [0, 1, 2].map((number) =>
  Buffer.from(Float32Array.of(-1, -1, 2 + number, -1, -1, 2 + number).buffer),
);

/** Returns the SHA-256 of bytes in hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function native(name: string, fragmentSource: string, buffer: unknown): Input {
  const frame = {
    widthPx: EDGE_PX,
    heightPx: EDGE_PX,
    buffers: [buffer],
    programs: [{ vertexSource: VERTEX_SOURCE, fragmentSource }],
    passes: [{ draws: [{ programIndex: 0, count: 3, attributes: { at: ATTRIBUTE } }] }],
  };
  return { name, mediaType: NATIVE_TYPE, body: Buffer.from(JSON.stringify(frame)), query: '' };
}

const inline = CORNERS.toString('base64');
const RED = 'void main() { gl_FragColor = vec4(1.0, 0.25, 0.0, 1.0); }';
const RAMP = 'void main() { gl_FragColor = vec4(gl_FragCoord.xy / 24.0, 0.5, 1.0); }';

/** Frames that the service renders. */
export const INPUTS: readonly Input[] = [
  native('red', RED, inline),
  native('ramp', RAMP, inline),
  ...RESOURCES.map((bytes, number) =>
    native(`resource ${number}`, RAMP, { sha256: sha256Of(bytes) }),
  ),
  {
    name: 'capture',
    mediaType: 'application/vnd.apitrace',
    body: Buffer.from(captureOfClear()),
    query: '&frame=0',
  },
];

/** Frames that the service refuses, each for another reason. */
export const REFUSED: readonly Input[] = [
  native('broken shader', 'void main() { gl_FragColor = vec3(1.0); }', inline),
  { ...native('no JSON', RED, inline), body: Buffer.from('{"widthPx": 3,') },
  { ...native('no capture', RED, inline), mediaType: 'application/vnd.apitrace' },
];

/** Whether a frame names a resource, which a client must have stored before. */
export function resourceOf({ name }: Input): Buffer | null {
  const number = /^resource (\d)$/.exec(name)?.[1];
  return number === undefined ? null : RESOURCES[Number(number)]!;
}

function captureOfClear(): Uint8Array {
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: EDGE_PX, height: EDGE_PX }, null, 1)
    .call('glClear', { mask: 0x4000 })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .finish();
}
