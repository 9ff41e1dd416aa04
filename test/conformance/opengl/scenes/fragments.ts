/** Fog, alpha test, blending, logical operations, stencil of both faces, masks. */
import { type Cell, drawSquare, lookFromFront, type Scene, sceneOfCells } from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';

/** Draws a floor that recedes from the eye. */
function drawFloor(scene: SceneWriter): void {
  scene.primitive(E.QUADS, () => {
    for (const [x, z] of [
      [-2, 2],
      [2, 2],
      [2, -14],
      [-2, -14],
    ] as const) {
      scene.call('FogCoordf', (x + 2) * 2).call('Vertex3f', x, -1, z);
    }
  });
}

function foggy(setUp: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    lookFromFront(scene);
    scene.call('Enable', E.FOG).call('Fogfv', E.FOG_COLOR, [0.9, 0.8, 0.1, 1]);
    scene.call('Color3f', 0.1, 0.2, 0.9);
    setUp(scene);
    drawFloor(scene);
  };
}

function linear(scene: SceneWriter): void {
  scene.call('Fogi', E.FOG_MODE, E.LINEAR).call('Fogf', E.FOG_START, 2).call('Fogf', E.FOG_END, 9);
}

/** Draws a square whose alpha and colors change from corner to corner. */
function drawRamp(scene: SceneWriter): void {
  scene.primitive(E.QUADS, () => {
    for (const [x, y] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ] as const) {
      scene.call('Color4f', (x + 1) / 2, (y + 1) / 2, 0.5, (x + y + 2) / 4);
      scene.call('Vertex2f', x * 0.8, y * 0.8);
    }
  });
}

const COMPARES = [0x200, 0x201, 0x202, 0x203, 0x204, 0x205, 0x206, 0x207] as const;

/** Scene of fog modes and alpha tests. */
export const FOG_AND_ALPHA: Scene = sceneOfCells('fog-and-alpha', 48, 4, [
  foggy(linear),
  foggy((scene) => scene.call('Fogi', E.FOG_MODE, E.EXP).call('Fogf', E.FOG_DENSITY, 0.25)),
  foggy((scene) => scene.call('Fogi', E.FOG_MODE, E.EXP2).call('Fogf', E.FOG_DENSITY, 0.2)),
  foggy((scene) => {
    linear(scene);
    scene.call('Fogi', E.FOG_COORD_SRC, E.FOG_COORD);
  }),
  ...COMPARES.map(
    (compare): Cell =>
      (scene) => {
        scene.call('Enable', E.ALPHA_TEST).call('AlphaFunc', compare, 0.45);
        drawRamp(scene);
      },
  ),
]);

const FACTORS = [
  E.ZERO,
  E.ONE,
  E.SRC_COLOR,
  E.ONE_MINUS_SRC_COLOR,
  E.DST_COLOR,
  E.ONE_MINUS_DST_COLOR,
  E.SRC_ALPHA,
  E.ONE_MINUS_SRC_ALPHA,
  E.DST_ALPHA,
  E.ONE_MINUS_DST_ALPHA,
  E.CONSTANT_COLOR,
  E.ONE_MINUS_CONSTANT_COLOR,
  E.CONSTANT_ALPHA,
  E.ONE_MINUS_CONSTANT_ALPHA,
  E.SRC_ALPHA_SATURATE,
];

function blended(setUp: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    scene.call('Color4f', 0.3, 0.9, 0.6, 0.5);
    drawSquare(scene, 0.5);
    scene.call('Enable', E.BLEND).call('BlendColor', 0.2, 0.7, 0.4, 0.6);
    setUp(scene);
    drawRamp(scene);
  };
}

/** Scene of blend factors and equations. */
export const BLENDING: Scene = sceneOfCells('blending', 32, 15, [
  ...FACTORS.map((factor) => blended((scene) => scene.call('BlendFunc', factor, E.ONE))),
  ...FACTORS.filter((factor) => factor !== E.SRC_ALPHA_SATURATE).map((factor) =>
    blended((scene) => scene.call('BlendFunc', E.ONE, factor)),
  ),
  ...[E.FUNC_ADD, E.FUNC_SUBTRACT, E.FUNC_REVERSE_SUBTRACT, E.MIN, E.MAX].map((equation) =>
    blended((scene) => scene.call('BlendEquation', equation).call('BlendFunc', E.ONE, E.ONE)),
  ),
  blended((scene) =>
    scene.call('BlendFuncSeparate', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA, E.ZERO, E.ONE),
  ),
  (scene) => {
    scene.call('ColorMask', true, false, true, true);
    drawRamp(scene);
  },
]);

/** Scene of logical operations. */
export const LOGIC: Scene = sceneOfCells(
  'logic-operations',
  32,
  8,
  Array.from(
    { length: 16 },
    (_, i): Cell =>
      (scene) => {
        scene.call('Color4f', 0.3, 0.9, 0.6, 0.5);
        drawSquare(scene, 0.5);
        scene.call('Enable', E.COLOR_LOGIC_OP).call('LogicOp', E.CLEAR + i);
        scene.call('Color4f', 0.7, 0.4, 0.2, 1);
        drawSquare(scene, 0.75);
      },
  ),
);

/** Draws two triangles of opposite winding, then a square where the stencil test passes. */
function stencilled(setUp: (scene: SceneWriter) => void, compare: number, reference: number): Cell {
  return (scene) => {
    scene.call('Enable', E.STENCIL_TEST).call('ColorMask', false, false, false, false);
    setUp(scene);
    scene.primitive(E.TRIANGLES, () => {
      for (const [x, y] of [
        ...[
          [-0.9, -0.8],
          [0.2, -0.8],
          [-0.3, 0.8],
        ],
        ...[
          [0.9, -0.7],
          [-0.2, -0.7],
          [0.3, 0.9],
        ],
      ] as const) {
        scene.call('Vertex2f', x!, y!);
      }
    });
    scene.call('ColorMask', true, true, true, true);
    scene.call('StencilFunc', compare, reference, 255).call('StencilOp', E.KEEP, E.KEEP, E.KEEP);
    scene.call('Color3f', 0.9, 0.5, 0.1);
    drawSquare(scene, 0.95);
  };
}

/** Scene of stencil tests and operations. */
export const STENCIL: Scene = sceneOfCells('stencil', 48, 4, [
  stencilled((scene) => scene.call('StencilOp', E.KEEP, E.KEEP, E.INCR), E.EQUAL, 1),
  stencilled((scene) => scene.call('StencilOp', E.KEEP, E.KEEP, E.INVERT), E.NOTEQUAL, 0),
  stencilled(
    (scene) => {
      scene.call('StencilOpSeparate', E.FRONT, E.KEEP, E.KEEP, E.INCR_WRAP);
      scene.call('StencilOpSeparate', E.BACK, E.KEEP, E.KEEP, E.DECR_WRAP);
    },
    E.EQUAL,
    255,
  ),
  stencilled(
    (scene) => {
      scene.call('StencilFuncSeparate', E.FRONT, E.ALWAYS, 5, 255);
      scene.call('StencilFuncSeparate', E.BACK, E.NEVER, 9, 255);
      scene.call('StencilOpSeparate', E.FRONT, E.KEEP, E.KEEP, E.REPLACE);
      scene.call('StencilOpSeparate', E.BACK, E.REPLACE, E.KEEP, E.KEEP);
    },
    E.LEQUAL,
    6,
  ),
]);
