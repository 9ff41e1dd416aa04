/**
 * Generates GLSL for the fixed fragment stage: texturing, color sum, fog (OpenGL 2.1, sections
 * 3.8.13 to 3.10).
 */
import { writeEnvironment } from './combiner-source.ts';
import { declareCoverage, discardBetweenDashes, weighAlpha } from './coverage-source.ts';
import { type DeclaredInterpolation, SHADE_MODEL_COLORS } from './declared-interpolation.ts';
import { IMAGE_DECLARATIONS, PRIMARY_COLORS } from './image-source.ts';
import type { FragmentKey, UnitKey } from './program-key.ts';
import {
  declareAlphaTest,
  declareInterface,
  discardClipped,
  discardStippled,
  enableExtensions,
  OWN_PREFIX,
  STIPPLE_SAMPLER,
  testAlpha,
} from './stage-interface.ts';

/** Returns the sampler name of a texture unit. */
export function unitSampler(unit: number): string {
  return `${OWN_PREFIX}Texture${unit}`;
}

const SAMPLER_TYPES = {
  '1d': 'sampler1D',
  '2d': 'sampler2D',
  '2d-rect': 'sampler2DRect',
  '3d': 'sampler3D',
  cube: 'samplerCube',
};

/** Returns the GLSL source of the fixed fragment stage for a key. */
export function makeFragmentSource(key: FragmentKey): string {
  const { units, fog, hasColorSum, alphaTest, interface: shared } = key;
  const declarations = [
    ...units.map(({ unit, target, isShadow }) => {
      const type = isShadow ? `${SAMPLER_TYPES[target]}Shadow` : SAMPLER_TYPES[target];
      return `uniform ${type} ${unitSampler(unit)};`;
    }),
    key.isStippled ? `uniform sampler2D ${STIPPLE_SAMPLER};` : '',
    declareAlphaTest(alphaTest),
    declareInterface(shared),
    declareCoverage(shared),
  ];
  for (const { unit, hasLodBias } of units) {
    if (hasLodBias) declarations.push(`uniform float tessera_LodBias${unit};`);
  }
  if (key.image !== undefined) {
    declarations.push(IMAGE_DECLARATIONS, 'uniform vec4 secondaryColor;');
  }
  const [interpolated, ofVertices] = colorNames(key);
  const secondary = key.image === undefined ? ofVertices : 'secondaryColor';
  const sampledUnits = new Set(units.map(({ unit }) => unit));
  const lines = [
    discardClipped(shared),
    discardStippled(key.isStippled),
    discardBetweenDashes(shared),
    key.image === undefined ? `vec4 primary = ${interpolated};` : PRIMARY_COLORS[key.image],
    'vec4 color = primary;',
    // A combiner may read the texel of any unit, so all units are sampled first.
    ...units.map((unit) => `vec4 texel${unit.unit} = ${sampleText(unit, key)};`),
    ...units.map((unit) => writeEnvironment(unit, sampledUnits)),
    hasColorSum ? `color.rgb = clamp(color.rgb + ${secondary}.rgb, 0.0, 1.0);` : '',
    fog === null ? '' : `color.rgb = mix(gl_Fog.color.rgb, color.rgb, ${fogText(fog)});`,
    weighAlpha(shared, 'color.a'),
    testAlpha(alphaTest, 'color.a'),
    'gl_FragColor = color;',
  ];
  const hasRectangle = units.some(({ target }) => target === '2d-rect');
  const rectangles = hasRectangle ? '#extension GL_ARB_texture_rectangle : enable\n' : '';
  return `#version 120
${enableExtensions(shared)}${rectangles}${declarations.filter((line) => line !== '').join('\n')}
void main() {
  ${lines.filter((line) => line !== '').join('\n  ')}
}
`;
}

/** Returns GLSL expressions for the primary and the secondary color of the visible face. */
export function colorNames({
  interface: { isFlat, isTwoSided, colors = SHADE_MODEL_COLORS },
}: Pick<FragmentKey, 'interface'>): readonly [string, string] {
  const name = (color: string, declared: DeclaredInterpolation) => {
    const front = isFlat && declared === null ? 'tessera_Flat' : 'gl_';
    return isTwoSided
      ? `(gl_FrontFacing ? ${front}${color} : tessera_Back${color})`
      : `${front}${color}`;
  };
  return [name('Color', colors.primary), name('SecondaryColor', colors.secondary)];
}

function sampleText(
  { unit, target, isShadow, hasLodBias, isAffine, isPointCoordinate }: UnitKey,
  { isPointOriginLowerLeft }: FragmentKey,
): string {
  const sampler = unitSampler(unit);
  const bias = hasLodBias ? `, tessera_LodBias${unit}` : '';
  let coordinate = `gl_TexCoord[${unit}]`;
  if (isPointCoordinate) {
    coordinate = pointCoordinate(isPointOriginLowerLeft);
  }
  if (target === 'cube') return `textureCube(${sampler}, ${coordinate}.xyz${bias})`;
  if (target === '2d-rect') {
    return isShadow
      ? `shadow2DRectProj(${sampler}, ${coordinate})`
      : `texture2DRectProj(${sampler}, ${coordinate})`;
  }
  const dimension = target.toUpperCase();
  if (isShadow) return `shadow${dimension}Proj(${sampler}, ${coordinate}${bias})`;
  if (!isAffine && !isPointCoordinate) {
    return `texture${dimension}Proj(${sampler}, ${coordinate}${bias})`;
  }
  const components = { '1d': 's', '2d': 'st', '3d': 'stp' }[target];
  return `texture${dimension}(${sampler}, ${coordinate}.${components}${bias})`;
}

function fogText(fog: 'linear' | 'exp' | 'exp2'): string {
  switch (fog) {
    case 'linear':
      return 'clamp((gl_Fog.end - gl_FogFragCoord) * gl_Fog.scale, 0.0, 1.0)';
    case 'exp':
      return 'clamp(exp(-gl_Fog.density * gl_FogFragCoord), 0.0, 1.0)';
    case 'exp2':
      return 'clamp(exp(-gl_Fog.density * gl_Fog.density * gl_FogFragCoord * gl_FogFragCoord), 0.0, 1.0)';
  }
}

/** Returns the texture coordinate of a unit that points replace (OpenGL 2.1, section 3.3.1). */
export function pointCoordinate(isOriginLowerLeft: boolean): string {
  const t = isOriginLowerLeft ? '1.0 - gl_PointCoord.t' : 'gl_PointCoord.t';
  return `vec4(gl_PointCoord.s, ${t}, 0.0, 1.0)`;
}
