import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { PaymentsFailure } from '../../src/platform/outside/payments/payments.ts'
import { authorise, cardHolder, failure, hour_ms, refund, type Promises } from './bench.ts'

/** Asserts that repeating a request with its key returns the same result, and another request with it fails. */
async function sameAgain<T>(request: (key: string) => Promise<T>, other: (key: string) => Promise<unknown>) {
  const key = newId()
  const first = await request(key)
  assert.deepEqual(await request(key), first)
  await assert.rejects(other(key), failure('idempotency'))
  assert.deepEqual(await request(key), first)
}

export const keyPromises: Promises = {
  'a key creates one customer and one setup intent': async ({ payments }) => {
    const terms = { organization_id: newId(), name: 'Acme', email: 'a@example.org' }
    await sameAgain(
      (key) => payments.createCustomer(terms, key),
      (key) => payments.createCustomer({ ...terms, name: 'Other' }, key),
    )
    const { id } = await payments.createCustomer(terms, newId())
    await sameAgain(
      (key) => payments.createSetupIntent(id, key),
      (key) => payments.createCustomer(terms, key),
    )
  },
  'a key creates one charge, also if it is declined or challenged': async (bench) => {
    for (const kind of ['good', 'challenge'] as const) {
      const { customer, card } = await cardHolder(bench, kind)
      const terms = { customer, payment_method: card.id, amount_cents: 500, capture: 'manual', metadata: {} } as const
      await sameAgain(
        (key) => bench.payments.charge(terms, key),
        (key) => bench.payments.charge({ ...terms, amount_cents: 501 }, key),
      )
    }
    const { customer, card } = await cardHolder(bench, 'declined')
    const terms = { customer, payment_method: card.id, amount_cents: 500, capture: 'manual', metadata: {} } as const
    const key = newId()
    const attempt = (): Promise<unknown> => bench.payments.charge(terms, key).catch((error: unknown) => error)
    const [first, second] = [await attempt(), await attempt()]
    assert.ok(first instanceof PaymentsFailure && second instanceof PaymentsFailure)
    assert.equal(first.intent, second.intent)
  },
  'a key creates one capture, one cancellation and one refund': async (bench) => {
    const { payments } = bench
    const [one, two] = [await authorise(bench), await authorise(bench)]
    await sameAgain(
      (key) => payments.capture(one.id, 1200, key),
      (key) => payments.capture(one.id, 1300, key),
    )
    await sameAgain(
      (key) => payments.cancel(two.id, key),
      (key) => payments.cancel(one.id, key),
    )
    await sameAgain(
      (key) => payments.refund(refund(one.id, 100), key),
      (key) => payments.refund(refund(one.id, 200), key),
    )
    assert.equal((await payments.find(one.id)).refunded_cents, 100)
  },
  'concurrent requests with the same key create one charge': async (bench) => {
    const { customer, card } = await cardHolder(bench)
    const terms = { customer, payment_method: card.id, amount_cents: 500, capture: 'manual', metadata: {} } as const
    const key = newId()
    const made = await Promise.all(Array.from({ length: 8 }, () => bench.payments.charge(terms, key)))
    assert.equal(new Set(made.map(({ id }) => id)).size, 1)
  },
  'a key expires after 24 hours': async (bench) => {
    const terms = { organization_id: newId(), name: 'Acme', email: null }
    const key = newId()
    const { id } = await bench.payments.createCustomer(terms, key)
    bench.advance(24 * hour_ms - 1)
    assert.equal((await bench.payments.createCustomer(terms, key)).id, id)
    bench.advance(1)
    assert.notEqual((await bench.payments.createCustomer(terms, key)).id, id)
  },
}
