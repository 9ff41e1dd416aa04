/** PixiJS: a texture from a file, sprites that turn in a container, a tiling sprite and a mesh. */
import { Application, Assets, Container, Graphics, MeshPlane, Sprite, TilingSprite } from 'pixi.js';

const app = new Application();
await app.init({ background: '#1099bb', resizeTo: window, preference: 'webgl', antialias: true });
document.body.appendChild(app.canvas);

const texture = await Assets.load(new URL('./files/crate.png', import.meta.url).href);
const { width, height } = app.screen;
const ground = new TilingSprite({ texture, width, height: 40, tileScale: { x: 0.4, y: 0.4 } });
ground.y = height - 40;
app.stage.addChild(ground);

const container = new Container();
app.stage.addChild(container);
for (let i = 0; i < 25; i++) {
  const crate = new Sprite(texture);
  crate.scale.set(0.4);
  crate.x = (i % 5) * 34;
  crate.y = Math.floor(i / 5) * 34;
  crate.tint = [0xffffff, 0xff8888, 0x88ff88, 0x8888ff][i % 4];
  crate.alpha = 1 - (i % 3) * 0.2;
  container.addChild(crate);
}
container.position.set(width / 2, height / 2);
container.pivot.set(container.width / 2, container.height / 2);
container.scale.set(Math.min(1, height / 220));

const mesh = new MeshPlane({ texture, verticesX: 6, verticesY: 6 });
const { buffer } = mesh.geometry.getAttribute('aPosition');
for (let i = 0; i < buffer.data.length; i++) buffer.data[i] += 5 * Math.sin(i * 0.9);
buffer.update();
mesh.position.set(8, 8);
app.stage.addChild(mesh);

const mask = new Graphics().star(width - 44, 44, 5, 40, 18).fill(0xffffff);
const masked = new TilingSprite({ texture, width: 90, height: 90, tileScale: { x: 0.5, y: 0.5 } });
masked.x = width - 90;
masked.mask = mask;
app.stage.addChild(masked, mask);

app.ticker.add((time) => {
  container.rotation -= 0.01 * time.deltaTime;
});
