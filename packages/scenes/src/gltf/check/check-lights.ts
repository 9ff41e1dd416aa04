/** Checks the lights of a model in the JSON (KHR_lights_punctual). */
import { RenderError } from '@tessera/frame';
import { extensionOf } from './check-extensions.ts';
import type { JsonPlace } from './json-place.ts';

/** Maximum number of nodes with a light, because shaders evaluate all of them. */
export const MAX_LIGHTS = 32;

const RIGHT_ANGLE = Math.PI / 2;

/**
 * Checks the lights and the nodes that have one.
 *
 * @throws {RenderError} MODEL_INVALID, naming the member; LIMIT_EXCEEDED for more than
 *   {@link MAX_LIGHTS}.
 */
export function checkLights(root: JsonPlace, nodes: readonly JsonPlace[]): void {
  const lights = extensionOf(root, 'KHR_lights_punctual')?.get('lights').array() ?? [];
  for (const light of lights) checkLight(light);
  let count = 0;
  for (const node of nodes) {
    const use = extensionOf(node, 'KHR_lights_punctual');
    if (use === null) continue;
    use.get('light').index(lights.length, 'lights');
    count++;
    if (count > MAX_LIGHTS) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${use.path}: more than ${MAX_LIGHTS} nodes have a light`,
      );
    }
  }
}

function checkLight(light: JsonPlace): void {
  const type = light.get('type').oneOf(['directional', 'point', 'spot']);
  light.optional('color')?.numbers(3);
  light.optional('intensity')?.number(0);
  const range = light.optional('range');
  if (range !== null && range.number(0) === 0) range.fail('0 is not above 0');
  if (type !== 'spot') return;
  const spot = light.get('spot');
  const outer = spot.optional('outerConeAngle')?.number(0, RIGHT_ANGLE) ?? Math.PI / 4;
  const inner = spot.optional('innerConeAngle');
  if (inner !== null && inner.number(0, RIGHT_ANGLE) >= outer) {
    inner.fail(`${inner.number()} is not below the outer angle ${outer}`);
  }
}
