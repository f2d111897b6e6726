import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import { chooseRasterAsset, isRaster, type DrawableItem } from '../items/access.ts'
import { drawnBands } from '../items/drawn-bands.ts'
import type { BandFacts } from '../items/raster-facts.ts'
import type { ItemRow } from '../items/store.ts'
import { assetsOf, type AssetRow } from '../items/store.assets.ts'
import { readConfig } from '../visualization/config.ts'
import { missingProfile } from '../visualization/profile.ts'
import { findDefaultProfile, findProfileByWord, type ProfileRow } from '../visualization/store.ts'
import { readLook, type AskedLook, type Look } from './look.ts'
import { wordsOfWay } from './item-ways.ts'

/** The rendering parameters of a request; all are optional. */
export interface AskedPicture extends AskedLook {
  /** The id or name of a profile of the item, or the id of a preset that `visualization.list_for` offers for its bands. */
  readonly profile?: string | null
  readonly asset_key?: string | null
}

/** The asset of an item that is rendered, and its style. */
export interface ItemPicture {
  readonly asset: AssetRow
  readonly bands: readonly BandFacts[]
  /** The parameters merged with those of the profile: with the bands, they determine the style. */
  readonly words: AskedLook
  readonly look: Look
  /** The stored profile that was applied. */
  readonly profile: ProfileRow | null
}

/** An item that the caller may read; assets that are given are not queried again. */
export type AnyItem = Pick<ItemRow, 'id'> & Partial<DrawableItem>

/**
 * Resolves which asset of an item is rendered, and how. Parameters of the request override those of the profile: with
 * `bands` or `expression` the profile only selects the asset. Without a profile the default one applies, unless it is for
 * another asset than the requested one, or for a deleted one. Throws `not-found` for an unknown profile or asset,
 * `unsupported-raster`, and `validation`: of the field, or of `profile` if the stored parameters do not fit the bands.
 */
export async function pictureOfItem(call: Call, item: AnyItem, asked: AskedPicture): Promise<ItemPicture> {
  const named = asked.profile || null
  const assets = item.assets ?? (await assetsOf(call.db, call.organization, item.id))
  const profile = await (named === null
    ? usualProfile(call, item, assets, asked)
    : findProfileByWord(call.db, call.organization, item.id, named))
  const asset = chooseRasterAsset(assets, asked.asset_key ?? profile?.asset_key ?? null)
  const bands = drawnBands(asset)
  const stored = profile ? readConfig(profile.config).words : named === null ? {} : wordsOfWay(named, bands)
  if (stored === null) throw missingProfile(named!)
  const words = wordsOf(asked, stored)
  return { asset, bands, words, look: lookOf(words, bands, asked, profile?.name ?? named), profile }
}

/** The default profile of the item, if it applies to the request. */
async function usualProfile(
  call: Call,
  item: AnyItem,
  assets: readonly AssetRow[],
  asked: AskedPicture,
): Promise<ProfileRow | null> {
  if (asked.bands || asked.expression) return null
  const profile = await findDefaultProfile(call.db, call.organization, item.id)
  if (!profile) return null
  const about = profile.asset_key === null ? chooseRasterAsset(assets, null) : assets.find(hasKey(profile.asset_key))
  if (!about || !isRaster(about)) return null
  return !asked.asset_key || asked.asset_key === about.key ? profile : null
}

const hasKey = (key: string) => (asset: AssetRow) => asset.key === key

function wordsOf(asked: AskedPicture, stored: AskedLook): AskedLook {
  const { expression, bands, rescale, colormap } = asked
  if (expression || bands) return { expression, bands, rescale, colormap }
  return { ...stored, rescale: rescale || stored.rescale, colormap: colormap || stored.colormap }
}

/** Parses the style; an error is one of the profile if the request has no style parameters. */
function lookOf(words: AskedLook, bands: readonly BandFacts[], asked: AskedPicture, profile: string | null): Look {
  try {
    return readLook(words, bands)
  } catch (error) {
    const isOurs = [asked.expression, asked.bands, asked.rescale, asked.colormap].every((word) => !word)
    if (!(error instanceof Problem) || !profile || !isOurs) throw error
    throw validationProblem([{ path: 'profile', message: `"${profile}" does not fit the image: ${error.message}` }])
  }
}
