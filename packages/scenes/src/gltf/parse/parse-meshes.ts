/** Checks meshes of the JSON (glTF 2.0, 3.7.2): attributes have the types and counts that the shaders rely on. */
import type { Topology } from '@tessera/frame';
import type {
  AccessorType,
  AttributeAccessors,
  GltfAccessor,
  GltfMesh,
  GltfPrimitive,
} from '../gltf-model.ts';
import type { JsonPlace } from './json-place.ts';

const TOPOLOGY_BY_MODE: readonly Topology[] = [
  'points',
  'lines',
  'line-loop',
  'line-strip',
  'triangles',
  'triangle-strip',
  'triangle-fan',
];

const TRIANGLES_MODE = 4;

/** Accessor types of the semantics that the importer reads; others pass unread. */
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

export function parseMeshes(
  places: readonly JsonPlace[],
  accessors: readonly GltfAccessor[],
  materialCount: number,
): GltfMesh[] {
  return places.map((place) => {
    const primitives = place
      .get('primitives')
      .array()
      .map((primitive) => parsePrimitive(primitive, accessors, materialCount));
    if (primitives.length === 0) place.get('primitives').fail('is empty');
    const targetCount = primitives[0].targets.length;
    for (const primitive of primitives) {
      if (primitive.targets.length !== targetCount) {
        place.fail(`${primitive.path} has ${primitive.targets.length} targets, not ${targetCount}`);
      }
    }
    const weights = place.optional('weights')?.numbers(targetCount);
    return { primitives, weights: weights ?? new Array<number>(targetCount).fill(0) };
  });
}

function parsePrimitive(
  place: JsonPlace,
  accessors: readonly GltfAccessor[],
  materialCount: number,
): GltfPrimitive {
  const mode = place.optional('mode')?.integer(0, TOPOLOGY_BY_MODE.length - 1) ?? TRIANGLES_MODE;
  const attributesPlace = place.get('attributes');
  const attributes = parseAttributes(attributesPlace, accessors, ATTRIBUTE_TYPES);
  // Primitives without positions are legal (an extension gives them) and draw nothing.
  const vertexCount = requireEqualCounts(attributesPlace, attributes, accessors);
  const joints = attributes.JOINTS_0;
  if (joints !== undefined && !['uint8', 'uint16'].includes(accessors[joints].componentType)) {
    attributesPlace.get('JOINTS_0').fail(`${accessors[joints].componentType} is no joint type`);
  }
  const indices = place.optional('indices');
  const indexAccessor = indices?.index(accessors.length, 'accessors') ?? null;
  if (indices !== null && indexAccessor !== null) checkIndices(indices, accessors[indexAccessor]);
  const targets = place.list('targets').map((target) => {
    const targetAttributes = parseAttributes(target, accessors, TARGET_TYPES);
    const count = requireEqualCounts(target, targetAttributes, accessors);
    if (count !== null && count !== vertexCount) {
      target.fail(`${count} elements, but the primitive has ${vertexCount} vertices`);
    }
    return targetAttributes;
  });
  return {
    path: place.path,
    topology: TOPOLOGY_BY_MODE[mode],
    attributes,
    indices: indexAccessor,
    materialIndex: place.optional('material')?.index(materialCount, 'materials') ?? null,
    targets,
  };
}

function checkIndices(place: JsonPlace, accessor: GltfAccessor): void {
  const { type, componentType } = accessor;
  if (type !== 'SCALAR' || !['uint8', 'uint16', 'uint32'].includes(componentType)) {
    place.fail(`${type} of ${componentType} is no accessor of indices`);
  }
}

/** The attributes at a place whose semantic is in `types`; `EXT_mesh_gpu_instancing` has the same form. */
function parseAttributes(
  place: JsonPlace,
  accessors: readonly GltfAccessor[],
  types: Readonly<Record<string, readonly AccessorType[]>>,
): AttributeAccessors {
  const attributes: Record<string, number> = {};
  for (const semantic of place.keys()) {
    const member = place.get(semantic);
    const index = member.index(accessors.length, 'accessors');
    if (!Object.hasOwn(types, semantic)) continue;
    const { type, componentType } = accessors[index];
    if (!types[semantic].includes(type)) {
      member.fail(`accessors[${index}] is ${type}, not ${types[semantic].join(' or ')}`);
    }
    if (componentType === 'uint32') member.fail('uint32 is no type of attributes');
    attributes[semantic] = index;
  }
  return attributes;
}

/** Accessors of a node's instances. */
export function parseInstancing(
  place: JsonPlace,
  accessors: readonly GltfAccessor[],
): AttributeAccessors {
  const attributesPlace = place.get('attributes');
  const attributes = parseAttributes(attributesPlace, accessors, INSTANCING_TYPES);
  requireEqualCounts(attributesPlace, attributes, accessors);
  return attributes;
}

/** The count that all the accessors share, `null` without accessors. */
function requireEqualCounts(
  place: JsonPlace,
  attributes: AttributeAccessors,
  accessors: readonly GltfAccessor[],
): number | null {
  const [first, ...others] = Object.keys(attributes);
  if (first === undefined) return null;
  const count = accessors[attributes[first]].count;
  for (const other of others) {
    const otherCount = accessors[attributes[other]].count;
    if (otherCount !== count) {
      place.get(other).fail(`${otherCount} elements, but ${first} has ${count}`);
    }
  }
  return count;
}
