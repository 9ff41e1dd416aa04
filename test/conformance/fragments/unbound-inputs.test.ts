/**
 * Inputs that a shader reads but a draw does not provide: samplers, attributes, uniforms, varyings.
 */
import { describe, it } from 'vitest';
import {
  drawScene,
  makeTexture,
  type Rgba,
  rectangle,
  type SceneDraw,
} from '../scene/draw-scene.ts';
import { expectPixels } from '../scene/expect-pixels.ts';
import { NEAREST } from '../textures/textured-quad.ts';

const SIZE = { widthPx: 16, heightPx: 16 };

const attributeShader = (type: string) => `#version 300 es
in vec4 position;
in ${type} given;
out vec4 shade;
void main() { gl_Position = position; shade = vec4(given); }`;
const SHADE = `#version 300 es
precision highp float;
in vec4 shade;
out vec4 result;
void main() { result = shade; }`;
const shows = (body: string, declarations = '') => `#version 300 es
precision highp float;
precision highp int;
${declarations}
out vec4 result;
void main() { result = ${body}; }`;

async function expectColor(draw: Partial<SceneDraw>, color: Rgba): Promise<void> {
  const draws = [{ positions: rectangle(0, 0, 16, 16), ...draw }];
  expectPixels(await drawScene({ ...SIZE, draws }), () => color);
}

describe('unbound inputs', () => {
  it('an attribute that is given is read (control)', async () => {
    const attributes = { given: { kind: 'constant', value: [1, 0.2, 0.4, 0.6] } } as const;
    const vertexSource = attributeShader('vec4');
    await expectColor({ vertexSource, fragmentSource: SHADE, attributes }, [255, 51, 102, 153]);
  });

  it.each(['vec4', 'ivec4', 'uvec4'])(
    'a missing attribute of type %s is 0, 0, 0, 1',
    async (type) => {
      const draw = { vertexSource: attributeShader(type), fragmentSource: SHADE };
      await expectColor(draw, [0, 0, 0, 255]);
    },
  );

  it.each(['texture(image, vec2(0.3))', 'textureLod(image, vec2(7.0), 2.0)'])(
    '%s without a texture is opaque black',
    async (lookUp) => {
      const fragmentSource = shows(lookUp, 'uniform sampler2D image;');
      await expectColor({ fragmentSource }, [0, 0, 0, 255]);
    },
  );

  it('leaves the samplers next to it alone', async () => {
    const texels = Uint8Array.of(10, 20, 30, 40);
    const size = { widthPx: 1, heightPx: 1 };
    const textures = [
      makeTexture({ ...size, format: 'rgba8unorm', levels: [texels], isMipmapGenerated: false }),
    ];
    const fragmentSource = shows(
      'gl_FragCoord.x < 8.0 ? texture(first, vec2(0.5)) : texture(second, vec2(0.5))',
      'uniform sampler2D first; uniform sampler2D second;',
    );
    const draws = [
      {
        positions: rectangle(0, 0, 16, 16),
        fragmentSource,
        textures: { second: { textureIndex: 0, sampler: NEAREST } },
      },
    ];
    const image = await drawScene({ ...SIZE, textures, draws });
    expectPixels(image, (x) => (x < 8 ? [0, 0, 0, 255] : [10, 20, 30, 40]));
  });

  it.each([
    { declarations: 'uniform vec4 missing;', body: 'missing + vec4(0, 0, 0.2, 1)' },
    { declarations: 'uniform ivec4 missing;', body: 'vec4(missing) + vec4(0, 0, 0.2, 1)' },
    { declarations: 'uniform bool missing;', body: 'missing ? vec4(1) : vec4(0, 0, 0.2, 1)' },
    { declarations: 'uniform mat4 missing;', body: 'missing * vec4(1) + vec4(0, 0, 0.2, 1)' },
    { declarations: 'uniform vec4 missing[3];', body: 'missing[2] + vec4(0, 0, 0.2, 1)' },
  ])('a missing uniform is 0: $declarations', async ({ declarations, body }) => {
    await expectColor({ fragmentSource: shows(body, declarations) }, [0, 0, 51, 255]);
  });

  it('attributes and uniforms that no shader reads do no harm', async () => {
    const attributes = { unused: { floats: [1, 2, 3, 4, 5, 6], componentCount: 1 } };
    await expectColor({ attributes, uniforms: { nowhere: [1, 2, 3] } }, [255, 255, 255, 255]);
  });
});
