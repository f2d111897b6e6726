import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { PaymentsFailure } from '../../src/platform/outside/payments/payments.ts'
import { authorise, charge, failure, hour_ms, refund, type Promises } from './bench.ts'

export const timePromises: Promises = {
  'a capture of an expired authorisation is refused': async (bench) => {
    const held = await charge(bench, { kind: 'expiring', capture: 'manual' })
    const long = await authorise(bench)
    assert.equal(long.capture_before!.getTime() - held.capture_before!.getTime(), (7 * 24 - 1) * hour_ms)
    bench.advance(hour_ms - 1)
    assert.equal((await bench.payments.find(held.id)).status, 'requires_capture')
    bench.advance(1)
    await assert.rejects(bench.payments.capture(held.id, 5000, newId()), failure('invalid', 'capture_expired'))
    assert.equal((await bench.payments.find(held.id)).status, 'canceled')
    await assert.rejects(bench.payments.capture(held.id, 5000, newId()), failure('invalid', 'capture_expired'))
    assert.equal((await bench.payments.capture(long.id, 5000, newId())).status, 'succeeded')
  },
}

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

export const webhookPromises: Promises = {
  'an event is read only with a valid and recent signature': async ({ payments, sign }) => {
    const object = { object: 'payment_intent', id: 'pi_1' }
    const body = bytes({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', created: 1, data: { object } })
    const header = sign(body, 0)
    assert.deepEqual(await payments.readEvent(body, header), {
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      object_id: 'pi_1',
      created: new Date(1000),
      data: {},
    })
    assert.equal((await payments.readEvent(body, sign(body, 299))).id, 'evt_1')
    const tampered = bytes({ id: 'evt_2', object: 'event', type: 'x', created: 1, data: { object } })
    for (const [given, signature] of [
      [tampered, header],
      [body, null],
      [body, ''],
      [body, 't=1'],
      [body, header.replace(/t=\d+/, 't=2000000000')],
      [body, header.slice(0, -1)],
      [body, header.replace('v1=', 'v0=')],
      [body, sign(body, 301)],
    ] as const) {
      await assert.rejects(payments.readEvent(given, signature), failure('signature'), String(signature))
    }
  },
  'a successful charge sends a signed webhook': async (bench) => {
    const { id } = await charge(bench)
    const { body, signature } = await bench.told(id, 'payment_intent.succeeded')
    const event = await bench.payments.readEvent(body, signature)
    assert.deepEqual([event.type, event.object_id], ['payment_intent.succeeded', id])
  },
  'a failed charge sends a signed webhook': async (bench) => {
    const error: unknown = await charge(bench, { kind: 'declined' }).catch((cause: unknown) => cause)
    assert.ok(error instanceof PaymentsFailure && error.intent)
    const { body, signature } = await bench.told(error.intent, 'payment_intent.payment_failed')
    assert.equal((await bench.payments.readEvent(body, signature)).object_id, error.intent)
  },
  'an authorisation, its capture, its cancellation and a refund send webhooks': async (bench) => {
    const [one, two] = [await authorise(bench), await authorise(bench)]
    await bench.payments.capture(one.id, 1200, newId())
    await bench.payments.refund(refund(one.id, 200), newId())
    await bench.payments.cancel(two.id, newId())
    for (const [intent, type, data] of [
      [one, 'payment_intent.amount_capturable_updated', {}],
      [one, 'payment_intent.succeeded', {}],
      [one, 'charge.refunded', { refunded_cents: 200 }],
      [two, 'payment_intent.canceled', {}],
    ] as const) {
      const { body, signature } = await bench.told(intent.id, type)
      const event = await bench.payments.readEvent(body, signature)
      assert.deepEqual([event.type, event.object_id, event.data], [type, intent.id, data])
    }
  },
}
