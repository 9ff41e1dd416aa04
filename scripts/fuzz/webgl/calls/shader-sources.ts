/**
 * Shaders of generated calls: pairs that link, pairs that do not, and sources that do not compile.
 */

/** Active uniform with the call that sets it, except for its location. */
interface Uniform {
  readonly name: string;
  readonly setter: string;
}

/** Vertex and fragment shader with their interface. */
export interface ShaderPair {
  /** Version of WebGL that the sources need. */
  readonly version: 1 | 2;
  readonly vertex: string;
  readonly fragment: string;
  readonly isLinkable: boolean;
  /** Attributes with the suffix of the pointer call that fits their type. */
  readonly attributes: readonly { readonly name: string; readonly isInteger: boolean }[];
  readonly uniforms: readonly Uniform[];
  readonly blocks: readonly string[];
  /** Outputs of the vertex shader that transform feedback can capture. */
  readonly varyings: readonly string[];
}

const FLOATS = (...names: string[]) => names.map((name) => ({ name, isInteger: false }));
const NOTHING: Pick<ShaderPair, 'attributes' | 'uniforms' | 'blocks' | 'varyings'> = {
  attributes: [],
  uniforms: [],
  blocks: [],
  varyings: [],
};

/** Pairs of shaders of both versions. */
export const PAIRS: readonly ShaderPair[] = [
  {
    ...NOTHING,
    version: 1,
    vertex: 'attribute vec4 position; void main() { gl_Position = position; gl_PointSize = 2.0; }',
    fragment: 'precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }',
    isLinkable: true,
    attributes: FLOATS('position'),
    uniforms: [{ name: 'color', setter: 'uniform4fv' }],
  },
  {
    ...NOTHING,
    version: 1,
    vertex: `attribute vec2 position; attribute vec2 uv; uniform mat4 matrix; varying vec2 at;
void main() { at = uv; gl_Position = matrix * vec4(position, 0.0, 1.0); gl_PointSize = 1.0; }`,
    fragment: `precision mediump float; uniform sampler2D image; uniform float weights[3];
varying vec2 at;
void main() { gl_FragColor = texture2D(image, at) * weights[0] + weights[2]; }`,
    isLinkable: true,
    attributes: FLOATS('position', 'uv'),
    uniforms: [
      { name: 'matrix', setter: 'uniformMatrix4fv' },
      { name: 'image', setter: 'uniform1i' },
      { name: 'weights', setter: 'uniform1fv' },
      { name: 'weights[2]', setter: 'uniform1f' },
    ],
  },
  {
    ...NOTHING,
    version: 1,
    vertex: `attribute vec3 position; uniform mat3 turn; varying vec3 direction;
void main() { direction = turn * position; gl_Position = vec4(position, 1.0); }`,
    fragment: `precision mediump float; struct Light { vec3 color; bool isOn; ivec2 at; };
uniform Light lights[2]; uniform samplerCube sky; uniform sampler2D image; varying vec3 direction;
void main() {
  vec4 sum = textureCube(sky, direction) + texture2D(image, direction.xy);
  for (int i = 0; i < 2; i++) if (lights[i].isOn) sum.rgb += lights[i].color * float(lights[i].at.x);
  if (sum.a < 0.1) discard;
  gl_FragColor = sum;
}`,
    isLinkable: true,
    attributes: FLOATS('position'),
    uniforms: [
      { name: 'turn', setter: 'uniformMatrix3fv' },
      { name: 'sky', setter: 'uniform1i' },
      { name: 'image', setter: 'uniform1i' },
      { name: 'lights[0].color', setter: 'uniform3fv' },
      { name: 'lights[1].isOn', setter: 'uniform1i' },
      { name: 'lights[0].at', setter: 'uniform2iv' },
    ],
  },
  {
    ...NOTHING,
    version: 1,
    vertex: 'attribute vec4 position; varying vec2 at; void main() { gl_Position = position; }',
    fragment: 'precision mediump float; varying vec3 at; void main() { gl_FragColor = at.xyzz; }',
    isLinkable: false,
  },
  {
    ...NOTHING,
    version: 2,
    vertex: `#version 300 es
layout(location = 0) in vec4 position; in uvec2 flags; out vec4 place; flat out uint kind;
uniform Camera { mat4 view; vec4 eye[2]; } camera;
void main() {
  kind = flags.x; place = position * 0.5; gl_PointSize = 1.0;
  gl_Position = camera.view * position + camera.eye[1];
}`,
    fragment: `#version 300 es
precision highp float; in vec4 place; flat in uint kind; uniform uint mask; uniform uvec3 more;
layout(location = 0) out vec4 color;
void main() { color = place + float(kind & mask) + float(more.y); }`,
    isLinkable: true,
    attributes: [
      { name: 'position', isInteger: false },
      { name: 'flags', isInteger: true },
    ],
    uniforms: [
      { name: 'mask', setter: 'uniform1ui' },
      { name: 'more', setter: 'uniform3uiv' },
    ],
    blocks: ['Camera'],
    varyings: ['place', 'gl_Position'],
  },
  {
    ...NOTHING,
    version: 2,
    vertex: `#version 300 es
in vec2 position; out vec2 at; out float depth; uniform mat2x3 skew;
void main() {
  at = position; depth = float(gl_VertexID) * 0.1 + float(gl_InstanceID);
  gl_Position = vec4(skew * position, 1.0); gl_PointSize = 1.0;
}`,
    fragment: `#version 300 es
precision highp float; precision highp sampler3D; precision highp sampler2DArray;
uniform sampler3D volume; uniform sampler2DArray layers; in vec2 at; in float depth;
layout(location = 0) out vec4 first; layout(location = 1) out vec4 second;
void main() { first = texture(volume, vec3(at, depth)); second = texture(layers, vec3(at, 1.0)); }`,
    isLinkable: true,
    attributes: FLOATS('position'),
    uniforms: [
      { name: 'skew', setter: 'uniformMatrix2x3fv' },
      { name: 'volume', setter: 'uniform1i' },
      { name: 'layers', setter: 'uniform1i' },
    ],
    varyings: ['at', 'depth', 'gl_Position'],
  },
  {
    ...NOTHING,
    version: 2,
    vertex: `#version 300 es
in vec4 position; out vec4 copy; void main() { copy = position; gl_Position = position; }`,
    fragment: `#version 300 es
precision highp float; uniform highp usampler2D table; uniform ivec4 shift; out ivec4 color;
void main() { color = ivec4(texelFetch(table, ivec2(0), 0)) + shift; }`,
    isLinkable: true,
    attributes: FLOATS('position'),
    uniforms: [
      { name: 'table', setter: 'uniform1i' },
      { name: 'shift', setter: 'uniform4iv' },
    ],
    varyings: ['copy'],
  },
  {
    ...NOTHING,
    version: 2,
    vertex: `#version 300 es
in vec4 position; out vec4 copy; void main() { copy = position; gl_Position = position; }`,
    fragment: `#version 300 es
precision highp float; in vec2 copy; out vec4 color; void main() { color = copy.xyxy; }`,
    isLinkable: false,
  },
];

/** Sources that do not compile, or that are unusual. */
export const ODD_SOURCES: readonly string[] = [
  '',
  'void main() {',
  'void main() { gl_Position = 1.0; }',
  'attribute float x; void main() { y = x; }',
  '#version 300 es\nvoid main() {}',
  'precision mediump float; void main() { gl_FragColor = vec4(1.0); } // é "quoted"',
  '#version 100\n#extension GL_none : require\nvoid main() {}',
  'int f(int x) { return f(x); } void main() { f(1); }',
  'void main() { while (true) {} }',
  '#if 1\nvoid main() {}',
];
