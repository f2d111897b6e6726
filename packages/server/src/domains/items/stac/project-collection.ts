import type { CollectionScope } from '../search/store.collections.ts'
import { isUuid } from '../../../platform/ids.ts'

export const projectCollectionPrefix = 'project-'

/**
 * The id of the collection in which STAC shows the items of a project that are in no collection: every item then has an address.
 * Nothing of it is stored.
 */
export const formatProjectCollectionId = (project_id: string): string => `${projectCollectionPrefix}${project_id}`

/** The project of such an id; null for an id of another kind. */
export function parseProjectCollectionId(id: string): string | null {
  if (!id.toLowerCase().startsWith(projectCollectionPrefix)) return null
  const project = id.slice(projectCollectionPrefix.length)
  return isUuid(project) ? project.toLowerCase() : null
}

/** The id that STAC shows of the collection of an item. */
export const stacCollectionIdOf = (item: {
  readonly collection_id: string | null
  readonly project_id: string
}): string => item.collection_id ?? formatProjectCollectionId(item.project_id)

/** What STAC ids of collections mean, each once. Ids of neither kind match no collection. */
export function parseStacCollectionIds(ids: readonly string[]): CollectionScope {
  const projects = ids.map(parseProjectCollectionId).filter((project) => project !== null)
  const collections = ids.filter((id) => isUuid(id)).map((id) => id.toLowerCase())
  return { collections: [...new Set(collections)], projects: [...new Set(projects)] }
}
