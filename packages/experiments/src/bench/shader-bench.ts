/**
 * `npm run bench -- shader`: fragments per second of CPU time that a kernel and the SIMD
 * interpreter shade (Blinn-Phong with a bilinear fetch, 1280×720, without rasterization and
 * merging), and the time from GLSL to executable code.
 */
import {
  type IsaProgram,
  type ProgramSource,
  type SamplerState,
  type ShaderProgram,
  VARYING_SLOT,
} from '@tessera/frame';
import {
  SampleKernels,
  samplingStateOf,
  TexturePool,
  writeTextureDescriptors,
} from '@tessera/gpu/texture';
import { firstFrame, terrainFrame } from '@tessera/scenes';
import { compileProgram, summarizeProgram } from '@tessera/shader';
import {
  generateKernel,
  instantiateKernel,
  primitiveStrideBytes,
  QUAD_RECORD,
  scratchBytes,
} from '@tessera/shader/codegen';
import {
  compileSimdInterpreter,
  instantiateSimdInterpreter,
  interpreterScratchBytes,
  kernelTextureUnit,
  programImageBytes,
  writeProgramImage,
} from '@tessera/shader/simd-interpreter';
import { printMachine } from './machine.ts';
import { measureInterleaved } from './measure.ts';

const WIDTH_PX = 1280;
const HEIGHT_PX = 720;
const FRAGMENTS = WIDTH_PX * HEIGHT_PX;
/** Number of quads per call, as in the chiplet. */
const QUADS_PER_CALL = 4096;
const ROUNDS = 21;
const WARM_UP_ROUNDS = 6;
const INSTRUCTION_BUDGET = 2 ** 20;

const BLINN_PHONG: ProgramSource = {
  vertexSource: `#version 300 es
in vec3 a_position; in vec3 a_normal; in vec2 a_uv;
out vec3 v_position; out vec3 v_normal; out vec2 v_uv;
void main() {
  v_position = a_position; v_normal = a_normal; v_uv = a_uv;
  gl_Position = vec4(a_position, 1.0);
}`,
  fragmentSource: `#version 300 es
precision highp float;
uniform sampler2D u_texture;
uniform vec3 u_light; uniform vec3 u_eye; uniform vec3 u_specular; uniform float u_shininess;
in vec3 v_position; in vec3 v_normal; in vec2 v_uv;
out vec4 o_color;
void main() {
  vec3 normal = normalize(v_normal);
  vec3 light = normalize(u_light - v_position);
  vec3 halfway = normalize(light + normalize(u_eye - v_position));
  float diffuse = max(dot(normal, light), 0.0);
  float specular = pow(max(dot(normal, halfway), 1e-4), u_shininess);
  vec4 base = texture(u_texture, v_uv);
  o_color = vec4(base.rgb * (0.1 + diffuse) + u_specular * specular, base.a);
}`,
};

const BILINEAR: SamplerState = {
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'linear',
  minFilter: 'linear',
  mipmapFilter: 'none',
};

/** Byte addresses of the shading benchmark in the memory of its kernels. */
interface ShadingLayout {
  readonly constantsPtr: number;
  readonly texturesPtr: number;
  readonly primitivesPtr: number;
  readonly quadsPtr: number;
  readonly outputPtr: number;
  readonly scratchPtr: number;
  readonly programPtr: number;
  readonly interpreterScratchPtr: number;
  readonly poolPtr: number;
}

function layOutShading(fragment: IsaProgram, constantWords: number): ShadingLayout {
  const constantsPtr = 1024;
  const texturesPtr = 8192;
  const primitivesPtr = 65_536;
  const quadsPtr = 2 * 65_536;
  const outputPtr = quadsPtr + QUADS_PER_CALL * QUAD_RECORD.bytes;
  const scratchPtr = outputPtr + QUADS_PER_CALL * fragment.outputSlots.length * 16;
  const programPtr = Math.ceil((scratchPtr + scratchBytes(fragment)) / 64) * 64;
  const interpreterScratchPtr = programPtr + programImageBytes(fragment);
  const interpreterEnd = interpreterScratchPtr + interpreterScratchBytes(fragment);
  if (constantWords * 4 > texturesPtr - constantsPtr)
    throw new Error('bench: the constants do not fit before the textures');
  if (primitiveStrideBytes(fragment) > quadsPtr - primitivesPtr)
    throw new Error('bench: the primitive does not fit before the quads');
  return {
    constantsPtr,
    texturesPtr,
    primitivesPtr,
    quadsPtr,
    outputPtr,
    scratchPtr,
    programPtr,
    interpreterScratchPtr,
    poolPtr: Math.ceil(interpreterEnd / 64) * 64,
  };
}

/** Places a texture of 512×512 texels and returns the code that samples it. */
function placeTexture(memory: WebAssembly.Memory, layout: ShadingLayout): SampleKernels {
  const { texturesPtr, poolPtr } = layout;
  const edge = 512;
  const texels = Uint8Array.from({ length: edge * edge * 4 }, (_, i) => (i * 2654435761) >>> 24);
  const pool = new TexturePool(memory, poolPtr, memory.buffer.byteLength - poolPtr);
  const placed = pool.placeFrame([
    {
      sha256: 'bench',
      format: 'rgba8unorm',
      widthPx: edge,
      heightPx: edge,
      levels: [texels],
      isMipmapGenerated: false,
    },
  ]);
  writeTextureDescriptors(memory, texturesPtr, placed);
  return new SampleKernels([samplingStateOf('rgba8unorm', BILINEAR)]);
}

/** Writes a primitive that covers the screen in perspective: 1/w from 1 to 0.5. */
function writePrimitive(
  memory: WebAssembly.Memory,
  primitivesPtr: number,
  { fragment, varyings }: ShaderProgram,
): void {
  const floats = new Float32Array(memory.buffer);
  const primitive = primitivesPtr / 4;
  floats.set([0.5, 0.5], primitive);
  new Int32Array(memory.buffer)[primitive + 2] = 1;
  floats[primitive + 3] = HEIGHT_PX;
  floats.set([1, -0.2 / WIDTH_PX, -0.3 / HEIGHT_PX, 0], primitive + 4);
  floats.set([0.5, 0, 0, 0], primitive + 8);
  const uv = varyings.find(({ name }) => name === 'v_uv')!.firstComponent;
  fragment.inputSlots.forEach((slot, j) => {
    const isUv = slot === uv || slot === uv + 1;
    const plane = isUv
      ? [0, 2 / WIDTH_PX, 1.1 / HEIGHT_PX, 0]
      : [0.4, slot / WIDTH_PX, 0.5 / HEIGHT_PX, 0];
    floats.set(plane, primitive + 16 + 4 * j);
  });
  if (VARYING_SLOT + fragment.inputSlots.length < 8)
    throw new Error('bench: the shader inputs were optimized away');
}

/** Writes the screen's quads in runs of {@link QUADS_PER_CALL}, and shades each run. */
function shadeScreen(
  memory: WebAssembly.Memory,
  quadsPtr: number,
  shadeQuads: (count: number) => void,
): void {
  const words = new Int32Array(memory.buffer);
  const quadsPerRow = WIDTH_PX / 2;
  const quadCount = FRAGMENTS / 4;
  for (let first = 0; first < quadCount; first += QUADS_PER_CALL) {
    const count = Math.min(QUADS_PER_CALL, quadCount - first);
    for (let i = 0; i < count; i++) {
      const at = quadsPtr / 4 + i * 4;
      const x = (first + i) % quadsPerRow;
      words[at] = x * 2;
      words[at + 1] = ((first + i - x) / quadsPerRow) * 2;
      words[at + 2] = 15;
      words[at + 3] = 0;
    }
    shadeQuads(count);
  }
}

/** Returns one round of each executor: it shades every fragment of the screen once. */
function prepareShading(): { kernel: () => void; simdInterpreter: () => void } {
  const program = compileProgram(BLINN_PHONG);
  const { fragment, constantWords, uniforms } = program;
  const memory = new WebAssembly.Memory({ initial: 256 });
  const layout = layOutShading(fragment, constantWords);
  const { quadsPtr, primitivesPtr, outputPtr, constantsPtr, texturesPtr } = layout;
  const { programPtr, scratchPtr, interpreterScratchPtr } = layout;

  const floats = new Float32Array(memory.buffer);
  for (const { firstWord, rows } of uniforms) {
    for (let row = 0; row < rows; row++) floats[constantsPtr / 4 + firstWord + row] = 3 + row;
  }
  const textures = placeTexture(memory, layout);
  writePrimitive(memory, primitivesPtr, program);
  writeProgramImage(memory.buffer, programPtr, fragment, INSTRUCTION_BUDGET);

  const kernel = instantiateKernel(
    generateKernel(fragment, { textures, instructionBudget: INSTRUCTION_BUDGET }),
    memory,
  );
  const interpreter = instantiateSimdInterpreter(
    compileSimdInterpreter(),
    memory,
    kernelTextureUnit(memory, fragment, textures),
  );
  return {
    kernel: () =>
      shadeScreen(memory, quadsPtr, (count) =>
        kernel(quadsPtr, count, primitivesPtr, outputPtr, constantsPtr, texturesPtr, scratchPtr),
      ),
    simdInterpreter: () =>
      shadeScreen(memory, quadsPtr, (count) =>
        interpreter.runFragment(
          programPtr,
          quadsPtr,
          count,
          primitivesPtr,
          outputPtr,
          constantsPtr,
          texturesPtr,
          interpreterScratchPtr,
        ),
      ),
  };
}

/**
 * Returns a round that compiles GLSL to executable code, both stages. Each round has another text,
 * because the engine caches modules.
 */
function prepareCompiling(sources: readonly ProgramSource[]): () => void {
  const memory = new WebAssembly.Memory({ initial: 1 });
  let round = 0;
  return () => {
    round++;
    for (const { vertexSource, fragmentSource } of sources) {
      const tail = `\nfloat unlike${round}() { return ${round}.0; }\n`;
      const program = compileProgram({ vertexSource, fragmentSource: fragmentSource + tail });
      for (const stage of [program.vertex, program.positionOnly, program.fragment]) {
        const textures = new SampleKernels(
          program.samplers.map(() => samplingStateOf('rgba8unorm', BILINEAR)),
        );
        const options = { textures, instructionBudget: INSTRUCTION_BUDGET - round };
        instantiateKernel(generateKernel(stage, options), memory);
      }
    }
  };
}

/** Measures and prints. */
export async function runShaderBench(): Promise<void> {
  printMachine(`Tessera bench, shaders, ${WIDTH_PX}×${HEIGHT_PX}`);
  const size = { widthPx: WIDTH_PX, heightPx: HEIGHT_PX };
  const sources = [
    BLINN_PHONG,
    ...terrainFrame({ ...size, triangles: 2000 }).programs,
    ...firstFrame(size).programs,
  ];
  const { instructionCount } = summarizeProgram(compileProgram(BLINN_PHONG).fragment);
  const shade = prepareShading();
  const compile = prepareCompiling(sources);
  const { shading, interpreting, compiling } = await measureInterleaved(
    {
      shading: async () => shade.kernel(),
      interpreting: async () => shade.simdInterpreter(),
      compiling: async () => compile(),
    },
    ROUNDS,
    WARM_UP_ROUNDS,
  );
  const rate = (cpuMs: number) => (FRAGMENTS / cpuMs / 1000).toFixed(1);
  const screen = ({ medianCpuMs, minCpuMs }: typeof shading) =>
    `${medianCpuMs.toFixed(1)} ms median, ${minCpuMs.toFixed(1)} ms min of CPU time a screen = ` +
    `${rate(medianCpuMs)} (best ${rate(minCpuMs)}) Mfragments/s\n`;
  process.stdout.write(
    `Blinn-Phong with a bilinear fetch, ${instructionCount} instructions: ${screen(shading)}` +
      `the same in the SIMD interpreter, nothing compiled but the lookup: ${screen(interpreting)}` +
      `GLSL to running code, three stages a program, ${sources.length} programs: ` +
      `${(compiling.medianCpuMs / sources.length).toFixed(2)} ms median, ` +
      `${(compiling.minCpuMs / sources.length).toFixed(2)} ms min of CPU time a program\n`,
  );
}
