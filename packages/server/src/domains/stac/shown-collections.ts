import type { Call } from '../../engine/call.ts'
import { isUuid } from '../../platform/ids.ts'
import { collectionNotFound, requireCollection } from '../collections/access.ts'
import { singleCollection, type CollectionScope } from '../items/search/store.collections.ts'
import { formatProjectCollectionId, parseProjectCollectionId } from '../items/stac/project-collection.ts'
import { readableProjectsSql, requireProject } from '../projects/access.ts'
import {
  findCollectionExtent,
  findUncollectedExtent,
  listCollectionExtents,
  listCollectionNames,
  listUncollectedExtents,
  listUncollectedNames,
  type CollectionExtentRow,
  type ProjectExtentRow,
} from './store.ts'

/** A collection as the STAC API shows it: one that is stored, or the items of a project that are in none. */
interface ShownCollection {
  /** Its id in STAC. */
  readonly id: string
  readonly name: string
  readonly project_id: string
  /** Null for the items that are in none. */
  readonly collection_id: string | null
  readonly scope: CollectionScope
}

/** The collection that a STAC id names. Throws `not-found`, and what `requireProject` throws. */
export async function requireShownCollection(
  call: Call,
  stac_collection_id: string,
  permission: 'read' | 'write',
): Promise<ShownCollection> {
  const project = parseProjectCollectionId(stac_collection_id)
  if (project !== null) {
    const { id, name } = await requireProject(call, project, permission)
    const scope = { collections: [], projects: [id] }
    return { ...nameUncollected({ id, name }), project_id: id, collection_id: null, scope }
  }
  if (!isUuid(stac_collection_id)) throw collectionNotFound(stac_collection_id)
  const { id, name, project_id } = await requireCollection(call, stac_collection_id.toLowerCase(), permission)
  return { id, name, project_id, collection_id: id, scope: singleCollection(id) }
}

/** The collection that a STAC id names, with its extent. Throws the same. */
export async function readShownCollection(call: Call, stac_collection_id: string): Promise<CollectionExtentRow> {
  const { id, project_id, collection_id } = await requireShownCollection(call, stac_collection_id, 'read')
  const { db, organization } = call
  const uncollected = collection_id === null ? await findUncollectedExtent(db, organization, project_id) : null
  const row = uncollected
    ? toExtent(uncollected)
    : collection_id && (await findCollectionExtent(db, organization, collection_id))
  if (!row) throw collectionNotFound(id)
  return row
}

/** The visible collections, newest first, then the projects that have items in none. */
export async function listShownCollections(call: Call): Promise<CollectionExtentRow[]> {
  const { db, organization } = call
  const projects = readableProjectsSql(call)
  const uncollected = await listUncollectedExtents(db, organization, projects)
  return [...(await listCollectionExtents(db, organization, projects)), ...uncollected.map(toExtent)]
}

/** Their ids in STAC and their titles. */
export async function listShownCollectionNames(call: Call): Promise<{ id: string; name: string }[]> {
  const { db, organization } = call
  const projects = readableProjectsSql(call)
  const uncollected = await listUncollectedNames(db, organization, projects)
  return [...(await listCollectionNames(db, organization, projects)), ...uncollected.map(nameUncollected)]
}

/** Id and title of the items of a project that are in no collection. */
const nameUncollected = ({ id, name }: { readonly id: string; readonly name: string }) => ({
  id: formatProjectCollectionId(id),
  name: `${name} (in no collection)`,
})

const toExtent = (row: ProjectExtentRow): CollectionExtentRow => ({
  ...row,
  ...nameUncollected({ id: row.project_id, name: row.name }),
  description: null,
  source_type: null,
  source_id: null,
})
