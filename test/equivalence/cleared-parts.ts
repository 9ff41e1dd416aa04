import { SceneWriter } from '../conformance/opengl/writer/scene-writer.ts';

const [COLOR, DEPTH] = [0x4000, 0x0100];
const [SCISSOR_TEST, POLYGON_STIPPLE, TRIANGLES] = [0x0c11, 0x0b42, 4];

/**
 * Returns a capture whose frame uses memory that belongs to no frame: clears of parts of the window
 * are draws with constant corners, and the initial polygon stipple is a cached texture.
 */
export function captureClearedParts(): Uint8Array {
  const scene = new SceneWriter(64, 48)
    .call('ClearColor', 0, 0, 1, 1)
    .call('Clear', COLOR | DEPTH)
    .call('Enable', SCISSOR_TEST)
    .call('Scissor', 3, 4, 20, 30)
    .call('ClearColor', 1, 0.5, 0, 1)
    .call('Clear', COLOR)
    .call('Scissor', 10, 10, 40, 8)
    .call('Clear', DEPTH)
    .call('Enable', POLYGON_STIPPLE);
  return scene
    .primitive(TRIANGLES, () => {
      for (const [x, y] of [[-1, -1] as const, [1, -1] as const, [0, 1] as const]) {
        scene.call('Vertex2f', x, y);
      }
    })
    .finish();
}
