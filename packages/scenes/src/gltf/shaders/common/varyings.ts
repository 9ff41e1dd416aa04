/** Inputs of the fragment shaders of both qualities that come from the vertex shader. */

/** Normal, tangent, color and texture coordinates, if the surface has them. */
export const VARYINGS_GLSL = `#ifdef HAS_NORMALS
in vec3 v_normal;
#endif
#ifdef HAS_TANGENTS
in vec4 v_tangent;
#endif
#ifdef HAS_COLORS
in vec4 v_color;
#endif
#ifdef HAS_TEX_COORD_0
in vec2 v_texCoord0;
#endif
#ifdef HAS_TEX_COORD_1
in vec2 v_texCoord1;
#endif
`;
