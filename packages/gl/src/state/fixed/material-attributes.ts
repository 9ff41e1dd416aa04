/**
 * Material parameters as vertex attributes. A program may change the material between vertices of a
 * strip, fan or polygon. The parameters that change there are attributes of its vertices.
 */
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { CurrentValue } from '../../objects/vertex-arrays/vertex-array.ts';
import type { LightingValues } from './lighting-state.ts';

type Member = 'ambient' | 'diffuse' | 'specular' | 'emission' | 'shininess';

/** Parameter of one face. */
interface MaterialParameter {
  readonly face: 'front' | 'back';
  readonly member: Member;
}

const MEMBERS_BY_ENUM: ReadonlyMap<number, readonly Member[]> = new Map<number, readonly Member[]>([
  [FIXED.AMBIENT, ['ambient']],
  [FIXED.DIFFUSE, ['diffuse']],
  [FIXED.SPECULAR, ['specular']],
  [FIXED.EMISSION, ['emission']],
  [FIXED.SHININESS, ['shininess']],
  [FIXED.AMBIENT_AND_DIFFUSE, ['ambient', 'diffuse']],
]);

/** Parameters by the name of their attribute. */
const PARAMETERS: ReadonlyMap<string, MaterialParameter> = new Map(
  (['front', 'back'] as const).flatMap((face) =>
    (['ambient', 'diffuse', 'specular', 'emission', 'shininess'] as const).map(
      (member) => [materialAttribute(face, member), { face, member }] as const,
    ),
  ),
);

/** Returns the name of a parameter's attribute in generated shaders. */
export function materialAttribute(face: 'front' | 'back', member: Member): string {
  const capitalize = (word: string) => word[0]!.toUpperCase() + word.slice(1);
  return `tessera_${capitalize(face)}${capitalize(member)}`;
}

/** Returns the attributes that a call of `glMaterial` changes; none for invalid arguments. */
export function changedMaterialAttributes(face: number, parameter: number): readonly string[] {
  const members = MEMBERS_BY_ENUM.get(parameter) ?? [];
  const faces = [
    ...(face === GL.FRONT || face === GL.FRONT_AND_BACK ? (['front'] as const) : []),
    ...(face === GL.BACK || face === GL.FRONT_AND_BACK ? (['back'] as const) : []),
  ];
  return faces.flatMap((side) => members.map((member) => materialAttribute(side, member)));
}

/** Returns the value of a material attribute, or `null` for the key of another attribute. */
export function readMaterialAttribute(
  key: number | string,
  values: LightingValues,
): CurrentValue | null {
  const parameter = typeof key === 'string' ? PARAMETERS.get(key) : undefined;
  if (parameter === undefined) return null;
  const value = values[parameter.face][parameter.member];
  return typeof value === 'number' ? [value, 0, 0, 1] : value;
}

/** Returns whether an attribute is a material parameter. */
export function isMaterialAttribute(key: number | string): key is string {
  return typeof key === 'string' && PARAMETERS.has(key);
}
