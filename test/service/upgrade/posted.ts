/** Requests and answers that the maker of old data folders and their test share. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptureWriter } from '@tessera/gl/capture-writer';

/** Model of most frames. */
export const MODEL = readFileSync(
  join(import.meta.dirname, '../../golden/models/BoxVertexColors.glb'),
);
/** Query of the frame that was posted with {@link KEY}; the other frames of the model extend it. */
export const MODEL_QUERY = '?width=96&height=64&bins=4&chiplets=2';
/** `Idempotency-Key` of the first frame. */
export const KEY = 'the first frame';

const CORNERS = new Uint8Array(Float32Array.of(-1, -1, 1, -1, 0, 1).buffer);
const CORNERS_SHA256 = createHash('sha256').update(CORNERS).digest('hex');

/** Vertex buffer that is stored as a resource, and the native frame that names it. */
export const RESOURCE = {
  bytes: CORNERS,
  sha256: CORNERS_SHA256,
  frame: JSON.stringify({
    widthPx: 48,
    heightPx: 32,
    buffers: [{ sha256: CORNERS_SHA256 }],
    programs: [
      {
        vertexSource: 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }',
        fragmentSource: 'void main() { gl_FragColor = vec4(0.0, 0.0, 1.0, 1.0); }',
      },
    ],
    passes: [
      {
        draws: [
          {
            programIndex: 0,
            count: 3,
            attributes: {
              at: { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 },
            },
          },
        ],
      },
    ],
  }),
};

/** Returns the capture of a program that clears its window, 48 by 32 pixels, in two colors. */
export function smallCapture(): Uint8Array {
  const swap = { dpy: 1, drawable: 7 };
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: 48, height: 32 }, null, 1)
    .call('glClearColor', { red: 1, green: 0, blue: 0, alpha: 1 })
    .call('glClear', { mask: 0x4000 })
    .call('glXSwapBuffers', swap)
    .call('glClearColor', { red: 0, green: 1, blue: 0, alpha: 1 })
    .call('glClear', { mask: 0x4000 })
    .call('glXSwapBuffers', swap)
    .finish();
}

/** Frame in the list of a version: the fields that every version has. */
export interface FrameStatus {
  readonly id: string;
  readonly status: string;
  readonly submittedAt: string;
  /** File name or media type, and size. */
  readonly model: string;
  readonly warnings: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Frame as a version served it. */
export interface ServedFrame extends FrameStatus {
  /** SHA-256 of the PNG file; null if the frame is not done. */
  readonly imageSha256: string | null;
  /** SHA-256 of the report's JSON text; null if the frame is not done. */
  readonly reportSha256: string | null;
}

/** Study as a version served it. */
export interface ServedStudy {
  readonly id: string;
  readonly status: string;
  readonly submittedAt: string;
  /** Its rows as a CSV file. */
  readonly csv: string;
}

/** Content of `served.json`. */
export interface Served {
  /** In the order of the list: newest first. */
  readonly frames: readonly ServedFrame[];
  readonly finishedStudy: ServedStudy;
  readonly cancelledStudy: ServedStudy;
  readonly unfinishedStudy: ServedStudy;
  /** Ids of the first frame, which has {@link KEY}, and of two that were unfinished. */
  readonly keyed: string;
  readonly running: string;
  readonly queued: string;
}
