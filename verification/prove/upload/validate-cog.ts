import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openFileSource, openRaster, readWindow, type Raster } from '@swath/raster'
import { checkCogLayout } from '@swath/raster/test/check-cog-layout.ts'
import { band_count, seededSample, type SeededImage } from './seeded-tiff.ts'

const validator = 'osgeo_utils.samples.validate_cloud_optimized_geotiff'

/** The stated size and checksum of a file. */
export interface ExpectedFile {
  readonly size: number
  readonly sha256: string
}

/** Validates a COG that must contain the image; returns the violations and GDAL's result, if it is installed. */
export async function validateCog(
  path: string,
  image: SeededImage,
  expected: ExpectedFile,
): Promise<{ violations: string[]; gdal: string }> {
  const violations: string[] = []
  const { size } = await stat(path)
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  const sha256 = hash.digest('hex')
  if (size !== expected.size) violations.push(`the asset states ${expected.size} bytes but has ${size}`)
  if (sha256 !== expected.sha256) violations.push(`the asset states the SHA-256 ${expected.sha256} but has ${sha256}`)
  const source = await openFileSource(path)
  try {
    const { problems } = await checkCogLayout(source)
    violations.push(...problems.map((problem) => `the COG: ${problem}`))
    const raster = await openRaster(source)
    if (raster.levels.length < 2) violations.push('the COG has no overviews')
    if (!raster.bands.every((band) => band.statistics)) violations.push('the COG has no statistics')
    const different = await countDifferentSamples(raster, image)
    if (different > 0) violations.push(`${different} samples of the COG differ from those that were sent`)
  } finally {
    await source.close()
  }
  const gdal = validateWithGdal(path)
  if (gdal.verdict === 'invalid') violations.push(`GDAL: ${gdal.message}`)
  return { violations, gdal: gdal.message }
}

const strip_rows = 512

async function countDifferentSamples(raster: Raster, image: SeededImage): Promise<number> {
  const { side } = image
  if (raster.width !== side || raster.height !== side || raster.bands.length !== band_count) return Infinity
  let different = 0
  for (let top = 0; top < side; top += strip_rows) {
    const { data } = await readWindow(raster, { window: [0, top, side, top + strip_rows] })
    let at = 0
    for (let band = 0; band < band_count; band++)
      for (let row = top; row < top + strip_rows; row++)
        for (let column = 0; column < side; column++)
          if (data[at++] !== seededSample(image, band, column, row)) different++
  }
  return different
}

function validateWithGdal(path: string): { verdict: 'valid' | 'invalid' | 'absent'; message: string } {
  const imports = spawnSync('/usr/bin/python3', ['-c', `import numpy, ${validator}`])
  if (imports.status !== 0) return { verdict: 'absent', message: 'GDAL is not installed' }
  const result = spawnSync('/usr/bin/python3', ['-m', validator, '--full-check=yes', path], { encoding: 'utf8' })
  const message = `${result.stdout}${result.stderr}`.trim().split('\n').at(-1) ?? ''
  return result.status === 0 ? { verdict: 'valid', message: 'a valid COG by GDAL' } : { verdict: 'invalid', message }
}
