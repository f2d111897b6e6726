import type { StacAsset, StacItem } from '@swath/contract/schemas/stac.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { toStacAssets } from './stac-asset.ts'
import { resolveStacExtensions } from './stac-extensions.ts'
import { rowToStacItem, toStacProperties } from './stac-feature.ts'
import { findAssetsByItem } from '../assets/store.assets.ts'
import type { StacItemRow } from '../store.ts'

type AssembledRow = StacItemRow & { readonly stac_assets: Record<string, StacAsset> }

const isAssembled = (row: StacItemRow): row is AssembledRow => row.stac_assets !== null

/** The rows as STAC Items, in order. Rows older than the column `stac_assets` are assembled from their assets. */
export async function rowsToStacItems(
  db: SqlStatementRunner,
  organization: string,
  rows: readonly StacItemRow[],
  base: string,
): Promise<StacItem[]> {
  const unassembledIds = rows.filter((row) => !isAssembled(row)).map((row) => row.id)
  const assets = await findAssetsByItem(db, organization, unassembledIds)
  return rows.map((row) => {
    if (isAssembled(row)) return rowToStacItem(row, organization, base)
    const stac_assets = toStacAssets(assets.get(row.id) ?? [])
    const stac_extensions = resolveStacExtensions(row.stac_extensions, toStacProperties(row), stac_assets)
    return rowToStacItem({ ...row, stac_assets, stac_extensions }, organization, base)
  })
}
