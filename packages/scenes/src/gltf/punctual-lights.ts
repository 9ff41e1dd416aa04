/** Lights of a posed scene as uniforms (KHR_lights_punctual). */
import type { Light } from '@gltf-transform/extensions';
import type { UniformValue } from '@tessera/frame';
import { cos } from '../math/deterministic-math.ts';
import { normalizeVec3, type Vec3 } from '../math/vector.ts';
import type { LightKind } from './features/surface-features.ts';
import type { Pose } from './pose.ts';

/** One light in the world. */
export interface PunctualLight {
  readonly kind: LightKind;
  readonly position: Vec3;
  /** Direction against which the light shines. */
  readonly back: Vec3;
  /** Angle between axis and edge of a spot, in radians. */
  readonly outerAngle: number;
}

/** Lights of a frame. */
export interface PunctualLights {
  readonly lights: readonly PunctualLight[];
  /** Uniforms of `shaders/physical/punctual-lights.ts`; none without lights. */
  readonly uniforms: Readonly<Record<string, UniformValue>>;
}

/** Smallest difference between the cosines of a spot's cones. */
const LEAST_CONE = 0.001;

/** Lists the lights of the nodes of a posed scene. */
export function listLights(pose: Pose): PunctualLights {
  const lights: PunctualLight[] = [];
  const places: number[] = [];
  const colors: number[] = [];
  const axes: number[] = [];
  const offsets: number[] = [];
  for (const [node, m] of pose.worldMatrices) {
    const light = node.getExtension<Light>('KHR_lights_punctual');
    if (light === null || pose.hidden.has(node)) continue;
    const isDistant = light.getType() === 'directional';
    // A light shines along −z of its node, without the node's scale.
    const back = normalizeVec3([m[8], m[9], m[10]]);
    places.push(...(isDistant ? [...back, 0] : [m[12], m[13], m[14], 1]));
    lights.push({
      kind: light.getType(),
      position: [m[12], m[13], m[14]],
      back,
      outerAngle: light.getOuterConeAngle(),
    });
    const range = light.getRange() ?? 0;
    const intensity = light.getIntensity();
    colors.push(...light.getColor().map((channel) => channel * intensity));
    colors.push(range > 0 ? 1 / range : 0);
    const cone = light.getType() === 'spot' ? coneOf(light) : { scale: 0, offset: 0 };
    axes.push(...back.map((value) => -value), cone.scale);
    offsets.push(cone.offset);
  }
  if (lights.length === 0) return { lights, uniforms: {} };
  return {
    lights,
    uniforms: {
      'u_lightPlaces[0]': Float32Array.from(places),
      'u_lightColors[0]': Float32Array.from(colors),
      'u_lightAxes[0]': Float32Array.from(axes),
      'u_lightOffsets[0]': Float32Array.from(offsets),
    },
  };
}

/** Returns the linear function of the cosine that falls from 1 to 0 between the cones. */
function coneOf(light: Light): { scale: number; offset: number } {
  const outer = cos(light.getOuterConeAngle());
  const scale = 1 / Math.max(LEAST_CONE, cos(light.getInnerConeAngle()) - outer);
  return { scale, offset: -outer * scale };
}
