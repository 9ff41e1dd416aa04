/**
 * Drives the dashboard like a user with a visible pointer, in the time of the page's own clock. The
 * clock moves only when a step says so, so a recording does not depend on the speed of the machine.
 */
import type { Locator, Page } from 'playwright-core';

/** Size of the window in pixels. The caption covers the lowest part. */
export const TOUR_WINDOW = { width: 960, height: 800 } as const;
const CAPTION_PX = 44;
/** Width of the thumb of a slider in Chromium, whose center stays half of it away from the ends. */
const THUMB_PX = 16;
/** Time from one image of a movement to the next. */
const STEP_MS = 80;
const MOVE_MS = 480;
const SCROLL_MS = 640;
/** Time for which a pressed button shows the ring around the pointer. */
const PRESS_MS = 160;

/** Position in the window in pixels. */
interface Position {
  readonly x: number;
  readonly y: number;
}

/** Function that takes an image of the page, which is shown for a time in milliseconds. */
export type TakeImage = (shownMs: number) => Promise<void>;

/** A page with a pointer, a caption and a clock. */
export class TourStage {
  readonly page: Page;
  readonly #takeImage: TakeImage;
  #pointer: Position = { x: TOUR_WINDOW.width * 0.7, y: TOUR_WINDOW.height * 0.6 };

  private constructor(page: Page, takeImage: TakeImage) {
    this.page = page;
    this.#takeImage = takeImage;
  }

  /**
   * Opens the first page of a service and stops its clock.
   *
   * @param takeImage Called for each image. A test has none.
   */
  static async open(
    page: Page,
    url: string,
    takeImage: TakeImage = async () => {},
  ): Promise<TourStage> {
    await page.setViewportSize(TOUR_WINDOW);
    await page.clock.install();
    await page.goto(`${url}/#/`);
    await page.locator('#connection.open').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    const stage = new TourStage(page, takeImage);
    await page.evaluate(drawOverlay);
    await stage.#movePointer(stage.#pointer);
    return stage;
  }

  /** Shows a text below the page. */
  async caption(text: string): Promise<void> {
    await this.page.evaluate((shown) => {
      document.querySelector('#tour-caption')!.textContent = shown;
    }, text);
  }

  /** Shows the page as it is for a time. */
  async hold(shownMs: number): Promise<void> {
    await this.page.clock.runFor(shownMs);
    await this.#takeImage(shownMs);
  }

  /** Shows what moves by itself for a time, image by image. */
  async play(shownMs: number): Promise<void> {
    for (let step = 0; step < Math.round(shownMs / STEP_MS); step++) await this.hold(STEP_MS);
  }

  /** Moves the pointer to a part of an element, by default to its center. */
  async pointAt(target: Locator, share: Position = { x: 0.5, y: 0.5 }): Promise<void> {
    await target.waitFor();
    const { x, y, width, height } = (await target.boundingBox())!;
    const to = { x: x + width * share.x, y: y + height * share.y };
    await this.#glide(to, MOVE_MS);
    const isReached = await target.evaluate(
      (found, [atX, atY]) => {
        const top = document.elementFromPoint(atX!, atY!);
        return top !== null && (found.contains(top) || top.contains(found));
      },
      [to.x, to.y] as const,
    );
    if (!isReached || to.y > TOUR_WINDOW.height - CAPTION_PX) {
      throw new Error(`the tour cannot see ${target} at ${to.x}, ${to.y}`);
    }
  }

  /** Clicks an element. */
  async click(target: Locator, share?: Position): Promise<void> {
    await this.pointAt(target, share);
    await this.#press();
    await this.page.mouse.up();
    await this.#showPress(false);
  }

  /** Moves the pointer to a list, and chooses one of its values. */
  async choose(target: Locator, value: string): Promise<void> {
    await this.pointAt(target);
    await this.#showPress(true);
    await this.hold(PRESS_MS);
    await target.selectOption(value);
    await this.#showPress(false);
  }

  /** Drags the thumb of a slider from its position to another. */
  async drag(slider: Locator, position: number, shownMs: number): Promise<void> {
    const track = await slider.evaluate((found, to) => {
      const { min, max, value } = found as HTMLInputElement;
      const shareOf = (of: number) => (of - Number(min)) / (Number(max) - Number(min));
      const { paddingLeft, borderLeftWidth } = getComputedStyle(found);
      const edgePx = Number.parseFloat(paddingLeft) + Number.parseFloat(borderLeftWidth);
      return { thumb: shareOf(Number(value)), share: shareOf(to), edgePx };
    }, position);
    const box = (await slider.boundingBox())!;
    const startPx = track.edgePx + THUMB_PX / 2;
    const place = (of: number) => ({
      x: box.x + startPx + of * (box.width - 2 * startPx),
      y: box.y + box.height / 2,
    });
    const [thumb, end] = [place(track.thumb), place(track.share)];
    if (!isNear(this.#pointer, thumb)) await this.#glide(thumb, MOVE_MS);
    await this.#press();
    await this.#glide(end, shownMs);
    await this.page.mouse.up();
    await this.#showPress(false);
  }

  /** Scrolls until an element is at a distance from the top of the window. */
  async scrollTo(target: Locator, topPx: number): Promise<void> {
    await target.waitFor();
    const from = await this.page.evaluate(() => scrollY);
    const { y } = (await target.boundingBox())!;
    const lowest = await this.page.evaluate(
      () => document.documentElement.scrollHeight - innerHeight,
    );
    const to = Math.max(0, Math.min(lowest, Math.round(from + y - topPx)));
    if (to === from) return;
    await this.#inSteps(SCROLL_MS, (share) =>
      this.page.evaluate((at) => scrollTo(0, at), Math.round(from + (to - from) * share)),
    );
  }

  async #press(): Promise<void> {
    await this.page.mouse.down();
    await this.#showPress(true);
    await this.hold(PRESS_MS);
  }

  async #glide(to: Position, shownMs: number): Promise<void> {
    const from = this.#pointer;
    await this.#inSteps(shownMs, (share) =>
      this.#movePointer({
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
      }),
    );
  }

  /** @param change Called with the share of the way, above 0 to 1. */
  async #inSteps(shownMs: number, change: (share: number) => Promise<void>): Promise<void> {
    const steps = Math.max(1, Math.round(shownMs / STEP_MS));
    for (let step = 1; step <= steps; step++) {
      const share = step / steps;
      await change(share * share * (3 - 2 * share));
      await this.hold(STEP_MS);
    }
  }

  async #movePointer(to: Position): Promise<void> {
    this.#pointer = to;
    await this.page.mouse.move(to.x, to.y);
    await this.page.evaluate(({ x, y }) => {
      document.querySelector<SVGElement>('#tour-pointer')!.style.translate = `${x}px ${y}px`;
    }, to);
  }

  async #showPress(isPressed: boolean): Promise<void> {
    await this.page.evaluate((shown) => {
      const ring = document.querySelector<SVGElement>('#tour-pointer circle')!;
      ring.style.visibility = shown ? 'visible' : 'hidden';
    }, isPressed);
  }
}

function isNear(a: Position, b: Position): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) < 2;
}

/** Draws pointer and caption. Runs in the page. */
function drawOverlay(): void {
  const svg = (name: string, attributes: Readonly<Record<string, string>>) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const above = { position: 'fixed', left: '0', pointerEvents: 'none', zIndex: '1000' };
  const pointer = svg('svg', { id: 'tour-pointer', width: '60', height: '60' });
  Object.assign(pointer.style, above, { top: '0', margin: '-20px' });
  const ring = { cx: '20', cy: '20', r: '15', fill: '#e6900055', stroke: '#e69000' };
  const arrow = 'M20 20v21l5-5 4 9 4-2-4-8h7z';
  const outline = { stroke: '#fff', 'stroke-width': '1.6', 'stroke-linejoin': 'round' };
  pointer.append(
    svg('circle', { ...ring, 'stroke-width': '2.5', visibility: 'hidden' }),
    svg('path', { d: arrow, fill: '#111', ...outline }),
  );
  const caption = document.createElement('div');
  caption.id = 'tour-caption';
  Object.assign(caption.style, above, {
    bottom: '0',
    right: '0',
    padding: '11px 20px',
    background: '#14213d',
    color: '#fff',
    font: '600 18px/22px system-ui, sans-serif',
    textAlign: 'center',
  });
  document.body.append(pointer, caption);
}
