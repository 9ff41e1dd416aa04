/** Form fields of a route's query, made from the service's own OpenAPI document, so that they never differ from it. */

import { getPresets } from '../api/presets.ts';
import { getJson } from '../api/requests.ts';
import { element } from '../ui/dom.ts';

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

export interface OptionFields {
  readonly root: HTMLElement;
  /** The options that are set, as a query; empty without any. */
  readonly query: () => URLSearchParams;
}

export interface OptionFieldsRequest {
  /** Path of the route in the document. */
  readonly path: string;
  /** Names of fields that are shown at once; all others can be unfolded. */
  readonly first: readonly string[];
  /** Names of all fields; without them, all that the route has. */
  readonly only?: readonly string[];
  /** What fields are set to. */
  readonly values?: Readonly<Record<string, string | number | null>>;
  readonly signal: AbortSignal;
}

/** @throws {ProblemError} */
export async function optionFields(request: OptionFieldsRequest): Promise<OptionFields> {
  const { path, first, only, values = {}, signal } = request;
  const [document, presets] = await Promise.all([
    getJson<OpenApiDocument>('/openapi.json', signal),
    getPresets(signal),
  ]);
  const parameters = (document.paths[path]?.post?.parameters ?? []).filter(
    (parameter) => parameter.in === 'query' && (only?.includes(parameter.name) ?? true),
  );
  const controlByName = new Map(
    parameters.map((parameter) => {
      const value = values[parameter.name];
      return [parameter.name, makeControl(parameter, presets, value ?? null)] as const;
    }),
  );
  const field = ({ name, schema, description }: Parameter) =>
    element(
      'label',
      { class: 'field', title: description ?? schema.description ?? '' },
      element('span', {}, name),
      controlByName.get(name)!,
    );
  const byName = (name: string) => parameters.find((parameter) => parameter.name === name);
  const shown = first.map(byName).filter((parameter) => parameter !== undefined);
  const folded = parameters.filter(({ name }) => !first.includes(name));
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
  );
  return {
    root,
    query: () => {
      const query = new URLSearchParams();
      for (const [name, control] of controlByName) {
        const value = control.value.trim();
        if (value !== '') query.set(name, value);
      }
      return query;
    },
  };
}

function makeControl(
  { name, schema }: Parameter,
  presets: readonly string[],
  value: string | number | null,
): HTMLInputElement | HTMLSelectElement {
  const chosen = value ?? schema.default ?? '';
  const choices = choicesOf(name, schema, presets);
  if (choices !== null) {
    const options = choices.map((choice) =>
      element(
        'option',
        { value: choice, selected: choice === chosen },
        choice === '' ? 'default' : choice,
      ),
    );
    return element('select', { name }, ...options);
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

/** `null` where anything may be entered. */
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
