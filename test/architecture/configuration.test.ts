/**
 * docs/configuration.md lists every environment variable of the services with its range and
 * default.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { VariableInfo } from '@tessera/wire/environment';
import { describe, expect, it } from 'vitest';
import { ENVIRONMENT as WORKER } from '../../services/chiplet-worker/src/config.ts';
import { ENVIRONMENT as COORDINATOR } from '../../services/coordinator/src/config/config.ts';
import { ENVIRONMENT as VISIBILITY } from '../../services/visibility-chiplet/src/config.ts';

const SERVICES = {
  coordinator: COORDINATOR,
  'visibility-chiplet': VISIBILITY,
  'chiplet-worker': WORKER,
} as const;

/** Returns the permitted values of a variable in the words of the document. */
function describeValues(variable: VariableInfo): string {
  switch (variable.kind) {
    case 'integer':
      return `${variable.min} to ${variable.max}`;
    case 'boolean':
      return '`true`, `false`';
    case 'choice':
      return variable.allowed.map((value) => `\`${value}\``).join(', ');
    case 'url':
      return variable.schemes.map((scheme) => `\`${scheme}…\``).join(', ');
    case 'text':
      return 'text';
  }
}

function describeRow(name: string, variable: VariableInfo): string {
  const value = String(variable.default);
  const cells = [
    `\`${name}\``,
    describeValues(variable),
    value === '' ? '–' : `\`${value}\``,
    variable.meaning,
  ];
  return `| ${cells.join(' | ')} |`;
}

describe('docs/configuration.md', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs/configuration.md'), 'utf8');

  it.each(Object.entries(SERVICES))('lists the variables of the %s', (service, table) => {
    const section = text.split(`\n## ${service}\n`)[1]?.split('\n## ')[0] ?? '';
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toEqual(
      Object.entries(table).map(([name, variable]) => describeRow(name, variable)),
    );
  });
});
