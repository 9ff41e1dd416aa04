/**
 * Example frames of `npm start`: a model, a capture of an OpenGL program and a WebGL program of
 * three.js. They carry the tag `example`, which the first page of the dashboard shows.
 */
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';

/** Input of a frame. */
export interface Example {
  readonly name: string;
  readonly mediaType: string;
  /** Options of the frame in addition to those of all examples. */
  readonly query: string;
  readonly make: () => Promise<Uint8Array>;
}

/**
 * Native frame of packages/webgl/examples/three-phong.mjs, because running the program needs
 * three.js. `node scripts/generate/generate-example-frame.ts` writes it.
 */
export const THREE_FRAME_FILE = new URL('three-phong.msgpack.gz', import.meta.url);

/** Examples, the fastest first. Modules are imported on use. */
export const EXAMPLES: readonly Example[] = [
  {
    name: 'Knot (glTF model)',
    mediaType: 'model/gltf-binary',
    query: 'width=960&height=540',
    make: async () => (await import('./knot-model.ts')).makeKnotModel(),
  },
  {
    name: 'Spheres (OpenGL capture)',
    mediaType: 'application/vnd.apitrace',
    query: '',
    make: async () => (await import('./spheres-capture.ts')).makeSpheresCapture(),
  },
  {
    name: 'Shadows (three.js)',
    mediaType: 'application/vnd.tessera.frame+msgpack',
    query: '',
    make: async () => gunzipSync(await readFile(THREE_FRAME_FILE)),
  },
];
