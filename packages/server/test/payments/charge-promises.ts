import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { PaymentsFailure } from '../../src/platform/outside/payments/payments.ts'
import { authorise, charge, failure, refund, type Promises } from './bench.ts'

export const chargePromises: Promises = {
  'an automatic charge is captured at once': async (bench) => {
    const intent = await charge(bench)
    assert.equal(intent.status, 'succeeded')
    assert.deepEqual([intent.amount_cents, intent.captured_cents, intent.refunded_cents], [5000, 5000, 0])
    assert.equal(intent.capture_before, null)
    assert.equal(intent.challenge_url, null)
    assert.deepEqual({ ...intent.metadata }, { order: 'o1' })
    assert.deepEqual(await bench.payments.find(intent.id), intent)
  },
  'an authorisation captures nothing until it is captured in full': async (bench) => {
    const held = await authorise(bench)
    assert.equal(held.status, 'requires_capture')
    assert.equal(held.captured_cents, 0)
    assert.ok(held.capture_before instanceof Date)
    assert.deepEqual(await bench.payments.find(held.id), held)
    const taken = await bench.payments.capture(held.id, 5000, newId())
    assert.deepEqual([taken.status, taken.captured_cents, taken.capture_before], ['succeeded', 5000, null])
  },
  'a partial capture is final and releases the rest': async (bench) => {
    const { id } = await authorise(bench)
    const taken = await bench.payments.capture(id, 1200, newId())
    assert.deepEqual([taken.status, taken.amount_cents, taken.captured_cents], ['succeeded', 5000, 1200])
    assert.equal(taken.refunded_cents, 0)
    await assert.rejects(bench.payments.capture(id, 1200, newId()), failure('invalid'))
  },
  'find returns the captured amount of a partial capture': async (bench) => {
    const { id } = await authorise(bench)
    await bench.payments.capture(id, 1200, newId())
    const found = await bench.payments.find(id)
    assert.deepEqual([found.status, found.captured_cents, found.refunded_cents], ['succeeded', 1200, 0])
  },
  'a capture above the authorised amount is refused': async (bench) => {
    const { id } = await authorise(bench)
    await assert.rejects(bench.payments.capture(id, 5001, newId()), failure('invalid'))
    assert.equal((await bench.payments.find(id)).status, 'requires_capture')
  },
  'a capture of zero is refused': async (bench) => {
    const { id } = await authorise(bench)
    await assert.rejects(bench.payments.capture(id, 0, newId()), failure('invalid'))
  },
  'a cancelled authorisation stays cancelled': async (bench) => {
    const { id } = await authorise(bench)
    const ended = await bench.payments.cancel(id, newId())
    assert.deepEqual([ended.status, ended.captured_cents, ended.capture_before], ['canceled', 0, null])
    assert.deepEqual(await bench.payments.cancel(id, newId()), ended)
    assert.deepEqual(await bench.payments.find(id), ended)
  },
  'a capture of a cancelled authorisation is refused': async (bench) => {
    const { id } = await authorise(bench)
    await bench.payments.cancel(id, newId())
    await assert.rejects(bench.payments.capture(id, 5000, newId()), failure('invalid'))
  },
  'a cancellation of a captured charge is refused': async (bench) => {
    const { id } = await charge(bench)
    await assert.rejects(bench.payments.cancel(id, newId()), failure('invalid'))
  },
  'a declined charge fails with the decline code': async (bench) => {
    await assert.rejects(charge(bench, { kind: 'declined' }), failure('declined', 'card_declined'))
  },
  'a declined charge names its intent, which stores the decline code': async (bench) => {
    const error: unknown = await charge(bench, { kind: 'declined' }).catch((cause: unknown) => cause)
    assert.ok(error instanceof PaymentsFailure && error.intent)
    const { status, decline_code, captured_cents } = await bench.payments.find(error.intent)
    assert.deepEqual([status, decline_code, captured_cents], ['requires_payment_method', 'card_declined', 0])
  },
  'amounts outside the limits of the processor are refused': async (bench) => {
    for (const cents of [0, -500, 49, 500.5, 100_000_000]) {
      await assert.rejects(charge(bench, { cents }), failure('invalid'), `${cents}`)
    }
  },
  'a charge can be refunded in parts up to its amount': async (bench) => {
    const { id } = await charge(bench)
    const first = await bench.payments.refund(refund(id, 2000), newId())
    assert.deepEqual([first.amount_cents, first.status], [2000, 'succeeded'])
    assert.equal((await bench.payments.find(id)).refunded_cents, 2000)
    await bench.payments.refund(refund(id, 3000), newId())
    const { status, captured_cents, refunded_cents } = await bench.payments.find(id)
    assert.deepEqual([status, captured_cents, refunded_cents], ['succeeded', 5000, 5000])
  },
  'a refund above the captured amount is refused': async (bench) => {
    const { id } = await authorise(bench)
    await bench.payments.capture(id, 1200, newId())
    await assert.rejects(bench.payments.refund(refund(id, 1201), newId()), failure('invalid'))
    await bench.payments.refund(refund(id, 1200), newId())
    await assert.rejects(bench.payments.refund(refund(id, 1), newId()), failure('invalid'))
  },
  'a refund of an uncaptured charge is refused': async (bench) => {
    const error: unknown = await charge(bench, { kind: 'declined' }).catch((cause: unknown) => cause)
    assert.ok(error instanceof PaymentsFailure && error.intent)
    await assert.rejects(bench.payments.refund(refund(error.intent, 100), newId()), failure('invalid'))
    const { id } = await authorise(bench)
    await assert.rejects(bench.payments.refund(refund(id, 100), newId()), failure('invalid'))
  },
}
