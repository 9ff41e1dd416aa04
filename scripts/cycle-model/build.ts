/**
 * `npm run cycle-model:build`: generates files of the cycle model from its tables, compiles the
 * model and writes the module as a TypeScript file.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CODE_FILE, codeFile } from './code-file.ts';
import { compileCycleModel } from './compile-cycle-model.ts';
import { generateModelFiles } from './generated-files.ts';

const root = resolve(import.meta.dirname, '../..');
for (const [path, text] of generateModelFiles(root)) writeFileSync(resolve(root, path), text);
const binary = await compileCycleModel(root);
writeFileSync(resolve(root, CODE_FILE), codeFile(binary));
console.log(`${CODE_FILE}: ${binary.length} bytes of WebAssembly`);
