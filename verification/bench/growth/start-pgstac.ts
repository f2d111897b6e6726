import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Client } from 'pg'
import { pgstacEnvironment, servePgstac, type PeerServer, type PgstacInstallation } from '../search/pgstac.ts'
import { itemColumns, numberedPoints, withClient } from './fill.ts'

const collections = 3
const batch_size = 10_000

const insertItems = `
  insert into pgstac.items_staging (content)
  select jsonb_build_object(
    'type', 'Feature', 'stac_version', '1.0.0', 'id', stac_id, 'collection', 'scenes-' || n % ${collections},
    'geometry', ST_AsGeoJSON(geometry)::jsonb,
    'bbox', jsonb_build_array(ST_XMin(geometry), ST_YMin(geometry), ST_XMax(geometry), ST_YMax(geometry)),
    'properties', properties || jsonb_build_object('datetime', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                                                   'eo:cloud_cover', cloud_cover, 'gsd', 10),
    'links', '[]'::jsonb, 'assets', '{}'::jsonb)
  from (select n, ${itemColumns} from ${numberedPoints}) scenes`

const insertCollections = `
  select pgstac.create_collection(jsonb_build_object(
    'type', 'Collection', 'stac_version', '1.0.0', 'id', 'scenes-' || n, 'description', 'scenes', 'license', 'proprietary',
    'links', '[]'::jsonb, 'extent', jsonb_build_object('spatial', '{"bbox": [[-180, -90, 180, 90]]}'::jsonb,
                                                       'temporal', '{"interval": [["2015-01-01T00:00:00Z", null]]}'::jsonb)))
  from generate_series(0, ${collections - 1}) n`

async function fillPgstac(client: Client, items: number): Promise<void> {
  await client.query("set search_path = pgstac, public; update pgstac_settings set value = 'on' where name = 'context'")
  await client.query(insertCollections)
  for (let done = 0; done < items; done += batch_size) {
    await client.query(insertItems, [done + 1, Math.min(items, done + batch_size)])
  }
  await client.query('vacuum analyze')
}

/** Starts pgstac (installed by `npm run bench -- search`) with the same items and counting on, behind stac-fastapi. */
export async function startPgstac(
  installation: PgstacInstallation,
  items: number,
  connections: number,
): Promise<PeerServer> {
  const startTime = performance.now()
  const migrated = spawnSync(join(installation.folder, 'pgstac/bin/python'), ['-m', 'pypgstac.pypgstac', 'migrate'], {
    env: pgstacEnvironment(installation),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (migrated.status !== 0) throw new Error('pgstac could not be migrated; is it installed?')
  await withClient(installation.url, (client) => fillPgstac(client, items))
  console.log(`pgstac: ${items} items written in ${((performance.now() - startTime) / 1000).toFixed(0)} s`)
  return servePgstac(installation, connections)
}
