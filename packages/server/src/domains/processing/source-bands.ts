import { listExpressionBands, parseExpression } from '@swath/raster'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { chooseRasterAsset } from '../items/access.ts'
import { applyCurrentBandNames } from '../items/assets/current-bands.ts'
import type { BandNameOverride } from '../items/assets/read-raster-metadata.ts'
import type { AssetRow } from '../items/assets/store.assets.ts'
import { findBand } from '../tiles/style/bands.ts'
import { parseRasterField } from '../tiles/failures.ts'
import type { SourceAsset, SourceItem } from './process-definition.ts'

/** The raster with the key, or the one with the data. Throws `validation` at `asset_key` for a key that is no raster. */
export function chooseSourceAsset(
  { item, assets }: SourceItem,
  key: string | undefined,
  path = 'asset_key',
): SourceAsset {
  try {
    return { item, asset: chooseRasterAsset(assets, key ?? null) }
  } catch (error) {
    if (key === undefined || !(error instanceof Problem)) throw error
    throw validationProblem([{ path, message: `"${key}" is not a raster of the item: it has ${listKeys(assets)}` }])
  }
}

const listKeys = (assets: readonly AssetRow[]): string => assets.map(({ key }) => key).join(', ')

/** The names of the bands of an asset, for a result with the same bands. */
export const listBandNames = ({ asset }: SourceAsset): BandNameOverride[] =>
  applyCurrentBandNames(asset).map(({ name, common_name, classes }) => ({
    name,
    common_name,
    ...(classes ? { classes } : {}),
  }))

/**
 * The names by which bands of several assets are joined: their common names where all have them, because those mean the same for
 * every sensor; else their own.
 */
export function listJoinedBandNames(sources: readonly SourceAsset[]): (string | null)[][] {
  const bands = sources.map(({ asset }) => applyCurrentBandNames(asset))
  const areCommon = bands.every((list) => {
    const names = list.map(({ common_name }) => common_name)
    return !names.includes(null) && new Set(names).size === names.length
  })
  return bands.map((list) => list.map(({ name, common_name }) => (areCommon ? common_name : name)))
}

/** True if the supplier of the asset declares its bands as classes. */
export const isCategorical = ({ asset }: SourceAsset): boolean =>
  asset.raster?.bands.some(({ categorical }) => categorical === true) ?? false

/** A band by name or number. Throws `validation`. */
export function requireSourceBand(source: SourceAsset, name: string | undefined, path = 'band'): number {
  const bands = applyCurrentBandNames(source.asset)
  const found = name === undefined ? 0 : findBand(bands, name)
  if (found !== null) return found
  throw unknownBand(path, name ?? '', [source.asset])
}

function unknownBand(path: string, name: string, assets: readonly AssetRow[]): Error {
  const names = assets.flatMap((asset) =>
    applyCurrentBandNames(asset).map(({ name: band, common_name }, index) => common_name ?? band ?? `b${index + 1}`),
  )
  const list = [...new Set(names)].slice(0, 30).join(', ')
  return validationProblem([{ path, message: `"${name.slice(0, 40)}" is not a band of the item, which has ${list}` }])
}

/** The bands of an expression: the assets that have them, and where each name is found. */
export interface ExpressionSources {
  readonly sources: readonly SourceAsset[]
  readonly bands: Readonly<Record<string, { readonly raster: number; readonly band: number }>>
}

/**
 * Finds the bands that an expression names: in the asset with the key, else in the one with the data and then in the other
 * rasters of the item. Throws `validation` at `path` for an expression that cannot be read, or a name that no band has.
 *
 * @param mapping other names for the bands of the expression.
 */
export function resolveExpressionBands(
  source: SourceItem,
  expression: string,
  {
    asset_key,
    mapping = {},
    path,
  }: {
    readonly asset_key: string | undefined
    readonly mapping?: Readonly<Record<string, string>>
    readonly path: string
  },
): ExpressionSources {
  const first = chooseSourceAsset(source, asset_key)
  const assets =
    asset_key === undefined ? [first.asset, ...source.assets.filter(({ id }) => id !== first.asset.id)] : [first.asset]
  const found = readBandNames(expression, path).map((name) => {
    const isMapped = Object.hasOwn(mapping, name)
    return {
      name,
      ...locateSourceBand(assets, isMapped ? mapping[name]! : name, isMapped ? `band_mapping.${name}` : path),
    }
  })
  const used = [...new Set(found.map(({ asset }) => asset))]
  return {
    sources: used.map((asset) => ({ item: source.item, asset })),
    bands: Object.fromEntries(found.map(({ name, asset, band }) => [name, { raster: used.indexOf(asset), band }])),
  }
}

/** The first of some assets that has a band of a name, and its index there. Throws `validation` at `path`. */
export function locateSourceBand(
  assets: readonly AssetRow[],
  name: string,
  path: string,
): { readonly asset: AssetRow; readonly band: number } {
  // Numbers of bands are those of the first file.
  for (const asset of /^[bB]\d+$/.test(name) ? assets.slice(0, 1) : assets) {
    const band = findBand(applyCurrentBandNames(asset), name)
    if (band !== null) return { asset, band }
  }
  throw unknownBand(path, name, assets)
}

function readBandNames(expression: string, path: string): string[] {
  const names = parseRasterField(path, () => listExpressionBands(parseExpression(expression)))
  if (names.length === 0) throw validationProblem([{ path, message: 'names no band' }])
  return names
}
