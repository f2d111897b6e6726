import { copySource } from '@swath/raster'
import type { Making } from './write-judge.ts'
import type { WriteTrial } from './write-trial.ts'

/** Sides that can be halved several times without a rest: two programs may round an odd edge differently. */
const SIZE = [1024, 768] as const
const BLOCK = 256

const MAKINGS: readonly Making[] = [
  { name: 'bytes', type: 'uint8', bands: 3, size: SIZE },
  { name: 'bytes-nodata', type: 'uint8', nodata: '61', size: SIZE },
  { name: 'words-nodata', type: 'uint16', bands: 2, nodata: '0', size: SIZE },
  { name: 'signed', type: 'int16', nodata: '-32768', size: SIZE },
  { name: 'longs', type: 'int32', size: SIZE },
  { name: 'floats-nodata', type: 'float32', nodata: '-9999', size: SIZE },
  { name: 'floats-nan', type: 'float32', nodata: 'nan', size: SIZE },
  { name: 'rgb-mask', type: 'uint8', bands: 3, mask: true, size: SIZE, options: ['PHOTOMETRIC=RGB'] },
]

/** Samples may be this far apart: means are rounded, and of floating-point ones GDAL keeps 32 bits. */
const STEPS = { AVERAGE: 1, NEAREST: 0, MODE: 0 } as const
/** Along the edge of a mask GDAL counts some of the values that it hides: this part of the samples at most. */
const MASK_EDGE = 0.0005

/** Kinds whose overviews are picked, not computed, in the short form: each rule of what is missing, and each size of sample. */
const PICKED_IN_SHORT: ReadonlySet<string> = new Set(['bytes', 'words-nodata', 'floats-nan', 'rgb-mask'])

/** Our overviews beside those of GDAL's COG driver. */
export async function checkWrittenOverviews(trial: WriteTrial): Promise<number> {
  const { judge, short } = trial
  let written = 0
  for (const making of MAKINGS) {
    const file = await judge.make(making)
    const source = await trial.open(file)
    for (const [kind, step] of Object.entries(STEPS)) {
      if (short && kind !== 'AVERAGE' && !PICKED_IN_SHORT.has(making.name)) continue
      written++
      const overviews = kind.toLowerCase() as 'average' | 'nearest' | 'mode'
      const path = await trial.write(`${making.name}-${overviews}`, copySource([source], null), {
        overviews,
        block: BLOCK,
      })
      const theirs = await judge.translate(file, [
        `OVERVIEW_RESAMPLING=${kind}`,
        `BLOCKSIZE=${BLOCK}`,
        'COMPRESS=DEFLATE',
        'OVERVIEW_COUNT=2',
      ])
      // From the second level on a tie decides what the next one sees.
      for (const level of kind === 'MODE' ? [1] : [1, 2]) {
        // GDAL averages 32-bit integers as 32-bit floats, each level from the one before.
        const coarse = making.type === 'int32' && kind === 'AVERAGE' && level > 1
        const found = await judge.compare(path, theirs, { level, step: coarse ? step + 1 : step })
        const faults: string[] = []
        if (found.shapes) faults.push(`sizes are ${JSON.stringify(found.shapes)}`)
        // GDAL shrinks the second level's mask by a rule of its own.
        if (level === 1 && found.masks > 0) faults.push(`${found.masks} pixels of the mask differ`)
        if (found.beyond > (making.mask && kind === 'MODE' ? MASK_EDGE * found.samples : 0))
          faults.push(`${found.beyond} of ${found.samples} samples differ, by up to ${found.largest}`)
        trial.report(`overview ${level} of ${making.name}, ${overviews} (${found.different} different)`, faults)
      }
    }
  }
  return written
}
