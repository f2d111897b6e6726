import type { Tx } from './database.ts'

/** The channel of ids of organizations in which the access to an item, or the look of its tiles, has changed. */
export const itemAccessChangeChannel = 'swath_item_access'

/**
 * Invalidates, after the commit and in all processes, the cached items of an organization. Every statement calls it
 * that changes or removes what `findRenderableItem` reads: items, assets, deleted projects, members.
 */
export const publishItemAccessChange = (tx: Tx, organization: string): void =>
  tx.publish(itemAccessChangeChannel, organization)
