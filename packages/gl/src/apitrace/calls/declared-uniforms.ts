/**
 * Derives uniform locations of a program whose capture lacks the queries for them, as trimmed
 * captures do. Mesa numbers active uniforms in the order of declaration, the vertex shader's first.
 * Each array element has its own location.
 */
import type { LinkedProgram } from '../../objects/programs/program-objects.ts';

/** Returns uniform names, indexed by location. */
export function listDeclaredUniforms({ source, reflected }: LinkedProgram): string[] {
  const declarations = [
    ...`${source.vertexSource}\n${source.fragmentSource}`.matchAll(
      /\buniform\b[^;{]*(?:\{[^}]*\}[^;]*)?;/g,
    ),
  ].map(([statement]) => statement);
  const placed = [...reflected.uniforms, ...reflected.samplers].map((active) => ({
    name: active.name.replace(/\[0\]$/, ''),
    length: active.arrayLength,
    order: findDeclaration(declarations, active.name),
  }));
  // The sort is stable, so members of one structure keep the order of reflection.
  placed.sort((a, b) => a.order - b.order);
  return placed.flatMap(({ name, length }) =>
    Array.from({ length }, (_, element) => (element === 0 ? name : `${name}[${element}]`)),
  );
}

function findDeclaration(declarations: readonly string[], reflectedName: string): number {
  const variable = /^\w+/.exec(reflectedName)?.[0] ?? reflectedName;
  const pattern = new RegExp(`\\b${variable}\\b`);
  const index = declarations.findIndex((statement) => pattern.test(statement));
  return index < 0 ? declarations.length : index;
}
