import { listExpressionBands, findSensorBand, findSensorId, sensorsByName } from '@swath/raster'
import type { Call } from '../../engine/call.ts'
import { validationProblem, type FieldError } from '../../engine/problem.ts'
import { requireRasterAsset } from '../items/access.ts'
import { applyCurrentBandNames } from '../items/assets/current-bands.ts'
import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'
import { createRasterReadBudget, type RasterReadPurpose } from '../items/search/read-limits.ts'
import type { ItemRow } from '../items/store.ts'
import { openAssetRaster } from '../tiles/asset-source.ts'
import { findBand } from '../tiles/style/bands.ts'
import { convertRasterFailures } from '../tiles/failures.ts'
import type { ItemMeasurementSubject } from '../tiles/measure/item-measurement.ts'
import { parseMeasureTarget, type MeasureTarget } from '../tiles/measure/measure-target.ts'
import { requireSpectralIndex } from './registry.ts'
import { findBandByName, parseFormulaField } from './sensor-formula.ts'

export type BandMapping = Readonly<Record<string, number | string>>

/** The parameters of every method that select the measured value. */
export interface MeasuredValueParams {
  readonly index_name?: string | null
  readonly expression?: string | null
  readonly bands?: string | null
  readonly band_mapping?: BandMapping | null
  readonly asset_key?: string | null
  readonly scaled?: boolean | null
}

export interface MeasuredItemValue extends ItemMeasurementSubject {
  /** True if scale and offset of the bands are applied. */
  readonly scaled: boolean
}

/** Throws `validation` of parameters that are invalid for every item. */
export function validateMeasuredValueParams({ index_name, expression, bands }: MeasuredValueParams): void {
  const given = Object.entries({ index_name, expression, bands }).filter(([, value]) => Boolean(value))
  if (given.length > 1) {
    const [, ...others] = given
    throw validationProblem(others.map(([path]) => ({ path, message: `cannot be combined with ${given[0]![0]}` })))
  }
  if (index_name) requireSpectralIndex(index_name)
  if (expression) parseFormulaField(expression, 'expression')
}

/**
 * Opens the raster of an item that the caller may read, and finds the measured bands. Throws `validation` of the
 * parameter that does not fit the item, `not-found` without the asset, `unsupported-raster`, `upstream`.
 */
export async function openMeasuredRaster(
  call: Call,
  item: ItemRow,
  params: MeasuredValueParams,
  purpose: RasterReadPurpose = 'measurement',
): Promise<MeasuredItemValue> {
  validateMeasuredValueParams(params)
  const asset = await requireRasterAsset(call, item, params.asset_key ?? null)
  const bands = applyCurrentBandNames(asset)
  const target = findMeasuredTarget(item, bands, params)
  const raster = await convertRasterFailures(() => openAssetRaster(call, asset, createRasterReadBudget(purpose)))
  return { raster, bands, target, scaled: params.scaled ?? Boolean(params.index_name) }
}

/** The bands or the formula that are measured. Throws `validation` of the parameter that does not fit the item. */
export function findMeasuredTarget(
  item: ItemRow,
  bands: readonly RasterBandMetadata[],
  params: MeasuredValueParams,
): MeasureTarget {
  const { index_name, expression, band_mapping } = params
  if (!index_name && !expression) return parseMeasureTarget({ bands: params.bands }, bands)
  const path = index_name ? 'index_name' : 'expression'
  const formula = parseFormulaField(index_name ? requireSpectralIndex(index_name).formula : expression!, path)
  const names = findFormulaBands(item, bands, { wanted: listExpressionBands(formula), band_mapping, path })
  return { bands: [...new Set(Object.values(names))], formula: { expression: formula, names } }
}

/**
 * The 0-based band for each name that a formula uses: as the mapping says, else by name, common name or number, else as the
 * sensor of the item's platform names it. Throws `validation` of every name that leads to no band.
 */
export function findFormulaBands(
  item: Pick<ItemRow, 'properties'>,
  bands: readonly RasterBandMetadata[],
  request: { readonly wanted: readonly string[]; readonly band_mapping?: BandMapping | null; readonly path: string },
): Record<string, number> {
  const { wanted, band_mapping, path } = request
  const errors: FieldError[] = []
  const found = wanted.map((name): [string, number] => {
    const mapped = band_mapping && Object.hasOwn(band_mapping, name) ? band_mapping[name]! : null
    const band = mapped === null ? detectBand(item, bands, name) : findMappedBand(bands, mapped)
    if (band === null) {
      const missing = mapped === null ? name : String(mapped)
      errors.push({
        path: mapped === null ? path : `band_mapping.${name}`,
        message: `"${missing.slice(0, 40)}" is not a band of the image`,
      })
    }
    return [name, band ?? 0]
  })
  if (wanted.length === 0) errors.push({ path, message: 'names no band' })
  if (errors.length > 0) throw validationProblem(errors)
  return Object.fromEntries(found)
}

function findMappedBand(bands: readonly RasterBandMetadata[], mapped: number | string): number | null {
  if (typeof mapped === 'string') return findBand(bands, mapped)
  return mapped <= bands.length ? mapped - 1 : null
}

/** Other names of bands, as catalogues and older files have them. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  nir: ['nir08'],
  rededge: ['rededge071', 'rededge1'],
  rededge075: ['rededge2'],
  rededge078: ['rededge3'],
  swir16: ['swir1'],
  swir22: ['swir2'],
}

function detectBand(
  { properties }: Pick<ItemRow, 'properties'>,
  bands: readonly RasterBandMetadata[],
  name: string,
): number | null {
  for (const candidate of [name, ...(otherNames[name] ?? [])]) {
    const found = findBand(bands, candidate)
    if (found !== null) return found
  }
  for (const platform of [properties['platform'], properties['constellation']]) {
    const id = typeof platform === 'string' ? findSensorId(platform) : null
    const sensor = id === null ? null : sensorsByName.get(id)!
    const at = sensor ? findSensorBand(sensor, name) : null
    const found = at === null ? null : findBandByName(bands, sensor!.bands[at]!.name)
    if (found !== null) return found
  }
  return null
}
