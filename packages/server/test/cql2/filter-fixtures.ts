import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { StacSearchResult } from '@swath/contract/schemas/stac.ts'
import { isOperationResponse } from '../../src/engine/operation-response.ts'
import type { Call } from '../../src/engine/call.ts'
import { readCallInput } from '../../src/engine/input/read-input.ts'
import { handler } from '../../src/domains/stac/operations/stac.search.ts'
import { insertItemRows } from '../../src/platform/database/item-counts/write-items.ts'
import { newId } from '../../src/platform/ids.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { openTestServices } from '../test-services.ts'

const folder = fileURLToPath(new URL('../../../../fixtures/cql2/', import.meta.url))

export const readFixture = (name: string): Promise<string> => readFile(folder + name, 'utf8')

/** An item of a test; omitted members are null or get a default. */
export interface FixtureItem {
  readonly stac_id: string
  readonly name?: string
  readonly geometry?: unknown
  readonly properties: Readonly<Record<string, unknown>>
  readonly datetime?: string | null
  readonly start_datetime?: string | null
  readonly end_datetime?: string | null
  readonly cloud_cover?: number | null
  readonly gsd?: number | null
}

interface Feature {
  readonly id: number
  readonly geometry: unknown
  readonly properties: Readonly<Record<string, unknown>>
}

/** Reads the features of one data file of the standard as items, with their attributes as properties. */
export async function readFeatures(name: string): Promise<FixtureItem[]> {
  const { features } = JSON.parse(await readFixture(`${name}.geojson`)) as { features: Feature[] }
  return features.map(({ id, geometry, properties }) => ({ stac_id: `${name}-${id}`, geometry, properties }))
}

/** Reads the records with values of every type; record number n has the id `record-n`. */
export async function readRecords(): Promise<FixtureItem[]> {
  const lines = (await readFixture('cql2testdata.ndjson')).trim().split('\n')
  return lines.map((line) => {
    const { geom, ...properties } = JSON.parse(line) as { geom: unknown; intfield: number }
    return { stac_id: `record-${properties.intfield}`, geometry: geom, properties }
  })
}

const fixedTime = '2024-01-01T00:00:00Z'

/** Opens a database with one collection per layer, to evaluate filters through `stac.search`. */
export async function openFilterFixtures(layers: Readonly<Record<string, readonly FixtureItem[]>>) {
  const services = await openTestServices()
  const { organization, project, owner } = await services.createOrganization()
  const collections = new Map<string, string>()
  for (const [name, items] of Object.entries(layers)) {
    const collection = newId()
    collections.set(name, collection)
    await insertLayer(owner, { organization, project, collection, name }, items)
  }
  await services.database.runScript('analyze items')

  const search = async (layer: string, filter: unknown, limit = 1): Promise<StacSearchResult> => {
    const input = { collections: [collections.get(layer)!], filter, limit }
    const output = await handler.handle(owner, readCallInput(handler.operation, input) as never)
    assert.ok(isOperationResponse(output) && output.kind === 'serialized-json')
    return JSON.parse([...output.chunks].join('')) as StacSearchResult
  }

  return {
    services,
    owner,
    collections,
    /** Counts the items that the filter selects. */
    countMatches: async (layer: string, filter: unknown): Promise<number> =>
      (await search(layer, filter)).context.matched,
    /** Returns the sorted ids of the items that the filter selects. */
    selectIds: async (layer: string, filter: unknown): Promise<string[]> => {
      const { features, context } = await search(layer, filter, 500)
      assert.equal(features.length, context.matched)
      return features.map(({ id }) => id).sort()
    },
    close: () => services.close(),
  }
}

export type FilterFixtures = Awaited<ReturnType<typeof openFilterFixtures>>

interface LayerTarget {
  readonly organization: string
  readonly project: string
  readonly collection: string
  readonly name: string
}

/** Inserts by SQL, without the validation of new items, since some of the data is beyond ±180 degrees. */
async function insertLayer(call: Call, target: LayerTarget, items: readonly FixtureItem[]): Promise<void> {
  const { organization, project, collection, name } = target
  const rows = items.map((item) => ({
    name: String(item.properties['name'] ?? item.stac_id),
    cloud_cover: null,
    gsd: null,
    start_datetime: null,
    end_datetime: null,
    datetime: fixedTime,
    ...item,
    id: newId(),
    geojson: item.geometry ? JSON.stringify(item.geometry) : null,
  }))
  await call.transaction(async (tx) => {
    await tx.query(sql`
      insert into collections (organization_id, id, project_id, name, show_on_map, layer_order, auto_created, created_by,
                               created_at, updated_at)
      values (${organization}, ${collection}, ${project}, ${name}, true, 0, false, 'test', ${fixedTime}, ${fixedTime})`)
    const insert = sql`
      insert into items as i (organization_id, id, project_id, collection_id, stac_id, type, name, geometry, datetime,
                         start_datetime, end_datetime, covers_from, covers_to, cloud_cover, gsd, properties, created_by,
                         created_at, updated_at)
      select ${organization}::uuid, g.id, ${project}::uuid, ${collection}::uuid, g.stac_id, 'external_reference', g.name,
             ST_MakeValid(ST_SetSRID(ST_GeomFromGeoJSON(g.geojson), 4326)), g.datetime, g.start_datetime, g.end_datetime,
             coalesce(g.start_datetime, g.datetime), coalesce(g.end_datetime, g.datetime), g.cloud_cover, g.gsd,
             g.properties, 'test', ${fixedTime}, ${fixedTime}
      from json_to_recordset(${sql.json(rows)}::json) as g (
        id uuid, stac_id text, name text, geojson text, datetime timestamptz, start_datetime timestamptz,
        end_datetime timestamptz, cloud_cover double precision, gsd double precision, properties jsonb)`
    await insertItemRows(tx, organization, { insert, rows: rows.length })
  })
}
