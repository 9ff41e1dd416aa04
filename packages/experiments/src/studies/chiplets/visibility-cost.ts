/** What the visibility phase costs by its vertex shader, and what a frame takes with it. */
import { serialCycles } from '@tessera/multi-chiplet';
import {
  type ChipletStudy,
  geometricMean,
  mean,
  percent,
  serialFraction,
  simulateAlone,
  simulateSteady,
  simulationOf,
} from './chiplet-study.ts';

const SHADERS = ['minimal', 'full', 'auto'] as const;
const CHIPLET_COUNTS = [1, 2, 4, 8, 16];
const SHOWN_COUNT = 8;

export const VISIBILITY_COST: ChipletStudy = {
  meaning:
    'visibility phases by the minimal and the full vertex shader and by the choice between them',
  settings: (bins) => SHADERS.map((visibility) => ({ bins, visibility })),
  run: (scenes) => {
    const rows = scenes.flatMap(({ scene, bySetting }) =>
      SHADERS.flatMap((shader, i) =>
        CHIPLET_COUNTS.map((chiplets) => {
          const measurement = bySetting[i]!;
          const minimal = bySetting[0]!;
          const { cycles } = simulateAlone(measurement, chiplets);
          const steady = simulateSteady(scene, measurement, simulationOf(chiplets));
          const { visibilityCycles } = serialCycles(measurement);
          return {
            scene,
            shader,
            chiplets,
            visibilityCycles,
            cycles,
            cyclesPerFrame: steady.cyclesPerFrame,
            serial: serialFraction(measurement),
            ofVisibility: visibilityCycles / serialCycles(minimal).visibilityCycles,
            ofCycles: cycles / simulateAlone(minimal, chiplets).cycles,
            ofSteady:
              steady.cyclesPerFrame /
              simulateSteady(scene, minimal, simulationOf(chiplets)).cyclesPerFrame,
          };
        }),
      ),
    );
    const of = (shader: string, chiplets: number) =>
      rows.filter((row) => row.shader === shader && row.chiplets === chiplets);
    return {
      figures: {
        head: ['scene', 'shader', 'chiplets', 'visibilityCycles', 'frameCycles', 'cyclesPerFrame'],
        rows: rows.map((row) => [
          row.scene,
          row.shader,
          row.chiplets,
          row.visibilityCycles,
          row.cycles,
          row.cyclesPerFrame.toFixed(1),
        ]),
      },
      summary: {
        head: [
          'shader',
          'visibility phase',
          'its part on one chiplet',
          'frame on one chiplet',
          `frame on ${SHOWN_COUNT}`,
          `sequence on ${SHOWN_COUNT}`,
        ],
        rows: SHADERS.map((shader) => {
          const [one, many] = [of(shader, 1), of(shader, SHOWN_COUNT)];
          return [
            shader,
            geometricMean(one.map(({ ofVisibility }) => ofVisibility)).toFixed(3),
            percent(mean(one.map(({ serial }) => serial))),
            geometricMean(one.map(({ ofCycles }) => ofCycles)).toFixed(3),
            geometricMean(many.map(({ ofCycles }) => ofCycles)).toFixed(3),
            geometricMean(many.map(({ ofSteady }) => ofSteady)).toFixed(3),
          ];
        }),
      },
      plot: {
        title: 'A frame by the visibility phase’s shader',
        xLabel: 'chiplets',
        yLabel: 'cycles ÷ those with the minimal shader',
        series: SHADERS.flatMap((shader) => [
          {
            name: `${shader}, frame alone`,
            points: CHIPLET_COUNTS.map((x) => ({
              x,
              y: geometricMean(of(shader, x).map(({ ofCycles }) => ofCycles)),
            })),
          },
          {
            name: `${shader}, sequence`,
            points: CHIPLET_COUNTS.map((x) => ({
              x,
              y: geometricMean(of(shader, x).map(({ ofSteady }) => ofSteady)),
            })),
          },
        ]),
      },
    };
  },
};
