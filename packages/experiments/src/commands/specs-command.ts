/** `tessera specs`: shows the hardware parameters of a chiplet. */
import {
  CHIPLET_PRESETS,
  type ChipletSpec,
  formatValue,
  PARAMETER_NAMES,
  rangeOf,
  SPEC_CHOICES,
  SPEC_FIELDS,
  SPEC_SWITCHES,
} from '@tessera/chiplet-spec';
import { RenderError } from '@tessera/frame';
import { readSpecOption } from '../inputs/spec-option.ts';
import { parseOptions } from '../terminal/command-options.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { formatColumns } from '../terminal/text-columns.ts';

/** Runs the command. @throws {RenderError} On bad options and unknown names. */
export async function runSpecsCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseOptions(args, {
    spec: { type: 'string' },
    set: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
  });
  const isOne = values.spec !== undefined || values.set !== undefined;
  const specs: ChipletSpec[] = isOne
    ? [readSpecOption(values.spec ?? 'default', values.set)]
    : Object.values(CHIPLET_PRESETS);
  const names = namesOf(positionals);
  if (values.json) {
    printJson(specs.map((spec) => selected(spec, names)));
    return;
  }
  const rows = names.map((name) => [
    name,
    ...specs.map((spec) => formatValue(parameterValue(spec, name))),
    rangeOf(name),
    meaningOf(name),
  ]);
  const head = ['parameter', ...specs.map(({ name }) => name), 'range', 'meaning'];
  printText(formatColumns([head, ...rows]));
}

/** Returns the parameters whose names contain one of the given texts; all without a text. */
function namesOf(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return PARAMETER_NAMES;
  return PARAMETER_NAMES.filter((name) =>
    texts.some((text) => {
      const isKnown = PARAMETER_NAMES.some((known) => contains(known, text));
      if (isKnown) return contains(name, text);
      throw new RenderError('REQUEST_INVALID', `no parameter is named like '${text}'`);
    }),
  );
}

function contains(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

function selected(spec: ChipletSpec, names: readonly string[]): object {
  const parameters = Object.fromEntries(names.map((name) => [name, parameterValue(spec, name)]));
  return { name: spec.name, parameters };
}

function parameterValue(spec: ChipletSpec, name: string): number | boolean | string {
  return spec[name as keyof ChipletSpec]; // `name` is a parameter.
}

function meaningOf(name: string): string {
  if (Object.hasOwn(SPEC_SWITCHES, name)) return SPEC_SWITCHES[name as keyof typeof SPEC_SWITCHES];
  if (Object.hasOwn(SPEC_CHOICES, name)) {
    return SPEC_CHOICES[name as keyof typeof SPEC_CHOICES].meaning;
  }
  return SPEC_FIELDS[name as keyof typeof SPEC_FIELDS].meaning;
}
