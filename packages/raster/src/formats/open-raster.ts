import { RasterFailure } from '../failures.ts'
import type { Raster, RasterByteSource } from '../types.ts'
import { isJpeg2000Codestream, isJp2 } from './jpeg2000/boxes.ts'
import { openJpeg2000 } from './jpeg2000/open-jpeg2000.ts'
import { createTiffHeaderReader } from './tiff/header-reader.ts'
import type { TiffHeaderReader } from './tiff/header-reader.ts'
import { openTiff } from './tiff/open-tiff.ts'

/**
 * Opens a TIFF or JPEG 2000 file: reads its header into plain values, no pixels. Fails with `not_raster`, `damaged`,
 * `unsupported`, `budget` (an implausibly large header or block), `source` or `cancelled`.
 */
export async function openRaster(source: RasterByteSource, options: { signal?: AbortSignal } = {}): Promise<Raster> {
  const reader = createTiffHeaderReader(source, options.signal)
  return (await isJpeg2000(reader)) ? openJpeg2000(source, reader) : openTiff(source, reader)
}

async function isJpeg2000(reader: TiffHeaderReader): Promise<boolean> {
  // A file that is too short for its first bytes is none of any kind, which is said better later.
  const head = await reader.read(0, 12).catch((error: unknown) => {
    if (error instanceof RasterFailure && error.kind === 'damaged') return null
    throw error
  })
  return head !== null && (isJp2(head) || isJpeg2000Codestream(head))
}
