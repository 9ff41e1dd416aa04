/**
 * Generates native frames for tests: a triangle that covers the whole target, with a given fragment
 * shader.
 */

/**
 * Returns the frame as a body of type `application/json`.
 *
 * @param edgePx Width and height.
 */
export function nativeTriangle(edgePx: number, fragmentSource: string): Buffer {
  const corners = Float32Array.of(-1, -1, 3, -1, -1, 3);
  const at = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
  const frame = {
    widthPx: edgePx,
    heightPx: edgePx,
    buffers: [Buffer.from(corners.buffer).toString('base64')],
    programs: [
      {
        vertexSource: 'attribute vec2 at; void main() { gl_Position = vec4(at, 0.0, 1.0); }',
        fragmentSource,
      },
    ],
    passes: [{ draws: [{ programIndex: 0, count: 3, attributes: { at } }] }],
  };
  return Buffer.from(JSON.stringify(frame));
}
