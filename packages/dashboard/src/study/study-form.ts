/** Form for the parameters that a study sweeps. */
import { getJson, postJson } from '../api/requests.ts';
import { findSpec, getSpecs, type SpecList } from '../api/specs.ts';
import type { FrameStatus } from '../api/types.ts';
import { describeFrame } from '../frame-view/frame-labels.ts';
import { type ParameterTable, parameterTable, sweepOf } from '../hardware/parameter-table.ts';
import { checkBoxes } from '../ui/check-boxes.ts';
import { element } from '../ui/dom.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';
import { studyHref } from '../ui/routes.ts';
import { type FieldSchema, furtherAxes } from './further-axes.ts';
import { parseNumberList } from './number-list.ts';
import type { StudyStatus } from './study-types.ts';

const LISTED_FRAMES = 30;
const FIRST_POLICIES = ['static', 'dynamic'];

interface StudyDocument {
  readonly paths: {
    readonly '/v1/frames': {
      readonly post: {
        readonly parameters: readonly {
          readonly name: string;
          readonly schema: { readonly enum?: readonly string[] };
        }[];
      };
    };
    readonly '/v1/studies': {
      readonly post: {
        readonly requestBody: {
          readonly content: {
            readonly 'application/json': {
              readonly schema: { readonly properties: Readonly<Record<string, FieldSchema>> };
            };
          };
        };
      };
    };
  };
}

/** Lists of the body that have fields of their own in the form. */
const SHOWN = ['frames', 'chiplets', 'policies', 'specs', 'bins', 'visibility'];

/**
 * Creates the form.
 *
 * @throws {ProblemError}
 */
export async function studyForm({ signal }: PageContext): Promise<HTMLElement> {
  const { frames, policies, list, hardware, axes, memories } = await loadChoices(signal);
  if (frames.length === 0) return withoutFrames();
  const title = element('input', {
    type: 'text',
    maxlength: 200,
    placeholder: 'static versus dynamic',
  });
  const chiplets = element('input', { type: 'text', required: true, value: '1, 2, 4, 8' });
  const bins = element('input', { type: 'text', required: true, value: '32' });
  const coupling = couplingSelect();
  const energy = energySelect(memories);
  const frameBoxes = checkBoxes(
    'Frames',
    frames.map((frame) => [frame.id, describeFrame(frame)]),
    [frames[0]!.id],
  );
  const policyBoxes = checkBoxes('Policies', namesOnly(policies), FIRST_POLICIES);
  const visibilityBoxes = checkBoxes('Visibility shader', namesOnly(['minimal', 'full']), [
    'minimal',
  ]);
  const specBoxes = checkBoxes(
    'Specifications (none: that of the service)',
    namesOnly(list.specs.map(({ name }) => name)),
    [],
  );
  showChosenSpec(hardware, list, specBoxes);
  const button = element('button', { class: 'primary' }, 'Run the study');
  const problem = element('div', {});
  const form = element(
    'form',
    {},
    labelledFields({
      Title: title,
      'Numbers of chiplets': chiplets,
      'Numbers of bins': bins,
      Coupling: coupling,
      Energy: energy,
    }),
    frameBoxes.root,
    policyBoxes.root,
    visibilityBoxes.root,
    specBoxes.root,
    hardware.root,
    axes.root,
    button,
    problem,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    showingProblems(problem, async () => {
      const chosen = specBoxes.chosen();
      const further = axes.values();
      const study = await postJson<StudyStatus>('/v1/studies', {
        title: title.value.trim(),
        frames: frameBoxes.chosen(),
        chiplets: parseNumberList(chiplets.value),
        policies: policyBoxes.chosen(),
        // Grids replace the number of bins.
        ...('grids' in further ? {} : { bins: parseNumberList(bins.value) }),
        visibility: visibilityBoxes.chosen(),
        coupling: coupling.value,
        ...(energy.value === '' ? {} : { energy: { memory: energy.value } }),
        ...(chosen.length === 0 ? {} : { specs: chosen }),
        sweep: sweepOf(hardware.changes()),
        ...further,
      });
      location.hash = studyHref(study.id);
    }).finally(() => {
      button.disabled = false;
    });
  });
  return form;
}

/** Loads what the form offers. */
async function loadChoices(signal: AbortSignal) {
  const [{ frames }, document, list, hardware] = await Promise.all([
    getJson<{ frames: FrameStatus[] }>(`/v1/frames?status=done&limit=${LISTED_FRAMES}`, signal),
    getJson<StudyDocument>('/openapi.json', signal),
    getSpecs(signal),
    parameterTable({
      title: 'Sweep hardware parameters',
      fieldHead: 'values to sweep',
      signal,
    }),
  ]);
  const policies =
    document.paths['/v1/frames'].post.parameters.find(({ name }) => name === 'policy')?.schema
      .enum ?? FIRST_POLICIES;
  const { schema } = document.paths['/v1/studies'].post.requestBody.content['application/json'];
  const axes = furtherAxes(schema.properties, SHOWN);
  const memories = schema.properties.energy!.properties!.memory!.enum!;
  return { frames, policies, list, hardware, axes, memories };
}

function withoutFrames(): HTMLElement {
  const link = element('a', { class: 'button', href: '#/' }, 'Render a frame');
  return element('p', {}, 'A study uses rendered frames, and there are none. ', link);
}

function couplingSelect(): HTMLSelectElement {
  return element(
    'select',
    {},
    element('option', { value: 'exact' }, 'exact'),
    element('option', { value: 'none' }, 'none (estimate)'),
  );
}

/** Chooses whether rows have energies, and the memory chips of these. */
function energySelect(memories: readonly string[]): HTMLSelectElement {
  return element(
    'select',
    {},
    element('option', { value: '' }, 'none'),
    ...memories.map((name) => element('option', { value: name }, name)),
  );
}

/** Shows the values of the first chosen specification, whichever is chosen. */
function showChosenSpec(
  hardware: ParameterTable,
  list: SpecList,
  boxes: ReturnType<typeof checkBoxes>,
): void {
  const show = () => hardware.show(findSpec(list, boxes.chosen()[0] ?? ''));
  boxes.root.addEventListener('change', show);
  show();
}

function labelledFields(
  fields: Readonly<Record<string, HTMLInputElement | HTMLSelectElement>>,
): HTMLElement {
  const labels = Object.entries(fields).map(([text, input]) =>
    element('label', { class: 'field' }, element('span', {}, text), input),
  );
  return element('div', { class: 'fields' }, ...labels);
}

function namesOnly(names: readonly string[]): (readonly [string, string])[] {
  return names.map((name) => [name, name]);
}
