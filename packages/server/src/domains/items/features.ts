import type { StacAsset, StacItem } from '@swath/contract/shapes/stac.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { stacAssetsOf } from './stac-asset.ts'
import { extensionsOf } from './stac-extensions.ts'
import { stacItemOf, stacProperties } from './stac-feature.ts'
import { assetsOfItems } from './store.assets.ts'
import type { StacRow } from './store.ts'

type Assembled = StacRow & { readonly stac_assets: Record<string, StacAsset> }

const isAssembled = (row: StacRow): row is Assembled => row.stac_assets !== null

/** The rows as STAC Items, in order. Rows older than the column `stac_assets` are assembled from their assets. */
export async function featuresOf(
  db: Queryable,
  organization: string,
  rows: readonly StacRow[],
  base: string,
): Promise<StacItem[]> {
  const bare = rows.filter((row) => !isAssembled(row)).map((row) => row.id)
  const assets = await assetsOfItems(db, organization, bare)
  return rows.map((row) => {
    if (isAssembled(row)) return stacItemOf(row, base)
    const stac_assets = stacAssetsOf(assets.get(row.id) ?? [])
    const stac_extensions = extensionsOf(row.stac_extensions, stacProperties(row), stac_assets)
    return stacItemOf({ ...row, stac_assets, stac_extensions }, base)
  })
}
