import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runStudyCommand } from './study-command.ts';

const MODELS = join(import.meta.dirname, '../../../../test/golden/models');
const SIZE = ['--width', '64', '--height', '48', '--bins', '4'];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tessera-studies-'));
  await Promise.all(['a', 'b'].map((name) => mkdir(join(folder, name))));
  await copyFile(join(MODELS, 'BoxVertexColors.glb'), join(folder, 'a/model.glb'));
  await copyFile(join(MODELS, 'AnimatedMorphCube.glb'), join(folder, 'b/model.glb'));
});

afterAll(() => rm(folder, { recursive: true }));

/**
 * Runs a study without output. Returns the cells of the lines of its CSV by the name of the scene.
 */
async function studyRows(...args: string[]): Promise<Map<string, string[]>> {
  const file = join(folder, 'figures.csv');
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await runStudyCommand([...args, '--csv', file]);
  } finally {
    output.mockRestore();
  }
  const byScene = new Map<string, string[]>();
  for (const line of (await readFile(file, 'utf8')).trim().split('\n').slice(1)) {
    const [scene, ...figures] = line.split(',');
    byScene.set(scene!, [...(byScene.get(scene!) ?? []), figures.join()]);
  }
  return byScene;
}

describe('scenes of a study', () => {
  it('are measured separately when two files have one name', async () => {
    const rows = await studyRows('link-bandwidth', folder, ...SIZE);
    const models = [...rows.keys()].filter((name) => name.startsWith('model'));
    expect(models).toEqual(['model (a/model.glb)', 'model (b/model.glb)']);
    const [a, b] = models.map((name) => rows.get(name)!);
    expect(a).toHaveLength(18);
    expect(b).toHaveLength(18);
    expect(a).not.toEqual(b);
  });

  it('are measured again, despite kept measurements, when a file has other content', async () => {
    const measurements = ['--measurements', join(folder, 'measurements.jsonl')];
    const changing = join(folder, 'changing.glb');
    await copyFile(join(MODELS, 'BoxVertexColors.glb'), changing);
    const before = await studyRows('link-bandwidth', changing, ...SIZE, ...measurements);
    await copyFile(join(MODELS, 'AnimatedMorphCube.glb'), changing);
    const after = await studyRows('link-bandwidth', changing, ...SIZE, ...measurements);
    expect(after.get('changing')).not.toEqual(before.get('changing'));
    expect(after.get('cube')).toEqual(before.get('cube'));
  });

  it('are rejected when a path is listed twice', async () => {
    const file = join(folder, 'a/model.glb');
    await expect(studyRows('link-bandwidth', file, join(folder, 'a'), ...SIZE)).rejects.toThrow(
      /model\.glb: listed twice/,
    );
  });
});
