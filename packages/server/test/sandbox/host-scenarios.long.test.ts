import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { placeSceneOrder, type OrderJson } from '../orders.ts'
import { advanceSandbox, createTestSandbox, listSandboxEvents, numberIds, readOrder } from './sandboxes.ts'
import { startTestApp, type TestApp } from '../test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ environment: { SWATH_DEMO: 'on' } })
})
after(() => app?.close())

const scene = 'naip-va-18n'
const hour_s = 3600
const day_s = 24 * hour_s

test('hosts refuse, fail, deliver in part and state wrong checksums as scenarios demand', async () => {
  const sandbox = await createTestSandbox(app)
  const { client } = sandbox
  const play = async (scenario: object, scenes: readonly string[] = [scene]): Promise<OrderJson> => {
    await client.call('sandbox.scenario.run', { scenario: scenario as never })
    const order = await placeSceneOrder(client, 'commercial', scenes)
    await advanceSandbox(client, 2 * day_s)
    return readOrder(sandbox, order)
  }
  const refused = await play({ kind: 'host.refuse_order', reason: 'Out of stock.' })
  assert.deepEqual([refused.status, refused.failureReason?.text], ['FAILED_PERMANENTLY', 'Out of stock.'])
  const retried = await play({ kind: 'host.fail', times: 3 })
  assert.equal(retried.status, 'FULFILLED')
  assert.equal(retried.statusHistory.filter(({ to }) => to === 'PLACEMENT_FAILED').length, 3)
  const lost = await play({ kind: 'host.lose_response' })
  assert.equal(lost.status, 'FULFILLED')
  const given = await play({ kind: 'host.refuse_delivery' })
  assert.equal(given.status, 'FAILED_PERMANENTLY')
  const lied = await play({ kind: 'host.wrong_checksum', deliveries: 2 })
  assert.equal(lied.status, 'FULFILLED')
  const liedForEver = await play({ kind: 'host.wrong_checksum', deliveries: 100 })
  assert.deepEqual([liedForEver.status, liedForEver.failureReason?.code], ['FAILED_PERMANENTLY', 'delivery-failed'])
  const partial = await play({ kind: 'host.partial_delivery', missing_scenes: 1 }, [scene, 'naip-va-17n'])
  assert.deepEqual([partial.status, partial.fulfillment], ['FULFILLED', 'partial'])
  const slow = await play({ kind: 'host.delay', seconds: 3 * day_s })
  assert.deepEqual([slow.status, slow.failureReason?.code], ['FAILED_PERMANENTLY', 'host-timeout'])
})

test('two sandboxes with the same seed have the same events after the same calls', async () => {
  const tell = async (): Promise<string> => {
    const { client } = await createTestSandbox(app, { seed: 'same' })
    await client.call('sandbox.scenario.run', { scenario: { kind: 'host.fail', times: 2 } })
    for (const id of [scene, 'naip-va-17n']) await placeSceneOrder(client, 'commercial', [id])
    await advanceSandbox(client, 40 * day_s)
    return numberIds(await listSandboxEvents(client))
  }
  const first = await tell()
  assert.ok(first.length > 1000)
  assert.equal(first, await tell())
})
