/**
 * Checks animations in the JSON (glTF 2.0, 3.11): keys and values of each channel agree in number
 * and type.
 */
import { parseJsonPointer } from '../format/json-pointer.ts';
import { extensionOf } from './check-extensions.ts';
import type { CheckedAccessor } from './check-storage.ts';
import type { JsonPlace } from './json-place.ts';

/**
 * Checks all animations.
 *
 * @param nodes Checked nodes.
 * @param targetCounts Number of morph targets of each mesh.
 */
export function checkAnimations(
  places: readonly JsonPlace[],
  accessors: readonly CheckedAccessor[],
  nodes: readonly JsonPlace[],
  targetCounts: readonly number[],
): void {
  for (const place of places) {
    const samplers = place.get('samplers').array();
    for (const sampler of samplers) checkSampler(sampler, accessors);
    const seen = new Set<string>();
    for (const channel of place.get('channels').array()) {
      checkChannel(channel, samplers, accessors, nodes, targetCounts);
      const property = propertyOf(channel.get('target'));
      if (property !== null && seen.has(property)) {
        channel.get('target').fail(`${property} is animated twice`);
      }
      if (property !== null) seen.add(property);
    }
  }
}

/** Returns the pointer of the property that a checked target animates, `null` for none. */
function propertyOf(target: JsonPlace): string | null {
  const pointer = extensionOf(target, 'KHR_animation_pointer');
  if (pointer !== null) return pointer.get('pointer').string();
  const node = target.optional('node');
  return node === null ? null : `/nodes/${node.value}/${target.get('path').value}`;
}

function checkSampler(place: JsonPlace, accessors: readonly CheckedAccessor[]): void {
  const input = place.get('input');
  const { type, componentType } = accessors[input.index(accessors.length, 'accessors')];
  if (type !== 'SCALAR' || componentType !== 'float32') {
    input.fail(`${type} of ${componentType} is not a list of times`);
  }
  place.get('output').index(accessors.length, 'accessors');
  place.optional('interpolation')?.oneOf(['LINEAR', 'STEP', 'CUBICSPLINE']);
}

function checkChannel(
  place: JsonPlace,
  samplers: readonly JsonPlace[],
  accessors: readonly CheckedAccessor[],
  nodes: readonly JsonPlace[],
  targetCounts: readonly number[],
): void {
  const sampler = samplers[place.get('sampler').index(samplers.length, 'samplers')];
  const target = place.get('target');
  const node = target.optional('node')?.index(nodes.length, 'nodes');
  const pointer = extensionOf(target, 'KHR_animation_pointer');
  if (pointer !== null) {
    checkPointer(pointer, target, sampler, accessors);
    return;
  }
  // A channel without a node has no effect.
  if (node === undefined) return;
  const path = target.get('path').oneOf(['translation', 'rotation', 'scale', 'weights']);
  if (path !== 'weights' && nodes[node].optional('matrix') !== null) {
    target.fail(`nodes[${node}] has a matrix, whose ${path} cannot be animated`);
  }
  const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
  const outputPlace = sampler.get('output');
  const output = accessors[outputPlace.integer()];
  if (output.type !== type) outputPlace.fail(`is ${output.type}, but ${path} needs ${type}`);
  const mesh = nodes[node].optional('mesh');
  const targets = mesh === null ? 0 : targetCounts[mesh.integer()];
  const isCubic = sampler.optional('interpolation')?.value === 'CUBICSPLINE';
  const perKey = (path === 'weights' ? targets : 1) * (isCubic ? 3 : 1);
  if (perKey === 0) target.fail(`nodes[${node}] has no morph targets`);
  const keys = accessors[sampler.get('input').integer()].count;
  if (output.count !== keys * perKey) {
    outputPlace.fail(`${output.count} values for ${keys} keys, not ${keys * perKey}`);
  }
}

const ROTATION = /^\/nodes\/[^/]+\/rotation$/;

/** Checks a channel that animates the property of a pointer. */
function checkPointer(
  place: JsonPlace,
  target: JsonPlace,
  sampler: JsonPlace,
  accessors: readonly CheckedAccessor[],
): void {
  if (target.optional('node') !== null) target.get('node').fail('must not be given with a pointer');
  target.get('path').oneOf(['pointer']);
  const pointer = place.get('pointer');
  const text = pointer.string();
  if (parseJsonPointer(text) === null) pointer.fail(`"${text}" is not a JSON pointer`);
  const isCubic = sampler.optional('interpolation')?.value === 'CUBICSPLINE';
  const runs = accessors[sampler.get('input').integer()].count * (isCubic ? 3 : 1);
  const output = sampler.get('output');
  const { count, type } = accessors[output.integer()];
  // Rotations are interpolated on the sphere, before the value is checked.
  if (ROTATION.test(text) && type !== 'VEC4') output.fail(`is ${type}, but ${text} needs VEC4`);
  if (count % runs !== 0)
    output.fail(`${count} values are not a multiple of ${runs}, for the keys`);
}
