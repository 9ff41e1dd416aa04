/**
 * PixiJS: graphics with a hole and a gradient, sprites of a texture drawn on the GPU, tinted and
 * blended, a mask, and a blur filter.
 */
import { Application, BlurFilter, Container, FillGradient, Graphics, Sprite } from 'pixi.js';

/** Caption of the page that shows this program. */
export const title = 'PixiJS shapes';

/** @param {{ canvas: HTMLCanvasElement }} page */
export async function main({ canvas }) {
  const app = new Application();
  await app.init({
    canvas,
    width: canvas.width,
    height: canvas.height,
    background: '#1b2438',
    preference: 'webgl',
    autoStart: false,
  });
  const { screen, stage } = app;

  const sky = new FillGradient({
    type: 'linear',
    start: { x: 0, y: 0 },
    end: { x: 0, y: 1 },
    colorStops: [
      { offset: 0, color: '#24426b' },
      { offset: 1, color: '#c65b4a' },
    ],
  });
  stage.addChild(new Graphics().rect(0, 0, screen.width, screen.height * 0.7).fill(sky));

  const glow = new Graphics().circle(0, 0, 60).fill('#ffd27a');
  glow.position.set(screen.width * 0.75, screen.height * 0.3);
  glow.filters = [new BlurFilter({ strength: 12 })];
  stage.addChild(glow);

  const ring = new Graphics()
    .circle(0, 0, 70)
    .fill('#3fb6a8')
    .circle(0, 0, 40)
    .cut()
    .star(0, 0, 5, 30, 14)
    .fill('#f4f1de')
    .stroke({ width: 3, color: '#20303a' });
  ring.position.set(screen.width * 0.25, screen.height * 0.45);
  stage.addChild(ring);

  const petal = app.renderer.generateTexture(
    new Graphics().ellipse(0, 0, 40, 16).fill('#ffffff').ellipse(0, 0, 20, 6).fill('#b0b0b0'),
  );
  const flower = new Container();
  for (let i = 0; i < 8; i++) {
    const sprite = new Sprite({ texture: petal, anchor: { x: -0.2, y: 0.5 } });
    sprite.rotation = (i * Math.PI) / 4;
    sprite.tint = i % 2 === 0 ? 0xe8505b : 0x5b8de8;
    sprite.blendMode = i % 2 === 0 ? 'normal' : 'add';
    sprite.alpha = 0.85;
    flower.addChild(sprite);
  }
  flower.position.set(screen.width * 0.55, screen.height * 0.6);
  const mask = new Graphics().roundRect(-70, -70, 140, 140, 24).fill('#ffffff');
  mask.position.copyFrom(flower.position);
  flower.mask = mask;
  stage.addChild(flower, mask);

  return (frame) => {
    ring.rotation = frame * 0.1;
    flower.rotation = 0.2 - frame * 0.15;
    app.render();
  };
}
