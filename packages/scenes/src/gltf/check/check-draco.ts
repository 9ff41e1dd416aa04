/** Checks primitives of KHR_draco_mesh_compression against their accessors. */
import { RenderError } from '@tessera/frame';
import type { DracoPrimitive, DracoTarget } from '../compression/compressed-geometry.ts';
import { extensionOf } from './check-extensions.ts';
import type { CheckedAccessor, CheckedView } from './check-storage.ts';
import type { JsonPlace } from './json-place.ts';

const TRIANGLES = 4;

/**
 * Returns the compressed primitives of checked meshes.
 *
 * @throws {RenderError} MODEL_INVALID, or MODEL_UNSUPPORTED for a primitive that is not a list of
 *   triangles or has no indices.
 */
export function checkDraco(
  meshes: readonly JsonPlace[],
  accessors: readonly CheckedAccessor[],
  views: readonly CheckedView[],
): DracoPrimitive[] {
  return meshes
    .flatMap((mesh) => mesh.list('primitives'))
    .flatMap((primitive) => {
      const extension = extensionOf(primitive, 'KHR_draco_mesh_compression');
      return extension === null ? [] : [checkPrimitive(primitive, extension, accessors, views)];
    });
}

function checkPrimitive(
  primitive: JsonPlace,
  place: JsonPlace,
  accessors: readonly CheckedAccessor[],
  views: readonly CheckedView[],
): DracoPrimitive {
  const { bytes } = views[place.get('bufferView').index(views.length, 'bufferViews')];
  const mode = primitive.optional('mode')?.integer() ?? TRIANGLES;
  const indices = primitive.optional('indices');
  if (mode !== TRIANGLES || indices === null) {
    const what = indices === null ? 'a primitive without indices' : `mode ${mode}`;
    throw new RenderError('MODEL_UNSUPPORTED', `${place.path}: ${what} is not supported`);
  }
  const target = (member: JsonPlace, named: JsonPlace): DracoTarget => {
    const accessorIndex = member.integer();
    return { ...accessors[accessorIndex], accessorIndex, place: named };
  };
  const ids = place.get('attributes');
  const attributes = ids.keys().map((semantic) => {
    const named = ids.get(semantic);
    const attributeId = named.integer(0, 0xffffffff);
    const member = primitive.get('attributes').optional(semantic);
    if (member === null) return named.fail(`the primitive has no ${semantic}`);
    return { ...target(member, named), attributeId };
  });
  if (attributes.length === 0) return ids.fail('is empty');
  const vertexCount = attributes[0].count;
  for (const { count, place: named } of attributes) {
    if (count !== vertexCount) named.fail(`${count} vertices, but others have ${vertexCount}`);
  }
  return { place, bytes, indices: target(indices, indices), vertexCount, attributes };
}
