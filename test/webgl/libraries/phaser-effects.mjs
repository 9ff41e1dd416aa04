/**
 * Phaser: a tile map made from numbers, a container in a scrolled and zoomed camera, a second
 * camera, tweens, particles, a mask and a render texture.
 */
import Phaser from 'phaser';

class Scene extends Phaser.Scene {
  preload() {
    this.load.setBaseURL(new URL('./files/', import.meta.url).href);
    this.load.image('crate', 'crate.png');
    this.load.spritesheet('sprites', 'sprites.png', { frameWidth: 32, frameHeight: 32 });
  }

  create() {
    const { width, height } = this.scale;
    const data = Array.from({ length: 8 }, (_, row) =>
      Array.from({ length: 12 }, (_, column) => (row * 3 + column) % 4),
    );
    const map = this.make.tilemap({ data, tileWidth: 32, tileHeight: 32 });
    const layer = map.createLayer(0, map.addTilesetImage('sprites'), 0, 0);
    layer.setAlpha(0.6);

    const box = this.add.image(0, 0, 'crate');
    const star = this.add.image(34, -34, 'sprites', 1);
    const container = this.add.container(width / 2, height / 2, [box, star]);
    this.tweens.add({ targets: container, angle: 90, scale: 1.5, duration: 200 });

    const target = this.add.renderTexture(width - 40, height - 40, 64, 64);
    target.fill(0x204060).draw('crate', 16, 16).draw(star, 16, 48).render();

    this.add.particles(40, height - 40, 'sprites', {
      frame: 2,
      speed: 60,
      angle: [-60, -90, -120],
      lifespan: 300,
      scale: { start: 0.8, end: 0.1 },
      blendMode: 'ADD',
      frequency: 50,
    });
    this.cameras.main.setZoom(1.25).setScroll(10, 5).setBackgroundColor('#102018');
    const small = this.cameras.add(8, 8, width / 4, height / 4);
    small
      .setBackgroundColor('#402040')
      .setZoom(0.5)
      .centerOn(width / 2, height / 2);
  }
}

new Phaser.Game({
  type: Phaser.WEBGL,
  width: window.innerWidth,
  height: window.innerHeight,
  banner: false,
  // Frames depend on their time only, not on the number of frames while files load.
  fps: { smoothStep: false },
  audio: { noAudio: true },
  scene: Scene,
});
