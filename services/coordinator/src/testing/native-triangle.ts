/**
 * Generates native frames for tests: a triangle that covers the whole target, with a given fragment
 * shader.
 */

/**
 * Returns a fragment shader of `count` sequential ifs, which is slow to compile and fast to run.
 */
export function sequentialIfs(count: number): string {
  const ifs = Array.from({ length: count }, (_, i) => `if (gl_FragCoord.x > ${i}.5) v += 0.001;`);
  return `precision highp float; void main() { float v = 0.0; ${ifs.join('\n')} gl_FragColor = vec4(v, 0.0, 0.0, 1.0); }`;
}

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
