/**
 * Section of a frame with its shaders: the GLSL of a program beside its instructions, and the cost
 * of each line. The service renders the frame again for it, so it loads on request.
 */
import type { ProgramStage, ProgramSummary, ShaderProfile } from '@tessera/frame';
import { getJson } from '../api/requests.ts';
import type { FrameStatus } from '../api/types.ts';
import { element, replace } from '../ui/dom.ts';
import { formatNumber, formatShare } from '../ui/format.ts';
import { documentLinks, type PageContext, sectionOnRequest, showingProblems } from '../ui/page.ts';
import { stageView } from './stage-view.ts';

const STAGE_LABELS: Readonly<Record<ProgramStage, string>> = {
  vertex: 'vertex',
  positionOnly: 'vertex, positions only',
  fragment: 'fragment',
};

interface ShaderList {
  /** Number of instructions that warps issued in the frame. */
  readonly issued: number;
  readonly programs: readonly ProgramSummary[];
}

/** Creates the section. */
export function shaderSection(context: PageContext, status: FrameStatus): HTMLElement {
  return sectionOnRequest(
    'Shaders',
    'Renders the frame again: the cost of each line and instruction of its programs.',
    'Look into shaders',
    () => {
      const root = element('div', {}, element('p', { class: 'hint' }, 'Programs …'));
      showingProblems(root, async () => {
        const list = await getJson<ShaderList>(`${status.links.self}/shaders`, context.signal);
        if (list.programs.length === 0) replace(root, 'The frame draws nothing.');
        else replace(root, shaderExplorer(context, status, list));
      });
      return root;
    },
    documentLinks(['Find the costly lines of a shader', 'how-to/profile-shaders.md']),
  );
}

function shaderExplorer(context: PageContext, status: FrameStatus, list: ShaderList): HTMLElement {
  const [draws, stages] = [element('select'), element('select')];
  const view = element('div');
  const issuedOf = ({ stages }: ProgramSummary) =>
    stages.reduce((sum, { issued }) => sum + issued, 0);
  const byCost = list.programs.toSorted((a, b) => issuedOf(b) - issuedOf(a));
  const programs = element(
    'select',
    {},
    ...byCost.map((summary) => {
      const share = formatShare(list.issued === 0 ? 0 : issuedOf(summary) / list.issued);
      return option(summary.program, `${summary.program}: ${share} of the instructions`);
    }),
  );
  const waits = element('input', { type: 'checkbox' });
  let profile: ShaderProfile | null = null;
  let asked = 0;

  const showStage = () => {
    const stage = profile?.stages.find((each) => each.stage === stages.value);
    if (profile === null || stage === undefined) replace(view, 'No warp runs this program here.');
    else replace(view, stageView(profile, stage, list.issued));
  };
  const load = () =>
    showingProblems(view, async () => {
      const number = ++asked;
      const query = new URLSearchParams(draws.value);
      if (waits.checked) query.set('waits', 'true');
      const path = `${status.links.self}/shaders/${programs.value}?${query}`;
      const loaded = await getJson<ShaderProfile>(path, context.signal);
      if (number !== asked) return;
      profile = loaded;
      const before = stages.value;
      replace(
        stages,
        ...loaded.stages.map(({ stage, issued }) =>
          option(stage, `${STAGE_LABELS[stage]} (${formatNumber(issued)} issued)`),
        ),
      );
      const names = loaded.stages.map(({ stage }) => stage as string);
      stages.value = names.includes(before) ? before : (names.at(-1) ?? '');
      showStage();
    });
  const showProgram = () => {
    const summary = list.programs.find(({ program }) => program === Number(programs.value))!;
    const each = summary.draws.map(({ pass, draw }) =>
      option(`?pass=${pass}&draw=${draw}`, `pass ${pass}, draw ${draw}`),
    );
    replace(draws, option('', `all ${summary.draws.length}`), ...each);
    load();
  };
  programs.addEventListener('change', showProgram);
  draws.addEventListener('change', load);
  waits.addEventListener('change', load);
  stages.addEventListener('change', showStage);
  showProgram();
  return element(
    'div',
    { class: 'shader-explorer' },
    element(
      'div',
      { class: 'toolbar' },
      element('label', {}, 'Program ', programs),
      element('label', {}, 'Draws ', draws),
      element('label', {}, 'Stage ', stages),
      element(
        'label',
        { title: 'Simulates the frame: cycles for which warps wait' },
        waits,
        ' Waits',
      ),
    ),
    view,
  );
}

function option(value: string | number, text: string): HTMLOptionElement {
  return element('option', { value }, text);
}
