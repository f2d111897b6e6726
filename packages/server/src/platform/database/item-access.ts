import type { Tx } from './database.ts'

/** On it an organization id tells that something has changed which decides who may see an item, or how its tiles look. */
export const itemAccessChannel = 'swath_item_access'

/**
 * Invalidates, after the commit and in all processes, what is cached of the items of an organization. Every statement calls it that
 * changes or removes what `findRenderableItem` reads: items, assets, deleted projects, members.
 */
export const publishItemAccess = (tx: Tx, organization: string): void => tx.publish(itemAccessChannel, organization)
