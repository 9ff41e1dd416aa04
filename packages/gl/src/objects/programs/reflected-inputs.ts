/** Inputs of programs that are drawn in several forms, such as with transform feedback. */
import type { ActiveAttribute } from './program-objects.ts';
import type { ReflectedProgram } from './program-reflection.ts';

/** Returns a reflection with the inputs of another form of the program too. */
export function addInputs(plain: ReflectedProgram, more: ReflectedProgram): ReflectedProgram {
  return {
    ...plain,
    attributes: addByName(plain.attributes, more.attributes),
    uniforms: addByName(plain.uniforms, more.uniforms),
    samplers: addByName(plain.samplers, more.samplers),
  };
}

/**
 * Returns the attributes of a form of a program.
 *
 * @param linked Attributes of the linked program, whose locations are those of the form.
 */
export function placeAttributes(
  reflected: ReflectedProgram['attributes'],
  linked: readonly ActiveAttribute[],
): readonly ActiveAttribute[] {
  const locations = new Map(linked.map((active) => [active.reflected.name, active.location]));
  return reflected.map((attribute) => ({
    reflected: attribute,
    location: locations.get(attribute.name) ?? null,
  }));
}

/**
 * Returns the entries of `more` whose names `given` lacks. Uniforms that the context sets are left
 * out.
 */
function addByName<Entry extends { readonly name: string }>(
  given: readonly Entry[],
  more: readonly Entry[],
): readonly Entry[] {
  const names = new Set(given.map(({ name }) => name));
  const isMissing = ({ name }: Entry) => !names.has(name) && !isFilledByContext(name);
  return [...given, ...more.filter(isMissing)];
}

/**
 * Returns whether a uniform is declared by GLSL or by a generated shader, so that the context sets
 * it.
 */
export function isFilledByContext(name: string): boolean {
  return name.startsWith('gl_') || name.startsWith('tessera_');
}
