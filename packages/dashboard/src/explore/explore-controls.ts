/** Sliders and lists for the settings of an exploration. */
import { OVERLAP_MODES, TOPOLOGY_NAMES } from '@tessera/multi-chiplet/estimate';
import { element } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import {
  type ExploreSettings,
  POLICIES,
  type SettingsSource,
  settingRanges,
} from './explore-settings.ts';
import { nearestIndex, sliderValues } from './slider-values.ts';

/** Control of a setting. */
interface Control {
  readonly root: HTMLElement;
  readonly show: (settings: ExploreSettings) => void;
}

/** Controls on the page. */
export interface ExploreControls {
  readonly root: HTMLElement;
  /** Settings that are shown. */
  readonly settings: () => ExploreSettings;
  /** Shows other settings without a call of `onChange`. */
  readonly show: (settings: ExploreSettings) => void;
}

/** Names of settings whose values are numbers. */
type NumericName = keyof ReturnType<typeof settingRanges>;

/**
 * Creates the controls.
 *
 * @param onChange Called with each change of a slider, also while it is dragged.
 */
export function exploreControls(
  initial: ExploreSettings,
  source: SettingsSource,
  onChange: (settings: ExploreSettings) => void,
): ExploreControls {
  let settings = initial;
  const change = (changes: Partial<ExploreSettings>) => {
    settings = { ...settings, ...changes };
    onChange(settings);
  };
  const ranges = settingRanges(source);
  const slider = (name: NumericName, label: string, unit: string, values?: readonly number[]) =>
    makeSlider({ label, unit, values: values ?? wholeNumbers(ranges[name]) }, name, change);
  const controls: readonly Control[] = [
    slider('chiplets', 'Chiplets', 'chiplets'),
    makeChoice('policy', 'Policy', POLICIES, change),
    makeChoice('linkTopology', 'Link topology', TOPOLOGY_NAMES, change),
    slider(
      'linkBytesPerCycle',
      'Link bytes per cycle',
      'bytes per cycle',
      sliderValues(ranges.linkBytesPerCycle),
    ),
    slider('linkLatencyCycles', 'Link latency', 'cycles', sliderValues(ranges.linkLatencyCycles)),
    makeChoice('overlap', 'Overlap', OVERLAP_MODES, change),
    slider('frames', 'Frames in a row', 'equal frames'),
  ];
  const show = (shown: ExploreSettings) => {
    settings = shown;
    for (const control of controls) control.show(shown);
  };
  show(initial);
  return {
    root: element('div', { class: 'explore-controls' }, ...controls.map(({ root }) => root)),
    settings: () => settings,
    show,
  };
}

function wholeNumbers({ min, max }: { readonly min: number; readonly max: number }) {
  return Array.from({ length: max - min + 1 }, (_, index) => min + index);
}

interface SliderOptions {
  readonly label: string;
  readonly unit: string;
  /** Values of the positions, ascending. A value between two is shown at the nearer one. */
  readonly values: readonly number[];
}

function makeSlider(
  { label, unit, values }: SliderOptions,
  name: NumericName,
  change: (changes: Partial<ExploreSettings>) => void,
): Control {
  const output = element('output', {});
  const input = element('input', {
    type: 'range',
    min: 0,
    max: values.length - 1,
    'data-setting': name,
    oninput: () => {
      const value = values[Number(input.value)]!;
      describe(value);
      change({ [name]: value });
    },
  });
  const describe = (value: number) => {
    output.textContent = formatNumber(value);
    input.setAttribute('aria-valuetext', `${formatNumber(value)} ${unit}`);
  };
  return {
    root: element('label', { class: 'field' }, element('span', {}, `${label} `, output), input),
    show: (settings) => {
      input.value = String(nearestIndex(values, settings[name]));
      describe(settings[name]);
    },
  };
}

function makeChoice(
  name: 'policy' | 'linkTopology' | 'overlap',
  label: string,
  names: readonly string[],
  change: (changes: Partial<ExploreSettings>) => void,
): Control {
  const select = element(
    'select',
    // The options are the names of the setting.
    { 'data-setting': name, onchange: () => change({ [name]: select.value }) },
    ...names.map((value) => element('option', { value }, value)),
  );
  return {
    root: element('label', { class: 'field' }, element('span', {}, label), select),
    show: (settings) => {
      select.value = settings[name];
    },
  };
}
