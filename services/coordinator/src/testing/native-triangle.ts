/**
 * Generates native frames for tests: a triangle that covers the whole target, with a given fragment
 * shader.
 */

/** Name of a stored resource. */
export interface ResourceName {
  readonly sha256: string;
}

/** Corners of the triangle: six floats. */
export const TRIANGLE_CORNERS = Buffer.from(Float32Array.of(-1, -1, 3, -1, -1, 3).buffer);

/**
 * Returns the frame as a body of type `application/json`.
 *
 * @param edgePx Width and height.
 * @param buffer Buffer that begins with the corners, or the name of its resource.
 */
export function nativeTriangle(
  edgePx: number,
  fragmentSource: string | ResourceName,
  buffer: Buffer | ResourceName = TRIANGLE_CORNERS,
): Buffer {
  const at = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
  const frame = {
    widthPx: edgePx,
    heightPx: edgePx,
    buffers: [buffer instanceof Buffer ? buffer.toString('base64') : buffer],
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
