import { E } from './enums.ts';
import { SceneWriter } from './scene-writer.ts';

/** A scene with its capture. */
export interface Scene {
  readonly name: string;
  readonly capture: () => Uint8Array;
}

/** Draws one cell of a scene. */
export type Cell = (scene: SceneWriter) => void;

/**
 * Returns a scene of many small images, each with its own viewport. A cell leaves all state
 * unchanged.
 *
 * @param prepare Creates objects that all cells use, such as textures.
 */
export function sceneOfCells(
  name: string,
  cellPx: number,
  columns: number,
  cells: readonly Cell[],
  prepare: Cell = () => {},
): Scene {
  return {
    name,
    capture: () => {
      const rows = Math.ceil(cells.length / columns);
      const scene = new SceneWriter(columns * cellPx, rows * cellPx);
      scene.call('ClearColor', 0.125, 0.25, 0.375, 1).call('Clear', E.COLOR_BUFFERS);
      prepare(scene);
      cells.forEach((draw, i) => {
        const x = (i % columns) * cellPx;
        const y = (rows - 1 - Math.floor(i / columns)) * cellPx;
        scene.call('PushAttrib', E.ALL_ATTRIBUTES).call('PushClientAttrib', 3);
        scene.call('Viewport', x, y, cellPx, cellPx).call('Scissor', x, y, cellPx, cellPx);
        scene.call('Enable', E.SCISSOR_TEST);
        for (const mode of [E.PROJECTION, E.TEXTURE, E.MODELVIEW]) {
          scene.call('MatrixMode', mode).call('LoadIdentity');
        }
        draw(scene);
        scene.call('PopClientAttrib').call('PopAttrib');
      });
      return scene.finish();
    },
  };
}

/** Draws a sphere of quads with normals and texture coordinates, radius 1. */
export function drawSphere(scene: SceneWriter, slices = 16, stacks = 8): void {
  const at = (slice: number, stack: number) => {
    const [u, v] = [slice / slices, stack / stacks];
    const [longitude, latitude] = [u * 2 * Math.PI, (v - 0.5) * Math.PI];
    const ring = Math.cos(latitude);
    const point = [
      Math.fround(ring * Math.cos(longitude)),
      Math.fround(Math.sin(latitude)),
      Math.fround(ring * Math.sin(longitude)),
    ] as const;
    scene.call('TexCoord2f', u, v).call('Normal3f', ...point);
    scene.call('Vertex3f', ...point);
  };
  for (let stack = 0; stack < stacks; stack++) {
    scene.call('Begin', E.QUAD_STRIP);
    for (let slice = 0; slice <= slices; slice++) {
      at(slice, stack + 1);
      at(slice, stack);
    }
    scene.call('End');
  }
}

/** Draws a square from −size to size with texture coordinates 0 to `repeats`. */
export function drawSquare(scene: SceneWriter, size = 0.8, z = 0, repeats = 1): void {
  scene.call('Begin', E.QUADS);
  for (const [x, y] of [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const) {
    scene.call('TexCoord2f', x * repeats, y * repeats);
    scene.call('Vertex3f', size * (2 * x - 1), size * (2 * y - 1), z);
  }
  scene.call('End');
}

/** Sets a perspective with the scene at a distance of 4. */
export function lookFromFront(scene: SceneWriter): void {
  scene.call('MatrixMode', E.PROJECTION).call('LoadIdentity');
  scene.call('Frustum', -0.5, 0.5, -0.5, 0.5, 1, 20);
  scene.call('MatrixMode', E.MODELVIEW).call('LoadIdentity').call('Translatef', 0, 0, -3.2);
}
