import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultyHost, smallScenes } from '../../../test/hosts/faulty-host.ts'
import { limitHost } from './limit-host.ts'
import type { ImageryHost } from './imagery-host.ts'

const order = { id: 'order', scenes: [smallScenes[0]] }

test('a working host responds unchanged', async () => {
  const host = limitHost(await faultyHost('good'), 1000)
  assert.equal(host.name, 'good')
  assert.equal((await host.search({ limit: 1 })).length, 1)
  const { reference } = await host.place(order)
  assert.equal((await host.deliveries(reference)).state, 'ready')
  assert.equal((await host.quicklook(smallScenes[0]))?.media_type, 'image/png')
  assert.ok(host.collections.length > 0)
})

test('every call to a hanging host ends after the timeout, even if it ignores the signal', async () => {
  const never = (): Promise<never> => new Promise(() => {})
  const deaf: ImageryHost = {
    ...(await faultyHost('deaf')),
    search: never,
    quicklook: never,
    place: never,
    deliveries: never,
  }
  const host = limitHost(deaf, 50)
  for (const question of [
    () => host.search({ limit: 1 }),
    () => host.quicklook('x'),
    () => host.place(order),
    () => host.deliveries('x'),
  ]) {
    await assert.rejects(question, /The host did not respond within 0\.05 s\./)
  }
})

test('an abort by the caller ends the call early, and an error of the host is passed on', async () => {
  const host = limitHost(await faultyHost('stalls', { place: ['stall', 'fail'] }), 60_000)
  const controller = new AbortController()
  const placed = host.place(order, controller.signal)
  controller.abort(new Error('gave up'))
  await assert.rejects(placed, /gave up/)
  await assert.rejects(host.place(order), /ordering service is unavailable/)
  await assert.rejects(host.place(order, AbortSignal.abort(new Error('gone'))), /gone/)
})

test('the signal of the host is aborted when the timeout expires', async () => {
  let heard: unknown
  const listening: ImageryHost = {
    ...(await faultyHost('listens')),
    place: (_order, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          heard = signal.reason
          reject(signal.reason as Error)
        })
      }),
  }
  await assert.rejects(limitHost(listening, 20).place(order))
  assert.match(String(heard), /did not respond/)
})
