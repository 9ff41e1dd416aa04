/**
 * Reflection of surfaces in GLSL, as in glTF 2.0, appendix B, and its material extensions: GGX
 * (Walter et al. 2007), height-correlated Smith masking (Heitz 2014), Schlick's Fresnel term.
 */

/** Fresnel, distribution and visibility of isotropic microfacets. */
export const MICROFACETS_GLSL = `
const float PI = 3.141592653589793;

float cosine(vec3 a, vec3 b) {
  return clamp(dot(a, b), 0.0, 1.0);
}

float grazingShare(float cosView) {
  float x = 1.0 - cosView;
  float x2 = x * x;
  return x2 * x2 * x;
}

vec3 schlick(vec3 f0, float f90, float cosView) {
  return mix(f0, vec3(f90), grazingShare(cosView));
}

// Distribution times visibility of GGX.
float ggx(float alpha, float cosHalf, float cosLight, float cosView) {
  float alpha2 = alpha * alpha;
  float slope = cosHalf * cosHalf * (alpha2 - 1.0) + 1.0;
  float maskView = cosLight * sqrt(cosView * cosView * (1.0 - alpha2) + alpha2);
  float maskLight = cosView * sqrt(cosLight * cosLight * (1.0 - alpha2) + alpha2);
  return alpha2 / (PI * slope * slope) * 0.5 / max(maskView + maskLight, 1e-6);
}
`;

/** Microfacets that are stretched along a tangent (KHR_materials_anisotropy; Burley 2012). */
export const ANISOTROPIC_GGX_GLSL = `
float anisotropicGgx(float alphaT, float alphaB, vec3 tangent, vec3 bitangent, vec3 halfway,
                     vec3 toLight, vec3 toViewer, float cosHalf, float cosLight, float cosView) {
  float alpha2 = alphaT * alphaB;
  vec3 slopes = vec3(alphaB * dot(tangent, halfway), alphaT * dot(bitangent, halfway), alpha2 * cosHalf);
  float width = alpha2 / dot(slopes, slopes);
  float maskView = cosLight * length(vec3(alphaT * dot(tangent, toViewer), alphaB * dot(bitangent, toViewer), cosView));
  float maskLight = cosView * length(vec3(alphaT * dot(tangent, toLight), alphaB * dot(bitangent, toLight), cosLight));
  return alpha2 * width * width / PI * 0.5 / max(maskView + maskLight, 1e-6);
}
`;

/**
 * Sheen of fibers (KHR_materials_sheen): distribution of Estevez and Kulla 2017, visibility of
 * Neubelt and Pettineo 2013. The reflectance under uniform light is the fit of three.js r187, which
 * is darker than the integral of these two terms.
 */
export const SHEEN_GLSL = `
float sheenReflectance(float roughness, float cosView) {
  float steep = 1.0 / (roughness + 0.1);
  float slope = -1.9362 + (1.0678 + 0.4573 * roughness) * roughness - 0.8469 * steep;
  float start = -0.6014 + (0.5538 - 0.4670 * roughness) * roughness - 0.1255 * steep;
  return clamp(exp(slope * cosView + start), 0.0, 1.0);
}

float sheenLobe(float roughness, float cosHalf, float cosLight, float cosView) {
  float exponent = 1.0 / (roughness * roughness);
  float sin2 = max(1.0 - cosHalf * cosHalf, 0.0078125);
  float distribution = (2.0 + exponent) * pow(sin2, exponent * 0.5) / (2.0 * PI);
  float visibility = clamp(1.0 / (4.0 * (cosLight + cosView - cosLight * cosView)), 0.0, 1.0);
  return distribution * visibility;
}
`;

/**
 * Reflectance of a thin film (KHR_materials_iridescence; L. Belcour and P. Barla, "A Practical
 * Extension to Microfacet Theory for the Modeling of Varying Iridescence", 2017).
 */
export const THIN_FILM_GLSL = `
const mat3 XYZ_TO_SRGB = mat3(
  3.2404542, -0.9692660, 0.0556434,
  -1.5371385, 1.8760108, -0.2040259,
  -0.4985314, 0.0415560, 1.0572252);

vec3 squareOf(vec3 x) {
  return x * x;
}

// Response of the eye, in sRGB, to an optical path difference in nm, by Fourier transform.
vec3 filmSensitivity(float pathNm, vec3 shift) {
  float phase = 2.0 * PI * pathNm * 1e-9;
  vec3 peak = vec3(5.4856e-13, 4.4201e-13, 5.2481e-13);
  vec3 place = vec3(1.6810e6, 1.7953e6, 2.2084e6);
  vec3 variance = vec3(4.3278e9, 9.3046e9, 6.6121e9);
  vec3 xyz = peak * sqrt(2.0 * PI * variance) * cos(place * phase + shift) * exp(-phase * phase * variance);
  xyz.x += 9.7470e-14 * sqrt(2.0 * PI * 4.5282e9) * cos(2.2399e6 * phase + shift.x) * exp(-4.5282e9 * phase * phase);
  return XYZ_TO_SRGB * (xyz / 1.0685e-7);
}

vec3 thinFilm(float filmIor, float cosView, float thicknessNm, vec3 baseF0) {
  float ior = mix(1.0, filmIor, smoothstep(0.0, 0.03, thicknessNm)); // a vanishing film has no effect
  float cos2 = 1.0 - (1.0 - cosView * cosView) / (ior * ior);
  if (cos2 < 0.0) {
    return vec3(1.0); // total reflection
  }
  float cosFilm = sqrt(cos2);

  // From air to the film.
  float f0 = (ior - 1.0) / (ior + 1.0);
  float r12 = mix(f0 * f0, 1.0, grazingShare(cosView));
  float t121 = 1.0 - r12;
  float phase21 = ior < 1.0 ? 0.0 : PI;

  // From the film to the base.
  vec3 rootF0 = sqrt(clamp(baseF0, 0.0, 0.9999));
  vec3 baseIor = (1.0 + rootF0) / (1.0 - rootF0);
  vec3 r23 = schlick(squareOf((baseIor - ior) / (baseIor + ior)), 1.0, cosFilm);
  vec3 phase23 = mix(vec3(0.0), vec3(PI), vec3(lessThan(baseIor, vec3(ior))));

  // Interference of what leaves after 0, 1 and 2 reflections inside the film.
  float pathNm = 2.0 * ior * thicknessNm * cosFilm;
  vec3 phase = phase21 + phase23;
  vec3 r123 = clamp(r12 * r23, 1e-5, 0.9999);
  vec3 amplitude = sqrt(r123);
  vec3 trapped = t121 * t121 * r23 / (1.0 - r123);
  vec3 reflectance = r12 + trapped;
  vec3 term = trapped - t121;
  for (int m = 1; m <= 2; m++) {
    term *= amplitude;
    reflectance += term * 2.0 * filmSensitivity(float(m) * pathNm, float(m) * phase);
  }
  return max(reflectance, vec3(0.0));
}

// Reflectance at normal incidence that Schlick's term turns into the given one.
vec3 normalReflectance(vec3 reflectance, float cosView) {
  float share = min(grazingShare(cosView), 0.9999);
  return (reflectance - share) / (1.0 - share);
}
`;
