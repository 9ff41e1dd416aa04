import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readRevision } from './revision.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

const COMMIT = '0123456789abcdef0123456789abcdef01234567';

function makeRoot(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'tessera-revision-'));
  roots.push(root);
  for (const [name, text] of Object.entries({
    'packages/study/package.json': '{"version":"1.2.3"}',
    ...files,
  })) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

describe('revision', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a branch',
      { '.git/HEAD': 'ref: refs/heads/m\n', '.git/refs/heads/m': `${COMMIT}\n` },
      '01234567',
    ],
    ['a commit', { '.git/HEAD': `${COMMIT}\n` }, '01234567'],
    [
      'a packed branch',
      {
        '.git/HEAD': 'ref: refs/heads/m\n',
        '.git/packed-refs': `# pack\n${COMMIT} refs/heads/m\n`,
      },
      '01234567',
    ],
    [
      'a linked work tree',
      {
        '.git': 'gitdir: real/worktrees/w\n',
        'real/worktrees/w/HEAD': 'ref: refs/heads/w\n',
        'real/worktrees/w/commondir': '../..\n',
        'real/refs/heads/w': `${COMMIT}\n`,
      },
      '01234567',
    ],
    ['no repository', {}, 'unknown'],
    ['a branch without commits', { '.git/HEAD': 'ref: refs/heads/m\n' }, 'unknown'],
  ])('is read from %s', (_, files, commit) => {
    const folder = join(makeRoot(files), 'packages/study/src');
    expect(readRevision(folder)).toEqual({ version: '1.2.3', commit });
  });

  it('has no commit of the repository that a package is installed in', () => {
    const root = makeRoot({ '.git/HEAD': `${COMMIT}\n` });
    expect(readRevision(join(root, 'packages/study/dist'))).toMatchObject({ commit: 'unknown' });
  });
});
