/** Captures of OpenGL programs: container, stream of calls, replay. Small frames are rendered. */
import { gzipSync } from 'node:zlib';
import { reflectByCompiling } from '@tessera/gl';
import {
  DEFAULT_CAPTURE_LIMITS,
  readCallStream,
  readCalls,
  replayFrame,
  replayFrameStream,
} from '@tessera/gl/apitrace';
import { inChunks } from '@tessera/gl/capture-writer';
import { LocalGpu } from '@tessera/local-gpu';
import { mutateBytes } from '../mutate/mutate-bytes.ts';
import { decompressOrNull, mutateCalls, packSnappy } from '../mutate/mutate-calls.ts';
import { writeFixedStream, writeObjectsStream, writeProgramStream } from './capture-seeds.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { refusalCode } from './refusals.ts';
import { prepareAsService, renderSmall } from './render-accepted.ts';

const MAX_BYTES = 16 * 2 ** 20;
const LIMITS = { ...DEFAULT_CAPTURE_LIMITS, maxDecompressedBytes: MAX_BYTES };

/** Number of inputs per input that arrives in pieces, chosen by length. */
const STREAMED_OF = 2;
const CHUNK_BYTES = 97;

/** Makes the kind with its undamaged captures. */
export async function captureKind(): Promise<FuzzKind> {
  const gpu = new LocalGpu({ chipletCount: 1 });
  const reflection = reflectByCompiling(gpu.programs);
  return {
    seeds: [writeProgramStream(), writeFixedStream(), writeObjectsStream()].flatMap((stream) => [
      gzipSync(stream),
      packSnappy(stream),
    ]),
    mutate: (input, other, random) => {
      const stream = decompressOrNull(input, MAX_BYTES);
      // Usually damages the contents of the container, because damaged compressed bytes are usually
      // rejected at once.
      if (stream === null || random.integer(0, 7) === 0) return mutateBytes(input, other, random);
      const otherStream = decompressOrNull(other, MAX_BYTES) ?? stream;
      const damaged =
        random.integer(0, 2) === 0
          ? mutateBytes(stream, otherStream, random)
          : mutateCalls(stream, otherStream, random, LIMITS);
      return random.integer(0, 3) === 0 ? packSnappy(damaged) : gzipSync(damaged, { level: 1 });
    },
    follow: async (input) => {
      try {
        const options = { reflection, frame: 0, maxBytes: MAX_BYTES };
        const { frame } =
          input.length % STREAMED_OF === 0
            ? await replayFrameStream(readCallStream(inChunks(input, CHUNK_BYTES), LIMITS), options)
            : replayFrame(readCalls(input, LIMITS), options);
        return (await renderSmall(frame, input, gpu)) ? 'rendered' : prepareAsService(frame, gpu);
      } catch (error) {
        return refusalCode(error);
      }
    },
  };
}
