import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileSource, openRaster, openRasterFile, RasterFailure } from '@swath/raster'
import type { Raster } from '@swath/raster'
import type { ProofOptions, Verdict } from '../prove/proof.ts'
import { AnsweredError } from './conversation.ts'
import { checkOverviews } from './check-overviews.ts'
import { checkSamples } from './check-samples.ts'
import { checkStatistics } from './check-statistics.ts'
import { checkTiles } from './check-tiles.ts'
import { formOf } from './choose-tiles.ts'
import type { Effort } from './choose-tiles.ts'
import type { Subject } from './compare-tile.ts'
import { startFindings } from './findings.ts'
import type { Findings } from './findings.ts'
import { startGdal } from './gdal.ts'
import type { Gdal } from './gdal.ts'

const FIXTURES = fileURLToPath(new URL('../../fixtures/rasters/', import.meta.url))
const RASTER_FILE = /\.(tiff?|jp2|j2k)$/i

/**
 * Compares the engine with GDAL: samples, map tiles, statistics and overviews of every raster of the fixtures, or of the
 * given folder (files of its `manifest.json`, or all). A file that GDAL reads may be rejected with a named failure.
 */
export async function proveRasterOracle({ short, data }: ProofOptions): Promise<Verdict> {
  const folders = data ? [data] : ['scenes', 'packings', 'overviews', 'validity'].map((name) => join(FIXTURES, name))
  const gdal = await startGdal()
  const totals = startFindings()
  const refused: string[] = []
  const forms = new Set<string>()
  let files = 0
  try {
    console.log(await gdal.versions())
    for (const folder of folders)
      for (const file of await rastersIn(folder)) {
        files++
        const name = relative(folder, file)
        const found = startFindings()
        const refusal = await checkFile(gdal, file, found, short ? forms : null)
        if (refusal !== null) refused.push(name)
        console.log(describe(name, found, refusal))
        addTo(totals, name, found)
      }
  } finally {
    await gdal.end()
  }
  const { tiles, levels, bands, overviews, explained } = totals
  const tried = `${files} files (${refused.length} rejected), ${levels} levels, ${tiles} tiles, statistics of ${bands} bands, ${overviews} overviews`
  for (const [because, count] of countEach(explained)) console.log(`${count} tiles: ${because}`)
  return { tried, violations: totals.violations }
}

async function rastersIn(folder: string): Promise<string[]> {
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null)
  if (manifest === null) {
    const entries = await readdir(folder, { recursive: true })
    return entries
      .filter((entry) => RASTER_FILE.test(entry))
      .sort()
      .map((entry) => join(folder, entry))
  }
  // Paths in the manifest are relative to the parent folder.
  const { files } = JSON.parse(manifest) as { files: { file: string }[] }
  return files.map(({ file }) => join(dirname(folder), file)).filter((file) => RASTER_FILE.test(file))
}

/**
 * Checks one file; returns why it was rejected, or null. Named failures are rejections, all other errors violations.
 *
 * @param forms format signatures seen so far, in the short form; all tiles are compared for the first file of each.
 */
async function checkFile(gdal: Gdal, file: string, found: Findings, forms: Set<string> | null): Promise<string | null> {
  const facts = await gdal.describe(file).catch((error: unknown) => String(error))
  if (typeof facts === 'string') return checkUnreadable(file, facts, found)
  let raster: Raster | null = null
  try {
    raster = await openRasterFile(file)
    if (raster.sampleType !== facts.type) found.violations.push(`is ${raster.sampleType}, GDAL says ${facts.type}`)
    else return await checkParts({ gdal, file, raster, facts }, found, effortFor(raster, forms))
    return null
  } catch (error) {
    return refusalOf(error, 'opening', found)
  } finally {
    await raster?.source.close()
  }
}

function effortFor(raster: Raster, forms: Set<string> | null): Effort {
  if (forms === null) return 'full'
  const form = formOf(raster)
  if (forms.has(form)) return 'least'
  forms.add(form)
  return 'short'
}

// A file that GDAL cannot read may only end in a named failure.
async function checkUnreadable(file: string, says: string, found: Findings): Promise<string> {
  const source = await fileSource(file)
  try {
    await openRaster(source)
  } catch (error) {
    refusalOf(error, 'opening', found)
  } finally {
    await source.close()
  }
  return `GDAL: ${says}`
}

async function checkParts(subject: Subject, found: Findings, effort: Effort): Promise<string | null> {
  const parts: readonly (readonly [name: string, check: () => Promise<void>])[] = [
    ['samples', () => checkSamples(subject, found)],
    ['statistics', () => checkStatistics(subject, found)],
    ['overviews', () => checkOverviews(subject, found)],
    ['tiles', () => checkTiles(subject, found, effort)],
  ]
  const refusals: string[] = []
  for (const [name, check] of parts) {
    try {
      await check()
    } catch (error) {
      const refusal = refusalOf(error, name, found)
      if (refusal !== null) refusals.push(refusal)
    }
  }
  return refusals.length > 0 ? refusals.join('; ') : null
}

function refusalOf(error: unknown, doing: string, found: Findings): string | null {
  if (error instanceof RasterFailure) return `${doing}: ${error.kind}: ${error.message}`
  if (error instanceof AnsweredError) return `${doing}: GDAL: ${error.message}`
  found.violations.push(`${doing} ended with ${String(error)}`)
  return null
}

function describe(name: string, found: Findings, refusal: string | null): string {
  const counts = `${found.levels} levels, ${found.tiles} tiles, ${found.bands} bands, ${found.overviews} overviews`
  const parts = [`${name}: ${counts}`]
  if (refusal !== null) parts.push(`rejected (${refusal})`)
  if (found.violations.length > 0) parts.push(`${found.violations.length} VIOLATIONS`)
  return parts.join(', ')
}

function countEach(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function addTo(totals: Findings, name: string, found: Findings): void {
  totals.violations.push(...found.violations.map((text) => `${name}: ${text}`))
  totals.explained.push(...found.explained)
  for (const key of ['tiles', 'levels', 'bands', 'overviews'] as const) totals[key] += found[key]
}
