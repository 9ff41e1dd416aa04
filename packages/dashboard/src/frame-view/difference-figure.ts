/** The difference of the images of two frames, as an image. */
import type { FrameStatus } from '../api/types.ts';
import { element } from '../ui/dom.ts';
import { formatNumber, formatShare } from '../ui/format.ts';
import { compareImages } from './image-difference.ts';

/** Creates a figure of the difference, or a text if the images are equal or of other sizes. */
export async function differenceFigure(a: FrameStatus, b: FrameStatus): Promise<HTMLElement> {
  const [first, second] = await Promise.all([readPixels(a), readPixels(b)]);
  if (first.width !== second.width || first.height !== second.height) {
    const sizes = [first, second].map(({ width, height }) => `${width} × ${height}`);
    return element('p', {}, `The images have different sizes: ${sizes.join(' and ')}.`);
  }
  const difference = compareImages(first.data, second.data);
  const { pixels, pixelsDiffering, mostDifference } = difference;
  if (pixelsDiffering === 0) return element('p', {}, 'The images are bit-identical.');
  const text =
    `${formatNumber(pixelsDiffering)} pixels differ (${formatShare(pixelsDiffering / pixels)}), ` +
    `by at most ${mostDifference} of 255.`;
  const canvas = element('canvas', {
    width: first.width,
    height: first.height,
    role: 'img',
    'aria-label': `Difference: ${text}`,
  });
  const image = new ImageData(difference.rgba, first.width, first.height);
  canvas.getContext('2d')!.putImageData(image, 0, 0);
  return element(
    'figure',
    { class: 'difference' },
    canvas,
    element('figcaption', {}, element('strong', {}, 'Difference'), ` ${text}`),
  );
}

async function readPixels({ links }: FrameStatus): Promise<ImageData> {
  const image = new Image();
  image.src = links.image;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = element('canvas', { width, height });
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, width, height);
}
