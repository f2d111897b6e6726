import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { createCharge, type ContractTests } from './payments-harness.ts'

export const challengeContract: ContractTests = {
  'a charge that needs authentication returns requires_action and is not a failure': async (harness) => {
    const intent = await createCharge(harness, { kind: 'challenge' })
    assert.deepEqual([intent.status, intent.captured_cents], ['requires_action', 0])
    assert.ok(intent.client_secret.startsWith(`${intent.id}_secret_`))
    assert.ok(intent.payment_method)
    assert.deepEqual(await harness.payments.find(intent.id), intent)
  },
  'a passed challenge captures the charge': async (harness) => {
    const intent = await createCharge(harness, { kind: 'challenge' })
    await harness.answerChallenge(intent, 'complete')
    const { status, captured_cents, client_secret, challenge_url } = await harness.payments.find(intent.id)
    assert.deepEqual([status, captured_cents, challenge_url], ['succeeded', 5000, null])
    assert.equal(client_secret, intent.client_secret)
  },
  'a passed challenge of a manual-capture charge authorises it': async (harness) => {
    const intent = await createCharge(harness, { kind: 'challenge', capture: 'manual' })
    await harness.answerChallenge(intent, 'complete')
    const authorisation = await harness.payments.find(intent.id)
    assert.equal(authorisation.status, 'requires_capture')
    assert.ok(authorisation.capture_before instanceof Date)
    assert.equal((await harness.payments.capture(intent.id, 5000, newId())).status, 'succeeded')
  },
  'a failed challenge captures nothing and sets the decline code': async (harness) => {
    const intent = await createCharge(harness, { kind: 'challenge' })
    await harness.answerChallenge(intent, 'fail')
    const { status, captured_cents, decline_code } = await harness.payments.find(intent.id)
    assert.deepEqual([status, captured_cents], ['requires_payment_method', 0])
    assert.ok(decline_code)
  },
  'an intent with an open challenge can be cancelled': async (harness) => {
    const intent = await createCharge(harness, { kind: 'challenge' })
    const { status, challenge_url } = await harness.payments.cancel(intent.id, newId())
    assert.deepEqual([status, challenge_url], ['canceled', null])
  },
}
