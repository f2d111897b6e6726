import type { Module } from '../../engine/task.ts'
import { deleteOrphanedBlobs } from './assets/delete-orphaned-blobs.task.ts'
import { downloadAsset } from './operations/items.asset.download.ts'
import { createItems } from './operations/items.batch_create.ts'
import { deleteItems } from './operations/items.batch_delete.ts'
import { createItem } from './operations/items.create.ts'
import { deleteItem } from './operations/items.delete.ts'
import { detectAssetBands } from './operations/items.detect_asset_bands.ts'
import { downloadItem } from './operations/items.download.ts'
import { duplicateItem } from './operations/items.duplicate.ts'
import { expireItems } from './operations/items.expire_batch.ts'
import { listFeatures } from './operations/items.features.list.ts'
import { getItem } from './operations/items.get.ts'
import { getStacItem } from './operations/items.get_stac.ts'
import { getItemLineage } from './operations/items.lineage.ts'
import { listItems } from './operations/items.list.ts'
import { listAssets } from './operations/items.list_assets.ts'
import { listItemsOfCollection } from './operations/items.list_by_collection.ts'
import { listExpiringItems } from './operations/items.list_expiring.ts'
import { restoreItem } from './operations/items.restore.ts'
import { searchProjectItems } from './operations/items.search.ts'
import { searchOrganizationItems } from './operations/items.search_org.ts'
import { setAssetBandNames } from './operations/items.set_asset_band_names.ts'
import { getItemHistogram } from './operations/items.tile.histogram.ts'
import { readItemLine } from './operations/items.tile.line.ts'
import { readItemPoint } from './operations/items.tile.point.ts'
import { renderItemPreview } from './operations/items.tile.preview.ts'
import { renderItemTile } from './operations/items.tile.render.ts'
import { getItemStatistics } from './operations/items.tile.statistics.ts'
import { getItemTileJson } from './operations/items.tile.tilejson.ts'
import { createTileToken } from './operations/items.tile.token.create.ts'
import { listTileTokens } from './operations/items.tile.token.list.ts'
import { revokeItemTileToken } from './operations/items.tile.token.revoke.ts'
import { renderItemVectorTile } from './operations/items.tile.vector.ts'
import { getItemWmtsCapabilities } from './operations/items.tile.wmts_capabilities.ts'
import { renderWmtsTile } from './operations/items.tile.wmts_get_tile.ts'
import { changeItem } from './operations/items.update.ts'
import { purgeOrganization } from './retention/purge-organization.task.ts'
import { dueRetention, sweepRetentionTask } from './retention/sweep-retention.task.ts'

export const items: Module = {
  name: 'items',
  handlers: [
    createItem,
    changeItem,
    deleteItem,
    restoreItem,
    duplicateItem,
    createItems,
    deleteItems,
    setAssetBandNames,
    detectAssetBands,
    listExpiringItems,
    expireItems,
    getItem,
    getStacItem,
    getItemLineage,
    listItems,
    listItemsOfCollection,
    listAssets,
    searchProjectItems,
    searchOrganizationItems,
    downloadAsset,
    downloadItem,
    renderItemTile,
    getItemTileJson,
    getItemStatistics,
    readItemLine,
    readItemPoint,
    renderItemPreview,
    getItemHistogram,
    createTileToken,
    listTileTokens,
    revokeItemTileToken,
    getItemWmtsCapabilities,
    renderWmtsTile,
    listFeatures,
    renderItemVectorTile,
  ],
  tasks: [deleteOrphanedBlobs, purgeOrganization, sweepRetentionTask],
  dueWork: [dueRetention],
}
