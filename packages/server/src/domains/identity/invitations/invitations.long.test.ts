import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import type { Client } from '@swath/client/client.ts'
import type { Invitation } from '@swath/contract/schemas/people/invitation.ts'
import { readOutbox, recipientsOf } from '../../../../test/alerts/mail.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import {
  authorizationParameters,
  createPkce,
  TestBrowser,
  type BrowserResponse,
} from '../../../../test/test-browser.ts'
import {
  createTestOrganization,
  createTestUser,
  testPassword,
  type TestOrganization,
  type TestUser,
} from '../../../../test/test-organizations.ts'
import { createManualClock, type ManualClock } from '../../../platform/clock.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'

let app: TestApp
let clock: ManualClock
let folder: string
let org: TestOrganization
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-invitations-'))
  clock = createManualClock(new Date())
  app = await startTestApp({ clock, background: { poll_s: 0.05 }, environment: { SWATH_DATA_DIR: folder } })
  org = await createTestOrganization(app)
})
after(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

interface InvitationInput {
  readonly role?: string
  readonly projects?: readonly { readonly project_id: string; readonly role?: string }[]
}

const invite = async (email: string, input: InvitationInput = {}, client: Client = org.owner.client) =>
  (await client.call<{ invitation: Invitation }>('organizations.invitations.create', { email, ...input })).invitation

const linkOf = (text = ''): URL => new URL(/https?:\S+\/invitations\/accept\?token=\S+/.exec(text)![0])

/** The token in the e-mail of an invitation, once there are so many e-mails to its address. */
async function readToken(email: string, count = 1): Promise<string> {
  for (;;) {
    const mails = (await readOutbox(join(folder, 'outbox'))).filter((mail) => recipientsOf(mail).includes(email))
    if (mails.length >= count) return linkOf(mails.at(-1)!.text).searchParams.get('token')!
    await pause(20)
  }
}

const accept = (client: Client, token: string) =>
  client.call<{ organization_id: string; role: string; projects: unknown[] }>('organizations.invitations.accept', {
    token,
  })

const problemOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'ok',
    (error: { problem?: string; document?: Record<string, unknown> }) => ({
      problem: error.problem,
      detail: error.document?.['detail'],
    }),
  )

const organizationsOf = async (client: Client): Promise<string[]> =>
  (await client.call<{ organizations: { id: string }[] }>('users.organizations.list', {})).organizations.map(
    ({ id }) => id,
  )

const createInvitee = async (): Promise<TestUser> => {
  const { owner } = await createTestOrganization(app, 0)
  return owner
}

test('an invitation has the language of the account with its address, else of who invites', async () => {
  const { owner } = await createTestOrganization(app)
  await owner.client.call('users.update', { language: 'de', time_zone: 'Europe/Berlin' })
  const reader = await createTestUser(app)
  await reader.client.call('users.update', { language: 'fr' })
  const subjects: string[] = []
  for (const email of [`${newId()}@example.org`, reader.email]) {
    await invite(email, {}, owner.client)
    await readToken(email)
    const [mail] = (await readOutbox(join(folder, 'outbox'))).filter((one) => recipientsOf(one).includes(email))
    subjects.push(mail!.subject!.replaceAll(/\u2068.*\u2069/g, 'NAME'))
    assert.match(mail!.text!, /lädt Sie ein|vous invite/)
  }
  assert.deepEqual(subjects, ['Einladung zu NAME', 'Invitation à NAME'])
})

test('somebody of another organization is invited, accepts, and is in both, with the projects', async () => {
  const invitee = await createInvitee()
  const invitation = await invite(invitee.email, { projects: [{ project_id: org.project, role: 'viewer' }] })
  assert.deepEqual(
    [invitation.state, invitation.role, invitation.projects, invitation.invited_by],
    ['pending', 'member', [{ project_id: org.project, role: 'viewer' }], org.owner.user],
  )
  assert.doesNotMatch(JSON.stringify(invitation), /swathinvite_/)
  const accepted = await accept(invitee.client, await readToken(invitee.email))
  assert.deepEqual(accepted, {
    organization_id: org.organization,
    name: (
      await app.database.unscoped.query<{ name: string }>(
        sql`select name from organizations where organization_id = ${org.organization}`,
      )
    )[0]!.name,
    role: 'member',
    projects: [{ project_id: org.project, role: 'viewer' }],
  })
  assert.equal((await organizationsOf(invitee.client)).length, 2)
  // The organization of the invitation is the one that is chosen from now on.
  const again = app.createClientFor(invitee.email, testPassword)
  const { projects } = await again.call<{ projects: { id: string }[] }>('projects.list', {})
  assert.deepEqual(
    projects.map(({ id }) => id),
    [org.project],
  )
  const rows = await app.database.unscoped.query<{ operation: string; target_id: string }>(sql`
    select operation, target_id from audit_entries
    where organization_id = ${org.organization} and principal_id = ${invitee.user}`)
  assert.deepEqual(rows, [{ operation: 'organizations.invitations.accept', target_id: invitation.id }])
  const events = await app.database.unscoped.query<{ kind: string }>(sql`
    select kind from events where organization_id = ${org.organization} and data->>'email' = ${invitee.email} order by id`)
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['invitation.created', 'invitation.accepted', 'member.joined'],
  )
})

test('an address that has an account elsewhere is answered as one that has none', async () => {
  const invitee = await createInvitee()
  const [known, unknown] = [await invite(invitee.email), await invite(`${newId()}@example.org`)]
  const shape = ({ email, id, created_at, expires_at, ...others }: Invitation) => ({
    ...others,
    lifetime: Date.parse(expires_at) - Date.parse(created_at),
    texts: [typeof email, typeof id],
  })
  assert.deepEqual(shape(known), shape(unknown))
  for (const email of [invitee.email, unknown.email])
    assert.deepEqual(await problemOf(invite(email.toUpperCase())), {
      problem: 'name-taken',
      detail: 'The address is invited already; send that invitation again.',
    })
})

test('used, revoked, replaced, expired, foreign and unknown tokens are refused with one message', async () => {
  const [invitee, other] = [await createInvitee(), await createInvitee()]
  const refusals: unknown[] = []

  const first = await invite(invitee.email)
  const firstToken = await readToken(invitee.email)
  refusals.push(await problemOf(accept(other.client, firstToken)))
  clock.advance(limits.invitation_resend_seconds * 1000, org.organization)
  await org.owner.client.call('organizations.invitations.resend', { invitation_id: first.id })
  refusals.push(await problemOf(accept(invitee.client, firstToken)))
  const secondToken = await readToken(invitee.email, 2)
  assert.notEqual(secondToken, firstToken)
  await accept(invitee.client, secondToken)
  refusals.push(await problemOf(accept(invitee.client, secondToken)))

  const revoked = await invite(other.email)
  const revokedToken = await readToken(other.email)
  await org.owner.client.call('organizations.invitations.revoke', { invitation_id: revoked.id })
  refusals.push(await problemOf(accept(other.client, revokedToken)))

  await invite(other.email)
  const expiredToken = await readToken(other.email, 2)
  clock.advance(limits.invitation_days * day_ms, org.organization)
  refusals.push(await problemOf(accept(other.client, expiredToken)))
  for (const token of ['swathinvite_unknown', 'x']) refusals.push(await problemOf(accept(other.client, token)))

  assert.equal((refusals[0] as { problem: string }).problem, 'not-found')
  for (const refusal of refusals) assert.deepEqual(refusal, refusals[0])
})

test('an expired invitation gives its address free and is listed as expired', async () => {
  const org = await createTestOrganization(app, 0)
  const email = `${newId()}@example.org`
  const { id } = await invite(email, {}, org.owner.client)
  clock.advance(limits.invitation_days * day_ms, org.organization)
  const list = async (state: string) =>
    (await org.owner.client.call<{ invitations: Invitation[] }>('organizations.invitations.list', { state }))
      .invitations
  assert.deepEqual(
    (await list('expired')).map((row) => row.id),
    [id],
  )
  assert.deepEqual(await list('pending'), [])
  const next = await invite(email, {}, org.owner.client)
  assert.deepEqual(
    (await list('pending')).map((row) => row.id),
    [next.id],
  )
  assert.deepEqual(
    (await list('expired')).map((row) => row.state),
    ['expired'],
  )
})

test('of two calls that accept one token at once, one succeeds', async () => {
  const invitee = await createInvitee()
  await invite(invitee.email)
  const token = await readToken(invitee.email)
  const outcomes = await Promise.allSettled([accept(invitee.client, token), accept(invitee.client, token)])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const rows = await app.database.unscoped.query(sql`
    select 1 as one from user_organizations where user_id = ${invitee.user} and organization_id = ${org.organization}`)
  assert.equal(rows.length, 1)
})

test('of accepting and revoking at once, one succeeds', async () => {
  for (let round = 0; round < 3; round++) {
    const invitee = await createInvitee()
    const { id } = await invite(invitee.email)
    const token = await readToken(invitee.email)
    const [accepted, revoked] = await Promise.allSettled([
      accept(invitee.client, token),
      org.owner.client.call('organizations.invitations.revoke', { invitation_id: id }),
    ])
    assert.notEqual(accepted.status, revoked.status)
    const isMember = (await organizationsOf(invitee.client)).includes(org.organization)
    assert.equal(isMember, accepted.status === 'fulfilled')
  }
})

test('nobody invites to a higher role, and what somebody has left who was removed lets nobody in', async () => {
  const admin = await org.addMember('admin')
  assert.equal(
    ((await problemOf(invite(`${newId()}@example.org`, { role: 'owner' }, admin.client))) as { problem: string })
      .problem,
    'forbidden',
  )
  const invitee = await createInvitee()
  const { id } = await invite(invitee.email, { role: 'admin' }, admin.client)
  const token = await readToken(invitee.email)
  await org.owner.client.call('organizations.members.set_role', { user_id: admin.user, role: 'member' })
  assert.equal(((await problemOf(accept(invitee.client, token))) as { problem: string }).problem, 'not-found')
  const { invitations } = await org.owner.client.call<{ invitations: Invitation[] }>('organizations.invitations.list', {
    state: 'revoked',
  })
  assert.equal(invitations[0]?.id, id)

  const second = await org.addMember('admin')
  const other = await createInvitee()
  await invite(other.email, { role: 'admin' }, second.client)
  const otherToken = await readToken(other.email)
  await app.admin.call('admin.users.disable', { user_id: second.user, reason: 'test' })
  assert.equal(((await problemOf(accept(other.client, otherToken))) as { problem: string }).problem, 'not-found')
})

test('resending too soon is refused, and an admin does not handle the invitation of an owner', async () => {
  const email = `${newId()}@example.org`
  const { id } = await invite(email, { role: 'owner' })
  await readToken(email)
  const resend = (client: Client) => client.call('organizations.invitations.resend', { invitation_id: id })
  await assert.rejects(resend(org.owner.client), { status: 429 })
  const admin = await org.addMember('admin')
  await assert.rejects(resend(admin.client), { status: 403 })
  await assert.rejects(admin.client.call('organizations.invitations.revoke', { invitation_id: id }), { status: 403 })
})

test('members and invitations of another organization are as unknown', async () => {
  const theirs = await createTestOrganization(app, 0)
  const { id } = await invite(`${newId()}@example.org`, {}, theirs.owner.client)
  for (const operation of ['resend', 'revoke'])
    for (const invitation_id of [id, newId()])
      await assert.rejects(org.owner.client.call(`organizations.invitations.${operation}`, { invitation_id }), {
        status: 404,
      })
  const foreign = await problemOf(invite(`${newId()}@example.org`, { projects: [{ project_id: theirs.project }] }))
  assert.equal((foreign as { problem: string }).problem, 'not-found')
})

const openLink = (browser: TestBrowser, token: string): Promise<BrowserResponse> =>
  browser.request('GET', `/invitations/accept?token=${token}`)

const submitTo = (browser: TestBrowser, page: BrowserResponse, values: Readonly<Record<string, string>>) =>
  browser.submit(page, values, '../../../../invitations/accept')

test('the link opens a page on which somebody without an account creates one and joins', async () => {
  const email = `${newId()}@example.org`
  await invite(email, { projects: [{ project_id: org.project, role: 'editor' }] })
  const token = await readToken(email)
  const browser = new TestBrowser(app)
  const page = await openLink(browser, token)
  assert.equal(page.status, 200)
  assert.match(page.headers['content-security-policy'] ?? '', /default-src 'none'/)
  assert.match(page.headers['cache-control'] ?? '', /no-store/)
  assert.match(page.body, /with the role member/)

  const weak = await submitTo(browser, page, {
    choice: 'create',
    name: 'Ada',
    new_password: 'short',
    new_password_again: 'short',
  })
  assert.deepEqual([weak.status, /at least 8/.test(weak.body), /value="Ada"/.test(weak.body)], [400, true, true])
  const password = newId()
  const values = { choice: 'create', name: 'Ada', new_password: password, new_password_again: password }
  const other = new TestBrowser(app)
  const forged = await other.submit(page, values, '../../../../invitations/accept')
  assert.equal(forged.status, 400, 'the form is bound to its browser')
  const done = await submitTo(browser, page, values)
  assert.deepEqual([done.status, done.location?.pathname], [303, '/'])

  const client = app.createClientFor(email, password)
  const me = await client.call('users.me', {})
  assert.deepEqual([me.user?.name, me.organization?.id, me.organization?.role], ['Ada', org.organization, 'member'])
  const signedIn = await browser.open(
    authorizationParameters(createPkce(), { redirect_uri: `${app.url}/auth/callback` }),
  )
  assert.ok(signedIn.location?.searchParams.get('code'), 'the browser is signed in')
  const used = await openLink(browser, token)
  assert.deepEqual([used.status, /not valid/.test(used.body)], [404, true])
})

test('somebody with an account signs in from the page, with the invited address, and accepts', async () => {
  const [invitee, other] = [await createInvitee(), await createTestUser(app)]
  await invite(invitee.email)
  const token = await readToken(invitee.email)
  const browser = new TestBrowser(app)
  const page = await openLink(browser, token)
  assert.match(page.body, /has an account/)
  assert.doesNotMatch(page.body, /new_password/)

  const toSignIn = async (from: BrowserResponse) => {
    const { location } = await submitTo(browser, from, { choice: 'sign-in' })
    assert.equal(location?.searchParams.get('login_hint'), invitee.email)
    return browser.request('GET', `${location!.pathname}${location!.search}`)
  }
  const signIn = async (from: BrowserResponse, email: string, password: string) => {
    const { location } = await browser.submit(await toSignIn(from), { email, password })
    return browser.request('GET', `${location!.pathname}${location!.search}`)
  }
  const wrong = await signIn(page, other.email, other.password)
  assert.match(wrong.body, /which is another address/)
  const refused = await submitTo(browser, wrong, { choice: 'accept' })
  assert.doesNotMatch(refused.body, /You are a member/)
  assert.equal((await organizationsOf(other.client)).length, 0)

  const right = await signIn(wrong, invitee.email, testPassword)
  assert.match(right.body, />Accept</)
  const done = await submitTo(browser, right, { choice: 'accept' })
  assert.deepEqual([done.status, done.location?.pathname], [303, '/'])
  assert.ok((await organizationsOf(invitee.client)).includes(org.organization))
})

test('a token is neither in the queue nor in the database in clear text', async () => {
  const email = `${newId()}@example.org`
  const { id } = await invite(email)
  const token = await readToken(email)
  const [row] = await app.database.unscoped.query<{ text: string }>(
    sql`select row_to_json(i)::text as text from invitations i where id = ${id}`,
  )
  assert.match(row!.text, /"token_hash":"[0-9a-f]{64}"/)
  assert.doesNotMatch(row!.text, new RegExp(token))
})
