import { stacQueryables } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { requireCollection } from '../collections/access.ts'
import { linkBase } from '../items/link-base.ts'
import { propertyTypes } from '../items/counts.ts'
import { searchedProjects } from '../projects/access.ts'
import { catalogOf } from './links.ts'
import { ownQueryables, seenQueryables } from './queryables.ts'

export const readQueryables = handler(stacQueryables, async (call, input) => {
  const catalog = catalogOf(linkBase(call, input.base_url))
  const { collection_id = null } = input
  const collection = collection_id === null ? null : await requireCollection(call, collection_id, 'read')
  const place = collection ? `${catalog}/collections/${collection.id}` : catalog
  const collections = collection ? [collection.id] : null
  const seen = await propertyTypes(call, { collections, projects: searchedProjects(call) })
  return {
    $schema: 'https://json-schema.org/draft/2019-09/schema',
    $id: `${place}/queryables`,
    type: 'object' as const,
    title: collection ? `Queryables of ${collection.name}` : 'Queryables',
    properties: { ...seenQueryables(seen), ...ownQueryables },
    additionalProperties: true,
  }
})
