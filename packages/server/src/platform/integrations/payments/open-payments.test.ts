import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../../../test/database.ts'
import { systemClock } from '../../clock.ts'
import { ConfigError, readConfig, listConfiguredSecrets } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { createLogger } from '../../log.ts'
import { openPaymentProcessor, type PaymentProcessors } from './open-payments.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database.close())

const open = (environment: Readonly<Record<string, string>>): Promise<PaymentProcessors> =>
  openPaymentProcessor({
    config: readConfig(environment),
    database,
    clock: systemClock,
    log: createLogger({ level: 'silent' }),
    secret: new Uint8Array(32),
  })

test('without a Stripe key the processor is embedded; with one it is Stripe, in the mode of the key', async () => {
  const embeddedPayments = await open({})
  assert.equal(embeddedPayments.payments.env, 'embedded')
  assert.equal(embeddedPayments.payments, embeddedPayments.embedded)
  for (const [STRIPE_SECRET_KEY, env] of [
    ['sk_test_x', 'test'],
    ['sk_live_x', 'live'],
  ] as const) {
    const { payments, embedded } = await open({ STRIPE_SECRET_KEY, STRIPE_API_URL: 'http://127.0.0.1:1' })
    assert.deepEqual([payments.env, embedded.env], [env, 'embedded'])
  }
})

test('the Stripe settings are secrets, and require STRIPE_SECRET_KEY', () => {
  const config = readConfig({ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' })
  assert.deepEqual([...listConfiguredSecrets(config)].sort(), ['sk_test_x', 'whsec_x'])
  for (const environment of [{ STRIPE_WEBHOOK_SECRET: 'whsec_x' }, { STRIPE_API_URL: 'http://127.0.0.1:1' }]) {
    assert.throws(
      () => readConfig(environment),
      (error) => error instanceof ConfigError && /together with STRIPE_SECRET_KEY/.test(error.message),
    )
  }
})
