import { type FieldError, getFieldErrors, validationProblem } from '../../../engine/problem.ts'
import { chooseRasterAsset, isRenderable } from '../../items/access.ts'
import { applyCurrentBandNames } from '../../items/assets/current-bands.ts'
import type { AssetRow } from '../../items/assets/store.assets.ts'
import {
  parseVisualizationProfileConfig,
  type VisualizationProfileStyleParameters,
} from '../../visualization/profile-config.ts'
import type { VisualizationProfileRow } from '../../visualization/store.ts'
import { parseRenderStyle, countStyleBands } from './render-style.ts'

/** The parts of a profile that have to fit together, and the item. */
export type VisualizationProfileContent = Pick<VisualizationProfileRow, 'type' | 'config' | 'asset_key'>

/** The number of bands of each type; null for any number. */
const bandCountByType: Readonly<Record<VisualizationProfileRow['type'], number | null>> = {
  rgb: 3,
  singleband: 1,
  multiband: null,
  expression: null,
}

/**
 * Throws `validation` if a profile cannot be rendered: its config is invalid, does not fit its type, or does not fit the
 * bands of its asset. An asset that is not a raster (yet) is not checked.
 */
export function validateVisualizationProfile(profile: VisualizationProfileContent, assets: readonly AssetRow[]): void {
  const { parameters, fieldErrors } = parseVisualizationProfileConfig(profile.config)
  const { asset_key } = profile
  if (asset_key !== null && !assets.some((asset) => asset.key === asset_key)) {
    fieldErrors.push({ path: 'asset_key', message: 'is not the key of an asset of the item' })
  }
  fieldErrors.push(...typeErrors(profile.type, parameters))
  if (fieldErrors.length > 0) throw validationProblem(fieldErrors)
  const asset = findProfileAsset(assets, asset_key)
  const band_count = withConfigPath(() =>
    asset ? parseRenderStyle(parameters, applyCurrentBandNames(asset)).bands.length : countStyleBands(parameters),
  )
  const expected_count = bandCountByType[profile.type]
  if (band_count !== null && expected_count !== null && band_count !== expected_count) {
    throw validationProblem([
      { path: 'config.bands', message: `a profile of this type has ${expected_count}, not ${band_count}` },
    ])
  }
}

function findProfileAsset(assets: readonly AssetRow[], key: string | null): AssetRow | null {
  const rasters = assets.filter(isRenderable)
  if (key !== null) return rasters.find((asset) => asset.key === key) ?? null
  return rasters.length > 0 ? chooseRasterAsset(assets, null) : null
}

function typeErrors(
  type: VisualizationProfileRow['type'],
  { expression }: VisualizationProfileStyleParameters,
): FieldError[] {
  if (type === 'expression' && !expression) return [{ path: 'config.expression', message: 'is required by this type' }]
  if (type !== 'expression' && expression) return [{ path: 'config.expression', message: 'needs the type expression' }]
  return []
}

/** Prefixes the paths of validation errors with `config`. */
function withConfigPath<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const fieldErrors = getFieldErrors(error)
    if (!fieldErrors) throw error
    throw validationProblem(fieldErrors.map((fieldError) => ({ ...fieldError, path: `config.${fieldError.path}` })))
  }
}
