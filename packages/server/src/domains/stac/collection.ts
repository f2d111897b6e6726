import type { StacCollection } from '@swath/contract/shapes/stac.ts'
import { catalogOf, queryablesRel, rootLink, types } from './links.ts'
import type { ExtentRow } from './store.ts'

const world = [-180, -90, 180, 90]

/** Converts a collection to STAC. Licences are declared by the items. Without items, its extent is the world. */
export function collectionOf(row: ExtentRow, base: string): StacCollection {
  const catalog = catalogOf(base)
  const self = `${catalog}/collections/${row.id}`
  return {
    type: 'Collection',
    stac_version: '1.0.0',
    id: row.id,
    title: row.name,
    description: row.description || row.name,
    license: 'proprietary',
    extent: {
      spatial: { bbox: [row.box ?? world] },
      temporal: { interval: [[row.from?.toISOString() ?? null, row.to?.toISOString() ?? null]] },
    },
    ...summariesOf(row),
    links: [
      { rel: 'self', href: self, type: types.json },
      rootLink(base),
      { rel: 'parent', href: catalog, type: types.json, title: 'Swath' },
      { rel: 'items', href: `${self}/items`, type: types.geojson, title: `Items of ${row.name}` },
      { rel: queryablesRel, href: `${self}/queryables`, type: types.schema, title: `Queryables of ${row.name}` },
    ],
  }
}

/** Ranges of item columns; a range without values is omitted. */
function summariesOf({ clouds, gsd }: ExtentRow): { summaries?: Record<string, unknown> } {
  const ranges = { 'eo:cloud_cover': clouds, gsd }
  const known = Object.entries(ranges).flatMap(([name, range]) =>
    range === null ? [] : [[name, { minimum: range[0], maximum: range[1] }] as const],
  )
  return known.length > 0 ? { summaries: Object.fromEntries(known) } : {}
}
