/**
 * Checks meshes in the JSON (glTF 2.0, 3.7.2): attributes have the types and counts that the
 * shaders require.
 */
import type { AccessorType } from '../format/accessor-types.ts';
import type { CheckedAccessor } from './check-storage.ts';
import type { JsonPlace } from './json-place.ts';

/** Number of modes: points, lines, loop, strip, triangles, strip, fan. */
const MODE_COUNT = 7;

/** Accessor types of the semantics that the importer reads; others are not checked. */
const ATTRIBUTE_TYPES: Readonly<Record<string, readonly AccessorType[]>> = {
  POSITION: ['VEC3'],
  NORMAL: ['VEC3'],
  TANGENT: ['VEC4'],
  TEXCOORD_0: ['VEC2'],
  TEXCOORD_1: ['VEC2'],
  COLOR_0: ['VEC3', 'VEC4'],
  JOINTS_0: ['VEC4'],
  WEIGHTS_0: ['VEC4'],
};

const TARGET_TYPES: Readonly<Record<string, readonly AccessorType[]>> = {
  POSITION: ['VEC3'],
  NORMAL: ['VEC3'],
  TANGENT: ['VEC3'],
};

const INSTANCING_TYPES: Readonly<Record<string, readonly AccessorType[]>> = {
  TRANSLATION: ['VEC3'],
  ROTATION: ['VEC4'],
  SCALE: ['VEC3'],
};

/**
 * Checks all meshes.
 *
 * @returns The number of morph targets of each mesh.
 */
export function checkMeshes(
  places: readonly JsonPlace[],
  accessors: readonly CheckedAccessor[],
  materialCount: number,
): number[] {
  return places.map((place) => {
    const primitives = place.get('primitives').array();
    if (primitives.length === 0) place.get('primitives').fail('is empty');
    const counts = primitives.map((primitive) =>
      checkPrimitive(primitive, accessors, materialCount),
    );
    const odd = counts.findIndex((count) => count !== counts[0]);
    if (odd !== -1) {
      place.fail(`${primitives[odd].path} has ${counts[odd]} targets, not ${counts[0]}`);
    }
    place.optional('weights')?.numbers(counts[0]);
    return counts[0];
  });
}

/**
 * Checks a primitive.
 *
 * @returns The number of morph targets.
 */
function checkPrimitive(
  place: JsonPlace,
  accessors: readonly CheckedAccessor[],
  materialCount: number,
): number {
  place.optional('mode')?.integer(0, MODE_COUNT - 1);
  place.optional('material')?.index(materialCount, 'materials');
  const attributes = place.get('attributes');
  // Primitives without positions are valid (an extension may provide them) and draw nothing.
  const vertexCount = checkAttributes(attributes, accessors, ATTRIBUTE_TYPES);
  const joints = attributes.optional('JOINTS_0');
  if (joints !== null) {
    const { componentType } = accessors[joints.integer()];
    if (componentType !== 'uint8' && componentType !== 'uint16') {
      joints.fail(`${componentType} is not a joint type`);
    }
  }
  const indices = place.optional('indices');
  if (indices !== null) {
    const { type, componentType } = accessors[indices.index(accessors.length, 'accessors')];
    if (type !== 'SCALAR' || !['uint8', 'uint16', 'uint32'].includes(componentType)) {
      indices.fail(`${type} of ${componentType} is not a list of indices`);
    }
  }
  const targets = place.list('targets');
  for (const target of targets) {
    const count = checkAttributes(target, accessors, TARGET_TYPES);
    if (count !== null && count !== vertexCount) {
      target.fail(`${count} elements, but the primitive has ${vertexCount} vertices`);
    }
  }
  return targets.length;
}

/** Checks the attributes of EXT_mesh_gpu_instancing at a node. */
export function checkInstancing(place: JsonPlace, accessors: readonly CheckedAccessor[]): void {
  checkAttributes(place.get('attributes'), accessors, INSTANCING_TYPES);
}

/**
 * Checks the attributes at a place whose semantic is in `types`.
 *
 * @returns The count that their accessors share, `null` without any.
 */
function checkAttributes(
  place: JsonPlace,
  accessors: readonly CheckedAccessor[],
  types: Readonly<Record<string, readonly AccessorType[]>>,
): number | null {
  let first: { readonly semantic: string; readonly count: number } | null = null;
  for (const semantic of place.keys()) {
    const member = place.get(semantic);
    const index = member.index(accessors.length, 'accessors');
    if (!Object.hasOwn(types, semantic)) continue;
    const { type, componentType, count } = accessors[index];
    if (!types[semantic].includes(type)) {
      member.fail(`accessors[${index}] is ${type}, not ${types[semantic].join(' or ')}`);
    }
    if (componentType === 'uint32') member.fail('uint32 is not an attribute type');
    first ??= { semantic, count };
    if (count !== first.count) {
      member.fail(`${count} elements, but ${first.semantic} has ${first.count}`);
    }
  }
  return first?.count ?? null;
}
