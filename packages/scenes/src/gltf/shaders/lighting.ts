/**
 * Light reflection in GLSL: the metallic-roughness model of glTF 2.0, appendix B, under one
 * directional light and an analytic sky.
 */

/**
 * GGX microfacets (Walter et al. 2007), height-correlated Smith masking (Heitz 2014), Schlick's
 * Fresnel term. Ambient light is a gradient from ground to sky, blurred by roughness, times an
 * analytic fit of the split-sum factors (Karis, "Physically Based Shading on Mobile", 2014).
 */
export const LIGHTING_GLSL = `
const float PI = 3.141592653589793;

const vec3 LIGHT_DIRECTION = vec3(0.4242640687, 0.7071067812, 0.5656854249); // towards the light
const vec3 LIGHT_COLOR = vec3(3.0, 2.9, 2.7);
const vec3 SKY_COLOR = vec3(0.75, 0.85, 1.0);
const vec3 HORIZON_COLOR = vec3(1.0, 0.97, 0.92);
const vec3 GROUND_COLOR = vec3(0.22, 0.20, 0.18);

struct Surface {
  vec3 normal;
  vec3 toViewer;
  vec3 diffuseColor;
  vec3 specularColor; // reflectance at normal incidence
  float roughness;    // perceptual: the microfacet slope is its square
};

// Radiance from a direction, averaged over a lobe as wide as the roughness.
vec3 environment(vec3 direction, float roughness) {
  float blur = mix(0.06, 1.0, roughness);
  float skyShare = smoothstep(-blur, blur, direction.y);
  float height = abs(direction.y);
  float horizonShare = (1.0 - roughness) * (1.0 - height) * (1.0 - height);
  vec3 color = mix(GROUND_COLOR, SKY_COLOR, skyShare);
  return mix(color, HORIZON_COLOR, horizonShare * skyShare);
}

vec3 shadeDirectional(Surface surface, vec3 toLight) {
  float nDotL = dot(surface.normal, toLight);
  if (nDotL <= 0.0) {
    return vec3(0.0);
  }
  vec3 halfway = normalize(toLight + surface.toViewer);
  float nDotV = max(dot(surface.normal, surface.toViewer), 1e-4);
  float nDotH = max(dot(surface.normal, halfway), 0.0);
  float vDotH = max(dot(surface.toViewer, halfway), 0.0);

  float alpha = surface.roughness * surface.roughness;
  float alpha2 = alpha * alpha;
  float slope = nDotH * nDotH * (alpha2 - 1.0) + 1.0;
  float distribution = alpha2 / (PI * slope * slope);
  float maskingV = nDotL * sqrt(nDotV * nDotV * (1.0 - alpha2) + alpha2);
  float maskingL = nDotV * sqrt(nDotL * nDotL * (1.0 - alpha2) + alpha2);
  float visibility = 0.5 / (maskingV + maskingL);
  float grazing = 1.0 - vDotH;
  float grazing2 = grazing * grazing;
  vec3 fresnel = surface.specularColor
               + (1.0 - surface.specularColor) * (grazing2 * grazing2 * grazing);

  vec3 diffuse = (1.0 - fresnel) * surface.diffuseColor / PI;
  return (diffuse + fresnel * distribution * visibility) * nDotL;
}

vec3 shadeEnvironment(Surface surface) {
  float nDotV = clamp(dot(surface.normal, surface.toViewer), 0.0, 1.0);
  vec4 r = surface.roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
  float a004 = min(r.x * r.x, exp2(-9.28 * nDotV)) * r.x + r.y;
  vec2 split = vec2(-1.04, 1.04) * a004 + r.zw;
  vec3 specular = surface.specularColor * split.x + split.y;
  vec3 reflected = reflect(-surface.toViewer, surface.normal);
  return surface.diffuseColor * environment(surface.normal, 1.0)
       + specular * environment(reflected, surface.roughness);
}
`;
