/**
 * Compares what the importer accepts with the reports of the glTF validator: of each model with a
 * report beside it (`*.report.json`), as in the folder `test` of KhronosGroup/glTF-Validator.
 *
 * A model without errors must be accepted, or be refused by name (MODEL_UNSUPPORTED), or have
 * nothing to draw, or lack the content of a buffer. A model with errors must be refused with a
 * message that begins with a place.
 *
 * `npm run conformance:gltf -- FOLDER`
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openGltf } from '@tessera/scenes';

const SIZE = { widthPx: 32, heightPx: 32 };
const REPORT = '.report.json';
const NOTHING_TO_DRAW = /^(scenes: the model has no scene|scene: the scene has no geometry)/;
const NO_CONTENT =
  /: buffers\[\d+\] has no bytes$|is neither a data: URI nor among the given files/;
const ERROR = 0;

/** Outcome of an import: `empty` has nothing to draw, `absent` lacks the content of a buffer. */
type Outcome = 'accepted' | 'empty' | 'absent' | 'unsupported' | 'refused' | 'failed';

interface Result {
  readonly outcome: Outcome;
  readonly message: string;
}

interface Report {
  readonly issues: {
    readonly messages: readonly { code: string; severity: number; pointer?: string }[];
  };
}

async function importModel(path: string): Promise<Result> {
  const bytes = new Uint8Array(readFileSync(path));
  try {
    const importFrame = await openGltf(
      path.endsWith('.glb')
        ? { kind: 'glb', bytes }
        : { kind: 'gltf', json: withScene(bytes), files: filesBeside(path, bytes) },
    );
    await importFrame(SIZE);
    return { outcome: 'accepted', message: '' };
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    if (name !== 'RenderError') return { outcome: 'failed', message: `${name}: ${message}` };
    if (code === 'MODEL_UNSUPPORTED') return { outcome: 'unsupported', message };
    if (NOTHING_TO_DRAW.test(message)) return { outcome: 'empty', message };
    return { outcome: NO_CONTENT.test(message) ? 'absent' : 'refused', message };
  }
}

/**
 * Adds a scene with all nodes without parents, and a node for all meshes, to a model without
 * scenes. Most models of the validator have none, so nothing of them would be drawn.
 */
function withScene(bytes: Uint8Array): Uint8Array {
  try {
    const json = JSON.parse(new TextDecoder().decode(bytes));
    if ((json.scenes ?? json.scene) !== undefined || !Array.isArray(json.meshes ?? []))
      return bytes;
    const nodes: { children?: number[] }[] = [...(json.nodes ?? [])];
    (json.meshes ?? []).forEach((_: unknown, mesh: number) => {
      nodes.push({ mesh } as object);
    });
    const children = new Set(nodes.flatMap((node) => node?.children ?? []));
    const roots = nodes.map((_, i) => i).filter((i) => !children.has(i));
    return new TextEncoder().encode(JSON.stringify({ ...json, nodes, scenes: [{ nodes: roots }] }));
  } catch {
    // What is not a model stays as it is, for the importer to refuse.
    return bytes;
  }
}

/** Returns the files that the texts of a model may name, by these texts. */
function filesBeside(path: string, json: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const [, name] of new TextDecoder().decode(json).matchAll(/"uri"\s*:\s*"([^":]+)"/g)) {
    const file = join(dirname(path), decodeURIComponent(name));
    if (existsSync(file)) files.set(name, new Uint8Array(readFileSync(file)));
  }
  return files;
}

/** Runs all models of a folder and prints how the outcomes compare. */
async function main(folder: string): Promise<void> {
  const counts = new Map<string, number>();
  const differences: string[] = [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  for (const name of names.filter((one) => one.endsWith(REPORT))) {
    const report: Report = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const errors = report.issues.messages.filter(({ severity }) => severity === ERROR);
    const model = name.slice(0, -REPORT.length);
    const { outcome, message } = await importModel(join(folder, model));
    const validity = errors.length === 0 ? 'valid' : 'invalid';
    const key = `${validity}, ${outcome}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const isExpected =
      errors.length === 0
        ? outcome !== 'refused' && outcome !== 'failed'
        : !['accepted', 'empty', 'failed'].includes(outcome);
    if (isExpected) continue;
    const codes = errors.map(({ code, pointer }) => `${code} ${pointer ?? ''}`.trim());
    differences.push(`${model}: ${key}: ${message || codes.join('; ')}`);
  }
  for (const [key, count] of [...counts].sort()) console.log(`${key}: ${count}`);
  console.log(`${differences.length} differences`);
  for (const difference of differences) console.log(difference);
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: npm run conformance:gltf -- FOLDER');
  process.exitCode = 2;
} else if (existsSync(folder)) {
  await main(resolve(folder));
} else {
  console.log(`skipped: ${folder} does not exist`);
}
