import assert from 'node:assert/strict'
import { newId } from '../../src/platform/ids.ts'
import { charge, type Promises } from './bench.ts'

export const challengePromises: Promises = {
  'a charge that needs authentication returns requires_action and is not a failure': async (bench) => {
    const intent = await charge(bench, { kind: 'challenge' })
    assert.deepEqual([intent.status, intent.captured_cents], ['requires_action', 0])
    assert.ok(intent.client_secret.startsWith(`${intent.id}_secret_`))
    assert.ok(intent.payment_method)
    assert.deepEqual(await bench.payments.find(intent.id), intent)
  },
  'a passed challenge captures the charge': async (bench) => {
    const intent = await charge(bench, { kind: 'challenge' })
    await bench.settle(intent, 'complete')
    const { status, captured_cents, client_secret, challenge_url } = await bench.payments.find(intent.id)
    assert.deepEqual([status, captured_cents, challenge_url], ['succeeded', 5000, null])
    assert.equal(client_secret, intent.client_secret)
  },
  'a passed challenge of a manual-capture charge authorises it': async (bench) => {
    const intent = await charge(bench, { kind: 'challenge', capture: 'manual' })
    await bench.settle(intent, 'complete')
    const held = await bench.payments.find(intent.id)
    assert.equal(held.status, 'requires_capture')
    assert.ok(held.capture_before instanceof Date)
    assert.equal((await bench.payments.capture(intent.id, 5000, newId())).status, 'succeeded')
  },
  'a failed challenge captures nothing and sets the decline code': async (bench) => {
    const intent = await charge(bench, { kind: 'challenge' })
    await bench.settle(intent, 'fail')
    const { status, captured_cents, decline_code } = await bench.payments.find(intent.id)
    assert.deepEqual([status, captured_cents], ['requires_payment_method', 0])
    assert.ok(decline_code)
  },
  'an intent with an open challenge can be cancelled': async (bench) => {
    const intent = await charge(bench, { kind: 'challenge' })
    const { status, challenge_url } = await bench.payments.cancel(intent.id, newId())
    assert.deepEqual([status, challenge_url], ['canceled', null])
  },
}
