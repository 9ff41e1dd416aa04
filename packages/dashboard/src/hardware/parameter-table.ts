/**
 * Table in which a user changes hardware parameters. Each row has the value of the chosen
 * specification, and a field for another one, or for a list of values that a study sweeps.
 */
import {
  getSpecParameters,
  type ParameterValue,
  type SpecEntry,
  type SpecParameter,
} from '../api/specs.ts';
import { element } from '../ui/dom.ts';
import { PARAMETER_MEANINGS } from '../ui/meanings.ts';
import { tableHead } from '../ui/page.ts';

/** Table on the page. */
export interface ParameterTable {
  readonly root: HTMLElement;
  /** Returns the texts of the fields that are filled in, by parameter. */
  readonly changes: () => ReadonlyMap<string, string>;
  /** Shows the values of a specification. */
  readonly show: (spec: SpecEntry | undefined) => void;
}

/** Texts of the table. */
export interface ParameterTableRequest {
  readonly title: string;
  /** Head of the column of fields. */
  readonly fieldHead: string;
  readonly signal: AbortSignal;
}

/**
 * Creates the table, without values of a specification.
 *
 * @throws {ProblemError}
 */
export async function parameterTable(request: ParameterTableRequest): Promise<ParameterTable> {
  const parameters = await getSpecParameters(request.signal);
  const rows = parameters.map((parameter) => makeRow(parameter));
  const filter = element('input', { type: 'search', placeholder: 'find a parameter' });
  filter.addEventListener('input', () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const { root, text } of rows) root.hidden = !text.includes(wanted);
  });
  const summary = element('summary', {}, request.title);
  const count = () => {
    const isChanged = rows.map(({ input }) => input.value.trim() !== '');
    for (const [i, { root }] of rows.entries()) root.classList.toggle('changed', isChanged[i]);
    const changed = isChanged.filter(Boolean).length;
    summary.textContent = changed === 0 ? request.title : `${request.title} (${changed} changed)`;
  };
  const body = element('tbody', {}, ...rows.map(({ root }) => root));
  body.addEventListener('input', count);
  const head = tableHead(
    ['parameter', 'value', request.fieldHead],
    (name) => name === 'value',
    PARAMETER_MEANINGS,
  );
  const root = element(
    'details',
    { class: 'hardware' },
    summary,
    element('label', { class: 'field' }, element('span', {}, 'Filter'), filter),
    element('div', { class: 'scrolling' }, element('table', {}, head, body)),
  );
  return {
    root,
    changes: () =>
      new Map(
        rows
          .map(({ name, input }) => [name, input.value.trim()] as const)
          .filter(([, text]) => text !== ''),
      ),
    show: (spec) => {
      for (const { name, value } of rows) {
        value.textContent = formatValue(spec?.spec.parameters[name]);
      }
    },
  };
}

function makeRow(parameter: SpecParameter) {
  const { name, meaning } = parameter;
  const input = element('input', { type: 'text', 'aria-label': name, autocomplete: 'off' });
  const value = element('td', { class: 'number' });
  const root = element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      name,
      element('p', { class: 'note' }, `${meaning} (${rangeOf(parameter)})`),
    ),
    value,
    element('td', {}, input),
  );
  return { name, input, value, root, text: `${name} ${meaning}`.toLowerCase() };
}

function rangeOf({ kind, unit, min, max, isPowerOfTwo, values }: SpecParameter): string {
  if (kind === 'switch') return 'on, off';
  if (values !== null) return values.join(', ');
  return `${min} to ${max} ${unit}${isPowerOfTwo ? ', a power of two' : ''}`;
}

function formatValue(value: ParameterValue | undefined): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return value === undefined ? '' : String(value);
}

/** Returns the changes as the value of the query parameter `set`. */
export function settingsText(changes: ReadonlyMap<string, string>): string {
  return [...changes].map(([name, value]) => `${name}=${value}`).join(',');
}

/**
 * Returns the changes as values that a study sweeps. Lists are separated by commas. The service
 * checks the values.
 */
export function sweepOf(changes: ReadonlyMap<string, string>): Record<string, ParameterValue[]> {
  return Object.fromEntries(
    [...changes].map(([name, list]) => [
      name,
      list.split(',').map((text): ParameterValue => parseValue(text.trim())),
    ]),
  );
}

function parseValue(text: string): ParameterValue {
  if (text === 'on' || text === 'off') return text === 'on';
  const match = /^(\d+)(Ki|Mi|Gi)?$/.exec(text);
  if (match === null) return text;
  const unit = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }[match[2] ?? ''] ?? 1;
  return Number(match[1]) * unit;
}
