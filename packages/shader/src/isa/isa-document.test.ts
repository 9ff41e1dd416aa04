import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instructionInfo, LATENCY_CLASSES, MNEMONICS, type Mnemonic } from './instructions.ts';

const document = readFileSync(new URL('../../../../docs/isa.md', import.meta.url), 'utf8');

function operandsText(mnemonic: Mnemonic): string {
  const { resultCount, immediates, sources } = instructionInfo(mnemonic);
  const results = resultCount > 1 ? [`results ×${resultCount}`] : ['result'];
  return [
    ...(resultCount === 0 ? [] : results),
    ...immediates.map(({ name }) => `*${name}*`),
    ...(sources === 'list' ? ['sources …'] : sources),
  ].join(', ');
}

describe('docs/isa.md', () => {
  it('lists every instruction as the table has it', () => {
    const rows = document.split('\n').filter((line) => /^\| \d+ \|/.test(line));
    const expected = MNEMONICS.map((mnemonic, opcode) => {
      const { latencyClass, meaning } = instructionInfo(mnemonic);
      const text = meaning.replaceAll('|', '\\|');
      return `| ${opcode} | \`${mnemonic}\` | ${operandsText(mnemonic)} | ${latencyClass} | ${text} |`;
    });
    expect(rows).toEqual(expected);
  });

  it('lists every latency class', () => {
    for (const [name, meaning] of Object.entries(LATENCY_CLASSES)) {
      expect(document).toContain(`| ${name} | ${meaning} |`);
    }
  });
});
