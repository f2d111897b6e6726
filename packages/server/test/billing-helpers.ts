import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { sql } from '../src/platform/database/sql.ts'
import {
  openEmbeddedProcessor,
  type EmbeddedProcessor,
} from '../src/platform/integrations/payments/embedded/embedded.ts'
import type { TestApp } from './test-app.ts'

type ProcessorDependencies = Pick<TestApp, 'database' | 'clock'>

/** Opens the payment processor of an app for direct queries by a test; it delivers no webhooks. */
export const openProcessor = ({ database, clock }: ProcessorDependencies): EmbeddedProcessor =>
  openEmbeddedProcessor({ database, clock, key: new Uint8Array(32) })

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

/** Waits until no task is active or due, and all events of the processor are delivered. */
export async function waitUntilIdle({ database }: Pick<TestApp, 'database'>): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    const busy = await database.unscoped.query(sql`
      select 1 from boss.job
      where name <> 'dead-letters' and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))
      union all
      select 1 from processor_events where attempts = 0
      limit 1`)
    if (busy.length === 0) return
    await pause(50)
  }
  throw new Error('tasks were still pending after a minute')
}

/** Waits until the processor has delivered all events, also those whose first delivery failed on a busy machine. */
export async function waitForProcessorEvents({ database }: Pick<TestApp, 'database'>): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    const pending = await database.unscoped.query(sql`select 1 from processor_events where next_at is not null limit 1`)
    if (pending.length === 0) return
    await pause(50)
  }
  throw new Error('events of the processor were still undelivered after a minute')
}
