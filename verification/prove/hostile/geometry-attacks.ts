import { createClient, type Client } from '@swath/client/client.ts'
import { createTokenSource } from '@swath/client/tokens.ts'
import {
  createNestedSquares,
  createOverlappingSquares,
  createRandomLine,
  createRandomPolygon,
  createRepeatedSquare,
  createSlantedComb,
  createSteppedComb,
  createTrack,
} from '../../../packages/server/test/cql2/hostile-geometries.ts'
import { countOutcome, type OutcomeTally } from '../load/samples.ts'
import { createOperationCall, flood, type HttpCall } from '../load/sender.ts'
import { createTenantClient } from '../load/tenants.ts'
import { uploadFile } from '../load/upload-file.ts'
import { sandboxEmail, type Attack, type AttackBounds, type AttackTarget } from './attack-target.ts'

const callers = 2

/** Sends the requests in turn until the end of the attack. */
const inTurn = (
  createRequests: (target: AttackTarget) => readonly HttpCall[] | Promise<readonly HttpCall[]>,
): Attack['run'] => {
  return async (target, until) => {
    const requests = await createRequests(target)
    const next = (index: number): HttpCall => requests[index % requests.length]!
    return flood({ url: target.url, next, callers, until_ms: until() })
  }
}

const createFeature = (id: string, geometry: object, properties: object = {}): object => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  geometry,
  properties: { datetime: '2026-01-01T00:00:00Z', ...properties },
  assets: {},
  links: [],
})

/** Polygons that PostGIS would repair for seconds to minutes, on each path that takes one. */
function createGeometryRequests({ attacker, attacker_raster }: AttackTarget): HttpCall[] {
  const { project: project_id, api_key } = attacker
  const geometries = [
    createRandomPolygon(300),
    createRandomPolygon(500),
    createRandomPolygon(5000),
    createOverlappingSquares(100),
    createNestedSquares(2000),
    createRepeatedSquare(5000),
  ]
  const item = { project_id, name: 'x', type: 'user_raster' }
  const batch = Array.from({ length: 100 }, (_, at) => createFeature(`hostile-${at}`, createRandomPolygon(50)))
  const crosses = (shape: object): object => ({ op: 's_crosses', args: [{ property: 'geometry' }, shape] })
  return [
    ...geometries.flatMap((geometry) => [
      createOperationCall('items.create', { ...item, geometry }, api_key),
      createOperationCall('items.update', { item_id: attacker_raster, geometry }, api_key),
      createOperationCall('catalog.search', { host_name: 'commercial', intersects: geometry }, api_key),
      createOperationCall('catalog.aoi_score', { geometry }, api_key),
    ]),
    createOperationCall('items.batch_create', { project_id, type: 'external_reference', features: batch }, api_key),
    createOperationCall('stac.search', { intersects: createRandomPolygon(900) }, api_key),
    createOperationCall('stac.search', { filter: crosses(createRandomLine(5000)) }, api_key),
    createOperationCall('stac.search', { filter: crosses(createRandomPolygon(5000)) }, api_key),
  ]
}

/** Lists of valid polygons: many that take long to validate, and as many positions as a body may have. */
const createAreaLists = (): readonly (readonly object[])[] => [
  Array.from({ length: 60 }, () => createSlantedComb(700)),
  Array.from({ length: 200 }, () => createSlantedComb(700)),
  Array.from({ length: 1000 }, () => createSteppedComb(110)),
  Array.from({ length: 1000 }, () => createSteppedComb(60)),
]

/** Validation takes a tenth of a second of the main thread for each call, so two callers use all of it. */
const listBounds: AttackBounds = { max_tile_ms: 1500, max_growth_mib: 1024 }

const createZonesRequests = ({ attacker, attacker_raster }: AttackTarget): HttpCall[] =>
  createAreaLists().map((list) => {
    const zones = list.map((geometry, at) => ({ id: `${at}`, geometry }))
    const params = { item_id: attacker_raster, zones }
    return createOperationCall('analytics.execute', { operation: 'zonal_stats', params }, attacker.api_key)
  })

/** Inputs of a process have at most a megabyte. */
const max_areas = 40

const createAreasRequests = ({ attacker, attacker_raster }: AttackTarget): HttpCall[] =>
  createAreaLists().map((all) => {
    const list = all.slice(0, max_areas)
    const inputs = { item: attacker_raster, areas: list.map((geometry) => ({ geometry, value: 1 })) }
    return createOperationCall('processing.catalog.estimate', { process_id: 'rasterize', inputs }, attacker.api_key)
  })

/** Stores items of these geometries; those that are refused are left out. */
async function storeItems({ url, attacker }: AttackTarget, geometries: readonly object[]): Promise<void> {
  const client = createTenantClient(url, attacker)
  const { project: project_id } = attacker
  for (const geometry of geometries)
    await client
      .call('items.create', { project_id, name: 'x', type: 'user_raster', geometry, datetime: storedAt } as never)
      .catch((error: { status?: number }) => {
        if (error.status !== 422) throw error
      })
}

const storedAt = '2026-01-01T00:00:00Z'

async function createReportRequests(target: AttackTarget): Promise<HttpCall[]> {
  await storeItems(
    target,
    Array.from({ length: 20 }, () => createSteppedComb(2000)),
  )
  const ring = [[10, 0], [11, 0], [11, 1], [10, 1], [10, 0]] // prettier-ignore
  const area = { type: 'Polygon', coordinates: [ring] }
  const report = { report_type: 'area_monitoring', area, from: storedAt, to: '2026-02-01T00:00:00Z' }
  return [createOperationCall('reports.generate', report, target.attacker.api_key)]
}

async function createLineRequests(target: AttackTarget): Promise<HttpCall[]> {
  await storeItems(target, [
    ...[2000, 6000, ...Array.from({ length: 5 }, () => 280)].map(createRandomLine),
    createTrack(50_000),
    { type: 'GeometryCollection', geometries: [createRandomLine(100)] },
  ])
  const ring = [[2, 0.2], [8, 0.2], [8, 8], [2, 8], [2, 0.2]] // prettier-ignore
  const args = [{ property: 'geometry' }, { type: 'Polygon', coordinates: [ring] }]
  return ['s_crosses', 's_touches'].map((op) =>
    createOperationCall('stac.search', { filter: { op, args } }, target.attacker.api_key),
  )
}

const createMembers = (count: number, prefix: string): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]))

/** Bodies that take long to parse or to validate. */
function createBodyRequests({ attacker }: AttackTarget): HttpCall[] {
  const { project: project_id, api_key } = attacker
  const createBatch = (features: readonly object[]): HttpCall =>
    createOperationCall('items.batch_create', { project_id, type: 'external_reference', features }, api_key)
  const members = createMembers(9990, 'member')
  return [
    createBatch(Array.from({ length: 65 }, (_, at) => createFeature(`members-${at}`, null as never, members))),
    createBatch(
      Array.from({ length: 900 }, (_, at) => createFeature(`names-${at}`, null as never, createMembers(300, `${at}.`))),
    ),
    createOperationCall('stac.search', { ids: 'x'.repeat(9_900_000) }, api_key),
    createOperationCall('stac.search', { ids: Array.from({ length: 99_000 }, () => []) }, api_key),
    createOperationCall(
      'orders.place',
      { features: Array.from({ length: 300_000 }, () => ({ type: 'Feature' })) },
      api_key,
    ),
    createOperationCall(
      'orders.place',
      { features: Array.from({ length: 99_000 }, () => ({ type: 'Feature', a: [[]] })) },
      api_key,
    ),
  ]
}

/** A placemark with three thousand fields, a hundred times: 12.5 MB. */
function createManyFieldsKml(): Uint8Array<ArrayBuffer> {
  const fields = Array.from({ length: 3000 }, (_, at) => `<Data name="field${at}"><value>1</value></Data>`).join('')
  const placemark = `<Placemark><ExtendedData>${fields}</ExtendedData><Point><coordinates>1,2</coordinates></Point></Placemark>`
  const document = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${placemark.repeat(100)}</Document></kml>`
  return new Uint8Array(Buffer.from(document))
}

async function uploadKml({ url, attacker }: AttackTarget, until: () => number): Promise<OutcomeTally> {
  const client = createTenantClient(url, attacker)
  const bytes = createManyFieldsKml()
  const tally: OutcomeTally = new Map()
  const until_ms = until()
  while (performance.now() < until_ms) {
    const { status } = await uploadFile(client, { project_id: attacker.project, file_name: 'fields.kml', bytes }).catch(
      (error: Error) => ({ status: error.message.slice(0, 60) }),
    )
    countOutcome(tally, `upload ${status}`)
  }
  return tally
}

/** The sandbox of the attacker, created by the first attack that needs it. */
async function openSandbox({ url, attacker }: AttackTarget): Promise<Client> {
  const login = { username: sandboxEmail, password: attacker.login.password }
  const newUser = createClient({ baseUrl: url, token: createTokenSource(url, login) })
  await newUser.call('organizations.create', { name: 'Sandbox', sandbox: true }).catch(() => undefined)
  // The first token was issued before the organization existed.
  return createClient({ baseUrl: url, token: createTokenSource(url, login) })
}

/** Moves the clock of a sandbox by 400 days, again and again, in two calls at once. */
async function advanceClocks(target: AttackTarget, until: () => number): Promise<OutcomeTally> {
  const client = await openSandbox(target)
  const tally: OutcomeTally = new Map()
  const until_ms = until()
  const advance = async (): Promise<void> => {
    while (performance.now() < until_ms) {
      const outcome = await client
        .call('sandbox.clock.advance', { seconds: 400 * 86_400 })
        .then(({ reached }) => (reached ? 'reached' : 'still moving'))
        .catch((error: { status?: number }) => `${error.status}`)
      countOutcome(tally, outcome)
    }
  }
  await Promise.all([advance(), advance()])
  return tally
}

/** Inputs whose cost grows faster than their size, and calls that would hold the main thread. */
export const geometryAttacks: readonly Attack[] = [
  { name: 'polygons that cross themselves', run: inTurn(createGeometryRequests), embedded_max_ms: 2000 },
  { name: 'zones that are slow to validate', run: inTurn(createZonesRequests), bounds: listBounds },
  { name: 'areas that are slow to validate', run: inTurn(createAreasRequests), bounds: listBounds },
  { name: 'report on items of complex outline', run: inTurn(createReportRequests), embedded_max_ms: 2000 },
  { name: 'stored lines that cross themselves', run: inTurn(createLineRequests), embedded_max_ms: 2000 },
  { name: 'bodies that are slow to parse', run: inTurn(createBodyRequests) },
  { name: 'KML with three thousand fields', run: uploadKml },
  { name: 'clock of a sandbox, 400 days', run: advanceClocks },
]
