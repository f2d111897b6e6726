import type { Rectangle } from '../plan/mercator-to-pixel.ts'
import { SAMPLE_TYPES } from '../../sample-types.ts'
import type { PixelBlock, SampleType } from '../../types.ts'

/** An empty picture: zeros, and a mask that says so. */
export function createImageBlock(width: number, height: number, bands: number, type: SampleType): PixelBlock {
  const data = SAMPLE_TYPES[type].allocate(width * height * bands)
  return { width, height, bands, data, mask: new Uint8Array(width * height) }
}

/** Puts a part where it belongs in a picture of the same sample type and bands. */
export function putPart(picture: PixelBlock, part: PixelBlock, { left, top }: Pick<Rectangle, 'left' | 'top'>): void {
  const size = picture.width * picture.height
  for (let row = 0; row < part.height; row++) {
    const to = (top + row) * picture.width + left
    const from = row * part.width
    picture.mask.set(part.mask.subarray(from, from + part.width), to)
    for (let band = 0; band < picture.bands; band++) {
      const start = band * part.width * part.height + from
      picture.data.set(part.data.subarray(start, start + part.width), band * size + to)
    }
  }
}
