/** Reference images of models, drawn by three.js in Debian's Chromium with SwiftShader. */
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Image } from '@tessera/frame';
import type { Browser, Page, Route } from 'playwright-core';
import { type DrawnCanvas, startChromium, toImage } from '../webgl/chromium-images.ts';

/** Look of all images of a renderer. */
export interface ThreeOptions {
  /** Path of a panorama in Radiance HDR. */
  readonly environmentPath: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly toneMapping: string;
  readonly isAntialiased: boolean;
}

/** Model, camera and background of an image. */
export interface ThreeDrawing {
  readonly modelPath: string;
  /** Matrices of the camera, column by column. */
  readonly viewMatrix: readonly number[];
  readonly projectionMatrix: readonly number[];
  /** sRGB-encoded color of the background; null for the environment. */
  readonly background: readonly [number, number, number] | null;
}

const ORIGIN = 'http://models.test';
const THREE = resolve(import.meta.dirname, '../../node_modules/three');
const HTML = `<!doctype html><script type="importmap">{ "imports": {
  "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"
} }</script><script type="module" src="/page/three-page.mjs"></script>`;

/** Page of a browser that draws models one after another. */
export class ThreeRenderer {
  readonly #browser: Browser;
  readonly #options: ThreeOptions;
  #page: Page | null = null;
  #modelFolder = '';
  readonly #reports: string[] = [];

  constructor(browser: Browser, options: ThreeOptions) {
    this.#browser = browser;
    this.#options = options;
  }

  /** Starts a browser. */
  static async start(executablePath: string, options: ThreeOptions): Promise<ThreeRenderer> {
    return new ThreeRenderer(await startChromium(executablePath), options);
  }

  /** Draws a model. @throws {Error} With what the page reported. */
  async draw({ modelPath, ...drawing }: ThreeDrawing): Promise<Image> {
    this.#modelFolder = dirname(resolve(modelPath));
    this.#reports.length = 0;
    try {
      this.#page ??= await this.#openPage();
      const modelUrl = `/model/${encodeURIComponent(basename(modelPath))}`;
      const call = JSON.stringify({ ...drawing, modelUrl });
      return toImage((await this.#page.evaluate(`drawModel(${call})`)) as DrawnCanvas);
    } catch (error) {
      await this.#page?.close();
      this.#page = null;
      const message = `three.js: ${(error as Error).message}\n${this.#reports.join('\n')}`;
      throw new Error(message, { cause: error });
    }
  }

  async #openPage(): Promise<Page> {
    const page = await this.#browser.newPage();
    page.on('pageerror', (error) => this.#reports.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.#reports.push(message.text());
    });
    await page.route(`${ORIGIN}/**`, (route) => this.#deliver(route));
    await page.goto(ORIGIN);
    await page.waitForFunction('globalThis.drawModel');
    const { environmentPath, ...look } = this.#options;
    const environmentUrl = `/environment/${encodeURIComponent(basename(environmentPath))}`;
    await page.evaluate(`startRenderer(${JSON.stringify({ ...look, environmentUrl })})`);
    return page;
  }

  #deliver(route: Route): Promise<void> {
    const path = decodeURIComponent(new URL(route.request().url()).pathname);
    if (path === '/') return route.fulfill({ contentType: 'text/html', body: HTML });
    const [, folder = '', ...rest] = path.split('/');
    const folders: Readonly<Record<string, string>> = {
      page: import.meta.dirname,
      three: THREE,
      model: this.#modelFolder,
      environment: dirname(resolve(this.#options.environmentPath)),
    };
    const file = join(folders[folder] ?? '/none', join('/', ...rest));
    return existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404 });
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}
