import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflate } from 'node:zlib'
import { checkCancelled, RasterFailure } from '../../failures.ts'
import type { Raster } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'
import { buildPngChunk, buildPngHeaderChunk, pngSignature } from '../../render/encode/png-chunks.ts'
import { createPngRowFilter, choosePngPixelLayout, type PngOptions } from './png-rows.ts'

export interface ExportProgressReporter {
  readonly signal: AbortSignal | undefined
  /** Called with the number of rows that are written. */
  readonly report: (rows: number) => void
}

const rows_at_once = 64
/** Effort of deflate: more costs several times the time for a hundredth of the size. */
const compression_level = 4

/**
 * Throws what `writePng` throws before it reads.
 *
 * @throws RasterFailure `request` for bands that are not there or not one or three, a range that is none, or samples that a PNG
 * does not hold and that no range maps to bytes.
 */
export function checkPngExport({ bands: own, sampleType }: Raster, { bands, range }: PngOptions): void {
  if (bands.length !== 1 && bands.length !== 3) throw new RasterFailure('request', 'a PNG has one band or three')
  for (const band of bands) if (!own[band]) throw new RasterFailure('request', `the file has no band ${band + 1}`)
  if (range === null && sampleType !== 'uint8' && sampleType !== 'uint16')
    throw new RasterFailure('request', `a PNG does not hold ${sampleType}: give the range that becomes 0 to 255`)
  if (range && !(range[0] < range[1])) throw new RasterFailure('request', 'a range begins below its end')
}

/**
 * Writes an image as PNG (ISO/IEC 15948) row by row: 8 or 16 bits, gray, palette or colours, transparent where there is no value.
 *
 * @throws RasterFailure `write`, `cancelled`, and what reading the image throws.
 */
export async function writePng(
  input: CogInput,
  path: string,
  options: PngOptions,
  { signal, report }: ExportProgressReporter,
): Promise<void> {
  const layout = choosePngPixelLayout(input, options)
  const toBytes = createPngRowFilter(input, layout, options)
  async function* readRows(): AsyncGenerator<Buffer> {
    for (let top = 0; top < input.height; top += rows_at_once) {
      checkCancelled(signal)
      const rows = Math.min(rows_at_once, input.height - top)
      yield toBytes(await input.readRows(top, rows))
      report(top + rows)
    }
  }
  async function* toFile(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield pngSignature
    yield buildPngHeaderChunk(input.width, input.height, layout.bits, layout.colourType)
    for (const [name, body] of layout.palette) yield buildPngChunk(name, body)
    for await (const piece of packed) yield buildPngChunk('IDAT', piece)
    yield buildPngChunk('IEND', Buffer.alloc(0))
  }
  const deflate = createDeflate({ level: compression_level, memLevel: 9, chunkSize: 2 ** 18 })
  await pipeline(Readable.from(readRows()), deflate, toFile, createWriteStream(path)).catch((cause: unknown) => {
    if (cause instanceof RasterFailure) throw cause
    throw new RasterFailure('write', 'the PNG could not be written', { cause })
  })
}
