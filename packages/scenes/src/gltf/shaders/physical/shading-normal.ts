/** Normals of surfaces in GLSL: of the geometry, and bent by normal maps. */
import type { MaterialLayer, SurfaceFeatures } from '../../features/surface-features.ts';
import { coordinatesOf } from './texture-lookups.ts';

type Layers = ReadonlySet<MaterialLayer>;

const GEOMETRY_NORMAL_GLSL = `
vec3 geometryNormal() {
#ifdef HAS_NORMALS
  return normalize(v_normal) * (gl_FrontFacing ? 1.0 : -1.0);
#else
  return normalize(cross(dFdx(v_worldPosition), dFdy(v_worldPosition))); // flat, toward the viewer
#endif
}
`;

/** Tangent frame, whose directions follow the texture coordinates; v grows downwards in glTF. */
const TANGENT_FRAME_GLSL = `
mat3 tangentFrame(vec3 normal, vec2 coord) {
  float facing = gl_FrontFacing ? 1.0 : -1.0;
#ifdef HAS_TANGENTS
  vec3 tangent = normalize(v_tangent.xyz);
  return mat3(facing * tangent, facing * cross(normal * facing, tangent) * v_tangent.w, normal);
#else
  // Without tangents: the directions in which the coordinates grow, from their derivatives.
  vec2 coordX = dFdx(coord);
  vec2 coordY = dFdy(coord);
  vec3 slopeX = cross(dFdy(v_worldPosition), normal);
  vec3 slopeY = cross(normal, dFdx(v_worldPosition));
  vec3 tangent = slopeX * coordX.x + slopeY * coordY.x;
  vec3 bitangent = -(slopeX * coordX.y + slopeY * coordY.y);
  float longest = max(dot(tangent, tangent), dot(bitangent, bitangent));
  float scale = longest > 0.0 ? facing * inversesqrt(longest) : 0.0;
  return mat3(tangent * scale, bitangent * scale, normal);
#endif
}

vec3 bend(mat3 frame, vec3 texel, float scale) {
  vec3 bent = texel * 2.0 - 1.0;
  return normalize(frame * vec3(bent.xy * scale, bent.z));
}
`;

/** Returns GLSL with `geometryNormal`, and with `tangentFrame` and `bend` if they are needed. */
export function writeNormals(features: SurfaceFeatures, layers: Layers): string {
  return GEOMETRY_NORMAL_GLSL + (needsTangentFrame(features, layers) ? TANGENT_FRAME_GLSL : '');
}

/** Whether a surface reads normal maps or has a direction of anisotropy. */
export function needsTangentFrame(
  { textures }: Pick<SurfaceFeatures, 'textures'>,
  layers: Layers,
): boolean {
  return (
    textures.normal !== undefined ||
    textures.clearcoatNormal !== undefined ||
    layers.has('anisotropy')
  );
}

/** Returns the statements that compute `flatNormal`, `frame` and `normal`. */
export function computeNormal(features: SurfaceFeatures, layers: Layers): string {
  const at = coordinatesOf(features, 'normal');
  const frameAt =
    at ??
    coordinatesOf(features, 'clearcoatNormal') ??
    coordinatesOf(features, 'anisotropy') ??
    (features.hasTangents ? 'vec2(0.0)' : 'v_texCoord0');
  const frame = needsTangentFrame(features, layers)
    ? `  mat3 frame = tangentFrame(flatNormal, ${frameAt});\n`
    : '';
  const normal =
    at === null ? 'flatNormal' : `bend(frame, texture(u_normalTexture, ${at}).xyz, u_normalScale)`;
  return `  vec3 flatNormal = geometryNormal();\n${frame}  vec3 normal = ${normal};\n`;
}
