import type { Module } from '../../engine/task.ts'
import { deleteOrphanedBlobs } from './delete-orphaned-blobs.task.ts'
import { downloadAsset } from './items.asset.download.ts'
import { createItems } from './items.batch_create.ts'
import { deleteItems } from './items.batch_delete.ts'
import { createItem } from './items.create.ts'
import { deleteItem } from './items.delete.ts'
import { detectAssetBands } from './items.detect_asset_bands.ts'
import { downloadItem } from './items.download.ts'
import { duplicateItem } from './items.duplicate.ts'
import { expireItems } from './items.expire_batch.ts'
import { listFeatures } from './items.features.list.ts'
import { getItem } from './items.get.ts'
import { getStacItem } from './items.get_stac.ts'
import { getItemLineage } from './items.lineage.ts'
import { listItems } from './items.list.ts'
import { listAssets } from './items.list_assets.ts'
import { listItemsOfCollection } from './items.list_by_collection.ts'
import { listExpiringItems } from './items.list_expiring.ts'
import { restoreItem } from './items.restore.ts'
import { searchProjectItems } from './items.search.ts'
import { searchOrganizationItems } from './items.search_org.ts'
import { setAssetBandNames } from './items.set_asset_band_names.ts'
import { getItemHistogram } from './items.tile.histogram.ts'
import { readItemPoint } from './items.tile.point.ts'
import { renderItemPreview } from './items.tile.preview.ts'
import { renderItemTile } from './items.tile.render.ts'
import { getItemStatistics } from './items.tile.statistics.ts'
import { getItemTileJson } from './items.tile.tilejson.ts'
import { createTileToken } from './items.tile.token.create.ts'
import { listTileTokens } from './items.tile.token.list.ts'
import { revokeItemTileToken } from './items.tile.token.revoke.ts'
import { renderItemVectorTile } from './items.tile.vector.ts'
import { getItemWmtsCapabilities } from './items.tile.wmts_capabilities.ts'
import { renderWmtsTile } from './items.tile.wmts_get_tile.ts'
import { changeItem } from './items.update.ts'
import { sweepRetentionTask } from './sweep-retention.task.ts'

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
  tasks: [deleteOrphanedBlobs, sweepRetentionTask],
}
