import type { Client } from '@swath/client/client.ts'
import { createTestSandbox } from '../../../packages/server/test/sandbox/sandboxes.ts'
import { findCaptures } from '../../../packages/server/test/orders.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { testPassword } from '../../../packages/server/test/test-organizations.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'

/** The sandbox organization in which a part of the walk happens, and what its steps have seen. */
export interface SandboxStage {
  readonly app: TestApp
  readonly organization: string
  readonly client: Client
  readonly random: () => number
  /** Scenes that are priced and small. */
  readonly captures: readonly object[]
  readonly orders: string[]
  readonly quotes: string[]
  readonly cards: string[]
  readonly topups: string[]
}

/** One of the values. */
export const choose = <T>(random: () => number, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)]!

/** One of the values, mostly of the newest; null if there are none. */
export const chooseRecent = (random: () => number, values: readonly string[]): string | null =>
  values.length === 0 ? null : values[Math.floor((1 - random() ** 2) * (values.length - 1e-9))]!

/** The stage of a sandbox whose process was killed; null if it was killed before the sandbox had a project. */
export async function resumeStage(
  app: TestApp,
  random: () => number,
  organization: string,
): Promise<SandboxStage | null> {
  const { unscoped } = app.database
  const [owner] = await unscoped.query<{ email: string }>(sql`
    select u.email from users u join memberships m on m.user_id = u.id
    where m.organization_id = ${organization} and m.role = 'owner'
      and exists (select from projects p where p.organization_id = ${organization}) limit 1`)
  if (!owner) return null
  const orders = await unscoped.query<{ id: string }>(sql`
    select id from orders where organization_id = ${organization} order by id`)
  const client = app.createClientFor(owner.email, testPassword)
  return createStage({ app, organization, client, random, orders: orders.map(({ id }) => id) })
}

async function createStage(
  stage: Pick<SandboxStage, 'app' | 'organization' | 'client' | 'random' | 'orders'>,
): Promise<SandboxStage> {
  const captures = await findCaptures(stage.client, 'commercial', ['naip-va-17n', 'naip-va-18n'])
  return { ...stage, captures, quotes: [], cards: [], topups: [] }
}

export async function openStage(app: TestApp, random: () => number): Promise<SandboxStage> {
  const seed = String(Math.floor(random() * 1e9))
  const { organization, client } = await createTestSandbox(app, { seed, time: '2026-01-10T09:00:00.000Z' })
  return createStage({ app, organization, client, random, orders: [] })
}
