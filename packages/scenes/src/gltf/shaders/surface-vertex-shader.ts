/**
 * The vertex shader of all surfaces: morph, skin, instance, model to world, world to clip space.
 */
import type { MorphTargetFeatures, SurfaceFeatures } from '../features/surface-features.ts';

/**
 * Returns GLSL ES 3.00 without version line and defines. One function because it is one shader
 * text.
 */
export function writeSurfaceVertexShader(features: SurfaceFeatures): string {
  const { morphTargetCount, morphTarget } = features;
  return `precision highp float;

#ifdef JOINT_CAPACITY
uniform mat4 u_viewProjection; // world to clip space; the joints lead to the world
#else
uniform mat4 u_modelViewProjection; // node to clip space, in one step since all passes need it
uniform mat4 u_model;               // node to world
uniform mat3 u_normalMatrix;        // inverse transpose of u_model
#endif

in vec3 a_position;
#ifdef HAS_NORMALS
in vec3 a_normal;
out vec3 v_normal;
#endif
#ifdef HAS_TANGENTS
in vec4 a_tangent;
out vec4 v_tangent;
#endif
#ifdef HAS_COLORS
in vec4 a_color;
out vec4 v_color;
#endif
#ifdef HAS_TEX_COORD_0
in vec2 a_texCoord0;
out vec2 v_texCoord0;
#endif
#ifdef HAS_TEX_COORD_1
in vec2 a_texCoord1;
out vec2 v_texCoord1;
#endif
#ifndef IS_UNLIT
out vec3 v_worldPosition;
#endif

#ifdef JOINT_CAPACITY
uniform mat4 u_joints[JOINT_CAPACITY]; // bind pose to world
in uvec4 a_joints;
in vec4 a_weights;

// Cofactors of m: its inverse transpose times its determinant.
mat3 cofactors(mat3 m) {
  return mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
}
#endif
#ifdef IS_INSTANCED
in vec3 a_instanceTranslation;
in vec4 a_instanceRotation;
in vec3 a_instanceScale;

// Turns v by a unit quaternion.
vec3 rotate(vec4 q, vec3 v) {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}
#endif
${writeMorphInputs(morphTargetCount, morphTarget)}
void main() {
  vec3 position = a_position;
#ifdef HAS_NORMALS
  vec3 normal = a_normal;
#endif
#ifdef HAS_TANGENTS
  vec3 tangent = a_tangent.xyz;
#endif
${writeMorphSum('position', 'Position', morphTarget.hasPosition ? morphTargetCount : 0)}${writeMorphSum('normal', 'Normal', morphTarget.hasNormal ? morphTargetCount : 0)}${writeMorphSum('tangent', 'Tangent', morphTarget.hasTangent ? morphTargetCount : 0)}
#ifdef IS_INSTANCED
  position = a_instanceTranslation + rotate(a_instanceRotation, a_instanceScale * position);
#ifdef HAS_NORMALS
  normal = rotate(a_instanceRotation, normal / a_instanceScale);
#endif
#ifdef HAS_TANGENTS
  tangent = rotate(a_instanceRotation, a_instanceScale * tangent);
#endif
#endif

#ifdef JOINT_CAPACITY
  mat4 toWorld = a_weights.x * u_joints[a_joints.x] + a_weights.y * u_joints[a_joints.y]
               + a_weights.z * u_joints[a_joints.z] + a_weights.w * u_joints[a_joints.w];
  mat3 normalToWorld = cofactors(mat3(toWorld));
  if (dot(normalToWorld[0], toWorld[0].xyz) < 0.0) {
    normalToWorld = -normalToWorld; // the determinant is negative: the joints mirror
  }
  vec4 worldPosition = toWorld * vec4(position, 1.0);
  gl_Position = u_viewProjection * worldPosition;
#else
  mat4 toWorld = u_model;
  mat3 normalToWorld = u_normalMatrix;
  vec4 worldPosition = toWorld * vec4(position, 1.0);
  gl_Position = u_modelViewProjection * vec4(position, 1.0);
#endif
  gl_PointSize = 1.0;
#ifndef IS_UNLIT
  v_worldPosition = worldPosition.xyz;
#endif
#ifdef HAS_NORMALS
  v_normal = normalize(normalToWorld * normal);
#endif
#ifdef HAS_TANGENTS
  v_tangent = vec4(normalize(mat3(toWorld) * tangent), a_tangent.w);
#endif
#ifdef HAS_COLORS
  v_color = a_color;
#endif
#ifdef HAS_TEX_COORD_0
  v_texCoord0 = a_texCoord0;
#endif
#ifdef HAS_TEX_COORD_1
  v_texCoord1 = a_texCoord1;
#endif
}
`;
}

/**
 * Returns the inputs of the morph targets. Vertex shader inputs cannot be arrays, so each target
 * has its own.
 */
function writeMorphInputs(count: number, target: MorphTargetFeatures): string {
  if (count === 0) return '';
  const lines = ['\nuniform float u_morphWeights[MORPH_TARGET_COUNT];'];
  for (let i = 0; i < count; i++) {
    if (target.hasPosition) lines.push(`in vec3 a_morphPosition${i};`);
    if (target.hasNormal) lines.push(`in vec3 a_morphNormal${i};`);
    if (target.hasTangent) lines.push(`in vec3 a_morphTangent${i};`);
  }
  return `${lines.join('\n')}\n`;
}

function writeMorphSum(variable: string, input: string, count: number): string {
  let text = '';
  for (let i = 0; i < count; i++)
    text += `  ${variable} += u_morphWeights[${i}] * a_morph${input}${i};\n`;
  return text;
}
