/** Every primitive mode: shaded smoothly and flat, from immediate mode, arrays and indices. */
import { type Cell, type Scene, sceneOfCells } from '../writer/cells.ts';
import { E } from '../writer/enums.ts';
import type { SceneWriter } from '../writer/scene-writer.ts';

const CORNERS = [
  [-0.8, -0.7],
  [-0.55, 0.65],
  [-0.2, -0.75],
  [0.1, 0.75],
  [0.45, -0.6],
  [0.75, 0.6],
  [0.8, -0.85],
  [0.92, 0.3],
] as const;
/** Points that run around a convex shape in this order. */
const ROUND = [
  [-0.8, -0.2],
  [-0.4, -0.8],
  [0.3, -0.85],
  [0.8, -0.3],
  [0.75, 0.4],
  [0.3, 0.8],
  [-0.4, 0.75],
  [-0.85, 0.3],
] as const;
const COLORS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 0],
  [0, 1, 1],
  [1, 0, 1],
  [1, 1, 1],
  [0.5, 0.25, 0.75],
] as const;

function pointsOf(mode: number) {
  const isRound = mode === E.POLYGON || mode === E.TRIANGLE_FAN || mode === E.LINE_LOOP;
  return isRound || mode === E.QUADS ? ROUND : CORNERS;
}

function immediate(mode: number, count: number): Cell {
  return (scene) => {
    scene.primitive(mode, () => {
      pointsOf(mode)
        .slice(0, count)
        .forEach(([x, y], i) => {
          scene.call('Color3f', ...COLORS[i]!).call('Vertex2f', x, y);
        });
    });
  };
}

function withArrays(scene: SceneWriter, mode: number): void {
  const points = pointsOf(mode);
  scene.call('EnableClientState', E.VERTEX_ARRAY).call('EnableClientState', E.COLOR_ARRAY);
  scene.call('VertexPointer', 2, E.FLOAT, 0, Float32Array.from(points.flat()));
  const colors = Uint8Array.from(
    COLORS.flatMap((color) => [...color.map((channel) => channel * 255), 255]),
  );
  scene.call('ColorPointer', 4, E.UNSIGNED_BYTE, 0, colors);
}

const MODES = [
  [E.POINTS, 8],
  [E.LINES, 7],
  [E.LINE_LOOP, 8],
  [E.LINE_STRIP, 8],
  [E.TRIANGLES, 8],
  [E.TRIANGLE_STRIP, 8],
  [E.TRIANGLE_FAN, 8],
  [E.QUADS, 7],
  [E.QUAD_STRIP, 7],
  [E.POLYGON, 8],
] as const;

function flat(cell: Cell): Cell {
  return (scene) => {
    scene.call('ShadeModel', E.FLAT);
    cell(scene);
  };
}

/** Scene of all primitive modes. */
export const PRIMITIVES: Scene = sceneOfCells('primitives', 48, 10, [
  ...MODES.map(([mode, count]) => immediate(mode, count)),
  ...MODES.map(([mode, count]) => flat(immediate(mode, count))),
  ...MODES.map(
    ([mode]): Cell =>
      (scene) => {
        withArrays(scene, mode);
        scene.call('DrawArrays', mode, 0, 8);
      },
  ),
  ...MODES.map(
    ([mode]): Cell =>
      (scene) => {
        withArrays(scene, mode);
        scene.call('ShadeModel', E.FLAT);
        const indices = Uint16Array.of(0, 1, 2, 3, 4, 5, 6, 7);
        scene.call('DrawElements', mode, 8, E.UNSIGNED_SHORT, indices);
      },
  ),
  ...MODES.map(
    ([mode]): Cell =>
      (scene) => {
        withArrays(scene, mode);
        scene.primitive(mode, () => {
          for (let i = 0; i < 8; i++) scene.call('ArrayElement', i);
        });
      },
  ),
]);
