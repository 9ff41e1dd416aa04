/** A landscape of 100,352 triangles as a .glb: the model for measuring the service. */

const CELLS = 224;
const HALF_EDGE = 1.6;
const GLB_MAGIC = 0x4654_6c67;
const JSON_CHUNK = 0x4e4f_534a;
const BINARY_CHUNK = 0x004e_4942;
const FLOAT = 5126;
const UNSIGNED_INT = 5125;

/** Generates the file. */
export function makeTerrainModel(): Uint8Array {
  const edge = CELLS + 1;
  const positions = new Float32Array(3 * edge * edge);
  const normals = new Float32Array(3 * edge * edge);
  for (let row = 0; row < edge; row++) {
    for (let column = 0; column < edge; column++) {
      const at = 3 * (row * edge + column);
      const x = (2 * column) / CELLS - 1;
      const z = (2 * row) / CELLS - 1;
      const slopeX = heightAt(column + 1, row) - heightAt(column - 1, row);
      const slopeZ = heightAt(column, row + 1) - heightAt(column, row - 1);
      positions.set([x * HALF_EDGE, heightAt(column, row), z * HALF_EDGE], at);
      const step = (4 * HALF_EDGE) / CELLS;
      const length = Math.sqrt(slopeX * slopeX + step * step + slopeZ * slopeZ);
      normals.set([-slopeX / length, step / length, -slopeZ / length], at);
    }
  }
  const indices = new Uint32Array(6 * CELLS * CELLS);
  let to = 0;
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS; column++) {
      const corner = row * edge + column;
      indices.set(
        [corner, corner + edge, corner + 1, corner + 1, corner + edge, corner + edge + 1],
        to,
      );
      to += 6;
    }
  }
  return writeGlb(positions, normals, indices);
}

/**
 * Moves one corner, so that the model is new to the service but costs the same.
 *
 * @param height −1 to 1.
 */
export function moveCorner(model: Uint8Array, height: number): void {
  const words = new DataView(model.buffer, model.byteOffset);
  const binary = 20 + words.getUint32(12, true);
  words.setFloat32(binary + 12, height, true);
}

/** Adds waves of different lengths, which needs no tables. */
function heightAt(column: number, row: number): number {
  const wave = (period: number, phase: number) => {
    const t = ((column + phase * row) / period) % 1;
    const folded = t < 0 ? t + 1 : t;
    return folded < 0.5 ? 4 * folded - 1 : 3 - 4 * folded;
  };
  return 0.12 * wave(97, 0.7) + 0.07 * wave(41, -1.3) + 0.03 * wave(17, 0.4);
}

function writeGlb(
  positions: Float32Array,
  normals: Float32Array,
  indices: Uint32Array,
): Uint8Array {
  const parts = [positions, normals, indices];
  const count = positions.length / 3;
  const offsets = [0, positions.byteLength, positions.byteLength + normals.byteLength];
  const byteLength = offsets[2]! + indices.byteLength;
  const [low, high] = [
    [-HALF_EDGE, -1, -HALF_EDGE],
    [HALF_EDGE, 1, HALF_EDGE],
  ];
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2 }] }],
    buffers: [{ byteLength }],
    bufferViews: parts.map((part, i) => ({
      buffer: 0,
      byteOffset: offsets[i]!,
      byteLength: part.byteLength,
    })),
    accessors: [
      { bufferView: 0, componentType: FLOAT, count, type: 'VEC3', min: low, max: high },
      { bufferView: 1, componentType: FLOAT, count, type: 'VEC3' },
      { bufferView: 2, componentType: UNSIGNED_INT, count: indices.length, type: 'SCALAR' },
    ],
  };
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textLength = (text.length + 3) & ~3;
  const file = new Uint8Array(12 + 8 + textLength + 8 + byteLength);
  const header = new DataView(file.buffer);
  const words = [GLB_MAGIC, 2, file.length, textLength, JSON_CHUNK];
  for (const [i, word] of words.entries()) header.setUint32(4 * i, word, true);
  file.fill(0x20, 20, 20 + textLength);
  file.set(text, 20);
  const binary = 20 + textLength;
  header.setUint32(binary, byteLength, true);
  header.setUint32(binary + 4, BINARY_CHUNK, true);
  for (const [i, part] of parts.entries()) {
    file.set(new Uint8Array(part.buffer), binary + 8 + offsets[i]!);
  }
  return file;
}
