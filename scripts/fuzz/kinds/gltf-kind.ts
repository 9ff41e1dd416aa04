/** glTF models: the JSON as a value, its text, the container and the binary chunk. */
import { importGltf } from '@tessera/scenes';
import { packGlb } from '@tessera/scenes/model-writer';
import { mutateBytes } from '../mutate/mutate-bytes.ts';
import { mutateJson } from '../mutate/mutate-json.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { makeGltfSeeds } from './gltf-seeds.ts';
import { refusalCode } from './refusals.ts';

const GLB_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const BRACE = 0x7b;
const decoder = new TextDecoder();

/** Makes the kind with its undamaged models. */
export async function gltfKind(): Promise<FuzzKind> {
  const size = { widthPx: 32, heightPx: 16 };
  return {
    seeds: await makeGltfSeeds(),
    mutate: (input, other, random) => {
      if (random.integer(0, 4) === 0) return mutateBytes(input, other, random);
      const otherJson = takeApart(other)?.json ?? other;
      if (isText(input)) return mutateJson(input, otherJson, random);
      const parts = takeApart(input);
      if (parts === null) return mutateBytes(input, other, random);
      const { json, binary } = parts;
      if (binary.length > 0 && random.integer(0, 2) === 0) {
        return packGlb(
          decoder.decode(json),
          mutateBytes(binary, takeApart(other)?.binary ?? other, random),
        );
      }
      return packGlb(decoder.decode(mutateJson(json, otherJson, random)), binary);
    },
    follow: async (input) => {
      try {
        const source = isText(input)
          ? ({ kind: 'gltf', json: input } as const)
          : ({ kind: 'glb', bytes: input } as const);
        await importGltf(source, { ...size, timeSeconds: 0.5 });
        return 'imported';
      } catch (error) {
        return refusalCode(error);
      }
    },
  };
}

/** Whether an input is the JSON of a .gltf. */
function isText(input: Uint8Array): boolean {
  return input[0] === BRACE;
}

/** Returns the chunks of a .glb, or null. */
function takeApart(
  input: Uint8Array,
): { readonly json: Uint8Array; readonly binary: Uint8Array } | null {
  const start = GLB_HEADER_BYTES + CHUNK_HEADER_BYTES;
  if (isText(input) || input.length < start) return null;
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const end = start + view.getUint32(GLB_HEADER_BYTES, true);
  return { json: input.subarray(start, end), binary: input.subarray(end + CHUNK_HEADER_BYTES) };
}
