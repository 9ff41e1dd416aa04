/**
 * Frames in the native format as MessagePack and JSON. Small frames that are accepted are rendered.
 */

import { writeNativeFrame } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { texturedQuadFrame } from '@tessera/scenes';
import { decodeNativeFrame, parseNativeFrame } from '@tessera/wire/native-frame';
import { packValue } from '@tessera/wire/testing';
import { mutateBytes, withFirstByte } from '../mutate/mutate-bytes.ts';
import { mutateJson } from '../mutate/mutate-json.ts';
import { mutatePacked } from '../mutate/mutate-packed.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { FULL_FRAME, TRIANGLE } from './native-seeds.ts';
import { refusalCode } from './refusals.ts';
import { prepareAsService, renderSmall } from './render-accepted.ts';

const [MSGPACK, JSON_TEXT] = [0, 1];

/** Makes the kind with its undamaged frames. */
export async function nativeKind(): Promise<FuzzKind> {
  const size = { widthPx: 24, heightPx: 16 };
  const values = [writeNativeFrame(texturedQuadFrame(size)), TRIANGLE, FULL_FRAME];
  const gpu = new LocalGpu({ chipletCount: 1 });
  return {
    // The first byte states the format.
    seeds: values.flatMap((value) => [
      withFirstByte(MSGPACK, packValue(value)),
      withFirstByte(JSON_TEXT, toJson(value)),
    ]),
    mutate: (input, other, random) => {
      const [form, bytes, others] = [input[0] ?? 0, input.subarray(1), other.subarray(1)];
      if (random.integer(0, 2) === 0)
        return withFirstByte(form, mutateBytes(bytes, others, random));
      return withFirstByte(
        form,
        form === JSON_TEXT
          ? mutateJson(bytes, others, random)
          : mutatePacked(bytes, others, random, packValue),
      );
    },
    follow: async (input) => {
      try {
        const bytes = input.subarray(1);
        const frame = input[0] === JSON_TEXT ? parseNativeFrame(bytes) : decodeNativeFrame(bytes);
        return (await renderSmall(frame, input, gpu)) ? 'rendered' : prepareAsService(frame, gpu);
      } catch (error) {
        return refusalCode(error);
      }
    },
  };
}

/** Returns JSON as clients write it, with bytes in Base64. */
function toJson(value: unknown): Uint8Array {
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Uint8Array) return Buffer.from(part).toString('base64');
    return ArrayBuffer.isView(part) ? Array.from(part as Float32Array) : part;
  });
  return new TextEncoder().encode(text);
}
