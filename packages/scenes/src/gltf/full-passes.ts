/**
 * Passes of a model in full quality: what is behind transmitting surfaces, then the screen with
 * background, opaque, transmitting and blended surfaces.
 */
import type { Draw, Pass, PassClear, TextureBinding, UniformValue } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import {
  ALL_LEVELS,
  addCoveringPass,
  coveringDraw,
  ONE_LEVEL,
  oneLevelOf,
  within,
} from '../lighting/covering-pass.ts';
import { coveringProgram } from '../lighting/cube-shaders.ts';
import { addEnvironmentPasses } from '../lighting/environment-frame.ts';
import { invertMatrix } from '../math/matrix.ts';
import { findBehindRegion } from './behind-region.ts';
import { addGroundShadow, type GroundShadow, groundDraw } from './ground-shadow.ts';
import type { ModelLook } from './model-look.ts';
import type { PunctualLights } from './punctual-lights.ts';
import { addScreenOcclusion, type ScreenOcclusion } from './screen-occlusion.ts';
import { writeDisplayColor } from './shaders/physical/tone-mapping.ts';
import { surfaceProgram } from './shaders/surface-program.ts';
import { addShadowPasses } from './shadow-passes.ts';
import { clipUniforms, type SurfaceDraw } from './surface-draws.ts';
import { rotationOf, type View } from './view.ts';

/** Draws of a model by the order in which they are made. */
export interface OrderedDraws {
  /** Surfaces that hide what is behind them, in the order of the model. */
  readonly opaque: readonly SurfaceDraw[];
  /** Transmitting surfaces, from the farthest to the nearest. */
  readonly transmitting: readonly SurfaceDraw[];
  /** Blended surfaces, from the farthest to the nearest. */
  readonly blended: readonly SurfaceDraw[];
}

/** Size of the image, camera, look and lights of a frame. */
export interface FullFrame {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly view: View;
  readonly look: ModelLook;
  readonly lights: PunctualLights;
}

/** Adds all passes to the builder. Returns the clear of its last one, that to the screen. */
export function addFullPasses(
  builder: FrameBuilder,
  draws: OrderedDraws,
  frame: FullFrame,
): PassClear {
  const { look, lights } = frame;

  // 1. Draw the shadow maps of the lights, and what surfaces hide from each other.
  const shadows = look.hasShadows
    ? addShadowPasses(builder, draws.opaque, lights.lights)
    : { uniforms: {}, textures: {} };
  const occlusion = look.hasScreenOcclusion
    ? addScreenOcclusion(builder, draws.opaque, frame.view, frame)
    : null;
  const light = {
    occlusion,
    textures: { ...bindEnvironment(builder, look), ...shadows.textures },
    uniforms: { ...lights.uniforms, ...shadows.uniforms },
  };
  const drawer = new SurfaceDrawer(builder, frame, light);
  const ground = look.hasGroundShadow ? addGround(builder, draws) : null;

  // 2. Draw what is behind transmitting surfaces, as linear radiance, with smaller levels.
  const behind =
    draws.transmitting.length === 0 ? null : addBehindPasses(builder, draws, ground, frame, drawer);

  // 3. Draw the screen.
  if (look.background.kind === 'environment') {
    builder.addDraw(backgroundDraw(builder, frame, light.textures, 'display'));
  }
  for (const draw of draws.opaque) builder.addDraw(drawer.draw(draw, 'display'));
  if (ground !== null) builder.addDraw(groundDraw(builder, ground, frame.view, 'display', frame));
  for (const draw of draws.transmitting) builder.addDraw(drawer.draw(draw, 'display', behind));
  for (const draw of draws.blended.flatMap(sidesOf)) builder.addDraw(drawer.draw(draw, 'display'));
  return { color: clearColor(look, 'display'), depth: 1, stencil: 0 };
}

function addGround(builder: FrameBuilder, draws: OrderedDraws): GroundShadow | null {
  const casters = [...draws.opaque, ...draws.transmitting];
  const lowest = Math.min(...[...casters, ...draws.blended].map((draw) => draw.lowest()));
  return addGroundShadow(builder, casters, lowest);
}

/** Returns the background as encoded color or as linear radiance. */
function clearColor(
  { background }: ModelLook,
  output: 'display' | 'radiance',
): [number, number, number, number] {
  if (background.kind !== 'color') return [0, 0, 0, 0];
  const [r, g, b] = output === 'display' ? background.rgb : background.rgb.map(decodeSrgb);
  return [r!, g!, b!, 1];
}

function decodeSrgb(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Textures that lit surfaces read the environment from. */
type EnvironmentTextures = Readonly<Record<'u_environment' | 'u_reflectance', TextureBinding>>;

/** Shader inputs of lit surfaces: environment, lights, shadows, occlusion. */
interface LightInputs {
  readonly textures: EnvironmentTextures & Readonly<Record<string, TextureBinding>>;
  readonly uniforms: Readonly<Record<string, UniformValue>>;
  /** Inputs of the surfaces that the screen occludes. */
  readonly occlusion: ScreenOcclusion | null;
}

function bindEnvironment(builder: FrameBuilder, { environment }: ModelLook): EnvironmentTextures {
  const { radianceIndex, reflectanceIndex } =
    environment.kind === 'source'
      ? addEnvironmentPasses(builder, environment.source)
      : {
          radianceIndex: builder.addMadeTexture(environment.environment.radiance),
          reflectanceIndex: builder.addMadeTexture(environment.environment.reflectance),
        };
  return {
    u_environment: { textureIndex: radianceIndex, sampler: ALL_LEVELS },
    u_reflectance: { textureIndex: reflectanceIndex, sampler: ONE_LEVEL },
  };
}

/** Image of what is behind transmitting surfaces. */
interface BehindImage {
  readonly binding: TextureBinding;
  readonly lastLevel: number;
}

/** Completes draws of surfaces with the camera and the light. */
class SurfaceDrawer {
  readonly #builder: FrameBuilder;
  readonly #frame: FullFrame;
  readonly light: LightInputs;
  readonly #litUniforms: Readonly<Record<string, UniformValue>>;
  readonly #worldToClip: Float32Array;

  constructor(builder: FrameBuilder, frame: FullFrame, light: LightInputs) {
    const { view } = frame;
    this.#builder = builder;
    this.#frame = frame;
    this.light = light;
    this.#worldToClip = Float32Array.from(view.viewProjection);
    this.#litUniforms = {
      u_viewer: Float32Array.from(view.viewer),
      u_worldToView: rotationOf(view.viewMatrix),
      ...light.uniforms,
    };
  }

  draw(
    { draw, features, isUnlit, toWorld }: SurfaceDraw,
    output: 'display' | 'radiance',
    behind: BehindImage | null = null,
  ): Draw {
    const { view, look } = this.#frame;
    const full = features.full && { ...features.full, output };
    const occlusion = full?.isScreenOccluded ? this.light.occlusion : null;
    return {
      ...draw,
      programIndex:
        output === 'display'
          ? draw.programIndex
          : this.#builder.addProgram(surfaceProgram({ ...features, full })),
      uniforms: {
        ...draw.uniforms,
        ...clipUniforms(view.viewProjection, toWorld),
        ...(isUnlit ? {} : this.#litUniforms),
        ...occlusion?.uniforms,
        ...(isUnlit || output === 'radiance' ? {} : { u_exposure: [look.exposure] }),
        ...(behind === null
          ? {}
          : { u_worldToClip: this.#worldToClip, u_lastBehind: [behind.lastLevel] }),
      },
      textures: {
        ...draw.textures,
        ...(isUnlit ? {} : this.light.textures),
        ...occlusion?.textures,
        ...(behind === null ? {} : { u_behind: behind.binding }),
      },
    };
  }
}

/** Returns a blended draw of each side that is visible: the far sides first. */
function sidesOf(surface: SurfaceDraw): SurfaceDraw[] {
  if (!surface.isDoubleSided) return [surface];
  return (['front', 'back'] as const).map((cullMode) => ({
    ...surface,
    draw: { ...surface.draw, state: { ...surface.draw.state, cullMode } },
  }));
}

const HALVE_GLSL = `
uniform sampler2D u_larger;
uniform vec2 u_sizePx;
out vec4 o_color;

void main() {
  o_color = textureLod(u_larger, gl_FragCoord.xy / u_sizePx, 0.0);
}
`;

function addBehindPasses(
  builder: FrameBuilder,
  { opaque, transmitting }: OrderedDraws,
  ground: GroundShadow | null,
  frame: FullFrame,
  drawer: SurfaceDrawer,
): BehindImage {
  const size = { widthPx: frame.widthPx, heightPx: frame.heightPx };
  const region = findBehindRegion(transmitting, frame.view.viewProjection, size);
  const levelCount = region.length;
  const color = { format: 'rgba16float', ...size, levelCount } as const;
  const textureIndex = builder.addTarget(color);
  const draws = opaque.map((draw) => drawer.draw(draw, 'radiance'));
  const { look } = frame;
  if (look.background.kind === 'environment') {
    draws.unshift(backgroundDraw(builder, frame, drawer.light.textures, 'radiance'));
  }
  if (ground !== null) draws.push(groundDraw(builder, ground, frame.view, 'radiance', size));
  builder.addPass({
    // Its depth is that of the color, which nothing reads and chiplets need not store.
    target: { kind: 'texture', textureIndex },
    clear: { color: clearColor(look, 'radiance'), depth: 1, stencil: 0 },
    draws: draws.map((draw) => within(draw, region[0]!)),
  } satisfies Pass);
  for (let level = 1; level < levelCount; level++) {
    const sizePx = [Math.max(1, size.widthPx >> level), Math.max(1, size.heightPx >> level)];
    const inputs = {
      uniforms: { u_sizePx: sizePx },
      textures: { u_larger: oneLevelOf(textureIndex, level - 1) },
    };
    const image = { textureIndex, level };
    addCoveringPass(builder, color, image, coveringProgram(HALVE_GLSL), inputs, region[level]);
  }
  return { binding: { textureIndex, sampler: ALL_LEVELS }, lastLevel: levelCount - 1 };
}

/** Returns the fragment shader of the environment as background. */
function writeBackground(look: ModelLook, output: 'display' | 'radiance'): string {
  const shown = output === 'display' ? 'displayColor(radiance)' : 'radiance';
  return `
uniform samplerCube u_environment;
uniform mat4 u_clipToWorld;
uniform vec2 u_sizePx;
out vec4 o_color;
${output === 'display' ? writeDisplayColor(look.toneMapping) : ''}
void main() {
  vec2 at = gl_FragCoord.xy / u_sizePx * 2.0 - 1.0;
  vec4 near = u_clipToWorld * vec4(at, -1.0, 1.0);
  vec4 far = u_clipToWorld * vec4(at, 1.0, 1.0);
  vec3 radiance = textureLod(u_environment, far.xyz / far.w - near.xyz / near.w, 0.0).rgb;
  o_color = vec4(${shown}, 1.0);
}
`;
}

function backgroundDraw(
  builder: FrameBuilder,
  { widthPx, heightPx, view, look }: FullFrame,
  { u_environment }: EnvironmentTextures,
  output: 'display' | 'radiance',
): Draw {
  const program = coveringProgram(writeBackground(look, output));
  const uniforms = {
    u_clipToWorld: Float32Array.from(invertMatrix(view.viewProjection)),
    u_sizePx: [widthPx, heightPx],
    ...(output === 'display' ? { u_exposure: [look.exposure] } : {}),
  };
  return coveringDraw(
    builder,
    program,
    { uniforms, textures: { u_environment } },
    widthPx,
    heightPx,
  );
}
