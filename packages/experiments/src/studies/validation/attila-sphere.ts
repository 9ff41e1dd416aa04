/**
 * The frame `8lights` of the regression tests of ATTILA (attila-gpu/attila-sim,
 * `test/ogl/8lights`): a sphere in fans and strips, lit by eight lights per vertex.
 *
 * Shape, matrices and lights are those that the calls of its trace state, and none is fitted. The
 * sphere is that of `gluSphere` with 50 slices and 50 stacks: 48 strips of 102 vertices and 2 fans
 * of 52. The lighting is that of OpenGL's fixed functions (OpenGL 2.1, section 2.14.1), which
 * ATTILA also executes as a generated vertex program.
 */
import type { Frame } from '@tessera/frame';
import { buildFrame } from './made-frames.ts';

/** Edge of the image. */
const EDGE_PX = 300;
const RADIUS = 14;
const SLICES = 50;
const STACKS = 50;
/** Floats of a vertex: position and normal. */
const VERTEX_FLOATS = 6;
/** Distance of the eye from the center of the rotation, and of the sphere from that. */
const EYE_DISTANCE = 170;
const SPHERE_OFFSET = 20;
const ROTATION = Math.PI / 180;
/** Frustum: half of its edge on the near plane, and both planes. */
const FRUSTUM = { halfEdge: 21.5, near: 100, far: 300 } as const;

/** Light in coordinates around the center of the rotation. */
interface Light {
  /** Position, or the direction of a light at infinity. */
  readonly position: readonly [number, number, number];
  readonly diffuse: readonly [number, number, number];
  readonly specular: readonly [number, number, number];
  readonly kind: 'point' | 'spot' | 'directional';
  readonly spotExponent?: number;
}

const WHITE = [1, 1, 1] as const;
const DIM = [0.1, 0.1, 0.1] as const;
const LIGHTS: readonly Light[] = [
  { position: [0, -40, 40], diffuse: [1, 0.2, 0.2], specular: WHITE, kind: 'point' },
  { position: [-40, 40, 0], diffuse: [0.2, 1, 0.2], specular: WHITE, kind: 'point' },
  { position: [40, 0, 40], diffuse: [0.2, 0.2, 1], specular: [1, 1, 0.5], kind: 'point' },
  { position: [20, 0, 40], diffuse: DIM, specular: WHITE, kind: 'spot', spotExponent: 0 },
  { position: [-20, 0, 40], diffuse: DIM, specular: WHITE, kind: 'spot', spotExponent: 0 },
  { position: [0, -20, 40], diffuse: DIM, specular: WHITE, kind: 'spot', spotExponent: 100 },
  { position: [0, 20, 40], diffuse: DIM, specular: WHITE, kind: 'spot', spotExponent: 100 },
  {
    position: [40, 60, 0],
    diffuse: [0.7, 0.7, 0.23],
    specular: [0.7, 0.7, 0.23],
    kind: 'directional',
  },
];
/** Ambient color of the directional light, the only one that has one. */
const AMBIENT = [0.7, 0.7, 0.23] as const;
/** Cosine of the spots' cutoff angle of 10 degrees. */
const SPOT_COSINE = Math.cos(10 * ROTATION);

const VERTEX = `#version 300 es
in vec3 position;
in vec3 normal;
uniform mat4 modelView;
uniform mat4 projection;
uniform vec3 lightPosition[8];
uniform vec3 lightDiffuse[8];
uniform vec3 lightSpecular[8];
uniform float spotExponent[8];
out vec3 primary;
out vec3 secondary;
void shade(int i, vec3 n, vec3 toEye, vec3 toLight, float strength) {
  float diffuse = max(dot(n, toLight), 0.0);
  float shine = max(dot(n, normalize(toLight + toEye)), 0.0);
  float specular = diffuse > 0.0 ? pow(shine, 10.0) : 0.0;
  primary += strength * diffuse * lightDiffuse[i];
  secondary += strength * specular * 0.35 * lightSpecular[i];
}
void point(int i, vec3 n, vec3 toEye, vec3 at, bool isSpot) {
  vec3 delta = lightPosition[i] - at;
  float span = length(delta);
  vec3 toLight = delta / span;
  float strength = 1.0 / (0.02 * span);
  if (isSpot) {
    float cosine = toLight.z;
    strength *= cosine < ${SPOT_COSINE} ? 0.0 : pow(cosine, spotExponent[i]);
  }
  shade(i, n, toEye, toLight, strength);
}
void main() {
  vec4 at = modelView * vec4(position, 1.0);
  gl_Position = projection * at;
  vec3 n = mat3(modelView) * normal;
  vec3 toEye = normalize(-at.xyz);
  primary = vec3(0.01) + 0.1 * vec3(${AMBIENT.join(', ')});
  secondary = vec3(0.0);
  ${LIGHTS.map(({ kind }, i) =>
    kind === 'directional'
      ? `shade(${i}, n, toEye, normalize(lightPosition[${i}]), 1.0);`
      : `point(${i}, n, toEye, at.xyz, ${kind === 'spot'});`,
  ).join('\n  ')}
  primary = clamp(primary, 0.0, 1.0);
  secondary = clamp(secondary, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
in vec3 primary;
in vec3 secondary;
out vec4 color;
void main() { color = vec4(primary + secondary, 1.0); }`;

/** Returns the frame. */
export function attilaSphereFrame(): Frame {
  const { vertices, strips } = makeSphere();
  const strideBytes = 4 * VERTEX_FLOATS;
  const attribute = { bufferIndex: 0, strideBytes, componentType: 'float32', componentCount: 3 };
  return buildFrame({
    widthPx: EDGE_PX,
    heightPx: EDGE_PX,
    buffers: [new Uint8Array(vertices.buffer)],
    programs: [{ vertexSource: VERTEX, fragmentSource: FRAGMENT }],
    passes: [
      {
        clear: { color: [0.3, 0.5, 1, 1], depth: 1, stencil: 0 },
        draws: strips.map(({ topology, first, count }) => ({
          programIndex: 0,
          topology,
          first,
          count,
          attributes: { position: attribute, normal: { ...attribute, offsetBytes: 12 } },
          uniforms: UNIFORMS,
          state: {
            cullMode: 'back',
            depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less-equal' },
          },
        })),
      },
    ],
  });
}

/** Light positions are in the eye's coordinates. The fixed functions transform them once. */
const UNIFORMS = {
  modelView: makeModelView(),
  projection: makeProjection(),
  lightPosition: LIGHTS.flatMap(({ position: [x, y, z], kind }) => [
    x,
    y,
    kind === 'directional' ? z : z - EYE_DISTANCE,
  ]),
  lightDiffuse: LIGHTS.flatMap(({ diffuse }) => [...diffuse]),
  lightSpecular: LIGHTS.flatMap(({ specular }) => [...specular]),
  spotExponent: LIGHTS.map(({ spotExponent }) => spotExponent ?? 0),
};

/** Range of vertices that one draw uses. */
interface Strip {
  readonly topology: 'triangle-fan' | 'triangle-strip';
  readonly first: number;
  readonly count: number;
}

/** Returns the vertices in the order in which `gluSphere` sends them, and the draws. */
function makeSphere(): { readonly vertices: Float32Array; readonly strips: readonly Strip[] } {
  const floats: number[] = [];
  const strips: Strip[] = [];
  const push = (stack: number, slice: number) => {
    const polar = (Math.PI * stack) / STACKS;
    const around = (2 * Math.PI * slice) / SLICES;
    const normal = [
      -Math.sin(around) * Math.sin(polar),
      Math.cos(around) * Math.sin(polar),
      Math.cos(polar),
    ];
    floats.push(...normal.map((each) => RADIUS * each), ...normal);
  };
  const draw = (topology: Strip['topology'], pushVertices: () => void) => {
    const first = floats.length / VERTEX_FLOATS;
    pushVertices();
    strips.push({ topology, first, count: floats.length / VERTEX_FLOATS - first });
  };
  draw('triangle-fan', () => {
    push(0, 0);
    for (let slice = 0; slice <= SLICES; slice++) push(1, slice);
  });
  draw('triangle-fan', () => {
    push(STACKS, 0);
    for (let slice = SLICES; slice >= 0; slice--) push(STACKS - 1, slice);
  });
  for (let stack = 1; stack < STACKS - 1; stack++) {
    draw('triangle-strip', () => {
      for (let slice = 0; slice <= SLICES; slice++) {
        push(stack, slice);
        push(stack + 1, slice);
      }
    });
  }
  return { vertices: Float32Array.from(floats), strips };
}

/** Returns the rotation by a degree about (1, 1, 1) between both translations, in columns. */
function makeModelView(): number[] {
  const [cosine, sine] = [Math.cos(ROTATION), Math.sin(ROTATION)];
  const same = cosine + (1 - cosine) / 3;
  const left = (1 - cosine) / 3 + sine / Math.sqrt(3);
  const right = (1 - cosine) / 3 - sine / Math.sqrt(3);
  // Column z of the rotation moves the sphere along its own axis.
  const [x, y, z] = [left, right, same].map((each) => each * SPHERE_OFFSET);
  return [
    same,
    left,
    right,
    0,
    right,
    same,
    left,
    0,
    left,
    right,
    same,
    0,
    x!,
    y!,
    z! - EYE_DISTANCE,
    1,
  ];
}

function makeProjection(): number[] {
  const { halfEdge, near, far } = FRUSTUM;
  const scale = near / halfEdge;
  const depth = near - far;
  return [
    scale,
    0,
    0,
    0,
    0,
    scale,
    0,
    0,
    0,
    0,
    (far + near) / depth,
    -1,
    0,
    0,
    (2 * far * near) / depth,
    0,
  ];
}
