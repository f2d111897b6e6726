import { newId } from '../../../src/platform/ids.ts'
import { moveTime, runForEach } from '../../citus/statements.ts'
import { sql } from '../../../src/platform/database/sql.ts'
import type { CaptureInput } from '../../orders.ts'
import type { TestApp } from '../../test-app.ts'
import type { TestOrganization } from '../../test-organizations.ts'

interface QuoteFixture {
  readonly app: TestApp
  readonly ours: TestOrganization
  readonly theirs: TestOrganization
  readonly captures: readonly CaptureInput[]
}

/** An open quote of `ours`. */
export async function requestQuote({ ours, captures }: QuoteFixture): Promise<{ quote_id: string }> {
  const { quote_id } = await ours.owner.client.call('orders.quote', { captures: [...captures] })
  return { quote_id }
}

export const requestExpiredQuote = async (fixture: QuoteFixture): Promise<{ quote_id: string }> =>
  expireQuote(fixture.app, await requestQuote(fixture))

/** Expires a quote. */
export async function expireQuote(app: TestApp, quote: { quote_id: string }): Promise<{ quote_id: string }> {
  for (const column of ['created_at', 'expires_at'])
    await moveTime(
      app.database.unscoped,
      { table: 'order_quotes', column, where: sql`id = ${quote.quote_id}` },
      -3_600_000,
    )
  return quote
}

/** Adds as many open quotes to the other organization as one may have. */
export async function fillQuotes({ app, theirs }: QuoteFixture): Promise<void> {
  await runForEach(
    app.database.unscoped,
    [1, 200],
    () => sql`
      insert into order_quotes (organization_id, id, captures, groups, total_credits, created_by, created_at, expires_at)
      values (${theirs.organization}, ${newId()}, '[]', '[]', 0, 'test', now(), now() + interval '10 minutes')`,
  )
}
