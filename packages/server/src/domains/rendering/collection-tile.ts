import { imageMediaType, type Raster } from '@swath/raster'
import type { BytesAnswer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { ownerOf } from '../../engine/fair-queue.ts'
import { Problem } from '../../engine/problem.ts'
import { contentOf, rasterOf } from '../items/asset-source.ts'
import { openBudget, readLimits } from '../items/read-limits.ts'
import type { ItemRow } from '../items/store.ts'
import { develop } from './darkroom.ts'
import { withProblems } from './failures.ts'
import { imageAnswer, type EncodedPicture } from './image-answer.ts'
import { pictureOfItem, type ItemPicture } from './item-picture.ts'
import { resamplingOf, settleLook } from './paint.ts'
import { formatOf, requireTile, type TileAddress } from './tile.ts'
import { withinTime } from './within-time.ts'

/** A request for one tile of several items. */
export interface AskedCollectionTile extends TileAddress {
  readonly format: 'png' | 'jpeg' | 'jpg' | 'webp'
  readonly quality: number
  /** Applied to the items that have it; others use their default. */
  readonly profile?: string | null
}

/**
 * Renders a tile of overlapping items, the first on top, each styled as it would be alone; items that cannot be rendered
 * are skipped. Without any item the tile is transparent. Throws `budget-exceeded` if all together exceed the limits of one
 * tile.
 */
export async function collectionTile(
  call: Call,
  items: readonly ItemRow[],
  asked: AskedCollectionTile,
): Promise<BytesAnswer> {
  requireTile(asked)
  const pictures: ItemPicture[] = []
  for (const item of items) {
    const picture = await pictureIfAny(call, item, asked.profile ?? null)
    if (picture) pictures.push(picture)
  }
  const { z, x, y, quality } = asked
  const terms = { z, x, y, size: 256, format: formatOf(asked.format), quality } as const
  const contents = await withProblems(() => Promise.all(pictures.map(({ asset }) => contentOf(call, asset))))
  const drawn = { ...terms, parts: pictures.map(({ words, bands }) => ({ words, bands })) }
  const source = contents.includes(null) ? null : `items ${contents.join(' ')}`
  return imageAnswer(source, drawn, () => draw(call, pictures, terms), call)
}

async function pictureIfAny(call: Call, item: ItemRow, profile: string | null): Promise<ItemPicture | null> {
  try {
    return await pictureOfItem(call, item, { profile })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return profile === null ? null : pictureIfAny(call, item, null)
  }
}

type TileTerms = Omit<Parameters<typeof develop<'collagePicture'>>[3], 'parts' | 'budget_bytes'>

async function draw(call: Call, pictures: readonly ItemPicture[], terms: TileTerms): Promise<EncodedPicture> {
  const body = await withinTime('tile', readLimits.tile.ms, call.signal, async (signal) => {
    // The budget of all items together.
    const budget = openBudget('tile')
    const parts = []
    const rasters: Raster[] = []
    for (const { asset, bands, look } of pictures) {
      const raster = await withProblems(() => rasterOf(call, asset, budget))
      const resampling = resamplingOf(raster, bands, look)
      parts.push({ look: await settleLook(ownerOf(call), raster, bands, look, signal), bands: look.bands, resampling })
      rasters.push(raster)
    }
    return develop(
      ownerOf(call),
      'collagePicture',
      rasters,
      { ...terms, parts, budget_bytes: readLimits.tile.decoded_bytes },
      signal,
    )
  })
  return { body, media_type: imageMediaType(terms.format) }
}
