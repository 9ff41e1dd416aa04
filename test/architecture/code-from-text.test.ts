/** Code and processes are made from text only in the places that SECURITY.md lists. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Returns the files of packages and services that match, except tests and files used only by tests
 * and benchmarks.
 */
function filesWith(pattern: RegExp): string[] {
  return ['packages', 'services']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter(
      (path) =>
        path.endsWith('.ts') && !/node_modules|\.test\.ts$|\/bench\/|\/testing\//.test(path),
    )
    .filter((path) => pattern.test(readFileSync(join(ROOT, path), 'utf8')))
    .sort();
}

describe('text becomes code', () => {
  it("never as JavaScript, except scripts of a program's own pages and workers", () => {
    expect(filesWith(/new Function\(|\beval\(|node:vm|\bvm\.run/)).toEqual([
      'packages/webgl/src/dom/worker-thread/thread-script.ts',
      'packages/webgl/src/program-runner/html-page.ts',
    ]);
  });

  it('as WebAssembly where the compiler encoded it, and the cycle model', () => {
    const modules = filesWith(/new WebAssembly\.Module\(|WebAssembly\.(compile|instantiate)\(/);
    const places = new Set(modules.map((path) => path.split('/').slice(0, 4).join('/')));
    expect([...places]).toEqual([
      'packages/chip/src/compiled',
      'packages/gpu/src/kernel',
      'packages/shader/src/codegen',
      'packages/shader/src/simd-interpreter',
      'packages/shader/src/wasm',
    ]);
  });

  it('never as a process, except the decoder of videos, and bytes of others are not read by msgpackr', () => {
    // Videos of a program that a user runs. No service has a page.
    expect(filesWith(/node:child_process/)).toEqual(['packages/webgl/src/dom/video/video-tool.ts']);
    expect(filesWith(/\bUnpackr\b|\bdecode\b.*from 'msgpackr|\bunpack\b.*from 'msgpackr/)).toEqual(
      [],
    );
  });

  it('never in native code: msgpackr is imported without the addon that its main entry loads', () => {
    expect(filesWith(/from 'msgpackr'/)).toEqual([]);
    expect(filesWith(/from 'msgpackr\/pack'/)).not.toEqual([]);
  });
});
