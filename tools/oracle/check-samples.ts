import { readWindow } from '@swath/raster'
import type { Subject } from './compare-tile.ts'
import { differenceOf, masksApart } from './difference.ts'
import type { Findings } from './findings.ts'
import type { Window } from './gdal.ts'

/** Maximum bytes of samples per comparison. */
const STRIP_BYTES = 67_108_864
/** Of larger levels only the first and last strip and the middle one are compared. */
const MOST_PIXELS = 50_000_000

/** Compares every sample of every level, and every mask, with GDAL. */
export async function checkSamples(subject: Subject, found: Findings): Promise<void> {
  const { raster, facts } = subject
  const sizes = raster.levels.map(({ width, height }) => [width, height])
  if (JSON.stringify(sizes) !== JSON.stringify(facts.levels))
    found.violations.push(`levels are ${JSON.stringify(sizes)}, GDAL has ${JSON.stringify(facts.levels)}`)
  for (const { index, width, height } of raster.levels) {
    if (facts.levels[index]?.[0] !== width || facts.levels[index][1] !== height) continue
    found.levels++
    for (const window of strips(width, height, raster.bands.length)) {
      const says = await checkWindow(subject, index, window)
      if (says === null) continue
      found.violations.push(`level ${index}, rows from ${window[1]}: ${says}`)
      break
    }
  }
}

async function checkWindow({ gdal, file, raster }: Subject, level: number, window: Window): Promise<string | null> {
  const ours = await readWindow(raster, { level, window })
  const theirs = await gdal.read(file, raster.sampleType, level, window)
  const apart = masksApart(ours.mask, theirs.mask)
  if (apart > 0) return `${apart} pixels of the mask differ`
  const { beyond, largest } = differenceOf(ours.data, theirs.samples, 0)
  return beyond > 0 ? `${beyond} samples differ, by up to ${largest}` : null
}

function* strips(width: number, height: number, bands: number): Generator<Window> {
  const rows = Math.max(1, Math.min(height, Math.floor(STRIP_BYTES / (width * bands * 8))))
  const thinned = width * height > MOST_PIXELS
  const last = Math.floor((height - 1) / rows)
  for (let strip = 0; strip <= last; strip++) {
    if (thinned && strip !== 0 && strip !== last && strip !== last >> 1) continue
    yield [0, strip * rows, width, Math.min(height, (strip + 1) * rows)]
  }
}
