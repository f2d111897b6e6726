import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyToCog, readWindow, type PixelBlock, type Raster, type SampleArray } from '@swath/raster'
import { checkCogLayout } from '@swath/raster/test/check-cog-layout.ts'
import type { OracleSubject } from './compare-tile.ts'
import { compareSamples } from './difference.ts'
import type { OracleFindings } from './findings.ts'
import type { GdalProcess } from './gdal.ts'
import { overview_steps } from './tolerances.ts'
import { openRasterFor } from '../prove/harness/resources.ts'

const block_pixels = 128
const max_side = 1024
const float_step = 1e-3

/**
 * Compares the overviews that our writer and GDAL create from the same corner of the image. Its sides are multiples of a
 * power of two, because two programs may round an odd edge differently.
 */
export async function checkOverviews({ gdal, file, raster }: OracleSubject, findings: OracleFindings): Promise<void> {
  const [width, height] = [evenSide(raster.width), evenSide(raster.height)]
  // GDAL 3.6 reads signed bytes as unsigned.
  if (Math.max(width, height) <= block_pixels || Math.min(width, height) < 8 || raster.sampleType === 'int8') return
  await using source = await openRasterFor(await gdal.crop(file, width, height))
  for (const resampling of ['average', 'mode'] as const) await checkPyramid(gdal, source, resampling, findings)
  await rm(source.source.id)
}

function evenSide(side: number): number {
  const step = side >= 64 ? 64 : 8
  return Math.min(max_side, Math.floor(side / step) * step)
}

async function checkPyramid(
  gdal: GdalProcess,
  source: Raster,
  resampling: 'average' | 'mode',
  findings: OracleFindings,
): Promise<void> {
  const path = join(gdal.folder, 'copy.tif')
  await copyToCog([source], null, path, { overviews: resampling, block: block_pixels })
  await using copy = await openRasterFor(path)
  const theirs = await gdal.overviews(source.source.id, source.sampleType, resampling, block_pixels)
  const full = await readLevel(copy, 0)
  // From the second level on a tie changes the input of the next level.
  const levels = Math.min(copy.levels.length, theirs.length, resampling === 'mode' ? 2 : Infinity)
  for (let index = 0; index < levels; index++) {
    findings.overviews++
    const ours = index === 0 ? full : await readLevel(copy, index)
    const difference =
      resampling === 'mode' && index > 0
        ? compareModes(ours, theirs[index]!, full, source.nodata)
        : compareMeans(dropAlphaBand(ours, index, source), theirs[index]!, index)
    if (difference !== null) findings.violations.push(`overview ${index}, ${resampling}: ${difference}`)
  }
  await checkLayout(gdal, path, copy, findings)
  await rm(path)
}

async function readLevel(raster: Raster, level: number): Promise<PixelBlock> {
  const { width, height } = raster.levels[level]!
  return readWindow(raster, { level, window: [0, 0, width, height] })
}

// Our writer averages alpha including zeros, so that edges stay soft; GDAL skips them. Alpha is the last band.
function dropAlphaBand(block: PixelBlock, level: number, { alphaBand }: Raster): PixelBlock {
  if (level === 0 || alphaBand === null) return block
  return { ...block, data: block.data.slice(0, alphaBand * block.width * block.height) }
}

function compareMeans(ours: PixelBlock, theirs: SampleArray, level: number): string | null {
  const floating = ours.data instanceof Float32Array || ours.data instanceof Float64Array
  const step = level === 0 ? 0 : floating ? float_step : overview_steps
  const { beyond, compared, largest } = compareSamples(ours.data, theirs.subarray(0, ours.data.length), step, {
    mask: ours.mask,
  })
  return beyond === 0 ? null : `${beyond} of ${compared} samples differ, by up to ${largest}`
}

/** Requires equality wherever one of the four values is more frequent than the others. */
function compareModes(ours: PixelBlock, theirs: SampleArray, full: PixelBlock, nodata: number | null): string | null {
  const plane = ours.width * ours.height
  let wrong = 0
  for (let at = 0; at < theirs.length; at++) {
    if (ours.mask[at % plane] === 0 || ours.data[at] === theirs[at]) continue
    const corner = Math.floor((at % plane) / ours.width) * 2 * full.width + (at % ours.width) * 2
    const four = [0, 1, full.width, full.width + 1].map((step) => corner + step)
    const band = Math.floor(at / plane) * full.width * full.height
    // GDAL's mode ignores the mask of a file.
    if (four.some((pixel) => full.mask[pixel] === 0)) continue
    const valid = four.map((pixel) => full.data[band + pixel]!).filter((value) => value !== nodata)
    if (hasOneMode(valid)) wrong++
  }
  return wrong === 0 ? null : `${wrong} of ${theirs.length} samples differ where there is no tie`
}

function hasOneMode(values: readonly number[]): boolean {
  const counts = values.map((value) => values.filter((other) => other === value).length)
  const most = Math.max(...counts)
  return new Set(values.filter((_, at) => counts[at] === most)).size === 1
}

async function checkLayout(gdal: GdalProcess, path: string, copy: Raster, findings: OracleFindings): Promise<void> {
  const { errors } = await gdal.validate(path)
  const { problems } = await checkCogLayout(copy.source)
  for (const error of [...errors, ...problems]) findings.violations.push(`our copy is not a valid COG: ${error}`)
}
