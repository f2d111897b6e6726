import { readWindow } from '@swath/raster'
import type { OracleSubject } from './compare-tile.ts'
import { compareSamples, countMaskDifferences } from './difference.ts'
import type { OracleFindings } from './findings.ts'
import type { OracleWindow } from './gdal.ts'

/** Maximum bytes of samples per comparison. */
const strip_bytes = 67_108_864
/** Of larger levels only the first and last strip and the middle one are compared. */
const max_pixels = 50_000_000

/** Compares every sample of every level, and every mask, with GDAL. */
export async function checkSamples(subject: OracleSubject, findings: OracleFindings): Promise<void> {
  const { raster, metadata } = subject
  const sizes = raster.levels.map(({ width, height }) => [width, height])
  if (JSON.stringify(sizes) !== JSON.stringify(metadata.levels))
    findings.violations.push(`levels are ${JSON.stringify(sizes)}, GDAL has ${JSON.stringify(metadata.levels)}`)
  for (const { index, width, height } of raster.levels) {
    if (metadata.levels[index]?.[0] !== width || metadata.levels[index][1] !== height) continue
    findings.levels++
    for (const window of strips(width, height, raster.bands.length)) {
      const difference = await checkWindow(subject, index, window)
      if (difference === null) continue
      findings.violations.push(`level ${index}, rows from ${window[1]}: ${difference}`)
      break
    }
  }
}

async function checkWindow(
  { gdal, file, raster }: OracleSubject,
  level: number,
  window: OracleWindow,
): Promise<string | null> {
  const ours = await readWindow(raster, { level, window })
  const theirs = await gdal.read(file, raster.sampleType, level, window)
  const differingPixels = countMaskDifferences(ours.mask, theirs.mask)
  if (differingPixels > 0) return `${differingPixels} pixels of the mask differ`
  const { beyond, largest } = compareSamples(ours.data, theirs.samples, 0)
  return beyond > 0 ? `${beyond} samples differ, by up to ${largest}` : null
}

function* strips(width: number, height: number, bands: number): Generator<OracleWindow> {
  const rows = Math.max(1, Math.min(height, Math.floor(strip_bytes / (width * bands * 8))))
  const isThinned = width * height > max_pixels
  const last = Math.floor((height - 1) / rows)
  for (let strip = 0; strip <= last; strip++) {
    if (isThinned && strip !== 0 && strip !== last && strip !== last >> 1) continue
    yield [0, strip * rows, width, Math.min(height, (strip + 1) * rows)]
  }
}
