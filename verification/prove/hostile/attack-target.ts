import { encodeCog, sceneInput } from '../../../packages/server/test/rasters.ts'
import type { OutcomeTally } from '../load/samples.ts'
import { createOperationCall, type HttpCall } from '../load/sender.ts'
import { createTenantClient, createTenant, type Tenant } from '../load/tenants.ts'
import { uploadFile } from '../load/upload-file.ts'
import { readFile } from 'node:fs/promises'

/** The attacked server, the attacker, the unaffected neighbour, and their items. */
export interface AttackTarget {
  readonly url: string
  readonly attacker: Tenant
  readonly neighbour: Tenant
  readonly attacker_raster: string
  readonly attacker_vector: string
  readonly neighbour_raster: string
  /** In the full form attacks open more at once. */
  readonly short: boolean
}

/** Absolute limits of what an attack may cost other organizations, instead of a ratio to the baseline. */
export interface AttackBounds {
  /** The largest wait of a tile of the other organization. */
  readonly max_tile_ms: number
  /** Of the server and the processes that it starts, from the beginning to the peak. */
  readonly max_growth_mib: number
  /** Of small work of the other organization, which is done meanwhile if there are bounds: its statistics, and a job. */
  readonly work?: { readonly max_statistics_ms: number; readonly max_job_ms: number }
}

/** One attack. */
export interface Attack {
  readonly name: string
  /** Runs the attack; calling `until` ends its preparation and returns its deadline. */
  readonly run: (target: AttackTarget, until: () => number) => Promise<OutcomeTally>
  /**
   * On the embedded database, which runs one statement at a time and cannot interrupt it: maximum latency of other calls. In
   * that case only the median, not p95, is limited to three times the baseline.
   */
  readonly embedded_max_ms?: number
  /** Absolute bounds, for work that may use all idle capacity. */
  readonly bounds?: AttackBounds
  /** An outcome that at least one call must have: an attack that is refused before it reaches what it attacks shows nothing. */
  readonly reaches?: RegExp
}

/** Has no organization until an attack creates a sandbox. */
export const sandboxEmail = 'sandbox@example.org'
export const userEmails = ['attacker@example.org', 'neighbour@example.org', sandboxEmail] as const

const vectors = new URL('../../../fixtures/vectors/countries.shp.zip', import.meta.url)

/** Creates the two organizations, each with an image; the attacker has vector data, too. */
export async function prepareTarget(url: string, short: boolean): Promise<AttackTarget> {
  const image = new Uint8Array(await encodeCog(sceneInput))
  const [attacker, neighbour] = [
    await createTenant(url, userEmails[0], 1_000_000),
    await createTenant(url, userEmails[1], 1_000_000),
  ]
  const ingestFile = async (tenant: Tenant, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const { item_ids, status } = await uploadFile(createTenantClient(url, tenant), {
      project_id: tenant.project,
      file_name: name,
      bytes,
    })
    if (item_ids.length === 0) throw new Error(`${name} was not ingested: ${status}`)
    return item_ids[0]!
  }
  return {
    url,
    attacker,
    neighbour,
    short,
    attacker_raster: await ingestFile(attacker, 'scene_20240601.tif', image),
    attacker_vector: await ingestFile(attacker, 'countries.shp.zip', new Uint8Array(await readFile(vectors))),
    neighbour_raster: await ingestFile(neighbour, 'scene_20240601.tif', image),
  }
}

/** The tile in the middle of the test scene. */
const middleTile = { z: 13, x: 4333, y: 2759 }

/** A request for an uncached tile: each turn has another rescaling. */
export function createTileRequest(item_id: string, token: string, turn: number | '{turn}'): HttpCall {
  const [z, x, y] = [middleTile.z, middleTile.x, middleTile.y]
  const query = new URLSearchParams({ item_id, z: `${z}`, x: `${x}`, y: `${y}`, format: 'png', bands: '1,2,3' })
  return {
    method: 'GET',
    path: `/v1/op/items.tile.render?${query}&rescale=0,3${turn}`,
    headers: { authorization: `Bearer ${token}` },
  }
}

/** The index of the tile among the calls of the other organization. */
export const neighbour_tile = 2

/** The calls of the other organization: a list, a search and a tile. */
export const createNeighbourCalls = ({ neighbour, neighbour_raster }: AttackTarget): readonly HttpCall[] => [
  createOperationCall('items.list', { project_id: neighbour.project, limit: 20 }, neighbour.api_key),
  createOperationCall('stac.search', { limit: 20 }, neighbour.api_key),
  createTileRequest(neighbour_raster, neighbour.api_key, '{turn}'),
]
