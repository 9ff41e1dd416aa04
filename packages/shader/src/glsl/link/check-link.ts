/** Checks of a pair of shaders (GLSL ES 3.00 section 9.2, 1.00 section 4.3.5). */
import type {
  CheckedShader,
  Diagnostic,
  SourcePosition,
  VariableSymbol,
} from '../../tree/checked-tree.ts';
import { collectUsedVariables } from '../../tree/tree-visit.ts';
import { areTypesAlike, containsSampler, typeName } from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';
import { limitsOf, type ShaderLimits } from '../language/limits.ts';
import { isEsVersion } from '../language/versions.ts';
import { fitsIntoComponents, fitsIntoVectors } from './variable-packing.ts';

/** Properties of a variable or member that must agree between shaders. */
type Qualified = Pick<VariableSymbol, 'type' | 'precision'>;
type Report = (position: SourcePosition, token: string, message: string) => void;

const NOWHERE: SourcePosition = { source: 0, line: 0, row: 0, column: 0 };

/**
 * Returns the errors that prevent two checked shaders from being linked.
 *
 * @param options.attributeLocations Locations bound by the API, by attribute name. A
 *   `layout(location)` in the shader takes precedence.
 */
export function checkLink(
  vertex: CheckedShader,
  fragment: CheckedShader,
  options: {
    readonly limits?: Partial<ShaderLimits>;
    readonly attributeLocations?: Readonly<Record<string, number>>;
    /** Whether attributes must not share a location in any version. */
    readonly isWebGl?: boolean;
  } = {},
): Diagnostic[] {
  const limits = limitsOf(vertex.version, options.limits);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (position, token, message) => {
    diagnostics.push({ severity: 'error', position, token, message });
  };
  for (const shader of [vertex, fragment]) {
    if (shader.functions.at(-1)?.name !== 'main') {
      report(NOWHERE, 'main', `the ${shader.stage} shader has no main()`);
    }
  }
  if (languageOf(vertex) !== languageOf(fragment)) {
    report(NOWHERE, '#version', `versions ${vertex.version} and ${fragment.version} do not match`);
  }
  const vertexUses = collectUsedVariables(vertex);
  const fragmentUses = collectUsedVariables(fragment);
  checkVaryings(vertex, fragment, fragmentUses, limits, report);
  checkUniforms(vertex, fragment, report);
  checkBlocks(vertex, fragment, report);
  checkUniformRoom(vertex, vertexUses, limits.maxVertexUniformVectors, report);
  checkUniformRoom(fragment, fragmentUses, limits.maxFragmentUniformVectors, report);
  checkSamplerCounts(vertex, vertexUses, fragment, fragmentUses, limits, report);
  const isSharing = vertex.version !== 300 && options.isWebGl !== true;
  const given = options.attributeLocations ?? {};
  checkAttributes(vertex, vertexUses, { given, isSharing }, limits, report);
  return diagnostics;
}

/**
 * Returns the language of a shader. Only shaders of one language link: GLSL ES 1.00, GLSL ES 3.00,
 * or desktop GLSL.
 */
function languageOf(shader: CheckedShader): string {
  return isEsVersion(shader.version) ? `es ${shader.version}` : 'desktop';
}

function variablesOf(
  shader: CheckedShader,
  storage: VariableSymbol['storage'],
): ReadonlyMap<string, VariableSymbol> {
  const variables = new Map<string, VariableSymbol>();
  for (const { variable } of shader.globals) {
    if (variable.storage === storage) variables.set(variable.name, variable);
  }
  return variables;
}

function checkVaryings(
  vertex: CheckedShader,
  fragment: CheckedShader,
  fragmentUses: ReadonlySet<VariableSymbol>,
  limits: ShaderLimits,
  report: Report,
): void {
  const outputs = variablesOf(vertex, 'output');
  const usedTypes: GlslType[] = [];
  for (const [name, input] of variablesOf(fragment, 'input')) {
    const isUsed = fragmentUses.has(input);
    const output = outputs.get(name);
    if (isUsed) usedTypes.push(input.type);
    if (output === undefined) {
      if (isUsed) report(input.position, name, 'varying is not declared in the vertex shader');
      continue;
    }
    if (!areTypesAlike(output.type, input.type)) {
      const types = `${typeName(output.type)} and ${typeName(input.type)}`;
      report(input.position, name, `types of the varying differ between shaders: ${types}`);
    } else if (interpolationOf(output) !== interpolationOf(input)) {
      report(input.position, name, 'interpolation of the varying differs between shaders');
    } else if (fragment.version !== 300 && isUsed && output.isInvariant !== input.isInvariant) {
      report(input.position, name, 'invariance of the varying differs between shaders');
    }
  }
  checkBuiltInInvariance(vertex, fragment, fragmentUses, report);
  checkBuiltInInterpolation(vertex, fragment, report);
  if (isEsVersion(vertex.version)) checkDistances(vertex, fragment, report);
  const coordinates = fragment.builtins.find((each) => each.name === 'gl_TexCoord');
  if (coordinates !== undefined) usedTypes.push(coordinates.type);
  const fits = isEsVersion(vertex.version) ? fitsIntoVectors : fitsIntoComponents;
  if (!fits(usedTypes, limits.maxVaryingVectors)) {
    report(NOWHERE, 'varying', `varyings take more than ${limits.maxVaryingVectors} vectors`);
  }
}

/** Returns the qualifiers that both shaders must give to a varying. */
function interpolationOf({ isFlat, isNoPerspective, isSample }: VariableSymbol): string {
  return `${isFlat} ${isNoPerspective} ${isSample}`;
}

/**
 * Checks that built-in inputs of a fragment shader in GLSL ES 1.00 are invariant only if the
 * outputs they derive from are.
 */
function checkBuiltInInvariance(
  vertex: CheckedShader,
  fragment: CheckedShader,
  fragmentUses: ReadonlySet<VariableSymbol>,
  report: Report,
): void {
  if (fragment.version !== 100) return;
  const pairs = [
    ['gl_FragCoord', 'gl_Position'],
    ['gl_PointCoord', 'gl_PointSize'],
  ] as const;
  for (const [input, output] of pairs) {
    const isInvariant = ({ builtins }: CheckedShader, name: string): boolean =>
      builtins.some((variable) => variable.name === name && variable.isInvariant);
    const isUsed = [...fragmentUses].some(({ name }) => name === input);
    if (isUsed && isInvariant(fragment, input) && !isInvariant(vertex, output)) {
      report(NOWHERE, input, `can be invariant only if ${output} is`);
    }
  }
}

/** Checks that both shaders interpolate the colors of desktop GLSL alike. */
function checkBuiltInInterpolation(
  vertex: CheckedShader,
  fragment: CheckedShader,
  report: Report,
): void {
  const pairs = [
    ['gl_Color', 'gl_FrontColor'],
    ['gl_SecondaryColor', 'gl_FrontSecondaryColor'],
    ['gl_FogFragCoord', 'gl_FogFragCoord'],
  ] as const;
  for (const [inputName, outputName] of pairs) {
    const input = fragment.builtins.find(({ name }) => name === inputName);
    const output = vertex.builtins.find(({ name }) => name === outputName);
    if (input === undefined || output === undefined) continue;
    if (input.isFlat !== output.isFlat || input.isNoPerspective !== output.isNoPerspective) {
      report(input.position, inputName, `interpolation differs from that of ${outputName}`);
    }
  }
}

/** Checks that both shaders have as many distances (EXT_clip_cull_distance). */
function checkDistances(vertex: CheckedShader, fragment: CheckedShader, report: Report): void {
  const lengthOf = ({ builtins }: CheckedShader, name: string): number => {
    const type = builtins.find((variable) => variable.name === name)?.type;
    return type?.kind === 'array' ? type.length : 0;
  };
  for (const name of ['gl_ClipDistance', 'gl_CullDistance']) {
    const read = lengthOf(fragment, name);
    const written = lengthOf(vertex, name);
    if (read === 0 || read === written) continue;
    report(NOWHERE, name, `has ${written} elements in the vertex shader, ${read} in the other`);
  }
}

function checkUniforms(vertex: CheckedShader, fragment: CheckedShader, report: Report): void {
  const isEs = isEsVersion(vertex.version);
  const ofFragment = variablesOf(fragment, 'uniform');
  for (const [name, inVertex] of variablesOf(vertex, 'uniform')) {
    const inFragment = ofFragment.get(name);
    if (inFragment === undefined) continue;
    const { position } = inFragment;
    if (inVertex.block?.name !== inFragment.block?.name) {
      // Instance names are local to a shader; member names of blocks without an instance name are
      // not.
      const areInstances = [inVertex, inFragment].every(
        (variable) => variable.block?.instanceName === name,
      );
      if (!areInstances) report(position, name, 'is in a uniform block in one shader only');
    } else if (inVertex.block !== null) {
      // Blocks are compared as a whole.
    } else if (!areTypesAlike(inVertex.type, inFragment.type)) {
      const types = `${typeName(inVertex.type)} and ${typeName(inFragment.type)}`;
      report(position, name, `types of the uniform differ between shaders: ${types}`);
    } else if (isEs && !arePrecisionsAlike(inVertex, inFragment)) {
      report(position, name, 'precisions of the uniform differ between shaders');
    }
  }
}

function arePrecisionsAlike(a: Qualified, b: Qualified): boolean {
  return a.precision === b.precision && areFieldPrecisionsAlike(a.type, b.type);
}

function areFieldPrecisionsAlike(a: GlslType, b: GlslType): boolean {
  if (a.kind === 'array' && b.kind === 'array')
    return areFieldPrecisionsAlike(a.element, b.element);
  if (a.kind !== 'struct' || b.kind !== 'struct') return true;
  return a.fields.every((field, index) => {
    const other = b.fields[index]!;
    return field.precision === other.precision && areFieldPrecisionsAlike(field.type, other.type);
  });
}

function checkBlocks(vertex: CheckedShader, fragment: CheckedShader, report: Report): void {
  for (const block of vertex.blocks) {
    const other = fragment.blocks.find((each) => each.name === block.name);
    if (other === undefined) continue;
    const areMembersAlike =
      block.members.length === other.members.length &&
      block.members.every((member, index) => {
        const counterpart = other.members[index]!;
        return (
          member.name === counterpart.name &&
          member.isRowMajor === counterpart.isRowMajor &&
          areTypesAlike(member.type, counterpart.type) &&
          arePrecisionsAlike(member, counterpart)
        );
      });
    // `shared`, the default in WebGL, has the same layout as `std140`.
    const isPackedAlike = (block.layout === 'packed') === (other.layout === 'packed');
    const areAlike = areMembersAlike && isPackedAlike && block.arrayLength === other.arrayLength;
    // Members of a block without an instance name are global names; those of a block with one are
    // not.
    const haveSameNaming = (block.instanceName === null) === (other.instanceName === null);
    if (!areAlike || !haveSameNaming) {
      report(NOWHERE, block.name, 'the uniform block differs between shaders');
    }
  }
}

function checkUniformRoom(
  shader: CheckedShader,
  uses: ReadonlySet<VariableSymbol>,
  maxVectors: number,
  report: Report,
): void {
  const types = [...variablesOf(shader, 'uniform').values()]
    .filter((variable) => variable.block === null && uses.has(variable))
    .map((variable) => variable.type);
  const fits = isEsVersion(shader.version) ? fitsIntoVectors : fitsIntoComponents;
  if (!fits(types, maxVectors)) {
    report(NOWHERE, 'uniform', `${shader.stage} uniforms take more than ${maxVectors} vectors`);
  }
}

function countSamplers(type: GlslType): number {
  if (type.kind === 'sampler') return 1;
  if (type.kind === 'array') return type.length * countSamplers(type.element);
  if (type.kind !== 'struct') return 0;
  return type.fields.reduce((sum, field) => sum + countSamplers(field.type), 0);
}

function checkSamplerCounts(
  vertex: CheckedShader,
  vertexUses: ReadonlySet<VariableSymbol>,
  fragment: CheckedShader,
  fragmentUses: ReadonlySet<VariableSymbol>,
  limits: ShaderLimits,
  report: Report,
): void {
  const count = (shader: CheckedShader, uses: ReadonlySet<VariableSymbol>): number =>
    [...variablesOf(shader, 'uniform').values()]
      .filter((variable) => uses.has(variable) && containsSampler(variable.type))
      .reduce((sum, variable) => sum + countSamplers(variable.type), 0);
  const vertexCount = count(vertex, vertexUses);
  const fragmentCount = count(fragment, fragmentUses);
  const refuse = (place: string, max: number): void =>
    report(NOWHERE, 'sampler', `more than ${max} samplers in ${place}`);
  if (vertexCount > limits.maxVertexTextureImageUnits) {
    refuse('the vertex shader', limits.maxVertexTextureImageUnits);
  }
  if (fragmentCount > limits.maxTextureImageUnits)
    refuse('the fragment shader', limits.maxTextureImageUnits);
  if (vertexCount + fragmentCount > limits.maxCombinedTextureImageUnits) {
    refuse('both shaders', limits.maxCombinedTextureImageUnits);
  }
}

/**
 * Checks locations of attributes, one per column. GLSL ES 3.00 and WebGL forbid two attributes to
 * share one.
 */
function checkAttributes(
  vertex: CheckedShader,
  uses: ReadonlySet<VariableSymbol>,
  locations: { readonly given: Readonly<Record<string, number>>; readonly isSharing: boolean },
  limits: ShaderLimits,
  report: Report,
): void {
  const owners = new Array<string | undefined>(limits.maxVertexAttribs);
  const floating: VariableSymbol[] = [];
  for (const [name, attribute] of variablesOf(vertex, 'input')) {
    const isActive = uses.has(attribute);
    const bound = Object.hasOwn(locations.given, name) ? locations.given[name]! : null;
    const location = attribute.location ?? bound;
    if (location === null) {
      if (isActive) floating.push(attribute);
      continue;
    }
    if (!isActive && vertex.version !== 300) continue;
    const size = locationCount(attribute.type);
    if (location + size > limits.maxVertexAttribs) {
      report(attribute.position, name, `location ${location} is out of range`);
      continue;
    }
    for (let i = location; i < location + size; i++) {
      if (owners[i] !== undefined && !locations.isSharing) {
        report(attribute.position, name, `location ${i} is already used by '${owners[i]}'`);
        break;
      }
      owners[i] = name;
    }
  }
  placeFloating(floating, owners, report);
}

/** Finds locations for the attributes without one, largest first. */
function placeFloating(
  attributes: readonly VariableSymbol[],
  owners: (string | undefined)[],
  report: Report,
): void {
  const bySize = attributes.toSorted((a, b) => locationCount(b.type) - locationCount(a.type));
  for (const attribute of bySize) {
    const size = locationCount(attribute.type);
    let start = 0;
    while (start + size <= owners.length) {
      if (owners.slice(start, start + size).every((owner) => owner === undefined)) break;
      start++;
    }
    if (start + size > owners.length) {
      report(attribute.position, attribute.name, `more than ${owners.length} attributes`);
      return;
    }
    owners.fill(attribute.name, start, start + size);
  }
}

function locationCount(type: GlslType): number {
  return type.kind === 'matrix' ? type.columns : 1;
}
