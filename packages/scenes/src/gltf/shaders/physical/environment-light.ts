/** Light of a filtered environment in GLSL; see `lighting/environment-frame.ts`. */
import { ENVIRONMENT_LEVELS } from '../../../lighting/environment-frame.ts';

/** Lookups of radiance, irradiance and reflectance. */
export const ENVIRONMENT_LIGHT_GLSL = `
uniform samplerCube u_environment;
uniform sampler2D u_reflectance;

const float LAST_LEVEL = ${ENVIRONMENT_LEVELS - 1}.0;

// Radiance from the directions that a lobe around the mirrored view reflects.
vec3 reflectedRadiance(vec3 normal, vec3 toViewer, float roughness) {
  float roughness2 = roughness * roughness;
  // A rough lobe leans toward the normal.
  vec3 direction = mix(reflect(-toViewer, normal), normal, roughness2 * roughness2);
  return textureLod(u_environment, direction, LAST_LEVEL * roughness * (2.0 - roughness)).rgb;
}

// Irradiance over π.
vec3 diffuseRadiance(vec3 normal) {
  return textureLod(u_environment, normal, LAST_LEVEL).rgb;
}

// Scale and bias of the reflectance at normal incidence.
vec2 reflectanceTable(float roughness, float cosView) {
  return textureLod(u_reflectance, vec2(roughness, cosView), 0.0).rg;
}

// Reflectance after one reflection, and that of all further ones (C. Fdez-Agüera, "A
// Multiple-Scattering Microfacet Model for Real-Time Image-Based Lighting", 2019).
void scatter(vec2 table, vec3 f0, float f90, out vec3 single, out vec3 multiple) {
  single = f0 * table.x + f90 * table.y;
  float missing = 1.0 - (table.x + table.y);
  vec3 mean = f0 + (1.0 - f0) / 21.0;
  multiple = single * mean * missing / (1.0 - missing * mean);
}
`;
