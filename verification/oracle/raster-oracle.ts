import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFileSource, openRaster, openRasterFile, RasterFailure, type Raster } from '@swath/raster'
import type { ProofOptions, ProofResult } from '../prove/proof.ts'
import { RemoteError } from './json-lines-process.ts'
import { checkOverviews } from './check-overviews.ts'
import { checkSamples, checkStatistics, checkTiles } from './check-rendering.ts'
import { formatSignature, type CheckEffort } from './choose-tiles.ts'
import type { OracleSubject } from './compare-tile.ts'
import { createFindings, type OracleFindings } from './findings.ts'
import { startGdal, type GdalProcess } from './gdal.ts'

const fixtures = fileURLToPath(new URL('../../fixtures/rasters/', import.meta.url))
const rasterFile = /\.(tiff?|jp2|j2k)$/i

/**
 * Compares the engine with GDAL: samples, map tiles, statistics and overviews of every raster of the fixtures, or of
 * the folder `data` (files of its `manifest.json`, or all). A file that GDAL reads may be rejected with a named
 * failure.
 */
export async function proveRasterOracle({ short, data }: ProofOptions): Promise<ProofResult> {
  const folders = data ? [data] : ['scenes', 'packings', 'overviews', 'validity'].map((name) => join(fixtures, name))
  await using gdal = await startGdal()
  const totals = createFindings()
  const refused: string[] = []
  const signatures = new Set<string>()
  let files = 0
  console.log(await gdal.versions())
  for (const folder of folders)
    for (const file of await rastersIn(folder)) {
      files++
      const name = relative(folder, file)
      const findings = createFindings()
      const refusal = await checkFile(gdal, file, findings, short ? signatures : null)
      if (refusal !== null) refused.push(name)
      console.log(describe(name, findings, refusal))
      addFindings(totals, name, findings)
    }

  const { tiles, levels, bands, overviews, explained } = totals
  const tried = `${files} files (${refused.length} rejected), ${levels} levels, ${tiles} tiles, statistics of ${bands} bands, ${overviews} overviews`
  for (const [explanation, count] of countTexts(explained)) console.log(`${count} tiles: ${explanation}`)
  return { tried, violations: totals.violations }
}

async function rastersIn(folder: string): Promise<string[]> {
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null)
  if (manifest === null) {
    const entries = await readdir(folder, { recursive: true })
    return entries
      .filter((entry) => rasterFile.test(entry))
      .sort()
      .map((entry) => join(folder, entry))
  }
  // Paths in the manifest are relative to the parent folder.
  const { files } = JSON.parse(manifest) as { files: { file: string }[] }
  return files.map(({ file }) => join(dirname(folder), file)).filter((file) => rasterFile.test(file))
}

/**
 * Checks one file; returns why it was rejected, or null. Named failures are rejections, all other errors violations.
 *
 * @param forms format signatures seen so far, in the short form; all tiles are compared for the first file of each.
 */
async function checkFile(
  gdal: GdalProcess,
  file: string,
  findings: OracleFindings,
  signatures: Set<string> | null,
): Promise<string | null> {
  const metadata = await gdal.describe(file).catch((error: unknown) => String(error))
  if (typeof metadata === 'string') return checkUnreadable(file, metadata, findings)
  let raster: Raster | null = null
  try {
    raster = await openRasterFile(file)
    if (raster.sampleType !== metadata.type)
      findings.violations.push(`is ${raster.sampleType}, GDAL says ${metadata.type}`)
    else return await checkAspects({ gdal, file, raster, metadata }, findings, chooseEffort(raster, signatures))
    return null
  } catch (error) {
    return toRefusal(error, 'opening', findings)
  } finally {
    await raster?.source.close()
  }
}

function chooseEffort(raster: Raster, signatures: Set<string> | null): CheckEffort {
  if (signatures === null) return 'full'
  const form = formatSignature(raster)
  if (signatures.has(form)) return 'least'
  signatures.add(form)
  return 'short'
}

// A file that GDAL cannot read may only end in a named failure.
async function checkUnreadable(file: string, message: string, findings: OracleFindings): Promise<string> {
  const source = await openFileSource(file)
  try {
    await openRaster(source)
  } catch (error) {
    toRefusal(error, 'opening', findings)
  } finally {
    await source.close()
  }
  return `GDAL: ${message}`
}

async function checkAspects(
  subject: OracleSubject,
  findings: OracleFindings,
  effort: CheckEffort,
): Promise<string | null> {
  const aspects: readonly (readonly [name: string, check: () => Promise<void>])[] = [
    ['samples', () => checkSamples(subject, findings)],
    ['statistics', () => checkStatistics(subject, findings)],
    ['overviews', () => checkOverviews(subject, findings)],
    ['tiles', () => checkTiles(subject, findings, effort)],
  ]
  const refusals: string[] = []
  for (const [name, check] of aspects) {
    try {
      await check()
    } catch (error) {
      const refusal = toRefusal(error, name, findings)
      if (refusal !== null) refusals.push(refusal)
    }
  }
  return refusals.length > 0 ? refusals.join('; ') : null
}

function toRefusal(error: unknown, aspect: string, findings: OracleFindings): string | null {
  if (error instanceof RasterFailure) return `${aspect}: ${error.kind}: ${error.message}`
  if (error instanceof RemoteError) return `${aspect}: GDAL: ${error.message}`
  findings.violations.push(`${aspect} ended with ${String(error)}`)
  return null
}

function describe(name: string, findings: OracleFindings, refusal: string | null): string {
  const counts = `${findings.levels} levels, ${findings.tiles} tiles, ${findings.bands} bands, ${findings.overviews} overviews`
  const aspects = [`${name}: ${counts}`]
  if (refusal !== null) aspects.push(`rejected (${refusal})`)
  if (findings.violations.length > 0) aspects.push(`${findings.violations.length} VIOLATIONS`)
  return aspects.join(', ')
}

function countTexts(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function addFindings(totals: OracleFindings, name: string, findings: OracleFindings): void {
  totals.violations.push(...findings.violations.map((text) => `${name}: ${text}`))
  totals.explained.push(...findings.explained)
  for (const key of ['tiles', 'levels', 'bands', 'overviews'] as const) totals[key] += findings[key]
}
