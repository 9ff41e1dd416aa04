/**
 * Form fields for the query of a route, generated from the service's OpenAPI document so that they
 * always match it.
 */

import { getJson } from '../api/requests.ts';
import { findSpec, getSpecs, type SpecEntry } from '../api/specs.ts';
import { parameterTable, settingsText } from '../hardware/parameter-table.ts';
import { element } from '../ui/dom.ts';
import { CHOICE_MEANINGS } from '../ui/meanings.ts';

/** Options of the rendering of any frame that forms show at once, in their order. */
export const RENDER_OPTIONS = [
  ...['policy', 'chiplets', 'organization', 'bins', 'timing', 'coupling'],
  ...['visibility', 'visibilityChiplets', 'visibilityDelivery', 'spec'],
];

interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: string | number | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: ParameterSchema;
}

interface OpenApiDocument {
  readonly paths: Readonly<
    Record<string, { readonly post?: { readonly parameters?: readonly Parameter[] } } | undefined>
  >;
}

/** Form fields on the page. */
export interface OptionFields {
  readonly root: HTMLElement;
  /** Returns the options that are set, as a query. */
  readonly query: () => URLSearchParams;
}

/** Route and fields to generate. */
export interface OptionFieldsRequest {
  /** Path of the route in the OpenAPI document. */
  readonly path: string;
  /** Names of the fields that are visible at once. All others are in a collapsed part. */
  readonly first: readonly string[];
  /** Names of all fields to generate. Default: all fields of the route. */
  readonly only?: readonly string[];
  /** Initial values. */
  readonly values?: Readonly<Record<string, string | number | null>>;
  /** Specification that applies if none is chosen. Default: the service's. */
  readonly unchosenSpec?: SpecEntry | undefined;
  readonly signal: AbortSignal;
}

/**
 * Creates the fields.
 *
 * @throws {ProblemError}
 */
export async function optionFields(request: OptionFieldsRequest): Promise<OptionFields> {
  const { path, first, only, values = {}, unchosenSpec, signal } = request;
  const [document, list, hardware] = await Promise.all([
    getJson<OpenApiDocument>('/openapi.json', signal),
    getSpecs(signal),
    parameterTable({ title: 'Hardware parameters', fieldHead: 'change to', signal }),
  ]);
  const presets = list.specs.map(({ name }) => name);
  const unchosen = unchosenSpec === undefined ? `of the service: ${list.default}` : 'of this frame';
  const parameters = (document.paths[path]?.post?.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && (only?.includes(parameter.name) ?? true),
  );
  // The table of parameters takes the place of the text field.
  const fields = parameters.filter(({ name }) => name !== 'set');
  const controlByName = new Map(
    fields.map((parameter) => {
      const value = values[parameter.name];
      return [parameter.name, makeControl(parameter, presets, value ?? null, unchosen)] as const;
    }),
  );
  const field = ({ name, schema, description }: Parameter) =>
    element(
      'label',
      { class: 'field', title: description ?? schema.description ?? '' },
      element('span', {}, name),
      controlByName.get(name)!,
    );
  const byName = (name: string) => fields.find((parameter) => parameter.name === name);
  const shown = first.map(byName).filter((parameter) => parameter !== undefined);
  const folded = fields.filter(({ name }) => !first.includes(name));
  const root = element(
    'div',
    { class: 'options' },
    element('div', { class: 'fields' }, ...shown.map(field)),
    folded.length > 0 &&
      element(
        'details',
        {},
        element('summary', {}, 'More options'),
        element('div', { class: 'fields' }, ...folded.map(field)),
      ),
    parameters.length > fields.length && hardware.root,
  );
  const specControl = controlByName.get('spec');
  const showSpec = () => {
    const name = specControl?.value ?? '';
    hardware.show(name === '' && unchosenSpec !== undefined ? unchosenSpec : findSpec(list, name));
  };
  specControl?.addEventListener('change', showSpec);
  showSpec();
  return {
    root,
    query: () => {
      const query = new URLSearchParams();
      for (const [name, control] of controlByName) {
        const value = control.value.trim();
        if (value !== '') query.set(name, value);
      }
      const settings = settingsText(hardware.changes());
      if (settings !== '') query.set('set', settings);
      return query;
    },
  };
}

function makeControl(
  { name, schema }: Parameter,
  presets: readonly string[],
  value: string | number | null,
  unchosenSpec: string,
): HTMLInputElement | HTMLSelectElement {
  const chosen = value ?? schema.default ?? '';
  const choices = choicesOf(name, schema, presets);
  if (choices !== null) {
    const options = choices.map((choice) =>
      element(
        'option',
        { value: choice, selected: choice === chosen },
        choice === '' ? (name === 'spec' ? unchosenSpec : 'default') : choice,
      ),
    );
    const select = element('select', { name }, ...options);
    const meanings = CHOICE_MEANINGS[name];
    // Without a meaning, the tooltip is that of the field.
    const explain = () => select.setAttribute('title', meanings?.[select.value] ?? '');
    if (meanings !== undefined) {
      select.addEventListener('change', explain);
      explain();
    }
    return select;
  }
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  return element('input', {
    name,
    type: isNumber ? 'number' : 'text',
    min: schema.minimum,
    max: schema.maximum,
    step: schema.type === 'number' ? 'any' : null,
    value: value ?? schema.default ?? null,
    placeholder: 'default',
  });
}

/** Returns the permitted values, or `null` if any value is permitted. */
function choicesOf(
  name: string,
  schema: ParameterSchema,
  presets: readonly string[],
): readonly string[] | null {
  if (name === 'spec' && presets.length > 0) return ['', ...presets];
  if (schema.enum !== undefined)
    return schema.default === undefined ? ['', ...schema.enum] : schema.enum;
  return schema.type === 'boolean' ? ['', 'true', 'false'] : null;
}
