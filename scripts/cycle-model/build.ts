/** `npm run cycle-model:build`: compiles the cycle model and writes the module as a file of TypeScript. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CODE_FILE, codeFile } from './code-file.ts';
import { compileCycleModel } from './compile-cycle-model.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const binary = await compileCycleModel(root);
writeFileSync(`${root}/${CODE_FILE}`, codeFile(binary));
console.log(`${CODE_FILE}: ${binary.length} bytes of WebAssembly`);
