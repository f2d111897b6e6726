import type { StacCollection } from '@swath/contract/schemas/stac.ts'
import { toClientCollectionMembers } from '../items/stac/client-properties.ts'
import { buildParentUrl, buildStacCatalogUrl, queryablesRelation, createRootLink, stacMediaTypes } from './links.ts'
import type { CollectionExtentRow } from './store.ts'

const globalBbox = [-180, -90, 180, 90]

/** Converts a collection to STAC. Licences are declared by the items. Without items, its extent is the world. */
export function toStacCollection(row: CollectionExtentRow, organization: string, base: string): StacCollection {
  const catalog = buildStacCatalogUrl(base)
  const self = buildParentUrl(base, row.id)
  return {
    type: 'Collection',
    stac_version: '1.0.0',
    itemType: 'feature',
    id: row.id,
    title: row.name,
    description: row.description || row.name,
    license: 'proprietary',
    ...toClientCollectionMembers(organization, row),
    extent: {
      spatial: { bbox: [row.box ?? globalBbox] },
      temporal: { interval: [[row.from?.toISOString() ?? null, row.to?.toISOString() ?? null]] },
    },
    ...toSummaries(row),
    links: [
      { rel: 'self', href: self, type: stacMediaTypes.json },
      createRootLink(base),
      { rel: 'parent', href: catalog, type: stacMediaTypes.json, title: 'Swath' },
      { rel: 'items', href: `${self}/items`, type: stacMediaTypes.geojson, title: `Items of ${row.name}` },
      {
        rel: queryablesRelation,
        href: `${self}/queryables`,
        type: stacMediaTypes.schema,
        title: `Queryables of ${row.name}`,
      },
    ],
  }
}

/** Ranges of item columns; a range without values is omitted. */
function toSummaries({ clouds, gsd }: CollectionExtentRow): { summaries?: Record<string, unknown> } {
  const ranges = { 'eo:cloud_cover': clouds, gsd }
  const summaries = Object.entries(ranges).flatMap(([name, range]) =>
    range === null ? [] : [[name, { minimum: range[0], maximum: range[1] }] as const],
  )
  return summaries.length > 0 ? { summaries: Object.fromEntries(summaries) } : {}
}
