/**
 * Shaders of captures of real programs: the table contains each shader of the captures'
 * inventories, and every program that a capture links compiles to executable code. Skipped without
 * the captures.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ListedPrograms, listShaders, readCalls } from '@tessera/gl/apitrace';
import { describe, expect, it } from 'vitest';
import { refusalOf } from './compile-through.ts';
import { capturesFolder } from './corpus-folders.ts';

/** Rows of shaders: start of the SHA-1 of the source, stage, first capture that contains it. */
const SHADERS = `
  5b8c5116f513 vertex   buffer
  b438ed936b09 fragment buffer
  50e30c875cc8 vertex   build
  db7e04b84b7f fragment build
  1c7537c909fb vertex   bump
  c9baff26f8db fragment bump
  47583bf226b2 vertex   bump-height
  86baba0fcb22 fragment bump-height
  eca2b74a4436 vertex   bump-high-poly
  ab432e815f00 fragment bump-high-poly
  d59c7f9c4b36 vertex   bump-normals-tangent
  ef2660bf7082 fragment bump-normals-tangent
  15d81a21e24a vertex   conditionals
  f78862d342bf fragment conditionals
  ad1ae909ef07 vertex   conditionals-fragment
  441959312ae4 fragment conditionals-none
  e15ab55cdca7 vertex   effect2d
  b2c6ef14edc8 fragment effect2d
  4c2148ebc472 fragment effect2d-edge
  84b254420b33 fragment effect2d/200x150
  eae972c18452 vertex   function
  4eb9472a9b61 fragment function
  ca5ade52c7b7 fragment function-low
  3063964b302c vertex   ideas
  4d065239fa7a vertex   ideas
  7143b559f930 vertex   ideas
  7cbe8ab52825 vertex   ideas
  925c56a48cfb vertex   ideas
  afde88604df4 vertex   ideas
  d935add4586c vertex   ideas
  010fd4e1e060 fragment ideas
  2279ebada8f6 fragment ideas
  f1401adf26aa fragment ideas
  f6108dc4455e fragment ideas
  fd62f5d95b63 fragment ideas
  c2c13ed54b9f vertex   jellyfish
  ee98fb74e7c1 vertex   jellyfish
  bab9353afac8 fragment jellyfish
  eb598518563a fragment jellyfish
  81e06c043b76 vertex   loop
  dd094de2e993 fragment loop
  9c363ade79d8 fragment loop-no-uniform
  e3ca919e47d0 vertex   shading-phong
  1fa8163604c2 fragment shading-phong
  6ada03dddaa4 vertex   terrain
  a67bc7923f00 vertex   terrain
  23d829d84774 fragment terrain
  33d058ada95e fragment terrain
  645f045cec84 fragment terrain
  7427bcf2a0bf fragment terrain
  9b3259061860 fragment terrain
  d6d998ea1f33 fragment terrain
  e57543917224 fragment terrain
  f1b7bc34ae10 fragment terrain
  fa97180c0635 fragment terrain
  5d16db705729 fragment terrain/200x150
  db46ffb297d2 fragment terrain/200x150
  dc9d5dc06d60 fragment terrain/200x150
  192afee51273 fragment texture
  df57f3edd3cd fragment texture-linear-shader
  3cd1e53db981 vertex   texture-texgen
`;

/** Fields of a capture's inventory that the test reads. */
interface Inventory {
  readonly shaders: readonly { readonly id: string }[];
}

const FOLDER = capturesFolder();
const NAMES =
  FOLDER === null
    ? []
    : readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('trace.trace'))
        .map((name) => name.slice(0, -'/trace.trace'.length))
        .sort();

function readCapture(name: string): ListedPrograms {
  return listShaders(readCalls(readFileSync(join(FOLDER!, name, 'trace.trace'))));
}

function shaderId(source: string): string {
  return createHash('sha1').update(source).digest('hex').slice(0, 12);
}

function tableIds(): string[] {
  return SHADERS.trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/)[0]!)
    .sort();
}

describe.skipIf(NAMES.length === 0)('shaders of captures', () => {
  const compiled = new Set<string>();

  it.each(NAMES.length === 0 ? ['none'] : NAMES)('%s compiles and links', (name) => {
    const { api, shaders, programs } = readCapture(name);
    const refusals = programs.flatMap((pair) => {
      const vertexSource = shaders[pair.vertex]!.source;
      const fragmentSource = shaders[pair.fragment]!.source;
      compiled.add(shaderId(vertexSource)).add(shaderId(fragmentSource));
      const defaultVersion = api === 'gl' ? 110 : 100;
      return refusalOf({ vertexSource, fragmentSource }, { defaultVersion }) ?? [];
    });
    expect(refusals).toEqual([]);
    expect(programs.length).toBeGreaterThan(0);
  });

  it('are those of the table, and all of them were compiled', () => {
    const inventoried = NAMES.flatMap((name) => {
      const text = readFileSync(join(FOLDER!, name, 'inventory.json'), 'utf8');
      return (JSON.parse(text) as Inventory).shaders.map(({ id }) => id);
    });
    expect([...new Set(inventoried)].sort()).toEqual(tableIds());
    expect([...compiled].sort()).toEqual(tableIds());
  });
});
