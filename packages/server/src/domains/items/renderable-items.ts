import { defineService } from '../../engine/process-services.ts'
import type { Database } from '../../platform/database/database.ts'
import { itemAccessChangeChannel } from '../../platform/database/item-access.ts'
import { createDatabaseReadCache, type ReadCache } from '../../platform/database/read-cache.ts'
import { relayDatabaseChannel } from '../../platform/database/relay-channel.ts'
import type { Logger } from '../../platform/log.ts'
import type { ItemRenderingPermissions } from './store.access.ts'

/** Items with their assets and the roles of a user, which all tiles of a map ask for. */
export type RenderableItemCache = ReadCache<ItemRenderingPermissions>

export const renderableItemsServiceKey = defineService<RenderableItemCache>('renderableItems')

/** The cache of a process, invalidated by changes of any process; `close` ends that. */
export async function openRenderableItemCache(
  database: Database,
  log: Pick<Logger, 'warn'>,
): Promise<RenderableItemCache & { close(): Promise<void> }> {
  const cache = createDatabaseReadCache<ItemRenderingPermissions>()
  const channel = await relayDatabaseChannel(database, itemAccessChangeChannel, log)
  channel.subscribe(cache.invalidate)
  return { ...cache, close: channel.close }
}
