/** Programs with one stage, and complete ones, combined with fixed functions. */
import {
  type Cell,
  drawSphere,
  drawSquare,
  lookFromFront,
  type Scene,
  sceneOfCells,
} from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';

const LIT_VERTEX = `
varying vec3 normal;
void main() {
  normal = gl_NormalMatrix * gl_Normal;
  vec3 toLight = normalize(gl_LightSource[0].position.xyz);
  gl_FrontColor = gl_LightModel.ambient * gl_FrontMaterial.ambient +
    gl_FrontMaterial.diffuse * gl_LightSource[0].diffuse * max(dot(normal, toLight), 0.0);
  gl_BackColor = vec4(0.1, 0.6, 0.9, 1.0);
  gl_TexCoord[0] = gl_TextureMatrix[0] * gl_MultiTexCoord0;
  gl_FogFragCoord = -(gl_ModelViewMatrix * gl_Vertex).z;
  gl_Position = ftransform();
  gl_ClipVertex = gl_ModelViewMatrix * gl_Vertex;
}`;
const STRIPED_FRAGMENT = `#version 120
uniform float stripes;
void main() {
  vec4 color = gl_Color * mix(0.6, 1.0, step(0.5, fract(gl_TexCoord[0].s * stripes)));
  float fog = clamp((gl_Fog.end - gl_FogFragCoord) * gl_Fog.scale, 0.0, 1.0);
  gl_FragColor = vec4(mix(gl_Fog.color.rgb, color.rgb, fog), gl_TexCoord[0].t);
}`;

function makeProgram(
  scene: SceneWriter,
  name: number,
  vertex: string | null,
  fragment: string | null,
) {
  scene.callWithResult('CreateProgram', name);
  [
    [0x8b31, vertex],
    [0x8b30, fragment],
  ].forEach(([type, source], i) => {
    if (source === null) return;
    const shader = name + 1 + i;
    scene.callWithResult('CreateShader', shader, type!);
    scene.call('ShaderSource', shader, 1, [source!], null).call('CompileShader', shader);
    scene.call('AttachShader', name, shader);
  });
  scene.call('LinkProgram', name);
}

function setUp(scene: SceneWriter): void {
  lookFromFront(scene);
  scene.call('Enable', E.DEPTH_TEST);
  scene.call('Lightfv', E.LIGHT0, E.POSITION, [0.5, 1, 1, 0]);
  scene.call('Materialfv', E.FRONT, E.DIFFUSE, [0.9, 0.5, 0.1, 1]);
  scene
    .call('Fogi', E.FOG_MODE, E.LINEAR)
    .call('Fogf', E.FOG_START, 2.5)
    .call('Fogf', E.FOG_END, 5);
  scene.call('Fogfv', E.FOG_COLOR, [0.6, 0.6, 0.7, 1]);
}

function run(program: number, change: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    setUp(scene);
    change(scene);
    scene.call('UseProgram', program);
    if (program !== 10) {
      scene.callWithResult('GetUniformLocation', 0, program, 'stripes').call('Uniform1f', 0, 8);
    }
    scene.call('Rotatef', 30, 1, 0, 0);
    drawSphere(scene);
    scene.call('UseProgram', 0);
  };
}

/** Scene of programs and fixed functions. */
export const PROGRAMS: Scene = sceneOfCells(
  'programs',
  64,
  5,
  [
    run(10, () => {}),
    run(10, (scene) => scene.call('Enable', E.FOG)),
    run(20, (scene) => scene.call('Enable', E.LIGHTING).call('Enable', E.LIGHT0)),
    run(30, () => {}),
    run(30, (scene) => scene.call('Enable', E.ALPHA_TEST).call('AlphaFunc', E.GREATER, 0.4)),
    run(30, (scene) => {
      scene.call('ClipPlane', E.CLIP_PLANE0, [0.5, 0.5, 0.5, 1.2]).call('Enable', E.CLIP_PLANE0);
      scene.call('Enable', E.VERTEX_PROGRAM_TWO_SIDE);
    }),
    run(30, (scene) => scene.call('ShadeModel', E.FLAT)),
    (scene) => {
      scene.call('UseProgram', 40).call('PointSize', 7);
      scene.primitive(E.POINTS, () => {
        for (let i = 0; i < 4; i++) {
          scene.call('VertexAttrib4f', 0, i * 0.4 - 0.6, 0.5 - i * 0.3, 0, 1);
        }
      });
      scene.call('UseProgram', 0);
    },
    (scene) => {
      scene.call('Color3f', 0.4, 0.1, 0.9);
      drawSquare(scene);
    },
  ],
  (scene) => {
    makeProgram(scene, 10, LIT_VERTEX, null);
    makeProgram(scene, 20, null, STRIPED_FRAGMENT);
    makeProgram(scene, 30, LIT_VERTEX, STRIPED_FRAGMENT);
    makeProgram(
      scene,
      40,
      'void main() { gl_Position = gl_Vertex; gl_FrontColor = vec4(1.0, 0.5, 0.5, 1.0); }',
      'void main() { gl_FragColor = gl_Color; }',
    );
  },
);
