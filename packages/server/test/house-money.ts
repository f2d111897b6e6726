import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import { sql } from '../src/platform/database/sql.ts'
import { openEmbedded, type EmbeddedProcessor } from '../src/platform/outside/payments/embedded/embedded.ts'
import type { TestHouse } from './setup.ts'

type Ground = Pick<TestHouse, 'database' | 'clock'>

/** The processor of a house, for what tests ask of it behind the house; it tells nobody anything. */
export const processorOf = ({ database, clock }: Ground): EmbeddedProcessor =>
  openEmbedded({ database, clock, key: new Uint8Array(32) })

/** Saves one of the published cards and makes it the one that is charged; the id of its row. */
export async function giveCard(client: Client, payment_method_id = 'pm_card_good'): Promise<string> {
  const { id, isDefault } = await client.call('payment_methods.attach', { payment_method_id })
  if (!isDefault) await client.call('payment_methods.set_default', { payment_method_row_id: id! })
  return id!
}

/** Changes how an organization pays. */
export async function putOnPlan(
  { database }: Ground,
  organization: string,
  plan: 'free' | 'prepaid' | 'enterprise',
): Promise<void> {
  await database.across.query(sql`
    update organizations set plan = ${plan}, enterprise_billing = ${plan === 'enterprise'}
    where organization_id = ${organization}`)
}

/** What a 402 says that asks for the card holder. */
export interface Challenge {
  readonly client_secret: string
  readonly challenge_url: string
}

/** The card holder answers the bank on its page. */
export async function answerChallenge({ challenge_url }: Challenge, answer: 'complete' | 'fail'): Promise<void> {
  const body = new URLSearchParams({ answer })
  const response = await fetch(challenge_url, { method: 'POST', body, redirect: 'manual' })
  assert.equal(response.status, 303, await response.text())
}

/** Waits until no work of any kind is running or ready to run, and the processor has told everything. */
export async function atRest({ database }: Pick<TestHouse, 'database'>): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    const busy = await database.across.query(sql`
      select 1 from boss.job
      where name <> 'dead-letters' and (state = 'active' or (state in ('created', 'retry') and start_after <= now()))
      union all
      select 1 from processor_events where attempts = 0
      limit 1`)
    if (busy.length === 0) return
    await pause(50)
  }
  throw new Error('the work of the house did not come to rest within a minute')
}
