import { describe, expect, it } from 'vitest';
import { assemble } from '../isa/assemble.ts';
import { orderInstructions } from './order-instructions.ts';

const mnemonics = (lines: readonly string[]): string[] =>
  orderInstructions(assemble(lines.join('\n'))).code.map(({ mnemonic }) => mnemonic);

describe('orderInstructions', () => {
  it('puts the longest chain first and other instructions between its links', () => {
    const lines = [
      '.stage fragment',
      'input r0, 0, smooth',
      'fadd r1, r0, r0',
      'outf 0, r1',
      'fsqrt r2, r0',
      'fexp2 r2, r2',
      'outf 1, r2',
    ];
    expect(mnemonics(lines)).toEqual(['input', 'fsqrt', 'fexp2', 'fadd', 'outf', 'outf']);
  });

  it('connects reads to the right write of a reused register', () => {
    const { code, registerCount } = orderInstructions(
      assemble(
        [
          '.stage fragment',
          'input r0, 0, smooth',
          'fadd r1, r0, r0',
          'outf 0, r1',
          'fexp2 r1, r0',
          'outf 1, r1',
        ].join('\n'),
      ),
    );
    const writer = new Map<number, string>();
    const written: string[] = [];
    for (const { mnemonic, result, sources } of code) {
      const [source] = sources;
      if (mnemonic === 'outf' && source?.kind === 'register') {
        written.push(writer.get(source.index)!);
      }
      if (result >= 0) writer.set(result, mnemonic);
    }
    expect(written).toEqual(['fadd', 'fexp2']);
    expect(registerCount).toBe(Math.max(...writer.keys()) + 1);
  });

  it('keeps the order of writes to one output', () => {
    const lines = [
      '.stage fragment',
      'input r0, 0, smooth',
      'fexp2 r1, r0',
      'outf 0, r1',
      'outi 0, r0',
    ];
    expect(mnemonics(lines).slice(-2)).toEqual(['outf', 'outi']);
  });

  it.each([
    [
      'control flow',
      ['fsqrt r1, r0', 'if r0', 'outf 0, r1', 'endif', 'fexp2 r2, r0', 'outf 1, r2'],
    ],
    ['arrays', ['astore 0, 4, r0, r0', 'aload r1, 0, 4, r0', 'outf 0, r1']],
    ['registers read before a write', ['fadd r1, r9, r0', 'fexp2 r2, r0', 'outf 0, r2']],
  ])('leaves a program with %s as it is', (_what, lines) => {
    const all = ['.stage fragment', 'input r0, 0, smooth', ...lines];
    const expected = all.slice(1).map((line) => line.split(' ')[0]);
    expect(mnemonics(all)).toEqual(expected);
  });
});
