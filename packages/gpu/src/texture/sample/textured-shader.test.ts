import type { SamplerState, TextureResource } from '@tessera/frame';
import { compileProgram } from '@tessera/shader';
import {
  generateKernel,
  instantiateKernel,
  primitiveStrideBytes,
  QUAD_RECORD,
  scratchBytes,
} from '@tessera/shader/codegen';
import { interpretFragmentStage } from '@tessera/shader/interpreter';
import { describe, expect, it } from 'vitest';
import { ReferenceTextureReader } from '../../testing/reference-texture-reader.ts';
import { samplingStateOf } from '../filter/sampling-state.ts';
import { decodeTexture } from '../layout/texel-levels.ts';
import { writeTextureDescriptors } from '../layout/texture-descriptor.ts';
import { TexturePool } from '../layout/texture-pool.ts';
import { SampleKernels } from './sample-kernel.ts';

const VERTEX_SOURCE = `#version 300 es
in vec2 a_position;
out vec2 v_uv;
void main() { v_uv = a_position; gl_Position = vec4(a_position, 0.0, 1.0); }`;

/**
 * Shader with every kind of lookup, some in a loop and in branches that the lanes of a quad take
 * differently.
 */
const FRAGMENT_SOURCE = `#version 300 es
precision highp float;
uniform sampler2D u_color;
uniform sampler2D u_detail;
in vec2 v_uv;
out vec4 o_color;
void main() {
  vec4 sum = texture(u_color, v_uv) + texture(u_color, v_uv * 3.0, 0.5);
  for (int i = 0; i < int(v_uv.x * 5.0); i++) {
    sum += textureLod(u_detail, v_uv * float(i + 1), float(i) * 0.7);
    if (fract(v_uv.y * 16.0) < 0.5) continue;
    sum += textureGrad(u_detail, v_uv, vec2(0.02, 0.0), vec2(0.0, 0.11));
  }
  ivec2 texel = ivec2(v_uv * vec2(textureSize(u_detail, 1)));
  o_color = 0.2 * sum + texelFetch(u_detail, texel, 1);
}`;

const SAMPLER: SamplerState = {
  wrapS: 'repeat',
  wrapT: 'mirrored-repeat',
  magFilter: 'linear',
  minFilter: 'linear',
  mipmapFilter: 'linear',
};

function makeTexture(format: 'rgba8unorm' | 'rgba8unorm-srgb', widthPx: number): TextureResource {
  const heightPx = 24;
  const texels = Uint8Array.from(
    { length: widthPx * heightPx * 4 },
    (_, i) => (i * 73 + (i >> 5)) & 255,
  );
  return { sha256: format, format, widthPx, heightPx, levels: [texels], isMipmapGenerated: true };
}

const QUADS_PTR = 16;
const TEXTURES_PTR = 65_536;
const POOL_PTR = 2 * 65_536;
const QUAD_COUNT = 64;

describe('a textured shader', () => {
  it('gives the same bits by kernel and sample kernels as by interpreter and reference reader', () => {
    const { fragment, samplers } = compileProgram({
      vertexSource: VERTEX_SOURCE,
      fragmentSource: FRAGMENT_SOURCE,
    });
    const textures = samplers.map(({ name }) =>
      name === 'u_color' ? makeTexture('rgba8unorm-srgb', 37) : makeTexture('rgba8unorm', 32),
    );
    const memory = new WebAssembly.Memory({ initial: 32 });
    const words = new Int32Array(memory.buffer);
    const floats = new Float32Array(memory.buffer);
    const primitivesPtr = QUADS_PTR + QUAD_COUNT * QUAD_RECORD.bytes;
    const outputPtr = primitivesPtr + primitiveStrideBytes(fragment);
    const outputWords = QUAD_COUNT * fragment.outputSlots.length * 4;
    const scratchPtr = outputPtr + outputWords * 4;
    expect(scratchPtr + scratchBytes(fragment)).toBeLessThan(TEXTURES_PTR);

    for (let quad = 0; quad < QUAD_COUNT; quad++) {
      words.set([(quad % 8) * 2, (quad >> 3) * 2, 15, 0], QUADS_PTR / 4 + quad * 4);
    }
    // Origin at the first pixel, 1/w decreasing to the right, one plane per varying component: u
    // and v.
    const primitive = primitivesPtr / 4;
    floats.set([0.5, 0.5, 0, 16], primitive);
    floats.set([1, -0.01, 0.003, 0], primitive + 4);
    fragment.inputSlots.forEach((_slot, j) => {
      floats.set(j === 0 ? [-0.2, 0.09, 0.01, 0] : [1.4, 0.02, -0.07, 0], primitive + 16 + 4 * j);
    });

    const pool = new TexturePool(memory, POOL_PTR, memory.buffer.byteLength - POOL_PTR);
    writeTextureDescriptors(memory, TEXTURES_PTR, pool.placeFrame(textures));
    const states = textures.map(({ format }) => samplingStateOf(format, SAMPLER));
    const oracleMemory = memory.buffer.slice(0);

    const call = { constantsPtr: 0, outputPtr, instructionBudget: 100_000 };
    const status = interpretFragmentStage(fragment, {
      ...call,
      memory: oracleMemory,
      quadsPtr: QUADS_PTR,
      quadCount: QUAD_COUNT,
      primitivesPtr,
      textures: new ReferenceTextureReader(
        textures.map((texture, slot) => ({
          texture: decodeTexture(texture),
          state: states[slot]!,
        })),
      ),
    });
    const run = instantiateKernel(
      generateKernel(fragment, { ...call, textures: new SampleKernels(states) }),
      memory,
    );
    expect(run(QUADS_PTR, QUAD_COUNT, primitivesPtr, outputPtr, 0, TEXTURES_PTR, scratchPtr)).toBe(
      status,
    );
    expect(status).toBe(0);
    const outputs = words.slice(outputPtr / 4, outputPtr / 4 + outputWords);
    expect(new Set(outputs).size).toBeGreaterThan(200);
    expect(outputs).toEqual(new Int32Array(oracleMemory, outputPtr, outputWords));
  });
});
