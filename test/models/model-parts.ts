/** Parts of the models that these tests make: a sphere, and the packing of arrays. */

/** Mesh of a unit sphere. */
export interface Sphere {
  /** Positions, which are the normals too, three numbers a vertex. */
  readonly positions: readonly number[];
  readonly texCoords: readonly number[];
  /** Tangents with a sign, four numbers a vertex. */
  readonly tangents: readonly number[];
  readonly indices: readonly number[];
}

/** Makes a sphere of `rows` stacks and twice as many slices. */
export function makeSphere(rows: number): Sphere {
  const columns = rows * 2;
  const positions: number[] = [];
  const texCoords: number[] = [];
  const tangents: number[] = [];
  const indices: number[] = [];
  for (let row = 0; row <= rows; row++) {
    for (let column = 0; column <= columns; column++) {
      const polar = (Math.PI * row) / rows;
      const azimuth = (2 * Math.PI * column) / columns;
      positions.push(
        Math.sin(polar) * Math.sin(azimuth),
        Math.cos(polar),
        Math.sin(polar) * Math.cos(azimuth),
      );
      tangents.push(Math.cos(azimuth), 0, -Math.sin(azimuth), 1);
      texCoords.push(column / columns, row / rows);
      if (row === rows || column === columns) continue;
      const at = row * (columns + 1) + column;
      indices.push(at, at + columns + 1, at + 1, at + 1, at + columns + 1, at + columns + 2);
    }
  }
  return { positions, texCoords, tangents, indices };
}

/** Packs arrays one after another, with a buffer view of glTF for each. */
export function packArrays(arrays: readonly (Float32Array | Uint32Array)[]) {
  const binary = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let byteOffset = 0;
  const bufferViews = arrays.map(({ buffer, byteOffset: from, byteLength }) => {
    binary.set(new Uint8Array(buffer, from, byteLength), byteOffset);
    const view = { buffer: 0, byteOffset, byteLength };
    byteOffset += byteLength;
    return view;
  });
  return { binary, bufferViews };
}
