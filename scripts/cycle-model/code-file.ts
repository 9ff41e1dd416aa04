/** The compiled cycle model as a TypeScript file, because the simulated chip reads no files. */

import type { ModelModule } from './compile-cycle-model.ts';

/** Path of the file of each module, relative to the repository. */
export const CODE_FILES: Readonly<Record<ModelModule, string>> = {
  chip: 'packages/chip/src/compiled/cycle-model-code.ts',
  network: 'packages/chip/src/compiled/network-model-code.ts',
};

const FUNCTIONS: Readonly<Record<ModelModule, readonly [name: string, what: string]>> = {
  chip: ['cycleModelCode', 'the cycle model'],
  network: ['networkModelCode', 'the packet network'],
};

const LINE_CHARACTERS = 96;

/** Returns the text of the file for a compiled module. */
export function codeFile(module: ModelModule, binary: Uint8Array): string {
  const [name, what] = FUNCTIONS[module];
  const base64 = Buffer.from(binary).toString('base64');
  const lines = base64.match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? [];
  return `/**
 * Generated from the cycle model by \`npm run cycle-model:build\`. Do not edit. Long because it is
 * compiled code.
 */

/** Returns ${what} as a module of WebAssembly. */
export function ${name}(): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(CODE);
}

const CODE = \`
${lines.join('\n')}
\`;
`;
}
