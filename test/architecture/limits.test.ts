/** docs/limits.md lists every limit with its value and error. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ERROR_CODES } from '@tessera/frame';
import type { VariableInfo } from '@tessera/wire/environment';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT } from '../../services/coordinator/src/config/config.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const text = readFileSync(resolve(ROOT, 'docs/limits.md'), 'utf8');

/** Returns the rows of the table under a heading, without code marks. */
function rowsUnder(heading: string): string[][] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (limit|---)/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** Evaluates a product of numbers, powers and shifts. */
function productOf(expression: string): number {
  return expression
    .replaceAll('_', '')
    .split(' * ')
    .map((factor) => {
      const [base, exponent = '1'] = factor.split(' ** ');
      const [bits, shift = '0'] = base!.split(' << ');
      return (Number(bits) * 2 ** Number(shift)) ** Number(exponent);
    })
    .reduce((product, factor) => product * factor, 1);
}

describe('docs/limits.md', () => {
  it('lists every limit of the coordinator: meaning, default, variable, error', () => {
    const limits = Object.entries<VariableInfo>(ENVIRONMENT).flatMap(([name, variable]) =>
      variable.kind === 'integer' && variable.refusal !== undefined
        ? [[variable.meaning, `\`${variable.default}\``, `\`${name}\``, variable.refusal]]
        : [],
    );
    const rows = rowsUnder('Limits with a variable');
    expect(
      rows.map((row) => row.map((cell, i) => (i === 3 ? cell.replaceAll('`', '') : cell))),
    ).toEqual(limits);
    expect(limits.length).toBeGreaterThan(20);
  });

  it('names of fixed limits a constant that has the value, and an error that there is', () => {
    const rows = rowsUnder('Fixed limits');
    expect(rows.length).toBeGreaterThan(10);
    for (const [limit, value, place, error] of rows) {
      const [, file, constant] = /^`([^`]+)`, `(\w+)`$/.exec(place!) ?? [];
      const source = readFileSync(resolve(ROOT, file!), 'utf8');
      const assigned = new RegExp(`\\b${constant}(?: =|:) ([\\dx_ *<]+)[;,]`).exec(source)?.[1];
      expect(assigned, `${limit}: ${constant} in ${file}`).toBeDefined();
      const number = productOf(assigned!);
      expect(String(number), limit).toBe(value!.replaceAll('`', ''));
      const code = error!.replaceAll('`', '');
      if (code !== 'connection closed') expect(Object.keys(ERROR_CODES), limit).toContain(code);
    }
  });
});
