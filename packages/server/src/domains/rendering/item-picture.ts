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

/** How a caller wants an item drawn; everything may be left out. */
export interface AskedPicture extends AskedLook {
  /** The id or name of a profile of the item, or the id of a way that `visualization.list_for` gives its bands. */
  readonly profile?: string | null
  readonly asset_key?: string | null
}

/** What is drawn of an item, and how. */
export interface ItemPicture {
  readonly asset: AssetRow
  readonly bands: readonly BandFacts[]
  /** The parameters after the profile was looked up: all that the look follows from, beside the bands. */
  readonly words: AskedLook
  readonly look: Look
  /** The stored profile that had a part in it. */
  readonly profile: ProfileRow | null
}

/** An item that the caller may read; assets that are known already are not asked for again. */
export type AnyItem = Pick<ItemRow, 'id'> & Partial<DrawableItem>

/**
 * Settles what is drawn of an item. Parameters of the call win over those of the profile: with `bands` or `expression` the
 * profile only says which asset is meant. Where no profile is named the default one counts, unless it is about another
 * asset than the one that is asked for, or about one that is gone. Throws `not-found` for an unknown profile or asset,
 * `unsupported-raster`, and `validation`: of the field, or of `profile` where what is stored there does not fit the bands.
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

/** The default profile of the item, where it has a say in what is asked for. */
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

/** The look; a fault is the profile's where nothing else was asked for. */
function lookOf(words: AskedLook, bands: readonly BandFacts[], asked: AskedPicture, profile: string | null): Look {
  try {
    return readLook(words, bands)
  } catch (error) {
    const isOurs = [asked.expression, asked.bands, asked.rescale, asked.colormap].every((word) => !word)
    if (!(error instanceof Problem) || !profile || !isOurs) throw error
    throw validationProblem([{ path: 'profile', message: `"${profile}" does not fit the image: ${error.message}` }])
  }
}
