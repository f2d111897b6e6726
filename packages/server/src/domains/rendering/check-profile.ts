import { Problem, validationProblem, type Fault } from '../../engine/problem.ts'
import { chooseRasterAsset, isRaster } from '../items/access.ts'
import { drawnBands } from '../items/drawn-bands.ts'
import type { AssetRow } from '../items/store.assets.ts'
import { readConfig, type DrawingWords } from '../visualization/config.ts'
import type { ProfileRow } from '../visualization/store.ts'
import { readLook, readLookWords } from './look.ts'

/** The parts of a profile that have to fit together, and the item. */
export type DrawnProfile = Pick<ProfileRow, 'type' | 'config' | 'asset_key'>

/** The number of bands of each type; null for any number. */
const counts: Readonly<Record<ProfileRow['type'], number | null>> = {
  rgb: 3,
  singleband: 1,
  multiband: null,
  expression: null,
}

/**
 * Throws `validation` if a profile cannot be rendered: its config is invalid, does not fit its type, or does not fit the
 * bands of its asset. An asset that is not a raster (yet) is not checked.
 */
export function checkProfile(profile: DrawnProfile, assets: readonly AssetRow[]): void {
  const { words, faults } = readConfig(profile.config)
  const { asset_key } = profile
  if (asset_key !== null && !assets.some((asset) => asset.key === asset_key)) {
    faults.push({ path: 'asset_key', message: 'is not the key of an asset of the item' })
  }
  faults.push(...faultsOfType(profile.type, words))
  if (faults.length > 0) throw validationProblem(faults)
  const asset = assetOf(assets, asset_key)
  const drawn = inConfig(() => (asset ? readLook(words, drawnBands(asset)).bands.length : readLookWords(words)))
  const count = counts[profile.type]
  if (drawn !== null && count !== null && drawn !== count) {
    throw validationProblem([{ path: 'config.bands', message: `a profile of this type has ${count}, not ${drawn}` }])
  }
}

function assetOf(assets: readonly AssetRow[], key: string | null): AssetRow | null {
  const rasters = assets.filter(isRaster)
  if (key !== null) return rasters.find((asset) => asset.key === key) ?? null
  return rasters.length > 0 ? chooseRasterAsset(assets, null) : null
}

function faultsOfType(type: ProfileRow['type'], { expression }: DrawingWords): Fault[] {
  if (type === 'expression' && !expression) return [{ path: 'config.expression', message: 'is required by this type' }]
  if (type !== 'expression' && expression) return [{ path: 'config.expression', message: 'needs the type expression' }]
  return []
}

/** Prefixes the paths of validation errors with `config`. */
function inConfig<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const faults = error instanceof Problem ? error.extra['errors'] : null
    if (!Array.isArray(faults)) throw error
    throw validationProblem((faults as Fault[]).map((fault) => ({ ...fault, path: `config.${fault.path}` })))
  }
}
