import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { sql, type Sql } from '../src/platform/database/sql.ts'
import {
  openEmbeddedPaymentProcessor,
  type EmbeddedPaymentProcessor,
} from '../src/platform/integrations/payments/embedded/embedded.ts'
import type { TestApp } from './test-app.ts'

type ProcessorDependencies = Pick<TestApp, 'database' | 'clock'>

/** Opens the payment processor of an app for direct queries by a test; it delivers no webhooks. */
export const openProcessor = ({ database, clock }: ProcessorDependencies): EmbeddedPaymentProcessor =>
  openEmbeddedPaymentProcessor({ database, clock, key: new Uint8Array(32) })

/** Attaches one of the published test cards and makes it the default; returns the id of its row. */
export async function saveCard(client: Client, payment_method_id = 'pm_card_good'): Promise<string> {
  const { id, isDefault } = await client.call('payment_methods.attach', { payment_method_id })
  if (!isDefault) await client.call('payment_methods.set_default', { payment_method_row_id: id! })
  return id!
}

/** Changes the billing plan of an organization. */
export async function updateBillingPlan(
  { database }: ProcessorDependencies,
  organization: string,
  plan: 'free' | 'prepaid' | 'enterprise',
): Promise<void> {
  await database.unscoped.query(sql`
    update organizations set plan = ${plan}, enterprise_billing = ${plan === 'enterprise'}
    where organization_id = ${organization}`)
}

/** The fields of a 402 that requires authentication by the card holder. */
export interface PaymentChallenge {
  readonly client_secret: string
  readonly challenge_url: string
}

/** Answers the challenge as the card holder, on the page of the bank. */
export async function answerChallenge({ challenge_url }: PaymentChallenge, answer: 'complete' | 'fail'): Promise<void> {
  const body = new URLSearchParams({ answer })
  const response = await fetch(challenge_url, { method: 'POST', body, redirect: 'manual' })
  assert.equal(response.status, 303, await response.text())
}

/** Polls until the query returns no row; fails after a minute. */
async function waitUntilEmpty({ database }: Pick<TestApp, 'database'>, query: Sql, failure: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if ((await database.unscoped.query(query)).length === 0) return
    await pause(50)
  }
  throw new Error(failure)
}

/** Waits until no task is active or due, and all events of the processor are delivered. */
export const waitUntilIdle = (app: Pick<TestApp, 'database'>): Promise<void> =>
  waitUntilEmpty(
    app,
    sql`
      select 1 from boss.job
      where name <> 'dead-letters' and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))
      union all
      select 1 from processor_events where attempts = 0
      limit 1`,
    'tasks were still pending after a minute',
  )

/** Waits until the processor has delivered all events, also those whose first delivery failed on a busy machine. */
export const waitForProcessorEvents = (app: Pick<TestApp, 'database'>): Promise<void> =>
  waitUntilEmpty(
    app,
    sql`select 1 from processor_events where next_at is not null limit 1`,
    'events of the processor were still undelivered after a minute',
  )
