import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { findOperation } from '@swath/contract/registry.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import { licensedHostsFile } from '../hosts/licensed-hosts.ts'
import { createContractFixtures, type ContractFixtures } from '../contract/fixtures.ts'
import { square } from '../geometries.ts'
import { startTestApp, type TestApp } from '../test-app.ts'
import { watchUndeclaredProblems } from '../undeclared-problems.ts'

let app: TestApp
let client: Client
let fixtures: ContractFixtures
before(async () => {
  app = await startTestApp({ environment: { CATALOG_HOSTS_FILE: licensedHostsFile } })
  fixtures = await createContractFixtures(app)
  client = fixtures.client
})
after(() => app?.close())

/** Problems that reading from a remote server may return. */
const remoteReadProblems = ['forbidden', 'upstream']

const callForProblem = (operation: string, input: object): Promise<string> =>
  client.call(operation, input).then(
    () => 'none',
    (error: unknown) => {
      assert.ok(error instanceof ApiProblem, String(error))
      return error.problem
    },
  )

test('orders of an unknown project return a declared problem', async () => {
  assert.equal(await callForProblem('orders.list', { workspaceId: newId() }), 'not-found')
})

test('a public operation returns 401 for an invalid token', async () => {
  const response = await fetch(`${app.url}/v1/op/share.tilejson`, {
    method: 'POST',
    headers: { authorization: 'Bearer expired' },
    body: JSON.stringify({ token: 'none' }),
  })
  assert.equal(response.status, 401)
})

test('pixels of a file on an unreachable server return a declared problem', async () => {
  const geometry = square(10, 46, 1)
  const feature = {
    type: 'Feature',
    stac_version: '1.0.0',
    id: 'elsewhere',
    geometry: geometry,
    properties: { datetime: '2026-01-01T00:00:00Z' },
    assets: {
      data: { href: 'https://files.example.com/scene.tif', type: 'image/tiff; application=geotiff', roles: ['data'] },
    },
    links: [],
  }
  const { results } = await client.call<{ results: { item_id: string }[] }>('items.batch_create', {
    project_id: fixtures.project,
    features: [feature],
  })
  const item_id = results[0]!.item_id
  const { assets } = await client.call<{ assets: { id: string }[] }>('items.list_assets', { item_id })
  // As if its header had been read while the server was reachable.
  await app.database.unscoped.query(sql`
    update assets a set raster = b.raster from assets b
    where a.organization_id = ${fixtures.organization} and a.id = ${assets[0]!.id}
      and b.organization_id = ${fixtures.organization} and b.id = ${fixtures.asset}`)
  const inputs = {
    'items.tile.render': { item_id, z: 0, x: 0, y: 0 },
    'items.tile.preview': { item_id },
    'items.tile.statistics': { item_id, expression: 'b1' },
    'items.tile.point': { item_id, lon: 10.5, lat: 46.5 },
    'items.tile.histogram': { item_id },
  }
  for (const [operation, input] of Object.entries(inputs)) {
    // The result depends on how the host name resolves.
    const problem = await callForProblem(operation, input)
    assert.ok(remoteReadProblems.includes(problem), `${operation}: ${problem}`)
    const { problems } = findOperation(operation)!
    assert.deepEqual(
      remoteReadProblems.filter((name) => !(problems as readonly string[]).includes(name)),
      [],
      operation,
    )
  }
})

test('an undeclared problem fails the call and the end of the test file', () => {
  const { onUndeclaredProblem, requireNone } = watchUndeclaredProblems()
  requireNone()
  assert.throws(() => onUndeclaredProblem('items.get', 'upstream'), /items\.get ended with upstream/)
  assert.throws(requireNone, /items\.get ended with upstream/)
})
