import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { PaymentsFailure } from '../../src/platform/integrations/payments/payments.ts'
import {
  createAuthorisation,
  createCustomerWithCard,
  failedWith,
  hour_ms,
  refundInput,
  type ContractTests,
} from './payments-harness.ts'

/** Asserts that repeating a request with its key returns the same result, and another request with it fails. */
async function assertIdempotent<T>(
  send: (key: string) => Promise<T>,
  sendDifferent: (key: string) => Promise<unknown>,
) {
  const key = newId()
  const first = await send(key)
  assert.deepEqual(await send(key), first)
  await assert.rejects(sendDifferent(key), failedWith('idempotency'))
  assert.deepEqual(await send(key), first)
}

export const idempotencyContract: ContractTests = {
  'a key creates one customer and one setup intent': async ({ payments }) => {
    const input = { organization_id: newId(), name: 'Acme', email: 'a@example.org' }
    await assertIdempotent(
      (key) => payments.createCustomer(input, key),
      (key) => payments.createCustomer({ ...input, name: 'Other' }, key),
    )
    const { id } = await payments.createCustomer(input, newId())
    await assertIdempotent(
      (key) => payments.createSetupIntent(id, key),
      (key) => payments.createCustomer(input, key),
    )
  },
  'a key creates one charge, also if it is declined or challenged': async (harness) => {
    for (const kind of ['good', 'challenge'] as const) {
      const { customer, card } = await createCustomerWithCard(harness, kind)
      const input = { customer, payment_method: card.id, amount_cents: 500, capture: 'manual', metadata: {} } as const
      await assertIdempotent(
        (key) => harness.payments.charge(input, key),
        (key) => harness.payments.charge({ ...input, amount_cents: 501 }, key),
      )
    }
    const { customer, card } = await createCustomerWithCard(harness, 'declined')
    const input = { customer, payment_method: card.id, amount_cents: 500, capture: 'manual', metadata: {} } as const
    const key = newId()
    const attempt = (): Promise<unknown> => harness.payments.charge(input, key).catch((error: unknown) => error)
    const [first, second] = [await attempt(), await attempt()]
    assert.ok(first instanceof PaymentsFailure && second instanceof PaymentsFailure)
    assert.equal(first.intent, second.intent)
  },
  'a key creates one capture, one cancellation and one refund': async (harness) => {
    const { payments } = harness
    const [one, two] = [await createAuthorisation(harness), await createAuthorisation(harness)]
    await assertIdempotent(
      (key) => payments.capture(one.id, 1200, key),
      (key) => payments.capture(one.id, 1300, key),
    )
    await assertIdempotent(
      (key) => payments.cancel(two.id, key),
      (key) => payments.cancel(one.id, key),
    )
    await assertIdempotent(
      (key) => payments.refund(refundInput(one.id, 100), key),
      (key) => payments.refund(refundInput(one.id, 200), key),
    )
    assert.equal((await payments.find(one.id)).refunded_cents, 100)
  },
  'concurrent requests with the same key create one charge': async (harness) => {
    const { customer, card } = await createCustomerWithCard(harness)
    const input = { customer, payment_method: card.id, amount_cents: 500, capture: 'manual', metadata: {} } as const
    const key = newId()
    const intents = await Promise.all(Array.from({ length: 8 }, () => harness.payments.charge(input, key)))
    assert.equal(new Set(intents.map(({ id }) => id)).size, 1)
  },
  'a key expires after 24 hours': async (harness) => {
    const input = { organization_id: newId(), name: 'Acme', email: null }
    const key = newId()
    const { id } = await harness.payments.createCustomer(input, key)
    harness.advanceClock(24 * hour_ms - 1)
    assert.equal((await harness.payments.createCustomer(input, key)).id, id)
    harness.advanceClock(1)
    assert.notEqual((await harness.payments.createCustomer(input, key)).id, id)
  },
}
