/** Encodes meshes with Draco for tests. */
import draco3d from 'draco3d';

/** Mesh whose vertices carry their number as a float, because the encoder may reorder them. */
export interface SourceMesh {
  readonly positions: Float32Array;
  readonly triangles: Uint32Array;
}

/** Identity of the positions in the stream. */
export const POSITION_ID = 0;
/** Identity of the numbers of vertices in the stream. */
export const NUMBER_ID = 1;

/** Returns the stream of a mesh. Positions have 14 bits, the numbers of vertices are exact. */
export async function encodeDraco(
  { positions, triangles }: SourceMesh,
  method: 'sequential' | 'edgebreaker',
): Promise<Uint8Array> {
  const module = await draco3d.createEncoderModule({});
  const [encoder, builder, mesh] = [
    new module.Encoder(),
    new module.MeshBuilder(),
    new module.Mesh(),
  ];
  builder.AddFacesToMesh(mesh, triangles.length / 3, triangles);
  const count = positions.length / 3;
  builder.AddFloatAttribute(mesh, module.POSITION, count, 3, positions);
  const numbers = Float32Array.from({ length: count }, (_, i) => i);
  builder.AddFloatAttribute(mesh, module.GENERIC, count, 1, numbers);
  encoder.SetEncodingMethod(
    method === 'sequential' ? module.MESH_SEQUENTIAL_ENCODING : module.MESH_EDGEBREAKER_ENCODING,
  );
  encoder.SetAttributeQuantization(module.POSITION, 14);
  const output = new module.DracoInt8Array();
  const byteCount = encoder.EncodeMeshToDracoBuffer(mesh, output);
  return Uint8Array.from({ length: byteCount }, (_, i) => output.GetValue(i));
}

/** Returns a wavy grid of 2 (columns − 1) (rows − 1) triangles. */
export function gridMesh(columns: number, rows: number): SourceMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      positions.push(x, y, Math.sin(x * 0.7) * Math.cos(y * 0.4) * 3);
      if (x === 0 || y === 0) continue;
      const at = y * columns + x;
      triangles.push(at, at - 1, at - columns, at - 1, at - 1 - columns, at - columns);
    }
  }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}
