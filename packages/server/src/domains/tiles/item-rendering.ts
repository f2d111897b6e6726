import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { chooseRasterAsset, isRenderable, type ItemWithAssets } from '../items/access.ts'
import { applyCurrentBandNames } from '../items/assets/current-bands.ts'
import type { RasterBandMetadata } from '../items/assets/raster-metadata.ts'
import type { ItemRow } from '../items/store.ts'
import { findAssetsOfItem, type AssetRow } from '../items/assets/store.assets.ts'
import { parseVisualizationProfileConfig } from '../visualization/profile-config.ts'
import { createVisualizationProfileNotFoundProblem } from '../visualization/profile.ts'
import {
  findDefaultVisualizationProfile,
  findVisualizationProfileByIdOrName,
  type VisualizationProfileRow,
} from '../visualization/store.ts'
import { parseRenderStyle, pickStyleParameters, type StyleParameters, type RenderStyle } from './style/render-style.ts'
import { buildPresetParameters } from './style/item-presets.ts'

/** The rendering parameters of a request; all are optional. */
export interface ItemRenderRequest extends StyleParameters {
  /** The id or name of a profile of the item, or the id of a preset that `visualization.list_for` offers for its bands. */
  readonly profile?: string | null
  readonly asset_key?: string | null
  /** The stretch if neither the request nor its profile states one. */
  readonly default_stretch?: StyleParameters['stretch']
}

/** The asset of an item that is rendered, and its style. */
export interface ItemRendering {
  readonly asset: AssetRow
  readonly bands: readonly RasterBandMetadata[]
  /** The parameters merged with those of the profile: with the bands, they determine the style. */
  readonly parameters: StyleParameters
  readonly style: RenderStyle
  /** The stored profile that was applied. */
  readonly profile: VisualizationProfileRow | null
}

/** An item that the caller may read; assets that are passed are not queried again. */
export type RenderableItem = Pick<ItemRow, 'id'> & Partial<ItemWithAssets>

/**
 * Resolves which asset of an item is rendered, and how. Parameters of the request override those of the profile: with
 * `bands` or `expression` the profile only selects the asset. Without a profile the default one applies, unless it is for
 * another asset than the requested one, or for a deleted one. Throws `not-found` for an unknown profile or asset,
 * `unsupported-raster`, and `validation`: of the field, or of `profile` if the stored parameters do not fit the bands.
 */
export async function resolveItemRendering(
  call: Call,
  item: RenderableItem,
  request: ItemRenderRequest,
): Promise<ItemRendering> {
  const requestedProfile = request.profile || null
  const assets = item.assets ?? (await findAssetsOfItem(call.db, call.organization, item.id))
  const profile = await (requestedProfile === null
    ? findApplicableDefaultProfile(call, item, assets, request)
    : findVisualizationProfileByIdOrName(call.db, call.organization, item.id, requestedProfile))
  const asset = chooseRasterAsset(assets, request.asset_key ?? profile?.asset_key ?? null)
  const bands = applyCurrentBandNames(asset)
  const storedParameters = profile
    ? parseVisualizationProfileConfig(profile.config).parameters
    : requestedProfile === null
      ? {}
      : buildPresetParameters(requestedProfile, bands)
  if (storedParameters === null) throw createVisualizationProfileNotFoundProblem(requestedProfile!)
  const parameters = mergeParameters(request, storedParameters)
  return {
    asset,
    bands,
    parameters,
    style: parseItemStyle(parameters, bands, request, profile?.name ?? requestedProfile),
    profile,
  }
}

/** The default profile of the item, if it applies to the request. */
async function findApplicableDefaultProfile(
  call: Call,
  item: RenderableItem,
  assets: readonly AssetRow[],
  request: ItemRenderRequest,
): Promise<VisualizationProfileRow | null> {
  if (request.bands || request.expression) return null
  const profile = await findDefaultVisualizationProfile(call.db, call.organization, item.id)
  if (!profile) return null
  const profileAsset =
    profile.asset_key === null ? chooseRasterAsset(assets, null) : assets.find(hasKey(profile.asset_key))
  if (!profileAsset || !isRenderable(profileAsset)) return null
  return !request.asset_key || request.asset_key === profileAsset.key ? profile : null
}

const hasKey = (key: string) => (asset: AssetRow) => asset.key === key

function mergeParameters(request: ItemRenderRequest, storedParameters: StyleParameters): StyleParameters {
  if (request.expression || request.bands) return pickStyleParameters(request)
  return {
    ...storedParameters,
    rescale: request.rescale || storedParameters.rescale,
    colormap: request.colormap || storedParameters.colormap,
    gamma: request.gamma ?? storedParameters.gamma,
    stretch: request.stretch ?? storedParameters.stretch ?? request.default_stretch,
    color_formula: request.color_formula || storedParameters.color_formula,
  }
}

/** Parses the style; an error is one of the profile if the request has no style parameters. */
function parseItemStyle(
  parameters: StyleParameters,
  bands: readonly RasterBandMetadata[],
  request: ItemRenderRequest,
  profile: string | null,
): RenderStyle {
  try {
    return parseRenderStyle(parameters, bands)
  } catch (error) {
    const isFromProfile = Object.values(pickStyleParameters(request)).every((one) => !one)
    if (!(error instanceof Problem) || !profile || !isFromProfile) throw error
    throw validationProblem([{ path: 'profile', message: `"${profile}" does not fit the image: ${error.message}` }])
  }
}
