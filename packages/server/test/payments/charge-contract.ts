import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { PaymentsFailure } from '../../src/platform/integrations/payments/payments.ts'
import { createAuthorisation, createCharge, failedWith, refundInput, type ContractTests } from './payments-harness.ts'

export const chargeContract: ContractTests = {
  'an automatic charge is captured at once': async (harness) => {
    const intent = await createCharge(harness)
    assert.equal(intent.status, 'succeeded')
    assert.deepEqual([intent.amount_cents, intent.captured_cents, intent.refunded_cents], [5000, 5000, 0])
    assert.equal(intent.capture_before, null)
    assert.equal(intent.challenge_url, null)
    assert.deepEqual({ ...intent.metadata }, { order: 'o1' })
    assert.deepEqual(await harness.payments.find(intent.id), intent)
  },
  'an authorisation captures nothing until it is captured in full': async (harness) => {
    const authorisation = await createAuthorisation(harness)
    assert.equal(authorisation.status, 'requires_capture')
    assert.equal(authorisation.captured_cents, 0)
    assert.ok(authorisation.capture_before instanceof Date)
    assert.deepEqual(await harness.payments.find(authorisation.id), authorisation)
    const captured = await harness.payments.capture(authorisation.id, 5000, newId())
    assert.deepEqual([captured.status, captured.captured_cents, captured.capture_before], ['succeeded', 5000, null])
  },
  'a partial capture is final and releases the rest': async (harness) => {
    const { id } = await createAuthorisation(harness)
    const captured = await harness.payments.capture(id, 1200, newId())
    assert.deepEqual([captured.status, captured.amount_cents, captured.captured_cents], ['succeeded', 5000, 1200])
    assert.equal(captured.refunded_cents, 0)
    await assert.rejects(harness.payments.capture(id, 1200, newId()), failedWith('invalid'))
  },
  'find returns the captured amount of a partial capture': async (harness) => {
    const { id } = await createAuthorisation(harness)
    await harness.payments.capture(id, 1200, newId())
    const intent = await harness.payments.find(id)
    assert.deepEqual([intent.status, intent.captured_cents, intent.refunded_cents], ['succeeded', 1200, 0])
  },
  'a capture above the authorised amount is refused': async (harness) => {
    const { id } = await createAuthorisation(harness)
    await assert.rejects(harness.payments.capture(id, 5001, newId()), failedWith('invalid'))
    assert.equal((await harness.payments.find(id)).status, 'requires_capture')
  },
  'a capture of zero is refused': async (harness) => {
    const { id } = await createAuthorisation(harness)
    await assert.rejects(harness.payments.capture(id, 0, newId()), failedWith('invalid'))
  },
  'a cancelled authorisation stays cancelled': async (harness) => {
    const { id } = await createAuthorisation(harness)
    const cancelled = await harness.payments.cancel(id, newId())
    assert.deepEqual([cancelled.status, cancelled.captured_cents, cancelled.capture_before], ['canceled', 0, null])
    assert.deepEqual(await harness.payments.cancel(id, newId()), cancelled)
    assert.deepEqual(await harness.payments.find(id), cancelled)
  },
  'a capture of a cancelled authorisation is refused': async (harness) => {
    const { id } = await createAuthorisation(harness)
    await harness.payments.cancel(id, newId())
    await assert.rejects(harness.payments.capture(id, 5000, newId()), failedWith('invalid'))
  },
  'a cancellation of a captured charge is refused': async (harness) => {
    const { id } = await createCharge(harness)
    await assert.rejects(harness.payments.cancel(id, newId()), failedWith('invalid'))
  },
  'a declined charge fails with the decline code': async (harness) => {
    await assert.rejects(createCharge(harness, { kind: 'declined' }), failedWith('declined', 'card_declined'))
  },
  'a declined charge names its intent, which stores the decline code': async (harness) => {
    const error: unknown = await createCharge(harness, { kind: 'declined' }).catch((cause: unknown) => cause)
    assert.ok(error instanceof PaymentsFailure && error.intent)
    const { status, decline_code, captured_cents } = await harness.payments.find(error.intent)
    assert.deepEqual([status, decline_code, captured_cents], ['requires_payment_method', 'card_declined', 0])
  },
  'amounts outside the limits of the processor are refused': async (harness) => {
    for (const cents of [0, -500, 49, 500.5, 100_000_000]) {
      await assert.rejects(createCharge(harness, { cents }), failedWith('invalid'), `${cents}`)
    }
  },
  'a charge can be refunded in parts up to its amount': async (harness) => {
    const { id } = await createCharge(harness)
    const first = await harness.payments.refund(refundInput(id, 2000), newId())
    assert.deepEqual([first.amount_cents, first.status], [2000, 'succeeded'])
    assert.equal((await harness.payments.find(id)).refunded_cents, 2000)
    await harness.payments.refund(refundInput(id, 3000), newId())
    const { status, captured_cents, refunded_cents } = await harness.payments.find(id)
    assert.deepEqual([status, captured_cents, refunded_cents], ['succeeded', 5000, 5000])
  },
  'a refund above the captured amount is refused': async (harness) => {
    const { id } = await createAuthorisation(harness)
    await harness.payments.capture(id, 1200, newId())
    await assert.rejects(harness.payments.refund(refundInput(id, 1201), newId()), failedWith('invalid'))
    await harness.payments.refund(refundInput(id, 1200), newId())
    await assert.rejects(harness.payments.refund(refundInput(id, 1), newId()), failedWith('invalid'))
  },
  'a refund of an uncaptured charge is refused': async (harness) => {
    const error: unknown = await createCharge(harness, { kind: 'declined' }).catch((cause: unknown) => cause)
    assert.ok(error instanceof PaymentsFailure && error.intent)
    await assert.rejects(harness.payments.refund(refundInput(error.intent, 100), newId()), failedWith('invalid'))
    const { id } = await createAuthorisation(harness)
    await assert.rejects(harness.payments.refund(refundInput(id, 100), newId()), failedWith('invalid'))
  },
}
