/**
 * The tour of the dashboard: what the recording of the README shows, and what a test checks step by
 * step. It needs a service with the examples of `npm start`.
 */
import type { TourStage } from './tour-stage.ts';

/** A step of the tour. */
export interface TourStep {
  /** Line of text about what the step shows. */
  readonly caption: string;
  readonly run: (stage: TourStage) => Promise<void>;
}

/**
 * Pixel of the history, as shares of the image: on the knot, where the depth test drops a fragment.
 */
const PIXEL = { x: 494.5 / 960, y: 259.5 / 540 } as const;

/** Steps in order. */
export const TOUR = {
  overview: {
    caption: 'Tessera renders frames on a simulated GPU made of chiplets',
    run: async (stage) => {
      await stage.page.locator('.explore-owners canvas').waitFor();
      await waitForImages(stage);
      await stage.hold(1440);
      await stage.scrollTo(stage.page.locator('.explore'), 8);
    },
  },
  chiplets: {
    caption: 'Drag a slider: bins, schedule and cycles follow at once',
    run: async (stage) => {
      await stage.drag(stage.page.locator('[data-setting=chiplets]'), 9, 1600);
      await stage.hold(640);
    },
  },
  policy: {
    caption: 'Another policy: static blocks of bins leave chiplets idle',
    run: async (stage) => {
      await stage.choose(stage.page.locator('[data-setting=policy]'), 'static-blocks');
      await stage.hold(1040);
    },
  },
  animation: {
    caption: 'Static against dynamic assignment, as an animation',
    run: async (stage) => {
      const play = stage.page.getByRole('button', { name: 'Static ↔ dynamic' });
      await stage.click(play);
      await stage.play(2880);
      await stage.click(play);
    },
  },
  heat: {
    caption: 'A heat map shows what each pixel costs',
    run: async (stage) => {
      const { page } = stage;
      await stage.scrollTo(page.getByRole('heading', { name: 'Examples' }), 60);
      await stage.click(page.getByRole('link', { name: 'Open this frame' }));
      await page.locator('.gantt .span.bin').first().waitFor();
      await waitForImages(stage);
      await stage.scrollTo(page.getByRole('heading', { name: 'Pixels and draws' }), 16);
      await stage.click(page.getByRole('button', { name: 'Look into pixels and draws' }));
      await page.locator('canvas.heat:not([hidden])').waitFor();
      await page.getByRole('heading', { name: /^Draws of pass/ }).waitFor();
      await waitForImages(stage);
      await stage.hold(1040);
    },
  },
  history: {
    caption: 'Click a pixel: every fragment that reached it',
    run: async (stage) => {
      await stage.click(stage.page.locator('.pixel-view'), PIXEL);
      await stage.page.locator('table.pixel-history').waitFor();
      await stage.hold(1760);
    },
  },
  draws: {
    caption: 'Step through the draws: the image after each of them',
    run: async (stage) => {
      const slider = stage.page.getByLabel('Step through draws');
      const last = Number(await slider.getAttribute('max'));
      for (let draw = 0; draw <= last; draw++) {
        await stage.drag(slider, draw, draw === 0 ? 480 : 160);
        await waitForImages(stage);
        await stage.hold(240);
      }
      await stage.hold(720);
    },
  },
} satisfies Readonly<Record<string, TourStep>>;

/** Waits until all images in the window are loaded, in wall time. */
async function waitForImages({ page }: TourStage): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images].every((image) => {
      const { bottom, top } = image.getBoundingClientRect();
      return bottom < 0 || top > innerHeight || (image.complete && image.naturalWidth > 0);
    }),
  );
}
