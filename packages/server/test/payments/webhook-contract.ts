import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { PaymentsFailure } from '../../src/platform/integrations/payments/payments.ts'
import {
  createAuthorisation,
  createCharge,
  failedWith,
  hour_ms,
  refundInput,
  type ContractTests,
} from './payments-harness.ts'

export const expiryContract: ContractTests = {
  'a capture of an expired authorisation is refused': async (harness) => {
    const shortAuthorisation = await createCharge(harness, { kind: 'expiring', capture: 'manual' })
    const longAuthorisation = await createAuthorisation(harness)
    assert.equal(
      longAuthorisation.capture_before!.getTime() - shortAuthorisation.capture_before!.getTime(),
      (7 * 24 - 1) * hour_ms,
    )
    harness.advanceClock(hour_ms - 1)
    assert.equal((await harness.payments.find(shortAuthorisation.id)).status, 'requires_capture')
    harness.advanceClock(1)
    await assert.rejects(
      harness.payments.capture(shortAuthorisation.id, 5000, newId()),
      failedWith('invalid', 'capture_expired'),
    )
    assert.equal((await harness.payments.find(shortAuthorisation.id)).status, 'canceled')
    await assert.rejects(
      harness.payments.capture(shortAuthorisation.id, 5000, newId()),
      failedWith('invalid', 'capture_expired'),
    )
    assert.equal((await harness.payments.capture(longAuthorisation.id, 5000, newId())).status, 'succeeded')
  },
}

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

export const webhookContract: ContractTests = {
  'an event is read only with a valid and recent signature': async ({ payments, signWebhook }) => {
    const object = { object: 'payment_intent', id: 'pi_1' }
    const body = bytes({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', created: 1, data: { object } })
    const header = signWebhook(body, 0)
    assert.deepEqual(await payments.readEvent(body, header), {
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      object_id: 'pi_1',
      created: new Date(1000),
      data: {},
    })
    assert.equal((await payments.readEvent(body, signWebhook(body, 299))).id, 'evt_1')
    const tampered = bytes({ id: 'evt_2', object: 'event', type: 'x', created: 1, data: { object } })
    for (const [receivedBody, signature] of [
      [tampered, header],
      [body, null],
      [body, ''],
      [body, 't=1'],
      [body, header.replace(/t=\d+/, 't=2000000000')],
      [body, header.slice(0, -1)],
      [body, header.replace('v1=', 'v0=')],
      [body, signWebhook(body, 301)],
    ] as const) {
      await assert.rejects(payments.readEvent(receivedBody, signature), failedWith('signature'), String(signature))
    }
  },
  'a successful charge sends a signed webhook': async (harness) => {
    const { id } = await createCharge(harness)
    const { body, signature } = await harness.waitForWebhook(id, 'payment_intent.succeeded')
    const event = await harness.payments.readEvent(body, signature)
    assert.deepEqual([event.type, event.object_id], ['payment_intent.succeeded', id])
  },
  'a failed charge sends a signed webhook': async (harness) => {
    const error: unknown = await createCharge(harness, { kind: 'declined' }).catch((cause: unknown) => cause)
    assert.ok(error instanceof PaymentsFailure && error.intent)
    const { body, signature } = await harness.waitForWebhook(error.intent, 'payment_intent.payment_failed')
    assert.equal((await harness.payments.readEvent(body, signature)).object_id, error.intent)
  },
  'an authorisation, its capture, its cancellation and a refund send webhooks': async (harness) => {
    const [one, two] = [await createAuthorisation(harness), await createAuthorisation(harness)]
    await harness.payments.capture(one.id, 1200, newId())
    await harness.payments.refund(refundInput(one.id, 200), newId())
    await harness.payments.cancel(two.id, newId())
    for (const [intent, type, data] of [
      [one, 'payment_intent.amount_capturable_updated', {}],
      [one, 'payment_intent.succeeded', {}],
      [one, 'charge.refunded', { refunded_cents: 200 }],
      [two, 'payment_intent.canceled', {}],
    ] as const) {
      const { body, signature } = await harness.waitForWebhook(intent.id, type)
      const event = await harness.payments.readEvent(body, signature)
      assert.deepEqual([event.type, event.object_id, event.data], [type, intent.id, data])
    }
  },
}
