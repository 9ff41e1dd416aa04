/**
 * Fields for the axes of a study that the form does not show at first. They come from the body's
 * schema in the OpenAPI document, so that they are those of the service.
 */
import { checkBoxes } from '../ui/check-boxes.ts';
import { element } from '../ui/dom.ts';
import { parseNumberList } from './number-list.ts';

/** Schema of a field of the body, which is a list if the field is an axis. */
export interface FieldSchema {
  readonly description?: string;
  /** Fields of an object, such as the technologies of energy. */
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
  readonly items?: {
    readonly type?: string;
    readonly enum?: readonly string[];
    /** Values that fit every study, if some of `enum` do not; formats of a text. */
    readonly examples?: readonly unknown[];
  };
}

/** Fields of axes on the page. */
export interface FurtherAxes {
  readonly root: HTMLElement;
  /**
   * Returns the values of the fields that are filled in, by axis.
   *
   * @throws {Error} If a list of numbers is malformed; the message names the part.
   */
  readonly values: () => Readonly<Record<string, readonly (string | number | boolean)[]>>;
}

/** Creates the fields of all lists in `fields`, except those of `shown`. */
export function furtherAxes(
  fields: Readonly<Record<string, FieldSchema>>,
  shown: readonly string[],
): FurtherAxes {
  const axes = Object.entries(fields).filter(
    ([name, { items }]) => items !== undefined && !shown.includes(name),
  );
  const made = axes.map(([name, schema]) => [name, makeField(name, schema)] as const);
  const texts = made.filter(([, { isText }]) => isText);
  const boxes = made.filter(([, { isText }]) => !isText);
  return {
    root: element(
      'details',
      {},
      element('summary', {}, 'Link, placement, size and other axes'),
      element(
        'p',
        { class: 'hint' },
        'Each value is combined with each of the others. Empty fields keep the value of the frame or service.',
      ),
      element('div', { class: 'fields' }, ...texts.map(([, { root }]) => root)),
      ...boxes.map(([, { root }]) => root),
    ),
    values: () =>
      Object.fromEntries(
        made
          .map(([name, { read }]) => [name, read()] as const)
          .filter(([, values]) => values.length > 0),
      ),
  };
}

interface Field {
  readonly root: HTMLElement;
  readonly isText: boolean;
  readonly read: () => readonly (string | number | boolean)[];
}

function makeField(name: string, { items = {}, description = '' }: FieldSchema): Field {
  if (items.enum !== undefined || items.type === 'boolean') {
    const choices = items.examples?.map(String) ?? items.enum ?? ['true', 'false'];
    const group = checkBoxes(
      name,
      choices.map((choice) => [choice, choice]),
      [],
    );
    group.root.title = description;
    const isBoolean = items.enum === undefined;
    const read = () => group.chosen().map((text) => (isBoolean ? text === 'true' : text));
    return { root: group.root, isText: false, read };
  }
  const isNumber = items.type === 'integer' || items.type === 'number';
  const placeholder = isNumber ? '64, 256' : String(items.examples?.[0] ?? '');
  const input = element('input', { type: 'text', placeholder });
  const read = () => (isNumber ? parseNumberList(input.value) : parseTextList(input.value));
  const root = element(
    'label',
    { class: 'field', title: description },
    element('span', {}, name),
    input,
  );
  return { root, isText: true, read };
}

/** Parses texts that spaces or semicolons separate. Commas are part of placements. */
export function parseTextList(text: string): string[] {
  return [...new Set(text.split(/[\s;]+/).filter(Boolean))];
}
