/**
 * Phaser: a scene that loads an image and a sprite sheet, with tints, blend modes, a tile sprite,
 * graphics, a gradient of vertex colors, and a physics group.
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
    this.cameras.main.setBackgroundColor('#1d2b53');
    const sky = this.add.graphics();
    sky.fillGradientStyle(0x1d2b53, 0x1d2b53, 0x7e2553, 0xff77a8, 1);
    sky.fillRect(0, 0, width, height * 0.7);
    this.add.tileSprite(width / 2, height - 16, width, 32, 'crate').setTileScale(0.5);

    const group = this.physics.add.group({ key: 'sprites', frame: [0, 1, 2, 3], frameQuantity: 2 });
    Phaser.Actions.GridAlign(group.getChildren(), {
      ...{ width: 4, height: 2, cellWidth: 40, cellHeight: 40, x: 24, y: 24 },
    });
    group.setVelocity(30, -20);

    const turned = this.add.image(width - 50, 50, 'crate').setAngle(30);
    turned.setTint(0xff0000, 0x00ff00, 0x0000ff, 0xffffff);
    for (let i = 0; i < 5; i++) {
      const glow = this.add.image(width - 100 + i * 18, height - 50, 'sprites', 0);
      glow.setBlendMode(i % 2 === 0 ? Phaser.BlendModes.ADD : Phaser.BlendModes.MULTIPLY);
      glow.setScale(1.5).setAlpha(0.8);
    }
    const line = this.add.graphics({ lineStyle: { width: 4, color: 0xfff1e8 } });
    line.strokeCircle(width / 2, height / 2, 24);
    line.lineBetween(width / 2 - 30, height / 2 + 30, width / 2 + 30, height / 2 - 30);
    line
      .fillStyle(0x00e436, 0.7)
      .fillTriangle(
        ...[width / 2 - 14, height / 2 + 10, width / 2 + 14, height / 2 + 10],
        ...[width / 2, height / 2 - 14],
      );
  }
}

new Phaser.Game({
  type: Phaser.AUTO,
  width: window.innerWidth,
  height: window.innerHeight,
  banner: false,
  // Frames depend on their time only, not on the number of frames while files load.
  fps: { smoothStep: false },
  audio: { noAudio: true },
  physics: { default: 'arcade', arcade: { gravity: { y: 200 } } },
  scene: Scene,
});
