import type { CogInput } from '@swath/raster'
import { blockToPixelRows } from '@swath/raster/test/pixel-rows.ts'
import type { AlertEvent, AlertRule } from '@swath/contract/schemas/alert-rule.ts'
import type { Call } from '../../src/engine/call.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { square } from '../geometries.ts'
import { storeRasterAsset } from '../rasters.ts'
import { createQueuedOrganization } from '../task-runner.ts'
import { deliverItem, type TestServices } from '../test-services.ts'

const size = 32

/** The place of the scenes of these tests: a square of one degree at 10 E, 50 N. */
export const place = { west: 10, south: 50, side: 1 }

export interface SceneOptions {
  /** The value of each band; 0 is nodata. The second number is that of the eastern half. */
  readonly bands: readonly (number | readonly [west: number, east: number])[]
  readonly names?: readonly string[]
  /** Of all bands; by default samples are values. */
  readonly scale?: number
  readonly offset?: number
  readonly datetime?: Date
  readonly west?: number
}

/** A raster in degrees whose bands have one value each, or one in each half. */
const createScene = ({ bands, west = place.west, scale = 1, offset = 0 }: SceneOptions): CogInput => ({
  width: size,
  height: size,
  sampleType: 'uint16',
  bands: bands.map(() => ({ name: null, colour: 'undefined', scale, offset })),
  nodata: 0,
  masked: false,
  georeferencing: {
    affine: [west, place.side / size, 0, place.south + place.side, 0, -place.side / size],
    crs: { epsg: 4326, proj4: '+proj=longlat +datum=WGS84 +no_defs', name: 'WGS 84', geographic: true },
    geoTags: null,
  },
  readRows: async (_top, rows) => {
    const count = size * rows
    const data = new Uint16Array(count * bands.length)
    const mask = new Uint8Array(count)
    for (let pixel = 0; pixel < count; pixel++) {
      const half = pixel % size < size / 2 ? 0 : 1
      const values = bands.map((band) => (typeof band === 'number' ? band : band[half]!))
      for (const [band, value] of values.entries()) data[band * count + pixel] = value
      mask[pixel] = values[0] === 0 ? 0 : 255
    }
    return blockToPixelRows({ width: size, height: rows, bands: bands.length, data, mask })
  },
})

/** An organization with alert rules, whose background tasks run on request. */
export async function createAlertFixture(services: TestServices) {
  const queued = await createQueuedOrganization(services)
  const { organization, project, owner, runner, invoke } = queued
  const fixture = {
    ...queued,
    createRule: async (input: Record<string, unknown> = {}, call: Call = owner): Promise<AlertRule> =>
      (
        await invoke<{ alert_rule: AlertRule }>(
          'alerts.create_rule',
          { name: 'Bright', expression: 'b1', comparison: '>', threshold: 100, cooldown_minutes: 0, ...input },
          call,
        )
      ).alert_rule,
    /** Delivers an item without evaluating it; returns its id. */
    deliver: async (options: SceneOptions): Promise<string> => {
      const names = (options.names ?? []).map((name) => ({ name, common_name: name }))
      const asset = await storeRasterAsset(services.blobs, createScene(options), names)
      const { west = place.west, datetime } = options
      const { item_id } = await deliverItem(owner, project, {
        assets: [asset],
        geometry: square(west, place.south, place.side),
        ...(datetime ? { datetime } : {}),
      })
      return item_id
    },
    /** Delivers an item with one band and evaluates it. */
    observe: async (value: number, options: Partial<SceneOptions> = {}): Promise<string> => {
      const id = await fixture.deliver({ bands: [value], ...options })
      await runner.runPending()
      return id
    },
    listEvents: async (input: Record<string, unknown> = {}, call: Call = owner): Promise<AlertEvent[]> =>
      (await invoke<{ alert_events: AlertEvent[] }>('alerts.events.list', input, call)).alert_events,
    events: (kind: string) =>
      owner.db.query<{ id: string; entity_id: string; data: Record<string, unknown>; project_id: string | null }>(sql`
        select id, entity_id, data, project_id from events
        where organization_id = ${organization} and kind = ${kind} order by created_at, id`),
    evaluations: () =>
      owner.db.query<{ item_id: string; state: string; outcome: string | null; reason: string | null }>(sql`
        select item_id, state, outcome, reason from alert_evaluations
        where organization_id = ${organization} order by created_at, item_id`),
  }
  return fixture
}

export type AlertFixture = Awaited<ReturnType<typeof createAlertFixture>>
