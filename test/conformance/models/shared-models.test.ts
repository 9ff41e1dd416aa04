import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { type GltfSource, importGltf } from '../../../packages/scenes/src/gltf/import-gltf.ts';

/** Khronos sample models beside the repository; they are not part of it. */
const MODELS = join(import.meta.dirname, '../../../../shared/models');

interface ModelEntry {
  readonly file: string;
  readonly triangles: number;
  readonly primitives: number;
}

function listModels(): ModelEntry[] {
  if (!existsSync(join(MODELS, 'info.json'))) return [];
  const { models } = JSON.parse(readFileSync(join(MODELS, 'info.json'), 'utf8'));
  return models.filter(({ file }: ModelEntry) => /\.(glb|gltf)$/.test(file));
}

function readSource(file: string): GltfSource {
  const path = join(MODELS, file);
  const bytes = new Uint8Array(readFileSync(path));
  if (file.endsWith('.glb')) return { kind: 'glb', bytes };
  const folder = dirname(path);
  const files = new Map<string, Uint8Array>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const entryPath = join(entry.parentPath, entry.name);
    files.set(entryPath.slice(folder.length + 1), new Uint8Array(readFileSync(entryPath)));
  }
  return { kind: 'gltf', json: bytes, files };
}

const models = listModels();

describe.skipIf(models.length === 0)('importGltf on sample models', () => {
  it.each(models.map(({ file }) => ({ file })))('imports $file', async ({ file }) => {
    const { frame } = await importGltf(readSource(file), {
      widthPx: 640,
      heightPx: 360,
      timeSeconds: 0.5,
    });
    validateFrame(frame);
    expect(frame.passes[0].draws.length).toBeGreaterThan(0);
    for (const draw of frame.passes[0].draws) {
      for (const value of Object.values(draw.uniforms)) {
        expect([...value].every(Number.isFinite)).toBe(true);
      }
    }
  });

  it.skipIf(models.length === 0)('draws every instance of SimpleInstancing at once', async () => {
    const source = readSource('SimpleInstancing/glTF-Binary/SimpleInstancing.glb');
    const { frame } = await importGltf(source, { widthPx: 64, heightPx: 64 });
    const [draw] = frame.passes[0].draws;
    expect(frame.passes[0].draws).toHaveLength(1);
    expect(draw.instanceCount).toBe(125);
    expect(draw.attributes.a_instanceTranslation).toMatchObject({ instanceDivisor: 1 });
  });
});
