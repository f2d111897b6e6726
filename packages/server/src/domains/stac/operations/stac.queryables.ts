import { stacQueryablesOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCollection } from '../../collections/access.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { findItemPropertyTypes } from '../../items/counts.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { buildStacCatalogUrl } from '../links.ts'
import { itemQueryables, toStacQueryables } from '../queryables.ts'

export const handler = defineHandler(stacQueryablesOperation, async (call, input) => {
  const catalog = buildStacCatalogUrl(resolveLinkBase(call, input.base_url))
  const { collection_id = null } = input
  const collection = collection_id === null ? null : await requireCollection(call, collection_id, 'read')
  const parentUrl = collection ? `${catalog}/collections/${collection.id}` : catalog
  const collections = collection ? [collection.id] : null
  const properties = await findItemPropertyTypes(call, { collections, projects: toSearchableProjectsSql(call) })
  return {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $id: `${parentUrl}/queryables`,
    type: 'object' as const,
    title: collection ? `Queryables of ${collection.name}` : 'Queryables',
    properties: { ...toStacQueryables(properties), ...itemQueryables },
    additionalProperties: true,
  }
})
