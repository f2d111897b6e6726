import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listCitusNodes } from '../../../test/citus/cluster.ts'
import { openTestServices } from '../../../test/test-services.ts'
import type { Call } from '../../engine/call.ts'
import { getSchemaOwnerConnection } from '../../platform/database/raw.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { placeCreditHold, releaseHold, settleHold } from './holds.ts'
import { expireDueLots, grantCredits, addCreditGrant, withLedgerSession, deductCredits } from './ledger.ts'
import { verifyLedger } from './verify.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const reference = (): { type: string; id: string } => ({ type: 'order', id: newId() })

/** Writes thirteen entries, with every kind among them. */
async function writeEveryKindOfEntry(call: Call): Promise<void> {
  const steps: ((tx: Parameters<Parameters<Call['transaction']>[0]>[0]) => Promise<unknown>)[] = []
  const soon = new Date(holdings.clock.now().getTime() + 1000)
  const credit = { kind: 'purchase', reference: reference() } as const
  steps.push((tx) =>
    grantCredits(tx, call, { ...credit, amount_credits: 40, kind: 'grant_monthly', priority: 10, expires_at: soon }),
  )
  steps.push((tx) => grantCredits(tx, call, { ...credit, amount_credits: 500, note: 'with "quotes"\nand lines 🛰' }))
  steps.push((tx) => placeCreditHold(tx, call, { amount_credits: 60, reference: reference() }))
  for (const mode of ['card', 'enterprise'] as const) {
    steps.push(async (tx) =>
      settleHold(tx, call, {
        hold_id: await placeCreditHold(tx, call, { amount_credits: 90, reference: reference(), mode }),
        amount_credits: 70,
      }),
    )
  }
  steps.push(async (tx) =>
    releaseHold(tx, call, await placeCreditHold(tx, call, { amount_credits: 5, reference: reference() })),
  )
  steps.push((tx) => deductCredits(tx, call, { amount_credits: 9, reference: reference(), note: 'taken' }))
  for (const step of steps) await call.transaction(step)
  holdings.clock.advance(2000)
  await call.transaction((tx) =>
    grantCredits(tx, call, { ...credit, amount_credits: 3, expires_at: holdings.clock.now() }),
  )
  await call.transaction((tx) => expireDueLots(tx, call))
}

async function createWallet() {
  const { owner, organization } = await holdings.createOrganization()
  await writeEveryKindOfEntry(owner)
  return { owner, organization, verify: () => verifyLedger(owner.db, organization) }
}

const tables = ['journal_entries', 'journal_postings', 'credit_holds', 'credit_hold_resolutions'] as const

/** Runs statements as the owner of the database with the triggers disabled, which a cluster does not have. */
async function tamper(...statements: readonly Sql[]): Promise<void> {
  const set = (mode: string) =>
    listCitusNodes() === null
      ? tables.map((table) => `alter table ${table} ${mode} trigger ${table}_immutable;`).join('')
      : 'select 1'
  await holdings.database.runScript(set('disable'))
  for (const statement of statements) await getSchemaOwnerConnection(holdings.database).query(statement)
  await holdings.database.runScript(set('enable'))
}

test('a journal with every kind of entry and every mode is valid, and so is an empty one', async () => {
  const { organization, owner, verify } = await createWallet()
  const verification = await verify()
  assert.deepEqual(verification.faults, [])
  assert.equal(verification.valid, true)
  const [head] = await owner.db.query(sql`
    select position, hash from ledger_heads where organization_id = ${organization}`)
  assert.deepEqual(verification.head, head)
  assert.equal(verification.entries, verification.head.position)
  const empty = await holdings.createOrganization()
  assert.deepEqual(await verifyLedger(empty.owner.db, empty.organization), {
    valid: true,
    entries: 0,
    head: { position: 0, hash: '0'.repeat(64) },
    faults: [],
  })
})

test('a change to any column of an entry is detected by its hash', async () => {
  const { organization, verify } = await createWallet()
  const change = (assignment: Sql): Sql => sql`
    update journal_entries set ${assignment} where organization_id = ${organization} and position = 5`
  const [row] = await holdings.database.unscoped.query<Record<string, unknown>>(sql`
    select kind, reference_type, reference_id, actor_kind, actor_id, operation, request_id, idempotency_key, note, hash,
      hold_id, created_at, amount_credits, available_after_credits, held_after_credits
    from journal_entries where organization_id = ${organization} and position = 5`)
  const [other] = await holdings.database.unscoped.query<{ hold_id: string }>(sql`
    select hold_id from journal_entries where organization_id = ${organization} and position = 3`)
  const columns = Object.keys(row!)
  assert.ok(row!['hold_id'] !== null && other!.hold_id !== row!['hold_id'])
  for (const column of columns) {
    const name = sql.identifier(column, columns)
    const value = row![column]
    const changed =
      column === 'hold_id'
        ? sql`${name} = ${other!.hold_id}`
        : value instanceof Date
          ? sql`${name} = ${new Date(value.getTime() + 1)}`
          : typeof value === 'number'
            ? sql`${name} = ${name} + 1`
            : sql`${name} = coalesce(${name}, '') || 'x'`
    await tamper(change(changed))
    const verification = await verify()
    assert.equal(verification.valid, false, column)
    assert.ok(
      verification.faults.some(({ position, fault }) => position === 5 && fault.includes('hash')),
      `${column}: ${JSON.stringify(verification.faults)}`,
    )
    await tamper(change(sql`${name} = ${value}`))
    assert.deepEqual((await verify()).faults, [], column)
  }
})

/** Ways to tamper with a journal, with the expected faults. */
const tamperings: readonly (readonly [string, (organization: string) => Sql[], RegExp])[] = [
  [
    'a posting with a changed amount',
    (organization) => [
      sql`update journal_postings p set amount_credits = p.amount_credits + 1 from journal_entries e
          where p.organization_id = ${organization} and e.organization_id = p.organization_id and e.id = p.entry_id
            and e.position = 3 and p.account = 'wallet.held'`,
    ],
    /^3 the postings sum to 2;3 the hash does not .*3 the entry records 60 held credits after it, but the postings give 62/,
  ],
  [
    'a posting with a changed account',
    (organization) => [
      sql`update journal_postings p set account = 'tax' from journal_entries e
          where p.organization_id = ${organization} and e.organization_id = p.organization_id and e.id = p.entry_id
            and e.position = 2 and p.account = 'stripe.clearing'`,
    ],
    /^2 the hash does not match the content of the entry;.*balance of tax is stored as 0, but the journal gives -500.*balance of stripe\.clearing/,
  ],
  [
    'postings in a changed order',
    (organization) => [
      sql`update journal_postings p set line = 9 from journal_entries e
          where p.organization_id = ${organization} and e.organization_id = p.organization_id and e.id = p.entry_id
            and e.position = 4 and p.line = 1`,
    ],
    /^4 the hash does not match the content of the entry$/,
  ],
  [
    'a deleted entry',
    (organization) => [
      sql`delete from journal_postings p using journal_entries e
          where p.organization_id = ${organization} and e.organization_id = p.organization_id and e.id = p.entry_id
            and e.position = 2`,
      sql`delete from journal_entries where organization_id = ${organization} and position = 2`,
    ],
    /^3 the previous entry has position 1;3 the hash does not/,
  ],
  [
    'a deleted last entry',
    (organization) => [
      sql`delete from journal_postings p using journal_entries e
          where p.organization_id = ${organization} and e.organization_id = p.organization_id and e.id = p.entry_id
            and e.position = (select max(position) from journal_entries where organization_id = ${organization})`,
      sql`delete from journal_entries where organization_id = ${organization}
          and position = (select max(position) from journal_entries where organization_id = ${organization})`,
    ],
    /^null the stored chain head is position \d+ with hash \w+, but the journal ends at \d+;/,
  ],
  [
    'two entries swapped',
    (organization) => [
      sql`update journal_entries set position = -1 where organization_id = ${organization} and position = 4`,
      sql`update journal_entries set position = 4 where organization_id = ${organization} and position = 3`,
      sql`update journal_entries set position = 3 where organization_id = ${organization} and position = -1`,
    ],
    /^3 the hash.*4 the hash.*5 the hash/,
  ],
  [
    'an entry without postings',
    (organization) => [
      sql`insert into journal_entries
          select organization_id, ${newId()}::uuid, position + 1, kind, amount_credits, available_after_credits,
            held_after_credits, reference_type, reference_id, hold_id, actor_kind, actor_id, operation, request_id, note,
            created_at, hash, idempotency_key
          from journal_entries where organization_id = ${organization}
          and position = (select max(position) from journal_entries where organization_id = ${organization})`,
    ],
    /an entry must have at least two postings;\d+ the hash does not .*null the stored chain head is/,
  ],
  [
    'a number beyond the safe integers',
    (organization) => [
      sql`update journal_entries set available_after_credits = 9223372036854775807
          where organization_id = ${organization} and position = 2`,
    ],
    /^2 the hash/,
  ],
  [
    'a changed balance',
    (organization) => [
      sql`update ledger_accounts set balance_credits = balance_credits + 10
          where organization_id = ${organization} and name = 'wallet.available'`,
    ],
    /^null the balance of wallet\.available is stored as \d+, but the journal gives \d+$/,
  ],
  [
    'a changed lot',
    (organization) => [
      sql`update credit_lots set available_credits = available_credits - 1, captured_credits = captured_credits + 1
          where organization_id = ${organization} and kind = 'purchase' and available_credits > 100`,
    ],
    /^null the available credits of lot .*;null the captured credits of lot [^;]*$/,
  ],
  [
    'a lot without a grant',
    (organization) => [
      sql`insert into credit_lots (organization_id, id, kind, priority, granted_credits, available_credits, created_at)
          values (${organization}, ${newId()}, 'purchase', 1, 7, 7, ${holdings.clock.now()})`,
    ],
    /^null the granted credits of lot .* is stored as 7, but the journal gives 0;null the available credits/,
  ],
  [
    'a hold resolved without an entry',
    (organization) => [
      sql`insert into credit_hold_resolutions (organization_id, hold_id, outcome, settled_credits, released_credits, created_at)
          select h.organization_id, h.id, 'released', 0, h.amount_credits, h.created_at from credit_holds h
          where h.organization_id = ${organization} and not exists (
            select from credit_hold_resolutions r where r.organization_id = h.organization_id and r.hold_id = h.id)`,
    ],
    /^null the sum of open holds in wallet\.held is stored as 0, but the journal gives 60$/,
  ],
  [
    'a chain head set back',
    (organization) => [
      sql`update ledger_heads h set position = e.position, hash = e.hash from journal_entries e
          where h.organization_id = ${organization} and e.organization_id = h.organization_id and e.position = 3`,
    ],
    /^null the stored chain head is position 3 with hash \w+, but the journal ends at \d+$/,
  ],
]

for (const [name, statements, expectedFaults] of tamperings) {
  test(`verification detects ${name}`, async () => {
    const { organization, verify } = await createWallet()
    const untouched = await createWallet()
    await tamper(...statements(organization))
    const verification = await verify()
    assert.equal(verification.valid, false)
    assert.match(verification.faults.map(({ position, fault }) => `${position} ${fault}`).join(';'), expectedFaults)
    assert.equal((await untouched.verify()).valid, true)
  })
}

/** Grants `count` lots of one credit in one session. */
const grantMany = (call: Call, count: number): Promise<void> =>
  call.transaction((tx) =>
    withLedgerSession(tx, call, (ledger) => {
      const options = { kind: 'purchase', amount_credits: 1, reference: reference() } as const
      for (let done = 0; done < count; done += 1) addCreditGrant(ledger, options)
    }),
  )

test('verification reports at most 100 faults', async () => {
  const { owner, organization, verify } = await createWallet()
  await grantMany(owner, 110)
  await tamper(sql`update journal_entries set note = 'bent' where organization_id = ${organization}`)
  const verification = await verify()
  assert.deepEqual([verification.valid, verification.faults.length], [false, 100])
})

test('concurrent writes do not cause faults', async () => {
  const { owner, verify } = await createWallet()
  const options = { kind: 'purchase', amount_credits: 2, reference: reference() } as const
  const writing = Promise.all(
    Array.from({ length: 30 }, () => owner.transaction((tx) => grantCredits(tx, owner, options))),
  )
  const verifications = await Promise.all(Array.from({ length: 10 }, verify))
  await writing
  assert.deepEqual(
    verifications.flatMap(({ faults }) => faults),
    [],
  )
  assert.deepEqual((await verify()).faults, [])
})

test('verification continues the chain across pages', async () => {
  const { owner, verify } = await createWallet()
  await grantMany(owner, 1000 - (await verify()).entries)
  for (const entries of [1000, 1001]) {
    const verification = await verify()
    assert.deepEqual([verification.faults, verification.entries, verification.head.position], [[], entries, entries])
    await grantMany(owner, 1)
  }
})
