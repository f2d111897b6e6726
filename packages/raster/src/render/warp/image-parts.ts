import type { Rectangle } from '../plan/mercator-to-pixel.ts'
import { sampleTypes } from '../../sample-types.ts'
import type { PixelBlock, SampleType } from '../../types.ts'

/** Band after band, or all bands of a pixel together. */
export type PixelLayout = 'bands' | 'pixels'

/** An empty picture: zeros, and a mask that says so. */
export function createImageBlock(width: number, height: number, bands: number, type: SampleType): PixelBlock {
  const data = sampleTypes[type].allocate(width * height * bands)
  return { width, height, bands, data, mask: new Uint8Array(width * height) }
}

/** Puts a part where it belongs in a picture of the same sample type, bands and layout. */
export function putPart(
  picture: PixelBlock,
  part: PixelBlock,
  { left, top }: Pick<Rectangle, 'left' | 'top'>,
  layout: PixelLayout,
): void {
  const size = picture.width * picture.height
  const [planes, samples] = layout === 'bands' ? [picture.bands, 1] : [1, picture.bands]
  for (let row = 0; row < part.height; row++) {
    const to = (top + row) * picture.width + left
    const from = row * part.width
    picture.mask.set(part.mask.subarray(from, from + part.width), to)
    for (let plane = 0; plane < planes; plane++) {
      const start = (plane * part.width * part.height + from) * samples
      picture.data.set(part.data.subarray(start, start + part.width * samples), (plane * size + to) * samples)
    }
  }
}
