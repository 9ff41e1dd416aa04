/**
 * Meanings of heads of tables and names of figures, shown as tooltips. Words of the glossary have
 * its text.
 */

/** Words whose meaning is that of docs/glossary.md; a test compares them. */
export const GLOSSARY_MEANINGS = {
  chiplet: 'one die of the simulated GPU; it renders coarse bins',
  makespan: 'cycles from the first to the last bin of a bin phase',
  frame: 'unit of work that a client submits: resources, programs, and passes of draws',
} as const;

const BIN_CYCLES = 'simulated cycles from the start of the bin to its last pixel';
const SPEC = 'specification: the hardware parameters of the simulated chiplets';

/** Meanings of the coarse bins of a frame. */
export const BIN_MEANINGS = {
  ...GLOSSARY_MEANINGS,
  bin: 'coarse bin: large rectangle of the target, assigned to one chiplet',
  position: 'left and upper edge of the bin and its size in pixels',
  primitives: 'primitives listed for the bin; one that touches several bins counts in each of them',
  fragments: 'covered samples of the bin before the output merger',
  start: 'simulated cycle at which the chiplet started the bin',
  end: 'simulated cycle at which the bin was complete',
  cycles: BIN_CYCLES,
  estimated: 'cost that the cost model predicted from the visibility phase, in cycles',
} as const;

/** Meanings of the live state of the chiplets. */
export const CHIPLET_MEANINGS = {
  ...GLOSSARY_MEANINGS,
  mode: 'phase that the process of the chiplet runs',
  'current work': 'coarse bin or visibility phase that it renders',
  bins: 'coarse bins that the process has rendered since it connected',
  cycles: 'simulated cycles of these bins',
} as const;

/** Meanings of the channels of the link. */
export const CHANNEL_MEANINGS = {
  channel: 'connection between two ends of the link',
  packets: 'packets that the channel carried',
  bytes: 'bytes that it carried, headers included',
  'busy cycles': 'simulated cycles in which it carried bytes',
  'busy share': 'busy cycles ÷ cycles of the frame',
} as const;

/** Meanings of reads of remote memory, in lines of 64 bytes. */
export const REMOTE_MEANINGS = {
  ...GLOSSARY_MEANINGS,
  wanted: 'lines of other memories that its units wanted',
  cached: 'of these, lines that were in its cache of remote lines',
  merged: 'of these, lines that were already on their way',
  fetched: 'of these, lines that were requested from other memories',
  'hit rate': 'cached ÷ wanted',
  written: 'lines that it wrote to other memories',
  sent: 'bytes of messages that it sent to other chiplets',
} as const;

/** Meanings of the frames and chiplets of a sequence. */
export const SEQUENCE_MEANINGS = {
  ...GLOSSARY_MEANINGS,
  start: 'simulated cycle at which the frame started',
  visibility: 'cycles from the start to the end of its visibility phase',
  'first bin': 'simulated cycle at which its first bin was started',
  end: 'simulated cycle at which its last pixel was in the image',
  latency: 'cycles from its start to its end',
  prediction: 'source of the costs by which its bins were assigned',
  busy: 'simulated cycles in which the chiplet worked',
  idle: 'simulated cycles in which it had no work',
  'idle share': 'idle ÷ all cycles',
} as const;

/** Meanings of the rows of a study. */
export const STUDY_MEANINGS = {
  ...GLOSSARY_MEANINGS,
  policy: 'assignment of coarse bins to chiplets',
  chiplets: 'number of chiplets, including the visibility chiplet',
  cycles: 'simulated cycles of the frame',
  speedUp: 'cycles on one chiplet with static-blocks and no overlap ÷ cycles',
  efficiency: 'speed-up ÷ chiplets; 1 is best',
  imbalance: 'largest share of the bins ÷ mean share; 1 is best',
  visibilityCycles: 'cycles of the visibility phases',
  linkBytes: 'bytes sent over the link',
  energyTypicalPj: 'typical energy in picojoules; the CSV has the range',
  powerTypicalMw: 'energy ÷ time, in milliwatts',
  energyDelayTypicalPjS: 'energy × time, in picojoule seconds',
  bins: 'number of coarse bins',
  visibility: 'vertex shader of the visibility phase: the slice that positions need, or all of it',
  organization: 'way in which chiplets share the frame',
  visibilityChiplets: 'number of chiplets that share each visibility phase',
  visibilityDelivery: 'whether visibility is sent when its phase ends, or in segments before',
  scene: 'name of the frame',
  spec: SPEC,
} as const;

/** Meanings of the choices of options that share a frame among chiplets, by option. */
export const CHOICE_MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  organization: {
    binned: 'two-level binning: one phase sorts primitives for all; each bin is on one chiplet',
    'split-frame': 'baseline: every chiplet runs the whole visibility phase and renders its bins',
    'sort-last': 'baseline: draws are divided, and composed by depth; needs chiplets',
    'alternate-frame': 'baseline: chiplets render whole frames in turn, which speeds up sequences',
  },
  visibilityDelivery: {
    phase: 'visibility is sent when its phase ends',
    stream: 'visibility is sent in segments while its phase runs; bins start earlier',
  },
};

/** Meanings of hardware parameters. */
export const PARAMETER_MEANINGS = {
  parameter: 'hardware parameter of a chiplet; its tooltip has unit and range',
  value: 'value of the specification',
  'change to': 'value for this frame',
  'values to sweep': 'values that the study simulates, separated by commas',
} as const;

/** Meanings of comparisons. */
export const COMPARISON_MEANINGS = {
  name: 'path of the figure in the report, or name of the counter',
  A: 'value of the first frame',
  B: 'value of the second frame',
  'B against A': 'relative change',
} as const;
