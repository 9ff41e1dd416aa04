/** Antialiased and stippled lines, antialiased points, and polygon modes by facing. */
import { type Cell, type Scene, sceneOfCells } from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';

/** Returns a cell of lines from the middle in many directions. */
function star(setUp: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    scene.call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
    setUp(scene);
    scene.primitive(E.LINES, () => {
      for (let i = 0; i < 13; i++) {
        const angle = (i * 2 * Math.PI) / 13 + 0.1;
        const [x, y] = [Math.cos(angle), Math.sin(angle)];
        scene.call('Color4f', 1, i / 12, 0.3, 1).call('Vertex2f', 0.15 * x, 0.15 * y);
        scene.call('Color4f', 0.4, 1, i / 12, 1).call('Vertex2f', 0.9 * x, 0.9 * y);
      }
    });
  };
}

function dots(sizePx: number): Cell {
  return (scene) => {
    scene.call('Enable', E.BLEND).call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
    scene.call('Enable', E.POINT_SMOOTH).call('PointSize', sizePx);
    scene.primitive(E.POINTS, () => {
      for (let i = 0; i < 9; i++) {
        scene.call('Color3f', 1, i / 8, 0.2);
        const [x, y] = [i % 3, Math.floor(i / 3)];
        scene.call('Vertex2f', -0.6 + 0.61 * x + 0.02 * y, -0.6 + 0.63 * y);
      }
    });
  };
}

function stippled(factor: number, pattern: number, widthPx: number): Cell {
  return star((scene) => {
    scene.call('Enable', E.LINE_STIPPLE).call('LineStipple', factor, pattern);
    scene.call('LineWidth', widthPx);
  });
}

/** Returns a cell of two triangles of opposite facing over a slope. */
function facings(setUp: (scene: SceneWriter) => void): Cell {
  return (scene) => {
    scene.call('Enable', E.DEPTH_TEST).call('Color3f', 0.2, 0.3, 0.5);
    scene.primitive(E.QUADS, () => {
      for (const [x, y] of CORNERS) scene.call('Vertex3f', 0.9 * x!, 0.9 * y!, 0.6 * x!);
    });
    setUp(scene);
    scene.call('PointSize', 3);
    scene.primitive(E.TRIANGLES, () => {
      for (const [x, y] of [...FRONT, ...BACK]) {
        scene.call('Color3f', 1, y! + 0.5, 0.2).call('Vertex3f', x!, y!, 0.6 * x!);
      }
    });
  };
}

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
];
const FRONT = [
  [-0.8, -0.7],
  [-0.1, -0.6],
  [-0.5, 0.7],
];
const BACK = [
  [0.1, -0.7],
  [0.4, 0.6],
  [0.8, -0.5],
];

/** Scene of antialiasing and line stipple. */
export const SMOOTH: Scene = sceneOfCells('smooth', 64, 4, [
  star((scene) => scene.call('Enable', E.LINE_SMOOTH).call('Enable', E.BLEND)),
  star((scene) => {
    scene.call('Enable', E.LINE_SMOOTH).call('Enable', E.BLEND).call('LineWidth', 3.5);
  }),
  dots(1),
  dots(7.5),
  stippled(1, 0x5555, 1),
  stippled(2, 0x1f35, 1),
  stippled(3, 0x0f0f, 3),
  (scene) => {
    scene.call('Enable', E.LINE_SMOOTH).call('Enable', E.BLEND);
    scene.call('BlendFunc', E.SRC_ALPHA, E.ONE_MINUS_SRC_ALPHA);
    scene.call('PolygonMode', E.FRONT_AND_BACK, E.LINE);
    scene.primitive(E.POLYGON, () => {
      for (let i = 0; i < 7; i++) {
        const angle = (i * 2 * Math.PI) / 7 + 0.3;
        scene.call('Vertex2f', 0.8 * Math.cos(angle), 0.8 * Math.sin(angle));
      }
    });
  },
]);

/** Scene of polygon modes by facing, with culling and offsets. */
export const FACINGS: Scene = sceneOfCells('facings', 64, 3, [
  facings((scene) => {
    scene.call('PolygonMode', E.FRONT, E.LINE).call('PolygonMode', E.BACK, E.FILL);
    scene.call('PolygonOffset', -1, -2);
    scene.call('Enable', E.POLYGON_OFFSET_LINE).call('Enable', E.POLYGON_OFFSET_FILL);
  }),
  facings((scene) => {
    scene.call('PolygonMode', E.FRONT, E.POINT).call('PolygonMode', E.BACK, E.LINE);
    scene.call('PolygonOffset', -1, -2);
    scene.call('Enable', E.POLYGON_OFFSET_POINT).call('Enable', E.POLYGON_OFFSET_LINE);
  }),
  facings((scene) => {
    scene.call('PolygonMode', E.FRONT_AND_BACK, E.LINE).call('Enable', E.CULL_FACE);
    scene.call('DepthFunc', E.ALWAYS).call('ShadeModel', E.FLAT);
  }),
]);
