/** Small bodies of every kind that `POST /v1/frames` accepts, and some that it refuses. */
import { createHash } from 'node:crypto';
import { cubeFrame, texturedQuadFrame } from '@tessera/scenes';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { encodeNativeFrame } from '@tessera/wire/native-frame';
import {
  nativeTriangle,
  TRIANGLE_CORNERS,
} from '../../../services/coordinator/src/testing/native-triangle.ts';
import { writeCapture } from '../../chaos/mixed-frames.ts';

/** Body of a post. */
export interface Body {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array | string;
  /** Query that this kind of body needs. */
  readonly query: string;
  /** Contents of the resources that the body names. */
  readonly resources?: readonly Buffer[];
  /** Error with which each post is refused, or with which each frame fails. */
  readonly expectedError?: string;
}

const SIZE = { widthPx: 48, heightPx: 36 };
const MODEL_SIZE = 'width=48&height=36';
const GLB_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const BOUNDARY = 'tessera-history-boundary';
const NATIVE = 'application/vnd.tessera.frame+msgpack';
const EDGE_PX = 32;
const GRADIENT = 'void main() { gl_FragColor = vec4(gl_FragCoord.xy / 32.0, 0.5, 1.0); }';
const LONG_LOOP = `precision highp float;
void main() {
  float sum = 0.0;
  for (int i = 0; i < 100000; i++) sum += sin(sum + gl_FragCoord.x);
  gl_FragColor = vec4(sum);
}`;

/** Hash under which content is a resource. */
export function sha256Of(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Makes the bodies. */
export async function makeBodies(): Promise<Body[]> {
  const glb = Buffer.from(await makeModelGlb());
  const { gltf, bin } = unpackGlb(glb);
  const inline = { ...gltf, buffers: [dataBuffer(bin)] };
  const inFiles = { ...gltf, buffers: [{ byteLength: bin.length, uri: 'model.bin' }] };
  const form = makeForm({ 'model.gltf': JSON.stringify(inFiles), 'model.bin': bin });
  const json = 'application/json';
  return [
    { name: 'glb', mediaType: 'model/gltf-binary', bytes: glb, query: MODEL_SIZE },
    {
      name: 'gltf',
      mediaType: 'model/gltf+json',
      bytes: JSON.stringify(inline),
      query: MODEL_SIZE,
    },
    {
      name: 'form',
      mediaType: `multipart/form-data; boundary=${BOUNDARY}`,
      bytes: form,
      query: MODEL_SIZE,
    },
    { name: 'capture', mediaType: 'application/vnd.apitrace', bytes: writeCapture(48), query: '' },
    { name: 'cube', mediaType: NATIVE, bytes: encodeNativeFrame(cubeFrame(SIZE)), query: '' },
    {
      name: 'quad',
      mediaType: NATIVE,
      bytes: encodeNativeFrame(texturedQuadFrame(SIZE)),
      query: '',
    },
    { name: 'json', mediaType: json, bytes: nativeTriangle(EDGE_PX, GRADIENT), query: '' },
    ...Array.from({ length: 4 }, (_, i) => namingBody(i)),
    {
      name: 'long loop',
      mediaType: json,
      bytes: nativeTriangle(EDGE_PX, LONG_LOOP),
      query: 'set=invocationInstructionBudget%3D2000',
      expectedError: 'SHADER_BUDGET_EXCEEDED',
    },
    {
      name: 'no shader',
      mediaType: json,
      bytes: nativeTriangle(EDGE_PX, 'no shader'),
      query: '',
      expectedError: 'SHADER_COMPILE_FAILED',
    },
    {
      name: 'no model',
      mediaType: 'model/gltf-binary',
      bytes: 'no model',
      query: MODEL_SIZE,
      expectedError: 'MODEL_INVALID',
    },
  ];
}

/** Returns a native frame that names its buffer and its fragment shader by hash. */
function namingBody(number: number): Body {
  const shader = Buffer.from(GRADIENT.replace('0.5', `${(number + 1) / 8}`));
  const buffer = Buffer.concat([TRIANGLE_CORNERS, Buffer.alloc(8, number)]);
  return {
    name: `resources ${number}`,
    mediaType: 'application/json',
    bytes: nativeTriangle(EDGE_PX, { sha256: sha256Of(shader) }, { sha256: sha256Of(buffer) }),
    query: '',
    resources: [buffer, shader],
  };
}

/** Returns the JSON and the binary chunk of a GLB file. */
function unpackGlb(glb: Buffer): { gltf: object; bin: Buffer } {
  const jsonBytes = glb.readUInt32LE(GLB_HEADER_BYTES);
  const jsonStart = GLB_HEADER_BYTES + CHUNK_HEADER_BYTES;
  const binStart = jsonStart + jsonBytes + CHUNK_HEADER_BYTES;
  const gltf = JSON.parse(glb.toString('utf8', jsonStart, jsonStart + jsonBytes)) as object;
  const binBytes = glb.readUInt32LE(jsonStart + jsonBytes);
  return { gltf, bin: glb.subarray(binStart, binStart + binBytes) };
}

function dataBuffer(bin: Buffer): object {
  const uri = `data:application/octet-stream;base64,${bin.toString('base64')}`;
  return { byteLength: bin.length, uri };
}

function makeForm(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
        'Content-Type: application/octet-stream\r\n\r\n',
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
