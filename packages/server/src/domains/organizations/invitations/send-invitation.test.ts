import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import type { Invitation } from '@swath/contract/schemas/people/invitation.ts'
import { createQueuedOrganization } from '../../../../test/task-runner.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { MailFailure, type MailMessage } from '../../../platform/integrations/mail/mailer.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

/** An organization that has invited somebody, with a mailer that fails with `failures` and then accepts. */
async function createFixture(failures: Error[] = []) {
  const sent: MailMessage[] = []
  const mail = {
    send: async (message: MailMessage): Promise<void> => {
      const failure = failures.shift()
      if (failure) throw failure
      sent.push(message)
    },
  }
  const queued = await createQueuedOrganization({ ...services, integrations: { ...services.integrations, mail } })
  const email = `${newId()}@example.org`
  const { invitation } = await queued.invoke<{ invitation: Invitation }>('organizations.invitations.create', { email })
  const { organization, runner } = queued
  return {
    ...queued,
    sent,
    email,
    id: invitation.id,
    send: () =>
      runner.runTask(backgroundTaskTypes.sendInvitation, {
        organization_id: organization,
        invitation_id: invitation.id,
      }),
    read: async () => {
      const { unscoped } = services.database
      const [row] = await unscoped.query<{ token_hash: string | null; sent_at: Date | null }>(sql`
        select token_hash, sent_at from invitations where id = ${invitation.id}`)
      const known = await unscoped.query(sql`
        select token_hash from invitation_token_directory where invitation_id = ${invitation.id}`)
      return { ...row!, known: known.length }
    },
  }
}

const tokenOf = ({ text }: MailMessage): string => /token=(swathinvite_[0-9A-Za-z]{48})\b/.exec(text)![1]!

test('the e-mail has the link and no other place has the token; the task sends it once', async () => {
  const fixture = await createFixture()
  assert.deepEqual(fixture.runner.pendingTasks(fixture.organization), ['organizations.send-invitation'])
  await fixture.runner.runPending()
  await fixture.send()
  assert.equal(fixture.sent.length, 1)
  const [message] = fixture.sent as [MailMessage]
  assert.deepEqual([message.to.address, message.unsubscribe_url, message.attachments], [fixture.email, null, []])
  assert.match(message.subject, /^Invitation to /)
  assert.ok(message.html.includes(tokenOf(message)))
  const row = await fixture.read()
  assert.equal(row.token_hash, hashSecretSha256(tokenOf(message)))
  assert.ok(row.sent_at)
})

test('an e-mail that fails is sent with another link, and only that one is known', async () => {
  const fixture = await createFixture([new MailFailure('try again', false)])
  await assert.rejects(fixture.runner.runPending(), /try again/)
  const before = await fixture.read()
  assert.equal(before.sent_at, null)
  await fixture.send()
  const row = await fixture.read()
  assert.notEqual(row.token_hash, before.token_hash)
  assert.deepEqual([row.known, row.token_hash], [1, hashSecretSha256(tokenOf(fixture.sent[0]!))])
})

test('an e-mail that the server refuses for good is given up, and can be sent again', async () => {
  const fixture = await createFixture([new MailFailure('no such user', true)])
  await fixture.runner.runPending()
  assert.deepEqual([fixture.sent.length, (await fixture.read()).sent_at], [0, null])
  await fixture.invoke('organizations.invitations.resend', { invitation_id: fixture.id })
  await fixture.runner.runPending()
  assert.equal(fixture.sent.length, 1)
})

test('an invitation that was revoked before its e-mail is not sent', async () => {
  const fixture = await createFixture()
  await fixture.invoke('organizations.invitations.revoke', { invitation_id: fixture.id })
  await fixture.runner.runPending()
  assert.equal(fixture.sent.length, 0)
})

test('an organization sends so many invitations in a day, and refused ones do not count', async () => {
  const fixture = await createFixture()
  const create = (email: string) => fixture.invoke('organizations.invitations.create', { email })
  const isRefusedAs = (name: string) => (error: { problem?: string }) => error.problem === name
  for (let i = 0; i < 3; i++) await assert.rejects(create(fixture.email), isRefusedAs('name-taken'))
  const { rateLimiter } = fixture.owner
  const daily = { name: 'invitations', max: limits.max_daily_invitations, window_ms: day_ms }
  for (let i = 0; i < limits.max_daily_invitations - 2; i++) await rateLimiter.take(daily, fixture.organization)
  await create(`${newId()}@example.org`)
  await assert.rejects(create(`${newId()}@example.org`), isRefusedAs('rate-limited'))
})
