import type { PixelRectangle } from '../plan/mercator-to-pixel.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { PixelBlock, SampleType } from '../../types.ts'

/** Band after band, or all bands of a pixel together. */
export type PixelLayout = 'bands' | 'pixels'

/** An empty image: zeros, and a mask that says so. */
export function createEmptyImageBlock(width: number, height: number, bands: number, type: SampleType): PixelBlock {
  const data = sampleTypeProperties[type].allocate(width * height * bands)
  return { width, height, bands, data, mask: new Uint8Array(width * height) }
}

/** Puts a part where it belongs in an image of the same sample type, bands and layout. */
export function copyPartIntoImage(
  image: PixelBlock,
  part: PixelBlock,
  { left, top }: Pick<PixelRectangle, 'left' | 'top'>,
  layout: PixelLayout,
): void {
  const size = image.width * image.height
  const [planes, samples] = layout === 'bands' ? [image.bands, 1] : [1, image.bands]
  for (let row = 0; row < part.height; row++) {
    const to = (top + row) * image.width + left
    const from = row * part.width
    image.mask.set(part.mask.subarray(from, from + part.width), to)
    for (let plane = 0; plane < planes; plane++) {
      const start = (plane * part.width * part.height + from) * samples
      image.data.set(part.data.subarray(start, start + part.width * samples), (plane * size + to) * samples)
    }
  }
}
