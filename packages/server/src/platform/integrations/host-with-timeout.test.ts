import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFaultyHost, smallScenes } from '../../../test/hosts/faulty-host.ts'
import { withHostTimeout } from './host-with-timeout.ts'
import type { ImageryHost } from './imagery-host.ts'

const order = { id: 'order', scenes: [smallScenes[0]] }

test('a working host responds unchanged', async () => {
  const host = withHostTimeout(await createFaultyHost('good'), 1000)
  assert.equal(host.name, 'good')
  assert.equal((await host.search({ limit: 1 })).length, 1)
  const { reference } = await host.place(order)
  assert.equal((await host.deliveries(reference)).state, 'ready')
  assert.equal((await host.quicklook(smallScenes[0]))?.media_type, 'image/png')
  assert.ok(host.collections.length > 0)
})

test('every call to a hanging host ends after the timeout, even if it ignores the signal', async () => {
  const never = (): Promise<never> => new Promise(() => {})
  const hangingHost: ImageryHost = {
    ...(await createFaultyHost('deaf')),
    search: never,
    quicklook: never,
    place: never,
    deliveries: never,
  }
  const host = withHostTimeout(hangingHost, 50)
  for (const callHost of [
    () => host.search({ limit: 1 }),
    () => host.quicklook('x'),
    () => host.place(order),
    () => host.deliveries('x'),
  ]) {
    await assert.rejects(callHost, /The host did not respond within 0\.05 s\./)
  }
})

test('an abort by the caller ends the call early, and an error of the host is passed on', async () => {
  const host = withHostTimeout(await createFaultyHost('stalls', { place: ['stall', 'fail'] }), 60_000)
  const controller = new AbortController()
  const placement = host.place(order, controller.signal)
  controller.abort(new Error('gave up'))
  await assert.rejects(placement, /gave up/)
  await assert.rejects(host.place(order), /ordering service is unavailable/)
  await assert.rejects(host.place(order, AbortSignal.abort(new Error('gone'))), /gone/)
})

test('the signal of the host is aborted when the timeout expires', async () => {
  let abortReason: unknown
  const listeningHost: ImageryHost = {
    ...(await createFaultyHost('listens')),
    place: (_order, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          abortReason = signal.reason
          reject(signal.reason as Error)
        })
      }),
  }
  await assert.rejects(withHostTimeout(listeningHost, 20).place(order))
  assert.match(String(abortReason), /did not respond/)
})
