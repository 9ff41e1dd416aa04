/**
 * `npm run cycle-model:build`: generates files of the cycle model from its tables, compiles the
 * model and writes its modules as TypeScript files.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CODE_FILES, codeFile } from './code-file.ts';
import { compileCycleModel, MODEL_MODULES, type ModelModule } from './compile-cycle-model.ts';
import { generateModelFiles } from './generated-files.ts';

const root = resolve(import.meta.dirname, '../..');
for (const [path, text] of generateModelFiles(root)) writeFileSync(resolve(root, path), text);
for (const module of Object.keys(MODEL_MODULES) as ModelModule[]) {
  const binary = await compileCycleModel(root, module);
  const file = CODE_FILES[module];
  writeFileSync(resolve(root, file), codeFile(module, binary));
  console.log(`${file}: ${binary.length} bytes of WebAssembly`);
}
