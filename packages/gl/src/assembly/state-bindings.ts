/**
 * GLSL expressions of the state that assembly programs can read (ARB_vertex_program, tables X.1 to
 * X.4; ARB_fragment_program, section 3.11.3.2).
 */
import type { AssemblyStage } from './assembly-syntax.ts';

/** Patterns of bindings with their expressions. `$1` and so on are the groups of the pattern. */
const BINDINGS: readonly (readonly [RegExp, string])[] = [
  [/^material(?:\.front)?\.(ambient|diffuse|specular|emission)$/, 'gl_FrontMaterial.$1'],
  [/^material\.back\.(ambient|diffuse|specular|emission)$/, 'gl_BackMaterial.$1'],
  [/^material(?:\.front)?\.shininess$/, 'vec4(gl_FrontMaterial.shininess, 0.0, 0.0, 1.0)'],
  [/^material\.back\.shininess$/, 'vec4(gl_BackMaterial.shininess, 0.0, 0.0, 1.0)'],
  [/^light\[(\d)\]\.(ambient|diffuse|specular|position)$/, 'gl_LightSource[$1].$2'],
  [
    /^light\[(\d)\]\.attenuation$/,
    'vec4(gl_LightSource[$1].constantAttenuation, gl_LightSource[$1].linearAttenuation, gl_LightSource[$1].quadraticAttenuation, gl_LightSource[$1].spotExponent)',
  ],
  [
    /^light\[(\d)\]\.spot\.direction$/,
    'vec4(gl_LightSource[$1].spotDirection, gl_LightSource[$1].spotCosCutoff)',
  ],
  [/^light\[(\d)\]\.half$/, 'vec4(gl_LightSource[$1].halfVector.xyz, 1.0)'],
  [/^lightmodel\.ambient$/, 'gl_LightModel.ambient'],
  [/^lightmodel(?:\.front)?\.scenecolor$/, 'gl_FrontLightModelProduct.sceneColor'],
  [/^lightmodel\.back\.scenecolor$/, 'gl_BackLightModelProduct.sceneColor'],
  [/^lightprod\[(\d)\](?:\.front)?\.(ambient|diffuse|specular)$/, 'gl_FrontLightProduct[$1].$2'],
  [/^lightprod\[(\d)\]\.back\.(ambient|diffuse|specular)$/, 'gl_BackLightProduct[$1].$2'],
  [/^texgen\[(\d)\]\.eye\.s$/, 'gl_EyePlaneS[$1]'],
  [/^texgen\[(\d)\]\.eye\.t$/, 'gl_EyePlaneT[$1]'],
  [/^texgen\[(\d)\]\.eye\.r$/, 'gl_EyePlaneR[$1]'],
  [/^texgen\[(\d)\]\.eye\.q$/, 'gl_EyePlaneQ[$1]'],
  [/^texgen\[(\d)\]\.object\.s$/, 'gl_ObjectPlaneS[$1]'],
  [/^texgen\[(\d)\]\.object\.t$/, 'gl_ObjectPlaneT[$1]'],
  [/^texgen\[(\d)\]\.object\.r$/, 'gl_ObjectPlaneR[$1]'],
  [/^texgen\[(\d)\]\.object\.q$/, 'gl_ObjectPlaneQ[$1]'],
  [/^texenv\[(\d)\]\.color$/, 'gl_TextureEnvColor[$1]'],
  [/^fog\.color$/, 'gl_Fog.color'],
  [/^fog\.params$/, 'vec4(gl_Fog.density, gl_Fog.start, gl_Fog.end, gl_Fog.scale)'],
  [/^clip\[(\d)\]\.plane$/, 'gl_ClipPlane[$1]'],
  [
    /^point\.size$/,
    'vec4(gl_Point.size, gl_Point.sizeMin, gl_Point.sizeMax, gl_Point.fadeThresholdSize)',
  ],
  [
    /^point\.attenuation$/,
    'vec4(gl_Point.distanceConstantAttenuation, gl_Point.distanceLinearAttenuation, gl_Point.distanceQuadraticAttenuation, 1.0)',
  ],
  [
    /^depth\.range$/,
    'vec4(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.far - gl_DepthRange.near, 1.0)',
  ],
];

const MATRIX_NAMES: Readonly<Record<string, string>> = {
  modelview: 'gl_ModelViewMatrix',
  projection: 'gl_ProjectionMatrix',
  mvp: 'gl_ModelViewProjectionMatrix',
  texture: 'gl_TextureMatrix',
};

/** GLSL matrix whose columns are the rows of a matrix with a modifier. */
const SUFFIX_BY_MODIFIER: Readonly<Record<string, string>> = {
  '': 'Transpose',
  transpose: '',
  inverse: 'InverseTranspose',
  invtrans: 'Inverse',
};

const MATRIX =
  /^matrix\.(modelview|projection|mvp|texture)(?:\[(\d+)\])?(?:\.(transpose|inverse|invtrans))?(?:\.row\[(\d)(?:\.\.(\d))?\])?$/;

/**
 * Returns the expressions of a binding after `state.`, or `null` if it is unknown. A binding of
 * texture coordinates or environments without a unit is that of unit 0.
 */
export function stateVectors(binding: string): string[] | null {
  const [, name, unit = '0', modifier = '', first = '0', last] = MATRIX.exec(binding) ?? [];
  if (name !== undefined) {
    // Only the first matrix of vertex blending exists.
    if (name === 'modelview' && unit !== '0') return null;
    const columns = `${MATRIX_NAMES[name]}${SUFFIX_BY_MODIFIER[modifier]}`;
    const matrix = name === 'texture' ? `${columns}[${unit}]` : columns;
    const end = last ?? (binding.includes('.row[') ? first : '3');
    const rows: string[] = [];
    for (let row = Number(first); row <= Number(end); row++) rows.push(`${matrix}[${row}]`);
    return rows;
  }
  const full = binding.replace(/^(texgen|texenv)\./, '$1[0].');
  for (const [pattern, expression] of BINDINGS) {
    if (pattern.test(full)) return [full.replace(pattern, expression)];
  }
  return null;
}

const VERTEX_ATTRIBUTES: readonly (readonly [RegExp, string])[] = [
  [/^position$/, 'gl_Vertex'],
  [/^normal$/, 'vec4(gl_Normal, 1.0)'],
  [/^color(?:\.primary)?$/, 'gl_Color'],
  [/^color\.secondary$/, 'gl_SecondaryColor'],
  [/^fogcoord$/, 'vec4(gl_FogCoord, 0.0, 0.0, 1.0)'],
  [/^texcoord$/, 'gl_MultiTexCoord0'],
  [/^texcoord\[([0-7])\]$/, 'gl_MultiTexCoord$1'],
  [/^attrib\[(\d+)\]$/, 'assembly_Attribute$1'],
];
const FRAGMENT_ATTRIBUTES: readonly (readonly [RegExp, string])[] = [
  [/^position$/, 'gl_FragCoord'],
  [/^color(?:\.primary)?$/, 'clamp(gl_Color, 0.0, 1.0)'],
  [/^color\.secondary$/, 'clamp(gl_SecondaryColor, 0.0, 1.0)'],
  [/^fogcoord$/, 'vec4(gl_FogFragCoord, 0.0, 0.0, 1.0)'],
  [/^texcoord$/, 'gl_TexCoord[0]'],
  [/^texcoord\[([0-7])\]$/, 'gl_TexCoord[$1]'],
];

/** Returns the expression of an attribute after `vertex.` or `fragment.`; `null` if unknown. */
export function attributeVector(stage: AssemblyStage, binding: string): string | null {
  const attributes = stage === 'vertex' ? VERTEX_ATTRIBUTES : FRAGMENT_ATTRIBUTES;
  const found = attributes.find(([pattern]) => pattern.test(binding));
  return found === undefined ? null : binding.replace(found[0], found[1]);
}

/** Results after `result.` with the statement that writes each; `$v` is the register. */
const VERTEX_RESULTS: readonly (readonly [RegExp, string])[] = [
  [/^position$/, 'gl_Position = $v;'],
  [/^color(?:\.front)?(?:\.primary)?$/, 'gl_FrontColor = clamp($v, 0.0, 1.0);'],
  [/^color(?:\.front)?\.secondary$/, 'gl_FrontSecondaryColor = clamp($v, 0.0, 1.0);'],
  [/^color\.back(?:\.primary)?$/, 'gl_BackColor = clamp($v, 0.0, 1.0);'],
  [/^color\.back\.secondary$/, 'gl_BackSecondaryColor = clamp($v, 0.0, 1.0);'],
  [/^fogcoord$/, 'gl_FogFragCoord = $v.x;'],
  [/^pointsize$/, 'gl_PointSize = $v.x;'],
  [/^texcoord$/, 'gl_TexCoord[0] = $v;'],
  [/^texcoord\[([0-7])\]$/, 'gl_TexCoord[$1] = $v;'],
];
const FRAGMENT_RESULTS: readonly (readonly [RegExp, string])[] = [
  [/^color$/, 'gl_FragColor = $v;'],
  [/^color\[([0-7])\]$/, 'gl_FragData[$1] = $v;'],
  [/^depth$/, 'gl_FragDepth = $v.z;'],
];

/** Returns the statement that writes a result, with `$v` for its register; `null` if unknown. */
export function resultStatement(stage: AssemblyStage, binding: string): string | null {
  const results = stage === 'vertex' ? VERTEX_RESULTS : FRAGMENT_RESULTS;
  const found = results.find(([pattern]) => pattern.test(binding));
  // `$v` of the statement is not a group, so the replacement keeps it.
  return found === undefined ? null : binding.replace(found[0], found[1]);
}
