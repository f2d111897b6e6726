import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { isUuid } from '../../platform/ids.ts'
import { isRenderable, itemNotFound, requireItem } from '../items/access.ts'
import { findAssetsOfItem } from '../items/assets/store.assets.ts'
import { isEmptyCollectionScope } from '../items/search/store.collections.ts'
import { parseStacCollectionIds } from '../items/stac/project-collection.ts'
import { findItemIdInCollection } from '../items/store.item-lifecycle.ts'
import type { ItemRow } from '../items/store.ts'
import type { SourceItem, ProcessInputReader } from './process-definition.ts'

/** Reads items for the inputs of a process, each of them once. */
export function createSourceReader(call: Call): ProcessInputReader {
  const itemsByReference = new Map<string, Promise<SourceItem>>()
  return {
    item: (reference) => {
      const cached = itemsByReference.get(reference) ?? readSourceItem(call, reference)
      itemsByReference.set(reference, cached)
      return cached
    },
  }
}

async function readSourceItem(call: Call, reference: string): Promise<SourceItem> {
  const item = await requireReferencedItem(call, reference)
  const assets = (await findAssetsOfItem(call.db, call.organization, item.id)).filter(isRenderable)
  if (assets.length > 0) return { item, assets }
  throw new Problem('unsupported-raster', `The item "${item.id}" has no raster.`)
}

/** The address of a Feature of the operation `items.get_stac`, by which results of jobs are referenced. */
const operationPath = /\/items\.get_stac\?(?:[^#]*&)?item_id=([^&#]+)/

/** The path of a STAC Feature: `…/collections/{collection}/items/{stac_id}`. */
const featurePath = /\/collections\/([^/]+)\/items\/([^/?#]+)\/?$/

async function requireReferencedItem(call: Call, reference: string): Promise<ItemRow> {
  if (isUuid(reference)) return requireItem(call, reference.toLowerCase(), 'read')
  const [, collection = '', stacId = ''] = featurePath.exec(reference) ?? []
  const lastSegment = (/\/items\/([^/?#]+)\/?$/.exec(reference) ?? operationPath.exec(reference))?.[1] ?? ''
  const scope = parseStacCollectionIds([collection])
  const id = isEmptyCollectionScope(scope)
    ? isUuid(lastSegment)
      ? lastSegment.toLowerCase()
      : null
    : await findItemIdInCollection(call.db, call.organization, scope, decodePathPart(stacId))
  if (id === null) throw itemNotFound(reference.slice(0, 100))
  return requireItem(call, id, 'read')
}

/** A part of a path as it was before it was encoded; one that is no valid encoding stays as it is, and names no item. */
function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
