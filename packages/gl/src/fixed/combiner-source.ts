/**
 * Generates GLSL for one texture environment: combines `color` and the unit's texel into a new
 * `color` (OpenGL 2.1, section 3.8.13).
 */

import type {
  CombineHalf,
  CombineOperand,
  CombineSource,
} from '../state/fixed/texture-environment.ts';
import type { BaseFormat } from '../texels/texel-formats.ts';
import type { UnitKey } from './program-key.ts';

/** Channels of the texel that a base format provides to the environment. */
type Channels = 'alpha' | 'rgb' | 'rgba' | 'intensity';

function channelsOf(base: BaseFormat): Channels {
  switch (base) {
    case 'alpha':
      return 'alpha';
    case 'intensity':
      return 'intensity';
    case 'luminance-alpha':
    case 'rgba':
    case 'srgb-alpha':
    case 'sluminance-alpha':
      return 'rgba';
    default:
      return 'rgb';
  }
}

/**
 * Returns the GLSL statements of one unit's texture environment.
 *
 * @param sampledUnits Units with a sampled texel, for combiners that read texels of other units.
 */
export function writeEnvironment(key: UnitKey, sampledUnits: ReadonlySet<number>): string {
  if (key.mode === 'combine') return writeCombine(key, sampledUnits);
  const { unit, mode } = key;
  const channels = channelsOf(key.base);
  const texel = `texel${unit}`;
  const constant = `gl_TextureEnvColor[${unit}]`;
  const hasColor = channels !== 'alpha';
  const hasAlpha = channels !== 'rgb';
  switch (mode) {
    case 'replace':
      if (!hasAlpha) return `color.rgb = ${texel}.rgb;`;
      return hasColor ? `color = ${texel};` : `color.a = ${texel}.a;`;
    case 'modulate':
      if (!hasAlpha) return `color.rgb *= ${texel}.rgb;`;
      return hasColor ? `color *= ${texel};` : `color.a *= ${texel}.a;`;
    case 'decal':
      // OpenGL leaves the other formats undefined here, so the color stays unchanged.
      if (key.base === 'rgb' || key.base === 'srgb') return `color.rgb = ${texel}.rgb;`;
      return key.base === 'rgba' || key.base === 'srgb-alpha'
        ? `color.rgb = mix(color.rgb, ${texel}.rgb, ${texel}.a);`
        : '';
    case 'blend': {
      const lines: string[] = [];
      if (hasColor) lines.push(`color.rgb = mix(color.rgb, ${constant}.rgb, ${texel}.rgb);`);
      if (channels === 'intensity') {
        lines.push(`color.a = mix(color.a, ${constant}.a, ${texel}.a);`);
      } else if (hasAlpha) {
        lines.push(`color.a *= ${texel}.a;`);
      }
      return lines.join('\n  ');
    }
    case 'add': {
      const lines: string[] = [];
      if (hasColor) lines.push(`color.rgb += ${texel}.rgb;`);
      if (channels === 'intensity') lines.push(`color.a += ${texel}.a;`);
      else if (hasAlpha) lines.push(`color.a *= ${texel}.a;`);
      lines.push('color = clamp(color, 0.0, 1.0);');
      return lines.join('\n  ');
    }
  }
}

function writeCombine({ unit, rgb, alpha }: UnitKey, sampledUnits: ReadonlySet<number>): string {
  const half = (combiner: CombineHalf, component: 'rgb' | 'a'): string[] =>
    combiner.sources.map((source, i) =>
      operandText(sourceText(source, unit, sampledUnits), combiner.operands[i]!, component),
    );
  const colors = combineText(rgb!, half(rgb!, 'rgb'), 'vec3');
  const alphas = combineText(alpha!, half(alpha!, 'a'), 'float');
  const combined = `combined${unit}`;
  // The dot product also becomes alpha. Color and alpha keep their own scale factors.
  const { combine } = rgb!;
  const alphaText = combine.endsWith('dot3-rgba') ? `${combined}.r` : alphas;
  const colorScale = combine.startsWith('unscaled') ? 1 : rgb!.scale;
  const alphaScale = combine === 'unscaled-dot3-rgba' ? 1 : alpha!.scale;
  return `vec3 ${combined} = ${colors};
  color = clamp(vec4(${scaled(combined, colorScale)}, ${scaled(alphaText, alphaScale)}), 0.0, 1.0);`;
}

function scaled(text: string, scale: number): string {
  return scale === 1 ? text : `(${text}) * ${scale}.0`;
}

function sourceText(
  source: CombineSource,
  unit: number,
  sampledUnits: ReadonlySet<number>,
): string {
  if (source === 'texture') return `texel${unit}`;
  if (source === 'constant') return `gl_TextureEnvColor[${unit}]`;
  if (source === 'primary') return 'primary';
  if (source === 'previous') return 'color';
  if (source === 'zero' || source === 'one') return `vec4(${source === 'one' ? '1.0' : '0.0'})`;
  return sampledUnits.has(source) ? `texel${source}` : 'vec4(0.0, 0.0, 0.0, 1.0)';
}

function operandText(source: string, operand: CombineOperand, component: 'rgb' | 'a'): string {
  const isAlpha = operand === 'alpha' || operand === 'one-minus-alpha' || component === 'a';
  const isComplement = operand.startsWith('one-minus');
  let text = isAlpha ? `${source}.a` : `${source}.rgb`;
  if (isComplement) text = `(1.0 - ${text})`;
  return isAlpha && component === 'rgb' ? `vec3(${text})` : text;
}

function combineText(
  { combine }: CombineHalf,
  [first, second, third]: readonly string[],
  type: 'vec3' | 'float',
): string {
  switch (combine) {
    case 'replace':
      return first!;
    case 'modulate':
      return `${first} * ${second}`;
    case 'add':
      return `${first} + ${second}`;
    case 'add-signed':
      return `${first} + ${second} - 0.5`;
    case 'subtract':
      return `${first} - ${second}`;
    case 'interpolate':
      return `mix(${second}, ${first}, ${third})`;
    case 'modulate-add':
      return `${first} * ${third} + ${second}`;
    case 'modulate-add-signed':
      return `${first} * ${third} + ${second} - 0.5`;
    case 'modulate-subtract':
      return `${first} * ${third} - ${second}`;
    case 'dot3-rgb':
    case 'dot3-rgba':
    case 'unscaled-dot3-rgb':
    case 'unscaled-dot3-rgba':
      return `${type}(4.0 * dot(${first} - 0.5, ${second} - 0.5))`;
  }
}
